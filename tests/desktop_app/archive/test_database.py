"""One process at a time, nothing lost, nothing readable, and a sentence for whatever may be wrong with the file."""

import os
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from desktop_app.archive import backups, database, schema
from desktop_app.archive.database import Archive
from desktop_app.archive.errors import (
    ArchiveBusy,
    ArchiveDamaged,
    ArchiveError,
    ArchiveMissing,
    ArchiveTooNew,
    ArchiveUnwritable,
    DiskFull,
    TextRefused,
)
from desktop_app.archive.schema import Schema
from tests.helpers.archive_writer import KEY, NEW, OLD, answer, told, writer

NOTES = [Schema("notes", ("CREATE TABLE note (number INTEGER PRIMARY KEY, text TEXT UNIQUE);",))]
NEWER = [Schema("notes", (*NOTES[0].steps, "ALTER TABLE note ADD COLUMN colour TEXT;"))]
WORD = "Herbstzeitlose"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "archive" / "conversations.db"


@pytest.fixture
def archive(path: Path) -> Iterator[Archive]:
    opened = Archive.open(path, KEY, NOTES)
    yield opened
    opened.close()


def notes(archive: Archive) -> list[str]:
    return [text for (text,) in archive.query("SELECT text FROM note ORDER BY number")]


def note(archive: Archive, text: str) -> None:
    archive.execute("INSERT INTO note (text) VALUES (?)", (text,))


def failing(archive: Archive) -> None:
    """Something goes wrong in a transaction, after it has written."""
    with archive.transaction():
        note(archive, "lost")
        raise ZeroDivisionError


def filled(path: Path, count: int = 200) -> None:
    """A database with some pages in it, closed."""
    archive = Archive.open(path, KEY, NOTES)
    for number in range(count):
        note(archive, f"{WORD} {number} " * 50)
    archive.close()


def decrypted(file: Path) -> bytes:
    """Every page that is in a file of SQLCipher 4, also what lies in free space, as one who has the key would see it.

    A page of 4,096 bytes ends with 16 bytes of initialisation vector and 64 of authentication; the first begins with a salt.
    """
    content = file.read_bytes()
    log = file.name.endswith("-wal")
    starts = range(32 + 24, len(content), 24 + 4096) if log else range(0, len(content), 4096)
    plain = b""
    for start in starts:
        page = content[start : start + 4096]
        number = int.from_bytes(content[start - 24 : start - 20], "big") if log else start // 4096 + 1
        cipher = Cipher(algorithms.AES256(KEY), modes.CBC(page[4016:4032]))
        plain += cipher.decryptor().update(page[16 if number == 1 else 0 : 4016])
    return plain


# what is kept


def test_what_was_kept_is_there_again(path: Path) -> None:
    filled(path, 3)
    archive = Archive.open(path, KEY, NOTES)
    assert len(notes(archive)) == 3
    archive.close()
    archive.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a user's folders to the user by itself")
def test_folder_and_files_are_only_this_users(archive: Archive, path: Path) -> None:
    note(archive, WORD)
    modes_of = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert modes_of == {path.name: 0o600, f"{path.name}-wal": 0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_transaction_is_kept_or_not_at_all(archive: Archive) -> None:
    with archive.transaction():
        note(archive, "a")
        note(archive, "b")
    with pytest.raises(ZeroDivisionError):
        failing(archive)
    assert notes(archive) == ["a", "b"]


def test_an_inner_transaction_that_fails_takes_back_only_itself(archive: Archive) -> None:
    with archive.transaction():
        note(archive, "outer")
        with pytest.raises(ZeroDivisionError):
            failing(archive)
        with archive.transaction():
            note(archive, "another")
    assert notes(archive) == ["outer", "another"]


def test_an_outer_transaction_that_fails_takes_back_inner_ones(archive: Archive) -> None:
    with suppress(ZeroDivisionError), archive.transaction():
        with archive.transaction():
            note(archive, "inner")
        raise ZeroDivisionError
    assert notes(archive) == []
    note(archive, "later")
    assert notes(archive) == ["later"]


def test_statements_tell_how_many_rows_they_changed(archive: Archive) -> None:
    note(archive, "a")
    note(archive, "b")
    assert archive.execute("UPDATE note SET text = text || 'x'") == 2
    assert archive.execute("DELETE FROM note WHERE text = 'none'") == 0


# who may open it


def test_a_second_process_gets_a_sentence_until_the_first_is_gone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "WAIT_FOR_OTHERS", 0.05)
    with writer("hold", path.parent) as process:
        assert told(process) == "open"
        with pytest.raises(ArchiveBusy, match=r"Another Sotto of yours.*Close it, then start again"):
            Archive.open(path, KEY, NOTES)
        process.kill()
        process.wait()
    archive = Archive.open(path, KEY, NOTES)
    assert notes(archive) == [answer(1)]
    archive.close()


