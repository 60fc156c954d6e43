"""Pieces beyond those of a message, from any of which those that were lost are made again: RaptorQ, RFC 6330.

The code is systematic: the first pieces are the message itself, so nothing is decoded when they have all come. Any `count` of
the pieces are enough but for one time in a hundred, any `count + 1` but for one in ten thousand.

`raptorq` has wheels for Linux on x86-64 alone so far. Where it is missing, `AVAILABLE` is false, and only whole pieces are of
use.
"""

from collections.abc import Mapping

try:
    from raptorq import Decoder, Encoder
except ImportError:
    AVAILABLE = False
else:
    AVAILABLE = True

PIECE_BYTES = 1136  # of a multiple of eight, as the code wants it
LEAST_CODED, MOST_CODED = 2, 72  # pieces of a message that is protected so

_NUMBER_BYTES = 4  # before each piece: block (always 0) and number


def repair_count(count: int) -> int:
    """How many pieces are added to a message of `count`: at 3 % loss more than enough in 998 of 1000 messages."""
    return max(2, -(-count // 8)) if LEAST_CODED <= count <= MOST_CODED else 0


def repair_pieces(message: bytes) -> list[bytes]:
    """The pieces that are added to this message, each of `PIECE_BYTES`; they are numbered from its count of own pieces on."""
    count = -(-len(message) // PIECE_BYTES)
    packets = Encoder.with_defaults(message, PIECE_BYTES).get_encoded_packets(repair_count(count))
    return [packet[_NUMBER_BYTES:] for packet in packets[count:]]


def restore(length: int, pieces: Mapping[int, bytes]) -> bytes | None:
    """The message of `length` bytes from its own and added pieces by number; None while more are needed.

    Without `raptorq` that is so for ever. What comes out of pieces that do not belong together is not the message: check it.
    """
    if not AVAILABLE:
        return None
    decoder = Decoder.with_defaults(length, PIECE_BYTES)
    for number, piece in pieces.items():
        whole = decoder.decode(number.to_bytes(_NUMBER_BYTES, "big") + piece.ljust(PIECE_BYTES, b"\0"))
        if whole is not None:
            return bytes(whole)
    return None
