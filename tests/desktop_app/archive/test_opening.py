"""From a folder to an archive, whatever of it is there."""

import os
import shutil
from pathlib import Path

import pytest

from desktop_app.archive import opening, passphrase
from desktop_app.archive.database import Archive
from desktop_app.archive.errors import ArchiveMissing, ArchiveUnwritable, KeyGone, PassphraseNeeded, WrongPassphrase
from desktop_app.archive.opening import key_file, open_archive
from desktop_app.archive.schema import Schema
from desktop_app.archive.system_keyring import SystemKeyring
from desktop_app.chat.history import SCHEMA, History
from tests.helpers.archive_writer import told, writer

NOTES = [Schema("notes", ("CREATE TABLE note (text TEXT);",))]
NOTES_NEWER = [Schema("notes", (*NOTES[0].steps, "ALTER TABLE note ADD COLUMN colour TEXT;"))]
WORDS = "correct horse battery"
NO_KEYRING = SystemKeyring(trusted=frozenset())


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passphrase, "MEMORY", 8 * 1024)
    monkeypatch.setattr(passphrase, "PASSES", 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "田中　太郎" / "archive"


def open_it(folder: Path, words: str = WORDS, schemas: list[Schema] = NOTES) -> Archive:
    return open_archive(folder, schemas, NO_KEYRING, words)


def filled(folder: Path) -> None:
    archive = open_it(folder)
    archive.execute("INSERT INTO note (text) VALUES ('Herbst')")
    archive.close()


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_new_locked_open(folder: Path) -> None:
    with pytest.raises(PassphraseNeeded) as caught:
        open_it(folder, "")
    assert caught.value.new
    filled(folder)
    with pytest.raises(PassphraseNeeded) as caught:
        open_it(folder, "")
    assert not caught.value.new
    with pytest.raises(WrongPassphrase):
        open_it(folder, "wrong horse battery")
    archive = open_it(folder)
    assert archive.query("SELECT text FROM note") == [("Herbst",)]
    archive.close()


def test_the_passphrase_can_be_changed_while_the_archive_is_open(folder: Path) -> None:
    archive = open_it(folder)
    file = key_file(folder, NO_KEYRING)
    file.protect(file.read(WORDS), "another horse battery")
    archive.close()
    open_it(folder, "another horse battery").close()


@pytest.mark.parametrize("lost", ["gone", "damaged"])
def test_a_database_without_its_key_is_told_and_left(folder: Path, lost: str) -> None:
    filled(folder)
    if lost == "gone":
        (folder / opening.KEY).unlink()
    else:
        (folder / opening.KEY).write_bytes(b"broken")
    before = content(folder)
    with pytest.raises(KeyGone, match="elsewhere to begin anew"):
        open_it(folder)
    assert content(folder) == before


def test_a_backup_without_its_key_is_told_and_left_too(folder: Path) -> None:
    filled(folder)
    open_it(folder, schemas=NOTES_NEWER).close()
    (folder / opening.KEY).unlink()
    (folder / opening.DATABASE).unlink()
    before = content(folder)
    with pytest.raises(KeyGone):
        open_it(folder, schemas=NOTES_NEWER)
    assert content(folder) == before


def test_a_key_without_a_database_opens_a_new_one(folder: Path) -> None:
    filled(folder)
    (folder / opening.DATABASE).unlink()
    archive = open_it(folder)
    assert archive.query("SELECT text FROM note") == []
    archive.close()


def test_a_key_with_nothing_but_a_backup_is_told_and_the_backup_opens(folder: Path) -> None:
    filled(folder)
    open_it(folder, schemas=NOTES_NEWER).close()
    (folder / opening.DATABASE).unlink()
    with pytest.raises(ArchiveMissing, match="rename the backup to") as caught:
        open_it(folder)
    (backup,) = folder.glob("*.backup-*")
    assert backup.name in str(caught.value)
    backup.rename(folder / opening.DATABASE)
    archive = open_it(folder)
    assert archive.query("SELECT text FROM note") == [("Herbst",)]
    archive.close()


def test_a_broken_key_without_a_database_is_set_aside(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / opening.KEY).write_bytes(b"broken")
    open_it(folder).close()
    (aside,) = folder.glob("key.json.damaged-*")
    assert aside.read_bytes() == b"broken"


def test_a_keyring_that_was_reset_before_there_was_a_database_hinders_nothing(folder: Path) -> None:
    class Keyring(SystemKeyring):
        kept: dict[str, bytes]

        def write(self, identity: str, key: bytes) -> None:
            self.kept = {identity: key}

        def read(self, identity: str) -> bytes | None:
            return self.kept.get(identity)

    keyring = Keyring()
    folder.mkdir(parents=True)
    key_file(folder, keyring).make()
    keyring.kept = {}
    open_archive(folder, NOTES, keyring).close()
    assert key_file(folder, keyring).kept == "keyring"
    keyring.kept = {}
    with pytest.raises(KeyGone, match="no longer has the key"):
        open_archive(folder, NOTES, keyring)


def test_parts_of_a_key_file_that_a_dead_process_left_are_removed(folder: Path) -> None:
    filled(folder)
    part = folder / "key.json.1234.part"
    part.write_bytes(b"half")
    os.utime(part, (0, 0))
    open_it(folder).close()
    assert not part.exists()


def test_a_folder_that_cannot_be_one_is_a_sentence(folder: Path) -> None:
    folder.parent.mkdir()
    folder.write_bytes(b"a file stands in the way")
    with pytest.raises(ArchiveUnwritable, match="Check that the folder is yours"):
        open_it(folder)


def test_a_folder_that_was_moved_opens_where_it_is(folder: Path, tmp_path: Path) -> None:
    filled(folder)
    shutil.move(folder, tmp_path / "elsewhere")
    archive = open_it(tmp_path / "elsewhere")
    assert archive.query("SELECT text FROM note") == [("Herbst",)]
    archive.close()


@pytest.mark.slow
def test_of_many_that_begin_anew_at_once_one_is_let_in_and_the_archive_is_whole(folder: Path) -> None:
    with writer("begin-anew", folder) as a, writer("begin-anew", folder) as b, writer("begin-anew", folder) as c:
        processes = [a, b, c]
        for process in processes:
            assert told(process) == "ready"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        assert sorted(told(process) for process in processes) == ["ArchiveBusy", "ArchiveBusy", "open"]
    archive = open_it(folder, schemas=[SCHEMA])
    assert History(archive).entries() == []
    archive.close()