def test_a_second_one_in_this_process_gets_it_too(archive: Archive, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "WAIT_FOR_OTHERS", 0.05)
    note(archive, "a")
    with pytest.raises(ArchiveBusy):
        Archive.open(path, KEY, NOTES)
    note(archive, "b")
    assert notes(archive) == ["a", "b"]


def test_another_key_opens_nothing_changes_nothing_and_is_silent(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    filled(path)
    before = path.read_bytes()
    with pytest.raises(ArchiveDamaged):
        Archive.open(path, b"\1" * 32, NOTES)
    assert path.read_bytes() == before
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_key_of_another_length_is_never_taken_for_a_passphrase(path: Path, length: int) -> None:
    with pytest.raises(ValueError, match="length"):
        Archive.open(path, bytes(length), NOTES)
    assert not path.exists()


# nothing readable


def test_no_file_has_a_plain_word(archive: Archive, path: Path) -> None:
    for number in range(50):
        note(archive, f"{WORD} {number}")
    backups.make(archive._connection, path)
    log = path.with_name(f"{path.name}-wal")
    assert log.stat().st_size > 0
    # Their bytes are read from another name: to close the database's own would drop its lock.
    for file in path.parent.iterdir():
        link = path.parent.parent / "link"
        os.link(file, link)
        content = link.read_bytes()
        link.unlink()
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            assert WORD.encode(encoding) not in content
        assert not content.startswith(b"SQLite format")


def test_what_is_deleted_is_in_no_file_not_even_for_one_who_has_the_key(path: Path) -> None:
    archive = Archive.open(path, KEY, NOTES)
    note(archive, f"{WORD} that goes " * 1000)
    note(archive, "Zwetschge that stays")
    archive.close()
    assert WORD.encode() in decrypted(path)

    archive = Archive.open(path, KEY, NEWER)
    assert WORD.encode() in decrypted(backups.found(path)[0])
    archive.execute("UPDATE note SET colour = 'grey'")
    with archive.erasing():
        archive.execute("DELETE FROM note WHERE text LIKE ?", (f"{WORD}%",))
    log = path.with_name(f"{path.name}-wal")
    assert log.stat().st_size == 0
    assert backups.found(path) == []
    archive.close()
    assert WORD.encode() not in decrypted(path)
    assert b"Zwetschge" in decrypted(path)


def test_what_is_deleted_gives_its_room_back(archive: Archive, path: Path) -> None:
    note(archive, "x" * 3_000_000)
    with archive.erasing():
        archive.execute("DELETE FROM note")
    assert path.stat().st_size < 100_000


def test_a_deletion_that_a_kill_cut_short_is_brought_to_its_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(path, 3)
    archive = Archive.open(path, KEY, NEWER)

    def killed(self: Archive) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Archive, "_erase", killed)
        with pytest.raises(KeyboardInterrupt), archive.erasing():
            archive.execute("DELETE FROM note")
    archive.close()
    assert len(backups.found(path)) == 1
    Archive.open(path, KEY, NEWER).close()
    assert backups.found(path) == []


def test_a_deletion_that_fails_erases_nothing(path: Path) -> None:
    filled(path, 3)
    archive = Archive.open(path, KEY, NEWER)
    with suppress(ZeroDivisionError), archive.erasing():
        archive.execute("DELETE FROM note")
        raise ZeroDivisionError
    note(archive, "more")
    assert len(notes(archive)) == 4
    archive.close()
    assert len(backups.found(path)) == 1


# in memory


@pytest.mark.skipif(not hasattr(psutil.Process, "io_counters"), reason="only some systems count what a process writes")
def test_an_archive_in_memory_writes_not_one_byte() -> None:
    process = psutil.Process()
    before = process.io_counters().write_chars
    archive = Archive.in_memory(NOTES)
    with archive.transaction():
        for number in range(2000):
            note(archive, f"{WORD} {number} " * 100)
    archive.query("SELECT text FROM note ORDER BY text DESC")
    with archive.erasing():
        archive.execute("DELETE FROM note WHERE number > 1000")
    archive.close()
    assert process.io_counters().write_chars == before


