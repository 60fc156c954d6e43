"""What a prepared model was made from. Imports no torch: whoever only asks which model a file is need not wait for it."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from remote_agent.segment.files import write_bytes
from remote_agent.segment.stamps import state

ORIGIN_FILE = "origin.json"


class Origin(Struct, frozen=True, kw_only=True):
    """The file or folder `path`. `stamps`: for each of its files its size in bytes and time of change in nanoseconds."""

    path: str
    folder: bool
    stamps: dict[str, tuple[int, int]]

    @classmethod
    def of(cls, source: Path, files: Iterable[Path]) -> "Origin":
        """What `source` is now: these files, which lie in it or are it. Raises `OSError` where one is gone."""
        return cls(path=str(source), folder=source.is_dir(), stamps={file.name: state(file) for file in files})

    @property
    def is_unchanged(self) -> bool:
        """Whether its files are as they were, as far as size and time tell."""
        place = Path(self.path)
        folder = place if self.folder else place.parent
        try:
            return self == Origin.of(place, [folder / name for name in self.stamps])
        except OSError:
            return False

    def save(self, directory: Path) -> None:
        """Write `origin.json` into `directory`. Raises `DiskFull`, `BadModelFile`."""
        write_bytes(directory / ORIGIN_FILE, msgspec.json.encode(self))

    @classmethod
    def load(cls, directory: Path) -> "Origin | None":
        """The origin of a prepared model; None where it is not known."""
        try:
            return msgspec.json.decode((directory / ORIGIN_FILE).read_bytes(), type=cls)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return None
