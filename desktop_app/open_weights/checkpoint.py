"""What an audit or a training has found so far, in a file, so that one of hours can be cut off and goes on where it was."""

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from desktop_app.settings.paths import write_atomically

T = TypeVar("T")


class Checkpoint:
    """Values by key; without a path they are held in memory only."""

    def __init__(self, path: Path | None, signature: str) -> None:
        """What was kept under another `signature` (another model, other sizes) is not used, and overwritten."""
        self._path = path
        self._signature = signature
        self._values: dict[str, Any] = {}
        if path is not None and path.exists():
            try:
                kept = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
            except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
                kept = {}
            if kept.get("signature") == signature and isinstance(kept.get("values"), dict):
                self._values = kept["values"]

    def get(self, key: str, kind: type[T]) -> T | None:
        """The value of this key, or None; one that is not of this kind any more counts as none."""
        if key not in self._values:
            return None
        try:
            return msgspec.convert(self._values[key], kind)
        except msgspec.ValidationError:
            return None

    def put(self, key: str, value: object) -> None:
        """Keep a value. Raises `OSError` where the file cannot be written."""
        self._values[key] = msgspec.to_builtins(value)
        if self._path is not None:
            write_atomically(self._path, msgspec.json.encode({"signature": self._signature, "values": self._values}))

    def clear(self) -> None:
        """Forget everything: the audit is done."""
        self._values = {}
        if self._path is not None:
            self._path.unlink(missing_ok=True)