def test_archives_in_memory_have_nothing_to_do_with_each_other() -> None:
    one, other = Archive.in_memory(NOTES), Archive.in_memory(NOTES)
    note(one, "a")
    assert (notes(one), notes(other)) == (["a"], [])


# migrations


def test_an_older_database_is_copied_and_brought_up_to_date(path: Path) -> None:
    filled(path, 3)
    archive = Archive.open(path, KEY, NEWER)
    assert archive.query("SELECT count(*), max(colour) FROM note") == [(3, None)]
    archive.close()
    (backup,) = backups.found(path)
    old = Archive.open(backup, KEY, NOTES)
    assert len(notes(old)) == 3
    old.close()


def test_one_that_is_up_to_date_is_not_copied(path: Path) -> None:
    filled(path, 3)
    Archive.open(path, KEY, NOTES).close()
    assert backups.found(path) == []


def test_of_many_upgrades_the_last_two_copies_stay(path: Path) -> None:
    steps = [*NEWER[0].steps, *(f"ALTER TABLE note ADD COLUMN more{number} TEXT;" for number in range(4))]
    for count in range(1, len(steps) + 1):
        Archive.open(path, KEY, [Schema("notes", tuple(steps[:count]))]).close()
    assert len(backups.found(path)) == 2


def test_a_newer_database_is_refused_and_not_one_byte_of_it_changes(path: Path) -> None:
    Archive.open(path, KEY, NEWER).close()
    before = path.read_bytes()
    with pytest.raises(ArchiveTooNew):
        Archive.open(path, KEY, NOTES)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    Archive.open(path, KEY, NEWER).close()


def test_a_migration_that_fails_leaves_the_old_database_and_its_copy(path: Path) -> None:
    filled(path, 3)
    with pytest.raises(ArchiveError, match="Start Sotto again"):
        Archive.open(path, KEY, [Schema("notes", (*NOTES[0].steps, "DELETE FROM note; INSERT INTO nowhere VALUES (1);"))])
    archive = Archive.open(path, KEY, NOTES)
    assert len(notes(archive)) == 3
    archive.close()
    assert len(backups.found(path)) == 1


def test_parts_that_a_dead_process_left_are_removed(path: Path) -> None:
    filled(path, 1)
    part = path.with_name(f"{path.name}.1234.part")
    part.write_bytes(b"half a backup")
    os.utime(part, (0, 0))
    Archive.open(path, KEY, NOTES).close()
    assert not part.exists()


# what may be wrong with the file


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: b"this is no database " * 1000,
        lambda content: content[: len(content) // 2 // 4096 * 4096],
        lambda content: content[:5000],
        lambda content: content[:100] + bytes([content[100] ^ 1]) + content[101:],
        lambda content: b"SQLite format 3\0" + content[16:],
    ],
    ids=["empty", "not a database", "half of it", "a page and a bit", "a bit turned", "a plain header"],
)
@pytest.mark.parametrize("copied", [True, False])
def test_a_damaged_file_is_told_with_the_next_step_and_left(path: Path, damage: Callable[[bytes], bytes], copied: bool) -> None:
    filled(path)
    if copied:
        Archive.open(path, KEY, NEWER).close()
    path.write_bytes(damage(path.read_bytes()))
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    with pytest.raises(ArchiveDamaged, match="left as it is") as caught:
        Archive.open(path, KEY, NEWER)
    if copied:
        assert backups.found(path)[0].name in str(caught.value)
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_damage_behind_the_first_page_is_told_when_it_is_read(path: Path) -> None:
    filled(path)
    content = bytearray(path.read_bytes())
    for start in range(10 * 4096, len(content), 4096):
        content[start + 100] ^= 1
    path.write_bytes(content)
    archive = Archive.open(path, KEY, NOTES)
    with pytest.raises(ArchiveDamaged):
        notes(archive)
    archive.close()


def test_damage_is_looked_for_after_a_kill(path: Path) -> None:
    filled(path)
    with writer("hold", path.parent) as process:
        assert told(process) == "open"
        process.kill()
        process.wait()
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0
    content = bytearray(path.read_bytes())
    content[-2000] ^= 1
    path.write_bytes(content)
    with pytest.raises(ArchiveDamaged):
        Archive.open(path, KEY, NOTES)


