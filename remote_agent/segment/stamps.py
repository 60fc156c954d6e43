"""Remembering that a file was checked, so that gigabytes are not hashed at every start.

A stamp lies in a directory of ours, never beside a user's file, and holds size and time of change of the file that was checked. A
file that differs from its stamp, or has none, is to be checked again. A stamp that cannot be written costs time, nothing else.
"""

import contextlib
import hashlib
from pathlib import Path

import msgspec

from remote_agent.segment.errors import SegmentError
from remote_agent.segment.files import write_bytes


def is_stamped(file: Path, directory: Path) -> bool:
    """Whether `file` is as it was when it was stamped last."""
    try:
        return msgspec.json.decode(_stamp_file(file, directory).read_bytes(), type=tuple[int, int]) == state(file)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return False


def stamp(file: Path, directory: Path) -> None:
    """Remember that `file` was checked and found right."""
    with contextlib.suppress(SegmentError, OSError):
        write_bytes(_stamp_file(file, directory), msgspec.json.encode(state(file)))


def state(file: Path) -> tuple[int, int]:
    """The size of a file in bytes and its time of change in nanoseconds. Raises `OSError`."""
    found = file.stat()
    return found.st_size, found.st_mtime_ns


def _stamp_file(file: Path, directory: Path) -> Path:
    # Files of the same name may lie in different folders.
    place = hashlib.sha256(str(file.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return directory / f".checked-{place}.json"
