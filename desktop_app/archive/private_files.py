"""Files that are only this user's: folders 0700, files 0600, and never half of one, whenever the process dies."""

import errno
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from desktop_app.archive.errors import ArchiveUnwritable, DiskFull

PART = ".part"
ABANDONED = 60.0
"""Seconds after which a part that nobody has written to belongs to a process that is gone."""


def unwritable(folder: Path) -> str:
    """The sentence for a folder that the system does not let us use."""
    return (
        f"Conversations in {folder} cannot be read or written. Check that the folder is yours and not read-only, then try again."
    )


def no_room(folder: Path) -> str:
    """The sentence for a disk that is full."""
    return f"There is no room left for {folder}, so nothing more is kept. Free some space, then try again."


@contextmanager
def errors_in_words(path: Path) -> Iterator[None]:
    """What the system says of files beside `path` becomes `ArchiveUnwritable` or `DiskFull`."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(no_room(path.parent)) from error
        raise ArchiveUnwritable(unwritable(path.parent)) from error


def make_folder(folder: Path) -> None:
    """Make `folder`, and close it to everybody else. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)


def part_of(path: Path) -> Path:
    """A name beside `path` for what will become it; `remove_parts` finds it when it never did."""
    return path.with_name(f"{path.name}.{secrets.token_hex(4)}{PART}")


def remove_parts(path: Path) -> None:
    """Remove what earlier processes that died have left beside `path`. Raises OSError."""
    for part in path.parent.glob(f"{path.name}.*{PART}*"):
        with suppress(FileNotFoundError):
            # A younger one may be what another process is making at this moment.
            if time.time() - part.stat().st_mtime > ABANDONED:
                part.unlink()


def publish(part: Path, path: Path) -> bool:
    """Make the finished `part` become `path`, for good; False where there is a `path` by now, which stays. Raises OSError."""
    part.chmod(0o600)
    _flush(part)
    try:
        os.link(part, path)
        part.unlink()
    except OSError:
        if path.exists():
            part.unlink(missing_ok=True)
            return False
        part.rename(path)  # a file system without links
    _flush_folder(path.parent)
    return True


def replace(path: Path, content: bytes) -> None:
    """Replace `path` by `content`: readers see the old bytes or the new. Raises OSError."""
    part = part_of(path)
    try:
        _write(part, content)
        _flush(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    _flush_folder(path.parent)


def create(path: Path, content: bytes) -> bool:
    """Write a new `path`; False where there is one by now, which stays. Raises OSError."""
    part = part_of(path)
    try:
        _write(part, content)
        return publish(part, path)
    finally:
        part.unlink(missing_ok=True)


def _write(part: Path, content: bytes) -> None:
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush_folder(folder: Path) -> None:
    if os.name != "nt":  # Windows opens no folder, and keeps its names without being asked
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