def test_a_log_without_its_database_is_told_and_left(path: Path) -> None:
    path.parent.mkdir()
    log = path.with_name(f"{path.name}-wal")
    log.write_bytes(b"what is left")
    with pytest.raises(ArchiveMissing, match="a part of it"):
        Archive.open(path, KEY, NOTES)
    assert log.read_bytes() == b"what is left"
    assert not path.exists()


def test_a_folder_where_the_file_should_be_is_a_sentence(path: Path) -> None:
    path.mkdir(parents=True)
    (path / "something").touch()
    with pytest.raises(ArchiveUnwritable, match="Check that the folder is yours"):
        Archive.open(path, KEY, NOTES)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_file_that_may_not_be_read_is_a_sentence(path: Path) -> None:
    filled(path, 1)
    path.chmod(0)
    with pytest.raises(ArchiveUnwritable):
        Archive.open(path, KEY, NOTES)


def test_a_full_disk_loses_nothing_that_was_kept(archive: Archive) -> None:
    note(archive, "before")
    archive.query("PRAGMA max_page_count = 20")

    def too_much() -> None:
        with archive.transaction():
            note(archive, "small")
            note(archive, WORD * 100_000)

    with pytest.raises(DiskFull, match="Free some space"):
        too_much()
    assert notes(archive) == ["before"]
    archive.query("PRAGMA max_page_count = 100000")
    note(archive, "after")
    assert notes(archive) == ["before", "after"]


def test_half_a_character_is_refused_and_nothing_is_kept(archive: Archive) -> None:
    with pytest.raises(TextRefused, match="half a character"):
        note(archive, "a\ud800")
    assert notes(archive) == []


def test_other_errors_name_no_word_of_what_was_kept(archive: Archive) -> None:
    note(archive, WORD)
    with pytest.raises(ArchiveError, match=r"could not do what was asked \(SQLITE_CONSTRAINT\)") as caught:
        note(archive, WORD)
    assert WORD not in str(caught.value)


def test_a_closed_archive_says_so_too(path: Path) -> None:
    archive = Archive.open(path, KEY, NOTES)
    archive.close()
    with pytest.raises(ArchiveError):
        notes(archive)


# killed


@pytest.mark.slow
def test_a_kill_while_it_is_copied_or_migrated_leaves_the_old_or_the_new(path: Path) -> None:
    rows = 4000
    archive = Archive.open(path, KEY, [OLD])
    with archive.transaction():
        for number in range(rows):
            archive.execute("INSERT INTO note VALUES (?, ?)", (number, f"{WORD} " * 200))
    archive.close()
    pristine = path.read_bytes()
    with writer("migrate", path.parent) as process:
        assert told(process) == "begins"
        begin = time.monotonic()
        assert told(process) == "done"
        whole = time.monotonic() - begin
    outcomes = set()
    for attempt in range(12):
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(pristine)
        with writer("migrate", path.parent) as process:
            assert told(process) == "begins"
            with suppress(subprocess.TimeoutExpired):
                process.wait(random.uniform(0, whole) if attempt else 0)
            process.kill()
            process.wait()
        for file in path.parent.iterdir():
            assert WORD.encode() not in file.read_bytes()
        for backup in backups.found(path):  # whole, or not there
            copy = path.parent.parent / "copy" / "conversations.db"
            copy.parent.mkdir(exist_ok=True)
            copy.write_bytes(backup.read_bytes())
            old = Archive.open(copy, KEY, [OLD])
            assert old.query("SELECT count(*) FROM note") == [(rows,)]
            old.close()
            copy.unlink()
        connection = database._connect(path, KEY)
        version = schema.versions(connection)["notes"]
        letters = "letters" in [row[1] for row in connection.execute("PRAGMA table_info(note)")]
        connection.close()
        assert letters == (version == 2)
        outcomes.add((version, len(backups.found(path))))
        for part in path.parent.glob("*.part*"):
            os.utime(part, (0, 0))
        archive = Archive.open(path, KEY, [NEW])
        assert archive.query("SELECT count(*), min(letters), max(letters) FROM note") == [(rows, 3000, 3000)]
        archive.close()
        assert not list(path.parent.glob("*.part*"))
    assert len(outcomes) > 1, "every kill came at the same moment"


def test_pages_are_decrypted_as_sqlcipher_does(path: Path) -> None:
    """The test above that looks into every page would prove nothing if it could not read them."""
    filled(path, 3)
    plain = decrypted(path)
    assert all(f"{WORD} {number}".encode() in plain for number in range(3))
