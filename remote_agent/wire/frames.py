"""Messages cut into frames that each fit one SCTP chunk, and put together again.

    message number (8 bytes) | message length (4) | CRC-32 of the message (4) | piece index (2) | kind (1) | 0 (1) | piece

Every piece but the last is full, so that length and index say where a piece belongs. Frames may come in any order, several
messages at once, and more than once: an unordered channel delivers so, and a later version may send copies on purpose.
One-chunk frames never wait for a lost neighbour inside SCTP (see also the reassembly of aiortc, which loses sight of a
whole message behind a hole).

A side that shapes its traffic sends *padded* frames: all have `MAX_FRAME_BYTES`, zeros follow a piece that is shorter, and frames
of nothing but zeros make up a message's count where its header came out short. They are encrypted, so nobody on the way can tell
them apart. Zeros are checked: nothing else can hide there.

An `Assembler` keeps what it received and nothing on the strength of a claimed length. It remembers the numbers of finished
messages in a window, so that a copy that comes late starts nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from struct import Struct
from zlib import crc32

from remote_agent.wire.codec import MAX_MESSAGE_BYTES
from remote_agent.wire.errors import MalformedFrame

MAX_FRAME_BYTES = 1160
MAX_UNFINISHED_MESSAGES = 256
MAX_UNFINISHED_BYTES = 2 * MAX_MESSAGE_BYTES
REMEMBERED_MESSAGES = 4096

_header = Struct("<QIIHBx")
PIECE_BYTES = MAX_FRAME_BYTES - _header.size

_DATA = 0
_PADDED = 1
_EMPTY = 2
_ZEROS = bytes(MAX_FRAME_BYTES)
_EMPTY_FRAME = _header.pack(0, 0, 0, 0, _EMPTY) + bytes(PIECE_BYTES)
_OVERHEAD_BYTES = 160  # a piece in memory: bytes object and dictionary entry


class Splitter:
    """Cuts the messages of one direction into frames, numbering them from 0."""

    def __init__(self) -> None:
        self._number = 0

    def split(self, head: bytes, payload: bytes | memoryview = b"", size: int = 0) -> Iterator[bytes]:
        """The frames of the message `head + payload`, in order; the payload is copied frame by frame only.

        With a `size` the frames are padded, and are as many as a message of so many bytes takes.
        """
        number, length = self._number, len(head) + len(payload)
        if not 0 < length <= MAX_MESSAGE_BYTES:
            raise MalformedFrame(f"A message of {length} bytes cannot be sent.")
        self._number += 1
        kind = _PADDED if size else _DATA
        frames = _frames((number, crc32(payload, crc32(head)), kind), head, memoryview(payload))
        return _padded(frames, size) if size else frames


def _frames(stamp: tuple[int, int, int], head: bytes, payload: memoryview) -> Iterator[bytes]:
    (number, checksum, kind), length = stamp, len(head) + len(payload)
    for index, start in enumerate(range(0, length, PIECE_BYTES)):
        end = start + PIECE_BYTES
        piece = head[start:end] + bytes(payload[max(0, start - len(head)) : max(0, end - len(head))])
        yield _header.pack(number, length, checksum, index, kind) + piece


def _padded(frames: Iterator[bytes], size: int) -> Iterator[bytes]:
    count = 0
    for frame in frames:
        count += 1
        yield frame.ljust(MAX_FRAME_BYTES, b"\0")
    for _ in range(count, -(-size // PIECE_BYTES)):
        yield _EMPTY_FRAME


@dataclass(slots=True)
class _Unfinished:
    length: int
    checksum: int
    count: int
    pieces: dict[int, bytes] = field(default_factory=dict)
    held_bytes: int = 0


def framed_bytes(message_bytes: int, size: int = 0) -> int:
    """Bytes of all frames of a message, padded if `size` is not 0; both as in `split`."""
    if size:
        return MAX_FRAME_BYTES * -(-max(message_bytes, size) // PIECE_BYTES)
    return message_bytes + _header.size * -(-message_bytes // PIECE_BYTES)


def _without_padding(frame: bytes, place: int) -> bytes:
    end = _header.size + place
    if len(frame) != MAX_FRAME_BYTES or frame[end:] != _ZEROS[end:]:
        raise MalformedFrame("A padded frame is not filled up with zeros.")
    return frame[_header.size : end]


class Assembler:
    """Puts the messages of one direction together from frames in any order; `padded` tells whether the last frame was."""

    def __init__(self) -> None:
        self._unfinished: dict[int, _Unfinished] = {}
        self._held_bytes = 0
        self._finished: dict[int, None] = {}
        self._newest_forgotten = -1
        self.padded = False

    @property
    def held_bytes(self) -> int:
        """Memory that unfinished messages take now."""
        return self._held_bytes

    def add(self, frame: bytes) -> bytes | None:
        """Takes one frame; the whole message when this was its last missing piece. Raises MalformedFrame."""
        if not _header.size < len(frame) <= MAX_FRAME_BYTES:
            raise MalformedFrame(f"A frame of {len(frame)} bytes.")
        number, length, checksum, index, kind = _header.unpack_from(frame)
        self.padded = kind != _DATA
        if frame == _EMPTY_FRAME:
            return None
        count = -(-length // PIECE_BYTES)
        if kind not in (_DATA, _PADDED) or not 0 < length <= MAX_MESSAGE_BYTES or index >= count:
            raise MalformedFrame("A frame with a header out of bounds.")
        place = min(PIECE_BYTES, length - index * PIECE_BYTES)
        piece = frame[_header.size :] if kind == _DATA else _without_padding(frame, place)
        if len(piece) != place:
            raise MalformedFrame("A piece is longer or shorter than its place.")
        if number in self._finished or (number <= self._newest_forgotten and number not in self._unfinished):
            return None
        if count == 1 and number not in self._unfinished:
            return self._finish(number, piece, checksum)
        message = self._place(number, length, checksum, count)
        if index in message.pieces:
            return None
        message.pieces[index] = piece
        cost = len(piece) + _OVERHEAD_BYTES
        message.held_bytes += cost
        self._held_bytes += cost
        if len(message.pieces) == count:
            del self._unfinished[number]
            self._held_bytes -= message.held_bytes
            return self._finish(number, b"".join([message.pieces[i] for i in range(count)]), checksum)
        if self._held_bytes > MAX_UNFINISHED_BYTES:
            raise MalformedFrame("Too many bytes of unfinished messages.")
        return None

    def _place(self, number: int, length: int, checksum: int, count: int) -> _Unfinished:
        message = self._unfinished.get(number)
        if message is None:
            if len(self._unfinished) >= MAX_UNFINISHED_MESSAGES:
                raise MalformedFrame("Too many unfinished messages.")
            message = self._unfinished[number] = _Unfinished(length, checksum, count)
        elif (message.length, message.checksum) != (length, checksum):
            raise MalformedFrame("Two frames of one message do not agree.")
        return message

    def _finish(self, number: int, message: bytes, checksum: int) -> bytes:
        if crc32(message) != checksum:
            raise MalformedFrame("A message arrived damaged.")
        self._finished[number] = None
        if len(self._finished) > REMEMBERED_MESSAGES:
            forgotten = next(iter(self._finished))
            del self._finished[forgotten]
            self._newest_forgotten = max(self._newest_forgotten, forgotten)
        return message
