"""Files that are never half there: written under another name, flushed to disk, then renamed; and a lock between processes.

A process that is killed in the middle leaves a `*.part` file behind, which the next one removes; nothing ever reads one. The lock
is the operating system's own, so a killed process holds it no longer.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from remote_agent.segment.errors import BadModelFile, DiskFull

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a path beside `path` to write to; on leaving without an error it becomes `path`, at once and for good."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        yield part
        with part.open("r+b") as file:
            os.fsync(file.fileno())
        part.replace(path)
        _flush_directory(path.parent)
    except OSError as error:
        raise storage_error(error, path) from error
    finally:
        part.unlink(missing_ok=True)


def write_bytes(path: Path, data: bytes) -> None:
    """Make `path` hold `data`, whole or not at all. Raises `DiskFull`, `BadModelFile`."""
    with written_whole(path) as part:
        part.write_bytes(data)


def storage_error(error: OSError, path: Path) -> DiskFull | BadModelFile:
    """The sentence for an error of the operating system that came up while `path` was written or read."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"The disk that holds {path.parent} is full. Free some space there, then try again.")
    reason = error.strerror or str(error)
    return BadModelFile(f"{path} cannot be read or written ({reason}). Check that the folder exists and that you may use it.")


def remove_leftovers(directory: Path) -> None:
    """Remove what an interrupted conversion left in `directory`; only for the holder of its lock."""
    for part in directory.glob("*.part"):
        part.unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file `path`; a second process (or thread) waits here until the first is done or dead.

    Raises `DiskFull`, `BadModelFile` where the file cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        opened = path.open("a+b")
    except OSError as error:
        raise storage_error(error, path) from error
    with opened as file:
        _lock(file)
        try:
            yield
        finally:
            _unlock(file)


def _lock(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        while True:  # LK_LOCK gives up after ten seconds, a conversion takes longer
            try:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                return
            except OSError as error:
                if error.errno != errno.EDEADLK:
                    raise
    else:
        fcntl.flock(file, fcntl.LOCK_EX)


def _unlock(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_UN)


def _flush_directory(directory: Path) -> None:
    """Make a rename last through a power cut, where the system can: Windows flushes no directories."""
    if sys.platform == "win32":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
