"""Messages cut into frames that each fit one SCTP chunk, and put together again.

    message number (8 bytes) | message length (4) | CRC-32 of the message (4) | piece index (2) | kind (1) | sender (1) | piece

Every piece but the last is full, so that length and index say where a piece belongs. Frames may come in any order, several
messages at once, and more than once. One-chunk frames never wait for a lost neighbour inside SCTP (see also the reassembly of
aiortc, which loses sight of a whole message behind a hole).

On a path that loses packets a message may have *spare* frames, so that it need not be sent again, which takes a round trip: one
of a single frame goes twice; one of up to `MOST_CODED` has frames with *repair* pieces (`erasure`), whose index goes on where the
message's own ends; a larger one has none, it lasts longer than a round trip anyway. A side that can neither make nor use repair
pieces says so in the byte `sender` of each frame (1, else 0); then both send copies instead, of up to `MOST_COPIED` frames.

A side that shapes its traffic sends *padded* frames: all have `MAX_FRAME_BYTES`, zeros follow a piece that is shorter, and frames
of nothing but zeros make up a message's count where its header came out short. They are encrypted, so nobody on the way can tell
them apart. Zeros are checked: nothing else can hide there.

An `Assembler` keeps what it received and nothing on the strength of a claimed length. It remembers the numbers of finished
messages in a window, so that a copy that comes late starts nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from struct import Struct
from zlib import crc32

from remote_agent.wire.codec import MAX_MESSAGE_BYTES
from remote_agent.wire.erasure import AVAILABLE, PIECE_BYTES, repair_count, repair_pieces, restore
from remote_agent.wire.errors import MalformedFrame

MAX_UNFINISHED_MESSAGES = 256
MAX_UNFINISHED_BYTES = 2 * MAX_MESSAGE_BYTES
REMEMBERED_MESSAGES = 4096

MOST_COPIED = 16

_header = Struct("<QIIHBB")
MAX_FRAME_BYTES = _header.size + PIECE_BYTES  # SCTP of aiortc takes 1160 as one chunk

_DATA = 0
_PADDED = 1
_EMPTY = 2
_REPAIR = 3
_PADDED_REPAIR = 4
_SENDS_REPAIRS, _SENDS_COPIES = 0, 1
_KINDS = (_DATA, _PADDED, _REPAIR, _PADDED_REPAIR)
_ZEROS = bytes(MAX_FRAME_BYTES)
_EMPTY_FRAME = _header.pack(0, 0, 0, 0, _EMPTY, 0) + bytes(PIECE_BYTES)
_OVERHEAD_BYTES = 160  # a piece in memory: bytes object and dictionary entry


class Spare(Enum):
    """Which frames a message has beyond its own."""

    NONE = 0
    COPIES = 1
    REPAIRS = 2


class Splitter:
    """Cuts the messages of one direction into frames, numbering them from 0."""

    def __init__(self) -> None:
        self._number = 0
        self._sender = _SENDS_REPAIRS if AVAILABLE else _SENDS_COPIES

    def split(self, head: bytes, payload: bytes | memoryview = b"", size: int = 0, spare: Spare = Spare.NONE) -> Iterator[bytes]:
        """The frames of the message `head + payload`, in order; the payload is copied frame by frame only.

        With a `size` the frames are padded, and are as many as a message of so many bytes takes; so are spare ones.
        """
        number, length = self._number, len(head) + len(payload)
        if not 0 < length <= MAX_MESSAGE_BYTES:
            raise MalformedFrame(f"A message of {length} bytes cannot be sent.")
        self._number += 1
        view = memoryview(payload)
        stamp = _Stamp(number, length, crc32(payload, crc32(head)), bool(size), self._sender)
        frames = _frames(stamp, head, view)
        if size:
            frames = _padded(frames, size)
        copies, repairs = _spares(_pieces(max(length, size)), spare)
        if copies:
            return _twice(frames)
        return chain(frames, _repairs(stamp, (head, view), repairs)) if repairs else frames


@dataclass(frozen=True, slots=True)
class _Stamp:
    """What all frames of a message have in common."""

    number: int
    length: int
    checksum: int
    padded: bool
    sender: int

    def frame(self, index: int, piece: bytes, is_repair: bool = False) -> bytes:
        kind = (_PADDED_REPAIR if is_repair else _PADDED) if self.padded else (_REPAIR if is_repair else _DATA)
        return _header.pack(self.number, self.length, self.checksum, index, kind, self.sender) + piece


def _frames(stamp: _Stamp, head: bytes, payload: memoryview) -> Iterator[bytes]:
    for index, start in enumerate(range(0, stamp.length, PIECE_BYTES)):
        end = start + PIECE_BYTES
        piece = head[start:end] + bytes(payload[max(0, start - len(head)) : max(0, end - len(head))])
        yield stamp.frame(index, piece)


def _padded(frames: Iterator[bytes], size: int) -> Iterator[bytes]:
    count = 0
    for frame in frames:
        count += 1
        yield frame.ljust(MAX_FRAME_BYTES, b"\0")
    for _ in range(count, _pieces(size)):
        yield _EMPTY_FRAME


def _spares(count: int, spare: Spare) -> tuple[bool, int]:
    """Whether a message that looks like one of `count` frames goes twice, and how many frames are added to it otherwise."""
    if spare is Spare.NONE:
        return False, 0
    if count == 1 or spare is Spare.COPIES:
        return count <= MOST_COPIED, 0
    return False, repair_count(count)


def _twice(frames: Iterator[bytes]) -> Iterator[bytes]:
    copies = list(frames)
    yield from copies
    yield from copies


def _repairs(stamp: _Stamp, message: tuple[bytes, memoryview], wanted: int) -> Iterator[bytes]:
    own = _pieces(stamp.length)
    pieces = repair_pieces(b"".join(message))[:wanted] if repair_count(own) else []
    for index, piece in enumerate(pieces, own):
        yield stamp.frame(index, piece, is_repair=True)
    for _ in range(len(pieces), wanted):
        yield _EMPTY_FRAME


def _pieces(size: int) -> int:
    return -(-size // PIECE_BYTES)


@dataclass(slots=True)
class _Unfinished:
    length: int
    checksum: int
    count: int
    pieces: dict[int, bytes] = field(default_factory=dict)
    held_bytes: int = 0

    def whole(self) -> bytes | None:
        """The message, of at least `count` pieces; None in the rare case that these do not make it up."""
        own = [piece for index in range(self.count) if (piece := self.pieces.get(index)) is not None]
        return b"".join(own) if len(own) == self.count else restore(self.length, self.pieces)


def framed_bytes(message_bytes: int, size: int = 0, spare: Spare = Spare.NONE) -> int:
    """Bytes of all frames of a message, padded if `size` is not 0; all as in `split`."""
    count = _pieces(max(message_bytes, size))
    whole = MAX_FRAME_BYTES * count if size else message_bytes + _header.size * count
    copies, repairs = _spares(count, spare)
    return (2 if copies else 1) * whole + MAX_FRAME_BYTES * repairs


def _without_padding(frame: bytes, place: int) -> bytes:
    end = _header.size + place
    if len(frame) != MAX_FRAME_BYTES or frame[end:] != _ZEROS[end:]:
        raise MalformedFrame("A padded frame is not filled up with zeros.")
    return frame[_header.size : end]


class Assembler:
    """Puts the messages of one direction together from frames in any order.

    `padded` tells whether the last frame was, `spare` which spare frames both sides can use, as far as is known.
    """

    def __init__(self) -> None:
        self._unfinished: dict[int, _Unfinished] = {}
        self._held_bytes = 0
        self._finished: dict[int, None] = {}
        self._newest_forgotten = -1
        self.padded = False
        self.spare = Spare.REPAIRS if AVAILABLE else Spare.COPIES

    @property
    def held_bytes(self) -> int:
        """Memory that unfinished messages take now."""
        return self._held_bytes

    def add(self, frame: bytes) -> bytes | None:
        """Takes one frame; the whole message when this was its last missing piece. Raises MalformedFrame."""
        if not _header.size < len(frame) <= MAX_FRAME_BYTES:
            raise MalformedFrame(f"A frame of {len(frame)} bytes.")
        number, length, checksum, index, kind, sender = _header.unpack_from(frame)
        self.padded = kind not in (_DATA, _REPAIR)
        if frame == _EMPTY_FRAME:
            return None
        count = _pieces(length)
        first, end = (count, count + repair_count(count)) if kind in (_REPAIR, _PADDED_REPAIR) else (0, count)
        if (
            kind not in _KINDS
            or sender not in (_SENDS_REPAIRS, _SENDS_COPIES)
            or not 0 < length <= MAX_MESSAGE_BYTES
            or not first <= index < end
        ):
            raise MalformedFrame("A frame with a header out of bounds.")
        place = min(PIECE_BYTES, length - index * PIECE_BYTES) if index < count else PIECE_BYTES
        piece = _without_padding(frame, place) if kind == _PADDED else frame[_header.size :]
        if len(piece) != place:
            raise MalformedFrame("A piece is longer or shorter than its place.")
        if sender == _SENDS_COPIES:
            self.spare = Spare.COPIES
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
        whole = message.whole() if len(message.pieces) >= count else None
        if whole is not None:
            del self._unfinished[number]
            self._held_bytes -= message.held_bytes
            return self._finish(number, whole, checksum)
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
