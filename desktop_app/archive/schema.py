"""The tables of each room: numbered steps, and how a database of any older version is brought up to date.

A room's version is how many of its steps have been run; the versions lie in the database itself. All that is missing runs in one
transaction, so a process killed in the middle leaves the old database, whole. A step that has been released is never changed: a
new one is added behind it. Versions beyond what this program knows mean that a newer program has written the database; so do
rooms that it does not know, since it would not know what to delete in them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlcipher3 import dbapi2 as sqlcipher

from desktop_app.archive.errors import ArchiveDamaged, ArchiveTooNew


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of one room: step i is SQL, one or more statements, and takes the room from version i to i + 1."""

    room: str
    steps: tuple[str, ...]


OWN = Schema(
    "archive",
    (
        """
        CREATE TABLE room_version (room TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT;
        CREATE TABLE erasing (since REAL NOT NULL) STRICT;
        """,
    ),
)
"""This room's own tables. `erasing` has a row while what was deleted may still lie in a backup or in the write-ahead log."""


def versions(connection: Any) -> dict[str, int]:
    """The version of every room in the database; empty for a new one. Reads only."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'room_version'").fetchall():
        return {}
    return dict(connection.execute("SELECT room, version FROM room_version").fetchall())


def missing(connection: Any, schemas: Sequence[Schema]) -> list[tuple[Schema, int]]:
    """The rooms that are behind, each with its version. Raises `ArchiveTooNew`, having touched nothing."""
    there = versions(connection)
    known = {schema.room: len(schema.steps) for schema in schemas}
    if any(version > known.get(room, -1) for room, version in there.items()):
        raise ArchiveTooNew(
            "Your conversations were last used with a newer version of Sotto, which keeps them in a form that this version does "
            "not know. Nothing has been changed. Install that version or a newer one, then start again."
        )
    return [(schema, there.get(schema.room, 0)) for schema in schemas if there.get(schema.room, 0) < len(schema.steps)]


def migrate(connection: Any, behind: Sequence[tuple[Schema, int]]) -> None:
    """Run all steps that are missing, or none. Foreign keys rest meanwhile: a table that is rebuilt would lose what hangs on it.

    Raises `ArchiveDamaged` where a step leaves a row that belongs to nothing, and the errors of SQLite.
    """
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            for schema, version in behind:
                for step in schema.steps[version:]:
                    for statement in statements(step):
                        connection.execute(statement)
                connection.execute("INSERT OR REPLACE INTO room_version VALUES (?, ?)", (schema.room, len(schema.steps)))
            if connection.execute("PRAGMA foreign_key_check").fetchall():
                raise ArchiveDamaged(
                    "Your conversations could not be brought up to date, because some are incomplete. Nothing was changed. "
                    "Install the version of Sotto that you had before."
                )
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    finally:
        connection.execute("PRAGMA foreign_keys = ON")


def statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one: `executescript` would end the transaction."""
    statement = ""
    for part in script.split(";"):
        statement += part + ";"
        if sqlcipher.complete_statement(statement):
            if statement.strip() != ";":
                yield statement
            statement = ""
