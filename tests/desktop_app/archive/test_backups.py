"""Copies that open, the last two of them."""

import time
from pathlib import Path
from typing import Any

import pytest

from desktop_app.archive import backups, private_files
from desktop_app.archive.database import Archive
from desktop_app.archive.schema import Schema
from tests.helpers.archive_writer import KEY

NOTES = Schema("notes", ("CREATE TABLE note (text TEXT);",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "conversations.db"


@pytest.fixture
def connection(path: Path) -> Any:
    archive = Archive.open(path, KEY, [NOTES])
    archive.execute("INSERT INTO note VALUES ('Herbstzeitlose')")
    yield archive._connection
    archive.close()


def notes(path: Path) -> list[tuple[Any, ...]]:
    archive = Archive.open(path, KEY, [NOTES])
    try:
        return archive.query("SELECT text FROM note")
    finally:
        archive.close()


def test_a_backup_opens_with_the_same_key_and_holds_everything(path: Path, connection: Any) -> None:
    backup = backups.make(connection, path)
    assert backups.latest(path) == backup
    assert b"Herbstzeitlose" not in backup.read_bytes()
    assert notes(backup) == [("Herbstzeitlose",)]


def test_only_the_last_two_stay_in_order_even_within_one_second(
    path: Path, connection: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "strftime", lambda *_: "2026-11-03-120000")
    made = [backups.make(connection, path) for _ in range(4)]
    assert backups.found(path) == made[2:]


def test_a_clock_that_went_back_does_not_make_the_newest_look_old(
    path: Path, connection: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    for second in ("2026-11-03-120000", "2020-01-01-000000", "2020-01-01-000001"):
        monkeypatch.setattr(time, "strftime", lambda *_, second=second: second)
        made.append(backups.make(connection, path))
    assert backups.found(path) == made[1:]


def test_a_copy_that_fails_leaves_what_was_there(path: Path, connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(part: Path, to: Path) -> bool:
        raise OSError("the disk is gone")

    first = backups.make(connection, path)
    files = set(path.parent.iterdir())
    monkeypatch.setattr(private_files, "publish", fail)
    with pytest.raises(OSError, match="gone"):
        backups.make(connection, path)
    assert set(path.parent.iterdir()) == files
    assert backups.found(path) == [first]


def test_removing_them_leaves_the_database(path: Path, connection: Any) -> None:
    backups.make(connection, path)
    backups.remove(path)
    assert backups.latest(path) is None
    assert path.exists()
