"""Whether the header of a GGUF file can be believed: every count and length in it lies within the file, and within reason.

`gguf.GGUFReader` reads past the end of a file without noticing and counts as far as a damaged length tells it to, for hours and
into all memory. So the header is walked here first, with nothing believed.
"""

import mmap
import struct
from pathlib import Path

from remote_agent.segment.errors import BadModelFile

SCALAR_BYTES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
STRING, ARRAY = 8, 9
MOST_ENTRIES = 1 << 17
MOST_ELEMENTS = 1 << 24
MOST_DIMENSIONS = 4


def check_header(path: Path) -> None:
    """Walk the header of a little-endian GGUF file. Raises `BadModelFile` where it leads nowhere, and `OSError`."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        header = _Header(data, path)
        header.skip(8)  # magic and version, which the reader checks
        tensors = header.count("<Q", MOST_ENTRIES)
        for _ in range(header.count("<Q", MOST_ENTRIES)):
            header.skip_string()
            header.skip_value(header.number("<I"))
        for _ in range(tensors):
            header.skip_string()
            header.skip(8 * header.count("<I", MOST_DIMENSIONS) + 4 + 8)


class _Header:
    """A place in the file that only moves forward, and never past the end."""

    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self._data, self._path, self._at = data, path, 0

    def skip(self, size: int) -> None:
        if size > len(self._data) - self._at:
            raise self._broken()
        self._at += size

    def number(self, form: str) -> int:
        start = self._at
        self.skip(struct.calcsize(form))
        return int(struct.unpack_from(form, self._data, start)[0])

    def count(self, form: str, most: int) -> int:
        value = self.number(form)
        if value > most:
            raise self._broken()
        return value

    def skip_string(self) -> None:
        self.skip(self.number("<Q"))

    def skip_value(self, kind: int) -> None:
        if kind == STRING:
            self.skip_string()
        elif kind == ARRAY:
            element, length = self.number("<I"), self.count("<Q", MOST_ELEMENTS)
            if element == STRING:
                for _ in range(length):
                    self.skip_string()
            else:
                self.skip(length * self._size(element))
        else:
            self.skip(self._size(kind))

    def _size(self, kind: int) -> int:
        if kind not in SCALAR_BYTES:
            raise self._broken()
        return SCALAR_BYTES[kind]

    def _broken(self) -> BadModelFile:
        return BadModelFile(f"{self._path.name} is broken or was cut short. Download it again.")
