"""Every old version comes to now, whole or not at all; a newer one is left alone."""

from typing import Any

import pytest
from sqlcipher3 import dbapi2 as sqlcipher

from desktop_app.archive.errors import ArchiveDamaged, ArchiveTooNew
from desktop_app.archive.schema import OWN, Schema, migrate, missing, statements, versions

ROOM = Schema(
    "room",
    (
        "CREATE TABLE parent (number INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE child (parent INTEGER REFERENCES parent ON DELETE CASCADE, name TEXT);",
        "ALTER TABLE parent ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';",
        # A table that is rebuilt: what hangs on it must stay.
        "CREATE TABLE rebuilt (number INTEGER PRIMARY KEY, name TEXT, colour TEXT DEFAULT 'grey', size INTEGER DEFAULT 1);"
        "INSERT INTO rebuilt (number, name, colour) SELECT number, name, colour FROM parent;"
        "DROP TABLE parent; ALTER TABLE rebuilt RENAME TO parent;",
    ),
)


def database() -> Any:
    connection = sqlcipher.connect(":memory:", isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def at_version(version: int) -> Any:
    connection = database()
    migrate(connection, missing(connection, [OWN, Schema("room", ROOM.steps[:version])]))
    if version:
        connection.execute("INSERT INTO parent (number, name) VALUES (1, 'Herbst')")
        connection.execute("INSERT INTO child VALUES (1, 'Zeit')")
    return connection


@pytest.mark.parametrize("version", range(len(ROOM.steps) + 1))
def test_every_old_version_comes_to_now_with_all_that_was_in_it(version: int) -> None:
    connection = at_version(version)
    migrate(connection, missing(connection, [OWN, ROOM]))
    assert versions(connection) == {"archive": len(OWN.steps), "room": len(ROOM.steps)}
    kept = connection.execute("SELECT parent.*, child.name FROM parent JOIN child ON parent = number").fetchall()
    assert kept == ([(1, "Herbst", "grey", 1, "Zeit")] if version else [])
    assert connection.execute("PRAGMA foreign_keys").fetchall() == [(1,)]


def test_nothing_is_missing_afterwards() -> None:
    connection = at_version(len(ROOM.steps))
    assert missing(connection, [OWN, ROOM]) == []


@pytest.mark.parametrize("known", [[OWN, Schema("room", ROOM.steps[:2])], [OWN]], ids=["older room", "room not known"])
def test_a_newer_database_is_refused_in_words(known: list[Schema]) -> None:
    connection = at_version(len(ROOM.steps))
    with pytest.raises(ArchiveTooNew, match=r"newer version.*Nothing has been changed\. Install"):
        missing(connection, known)


@pytest.mark.parametrize("bad", ["CREATE TABLE more (a); SELECT nonsense FROM nowhere;", "CREATE TABLE more (a"])
def test_a_step_that_fails_leaves_the_old_database(bad: str) -> None:
    connection = at_version(1)
    before = schema_of(connection)
    with pytest.raises(sqlcipher.Error):
        migrate(connection, missing(connection, [OWN, Schema("room", (*ROOM.steps, bad))]))
    assert schema_of(connection) == before
    assert versions(connection)["room"] == 1
    assert connection.execute("PRAGMA foreign_keys").fetchall() == [(1,)]


def schema_of(connection: Any) -> list[Any]:
    found: list[Any] = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    return found


def test_a_step_that_leaves_a_row_without_what_it_belongs_to_is_taken_back() -> None:
    connection = at_version(2)
    with pytest.raises(ArchiveDamaged, match="brought up to date"):
        migrate(connection, missing(connection, [OWN, Schema("room", (*ROOM.steps[:2], "DELETE FROM parent;"))]))
    assert connection.execute("SELECT name FROM parent").fetchall() == [("Herbst",)]


def test_a_script_falls_into_its_statements() -> None:
    script = """
    CREATE TABLE a (b TEXT DEFAULT 'x;y'); -- a; b
    CREATE TRIGGER c AFTER INSERT ON a BEGIN DELETE FROM a; SELECT 1; END;
    INSERT INTO a VALUES ('z')
    """
    found = list(statements(script))
    assert [statement.replace("-- a; b", "").split()[0] for statement in found] == ["CREATE", "CREATE", "INSERT"]
    connection = database()
    for statement in found:
        connection.execute(statement)
    assert connection.execute("SELECT count(*) FROM a").fetchall() == [(0,)]
