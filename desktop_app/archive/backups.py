"""Copies of the database from before a migration: encrypted under the same key, beside it, the last two.

A copy is made by SQLite itself (VACUUM INTO). The file must not be read by other means while it is open: on POSIX systems,
closing any descriptor of it would drop the lock that keeps others out.
"""

import time
from pathlib import Path
from typing import Any

from desktop_app.archive import private_files

KEPT = 2


def make(connection: Any, path: Path) -> Path:
    """Copy the open database beside itself, whole or not at all; only the last `KEPT` stay. Raises OSError, SQLite's errors."""
    part = private_files.part_of(path)
    try:
        connection.execute("VACUUM INTO ?", (str(part),))
        backup = _free_name(path)
        private_files.publish(part, backup)
    finally:
        part.unlink(missing_ok=True)
    for old in found(path)[:-KEPT]:
        old.unlink(missing_ok=True)
    return backup


def found(path: Path) -> list[Path]:
    """The backups of the database at `path`, the oldest first."""
    return sorted(path.parent.glob(f"{path.stem}.backup-*{path.suffix}"), key=lambda backup: backup.stem)


def latest(path: Path) -> Path | None:
    """The last backup of the database at `path`."""
    return next(reversed(found(path)), None)


def remove(path: Path) -> None:
    """Remove all backups of the database at `path`. Raises OSError."""
    for backup in found(path):
        backup.unlink(missing_ok=True)


def _free_name(path: Path) -> Path:
    """A name that sorts behind those of all backups there are, also when two are made in one second or the clock went back."""
    stem = f"{path.stem}.backup-{time.strftime('%Y-%m-%d-%H%M%S', time.gmtime())}"
    last = latest(path)
    if last is not None and stem <= last.stem:
        stem = f"{last.stem}-1"
    return path.with_name(stem + path.suffix)
