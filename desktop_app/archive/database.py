"""The database: one encrypted file, opened by one process at a time, that loses nothing it has been given.

SQLCipher encrypts and authenticates every page, of the file and of its write-ahead log, under a 256-bit key that is random, so
no key is derived from it at opening. The log (journal mode WAL) is flushed to the disk at every commit (synchronous FULL): after
a kill or a power cut the database is as of the last commit. In exclusive locking mode there is no shared-memory file, and a
second process is turned away. `secure_delete` overwrites what is deleted; what else may hold it, the log and the backups, goes
in `erasing`. A database of an older version is copied beside itself, then brought up to date in one transaction.

A new database is made under another name and then put in its place, so a file with no bytes is always a damaged one.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlcipher3 import dbapi2 as sqlcipher

from desktop_app.archive import backups, private_files
from desktop_app.archive.errors import (
    HALF_A_CHARACTER,
    ArchiveBusy,
    ArchiveDamaged,
    ArchiveError,
    ArchiveMissing,
    ArchiveUnwritable,
    DiskFull,
    TextRefused,
)
from desktop_app.archive.schema import OWN, Schema, migrate, missing

KEY_BYTES = 32
WAIT_FOR_OTHERS = 2.0
"""Seconds that an engine which is just ending gets to let go of the file."""

_MEMORY = ":memory:"
_BUSY = {5, 6, 15}
_UNWRITABLE = {3, 8, 14, 23}
_DAMAGED = {11, 26}
_FULL = 13
_TOO_BIG = 18
_DISK_FAILED = 10


class Archive:
    """An open database. It belongs to the thread that opened it; every method raises subclasses of `ArchiveError`."""

    def __init__(self, path: Path | None, key: bytes, schemas: Sequence[Schema]) -> None:
        self._path = path
        self._depth = 0
        self._erasing = False
        with _in_words(self._path):
            self._connection = _connect(path, key)
            try:
                self._bring_up_to_date([OWN, *schemas])
            except BaseException:
                self._connection.close()
                raise

    @classmethod
    def open(cls, path: Path, key: bytes, schemas: Sequence[Schema]) -> "Archive":
        """Open the database at `path`, make it where there is none, and bring it up to date; `key` is `KEY_BYTES` random bytes.

        Give the schemas of all rooms at once: a database that has others is taken for a newer one.
        """
        if len(key) != KEY_BYTES:
            raise ValueError("SQLCipher would take a key of another length for a passphrase")
        path = path.absolute()
        with _in_words(path):
            private_files.make_folder(path.parent)
            if not path.exists():
                _make(path, key, schemas)
            elif path.stat().st_size == 0:
                raise ArchiveDamaged(_damaged(path))
        return cls(path, key, schemas)

    @classmethod
    def in_memory(cls, schemas: Sequence[Schema]) -> "Archive":
        """A database that touches no disk and is gone when it is closed."""
        return cls(None, b"", schemas)

    def close(self) -> None:
        """Close it; the log is folded into the file and removed. Closing twice does nothing."""
        with _in_words(self._path):
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is done inside is kept, or nothing of it. May be nested: an inner one that fails takes back only itself."""
        begin, end, back = ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK") if self._depth == 0 else _SAVEPOINT
        self._run(begin)
        self._depth += 1
        try:
            yield
            self._run(end)
        except BaseException:
            if self._connection.in_transaction:  # SQLite takes everything back by itself when a disk is full
                for statement in back.split(";"):
                    self._run(statement)
            self._erasing = self._erasing and self._depth > 1
            raise
        finally:
            self._depth -= 1
        if self._depth == 0 and self._erasing:
            self._erase()

    @contextmanager
    def erasing(self) -> Iterator[None]:
        """A transaction that deletes: afterwards what was deleted is in no backup and not in the log either."""
        with self.transaction():
            self._erasing = True
            self._run("INSERT INTO erasing VALUES (?)", (time.time(),))
            yield

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> int:
        """Run one statement; how many rows it has changed. Outside a transaction it is one by itself."""
        count: int = self._run(statement, parameters).rowcount
        return count

    def query(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows that a SELECT gives."""
        with _in_words(self._path):
            rows: list[tuple[Any, ...]] = self._connection.execute(statement, parameters).fetchall()
        return rows

    def _run(self, statement: str, parameters: Sequence[Any] = ()) -> Any:
        with _in_words(self._path):
            return self._connection.execute(statement, parameters)

    def _bring_up_to_date(self, schemas: Sequence[Schema]) -> None:
        cut_off = self._path is not None and _holds_something(_log(self._path))
        behind = missing(self._connection, schemas)
        if self._path is not None:
            self._connection.execute("PRAGMA journal_mode = WAL")  # from here on, no other process gets in
            private_files.remove_parts(self._path)
            if cut_off and self._connection.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
                raise ArchiveDamaged(_damaged(self._path))
            if self.query("SELECT 1 FROM erasing LIMIT 1"):
                self._erase()
            if behind:
                backups.make(self._connection, self._path)
        if behind:
            migrate(self._connection, behind)

    def _erase(self) -> None:
        self._erasing = False
        if self._path is not None:
            with _in_words(self._path):
                backups.remove(self._path)
        self._run("PRAGMA incremental_vacuum").fetchall()
        self._run("DELETE FROM erasing")
        self._run("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


# None of them reads or writes the file, which may be a newer one, or none.
_SETTINGS = (
    "temp_store = MEMORY",
    "secure_delete = ON",
    "foreign_keys = ON",
    "synchronous = FULL",
    "fullfsync = ON",
    "checkpoint_fullfsync = ON",
)
_SAVEPOINT = ("SAVEPOINT inner", "RELEASE inner", "ROLLBACK TO inner;RELEASE inner")


def _connect(path: Path | None, key: bytes) -> Any:
    connection = sqlcipher.connect(_MEMORY if path is None else str(path), timeout=WAIT_FOR_OTHERS, isolation_level=None)
    try:
        connection.execute("PRAGMA cipher_log_level = NONE")  # it would write to stderr at a wrong key
        if path is not None:
            connection.execute(f"""PRAGMA key = "x'{key.hex()}'" """)
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
    except BaseException:
        connection.close()
        raise
    return connection


def _make(path: Path, key: bytes, schemas: Sequence[Schema]) -> None:
    """Make an empty database at `path`, unless something tells that there was one."""
    backup = backups.latest(path)
    if backup is not None:
        raise ArchiveMissing(
            f"The file of your conversations, {path}, is gone, but a backup is there: {backup.name}. Put the file back, or "
            f"rename the backup to {path.name} and move {_log(path).name} elsewhere, if there is one; then start Sotto again."
        )
    if _holds_something(_log(path)):  # it would be taken for the log of the new database, and spoil it
        raise ArchiveMissing(
            f"The file of your conversations, {path}, is gone, but a part of it, {_log(path).name}, is there. Put the file back, "
            "or move that part elsewhere to begin anew; then start Sotto again."
        )
    part = private_files.part_of(path)
    connection = _connect(part, key)
    try:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # lets `erasing` give room back
        migrate(connection, missing(connection, [OWN, *schemas]))
    finally:
        connection.close()
    private_files.publish(part, path)  # where another process was faster, its database is opened, or turns this one away


def _log(path: Path) -> Path:
    """The write-ahead log. It stays, with something in it, when a process does not come to close the database."""
    return path.with_name(f"{path.name}-wal")


def _holds_something(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


@contextmanager
def _in_words(path: Path | None) -> Iterator[None]:
    try:
        with private_files.errors_in_words(path or Path(_MEMORY)):
            yield
    except sqlcipher.Error as error:
        raise _error(error, path) from error
    except UnicodeEncodeError as error:
        raise TextRefused(HALF_A_CHARACTER) from error


def _error(error: sqlcipher.Error, path: Path | None) -> ArchiveError:
    """SQLite's error as a sentence. The low byte of a result code is the primary one (SQLite, "Result and Error Codes")."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    folder = Path("the memory of this computer") if path is None else path.parent
    if code in _BUSY:
        return ArchiveBusy("Another Sotto of yours is running and has your conversations open. Close it, then start again.")
    if code in _DAMAGED:
        return ArchiveDamaged(_damaged(path))
    if code in _UNWRITABLE:
        return ArchiveUnwritable(private_files.unwritable(folder))
    if code == _FULL:
        return DiskFull(private_files.no_room(folder))
    if code == _TOO_BIG:
        return TextRefused("This text is too long to be kept. Use a shorter one.")
    if code == _DISK_FAILED:
        return ArchiveUnwritable(f"The disk failed under {folder}. Check that it is there and sound, then try again.")
    return ArchiveError(f"The archive in {folder} could not do what was asked ({name}). Start Sotto again.")


def _damaged(path: Path | None) -> str:
    """The sentence for a broken file; its log must not stay beside a backup that takes its place."""
    backup = None if path is None else backups.latest(path)
    if path is None or backup is None:
        advice = "Put a copy of yours in its place, or move the file elsewhere to begin anew"
    else:
        advice = f"Move it and {path.name}-wal elsewhere and rename the backup {backup.name} to {path.name}"
    return f"The file of your conversations, {path}, is damaged. It was left as it is. {advice}; then start Sotto again."
