"""Files appear whole or not at all, and one process at a time makes them."""

import contextlib
import errno
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from remote_agent.segment.errors import BadModelFile, DiskFull
from remote_agent.segment.files import locked, remove_leftovers, storage_error, write_bytes, written_whole


def test_an_error_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_bytes(path, b"old")
    with contextlib.suppress(RuntimeError), written_whole(path) as part:
        part.write_bytes(b"ne")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_process_leaves_a_part_that_is_removed_and_no_lock(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from remote_agent.segment.files import locked, written_whole\n"
        "folder = Path(sys.argv[1])\n"
        "with locked(folder / '.lock'), written_whole(folder / 'a') as part:\n"
        "    part.write_bytes(b'half'); os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False).returncode == 9
    assert not (tmp_path / "a").exists()
    assert len(list(tmp_path.glob("*.part"))) == 1
    with locked(tmp_path / ".lock"):
        remove_leftovers(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_the_lock_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    entered, seen = threading.Event(), []

    def second() -> None:
        with locked(tmp_path / "lock"):
            seen.append(entered.is_set())

    with locked(tmp_path / "lock"):
        thread = threading.Thread(target=second)
        thread.start()
        entered.set()
    thread.join()
    assert seen == [True]


def test_errors_of_the_system_become_sentences(tmp_path: Path) -> None:
    assert isinstance(storage_error(OSError(errno.ENOSPC, "x"), tmp_path / "a"), DiskFull)
    with pytest.raises(BadModelFile, match="cannot be read or written"):
        write_bytes(tmp_path / "missing" / "a", b"")


def test_a_full_disk_is_a_sentence() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no device that is always full")
    with (
        pytest.raises(DiskFull, match="Free some space"),
        written_whole(Path("/dev/shm/sotto-test-full")),
        full.open("wb", 0) as file,
    ):
        file.write(b"x")


def test_a_lock_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadModelFile, match="Check that the folder"), locked(tmp_path / "file" / "lock"):
        pass
