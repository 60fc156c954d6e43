"""Only this user's, and whole."""

import errno
import os
import stat
from pathlib import Path

import pytest

from desktop_app.archive import private_files
from desktop_app.archive.errors import ArchiveUnwritable, DiskFull


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def no_links(*_: object) -> None:
    raise OSError(errno.EPERM, "no links here")


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a user's folders to the user by itself")
def test_folders_and_files_are_closed_to_everybody_else(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True, mode=0o777)
    private_files.make_folder(folder)
    private_files.create(folder / "new", b"1")
    private_files.replace(folder / "replaced", b"2")
    assert (rights(folder), rights(folder / "new"), rights(folder / "replaced")) == (0o700, 0o600, 0o600)


def test_a_file_is_replaced_and_nothing_else_stays(tmp_path: Path) -> None:
    private_files.replace(tmp_path / "key", b"old")
    private_files.replace(tmp_path / "key", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"key": b"new"}


def test_what_cannot_be_written_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    private_files.replace(tmp_path / "key", b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="full"):
        private_files.replace(tmp_path / "key", b"new")
    with pytest.raises(OSError, match="full"):
        private_files.create(tmp_path / "other", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"key": b"old"}


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_is_there_is_never_overwritten_by_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    assert private_files.create(tmp_path / "key", b"first")
    assert not private_files.create(tmp_path / "key", b"second")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"key": b"first"}


def test_what_a_dead_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "conversations.db"
    for name in ("conversations.db", "conversations.db-wal", "conversations.backup-1.db", "key.json"):
        (tmp_path / name).write_bytes(b"kept")
    part = private_files.part_of(path)
    part.write_bytes(b"half")
    Path(f"{part}-journal").write_bytes(b"half")
    private_files.remove_parts(path)
    assert part.exists(), "it may be what another process is making at this moment"
    for old in (part, Path(f"{part}-journal")):
        os.utime(old, (0, 0))
    private_files.remove_parts(path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"conversations.db", "conversations.db-wal", "conversations.backup-1.db", "key.json"}


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.ENOSPC, DiskFull), (errno.EACCES, ArchiveUnwritable), (errno.EROFS, ArchiveUnwritable)]
)
def test_what_the_system_says_becomes_a_sentence_that_names_the_folder(
    tmp_path: Path, number: int, kind: type[Exception]
) -> None:
    with pytest.raises(kind, match=r"then try again\.") as caught, private_files.errors_in_words(tmp_path / "file"):
        raise OSError(number, os.strerror(number))
    assert str(tmp_path) in str(caught.value)
