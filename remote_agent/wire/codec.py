"""Messages to bytes and back.

    header length (2 bytes, little-endian) | header: one struct of `messages`, as msgpack array | payload: raw rows

There is exactly one spelling of each message: what decodes encodes to the same bytes again, so no bytes can hide between fields.
Only `Step` and `Answer` may carry a payload. Nothing is allocated in proportion to a number that the bytes merely claim.
"""

from struct import Struct
from typing import TypeVar

import msgspec

from remote_agent.wire.errors import MalformedMessage
from remote_agent.wire.messages import MAX_ROWS_PER_STEP, Answer, Codes, Message, RowFormat, Step, ToAgent, ToDesktop

HEADER_BYTES = 96  # that no header exceeds, but for each row of a step: 9 bytes for its parent, 3 for its level
MAX_HEADER_BYTES = HEADER_BYTES + 12 * MAX_ROWS_PER_STEP
MAX_MESSAGE_BYTES = 64 * 1024 * 1024

_BYTES_PER_NUMBER = {RowFormat.FLOAT32: 4, RowFormat.FLOAT16: 2, RowFormat.BFLOAT16: 2}
_length = Struct("<H")
_encoder = msgspec.msgpack.Encoder()
_for_agent = msgspec.msgpack.Decoder(ToAgent)
_for_desktop = msgspec.msgpack.Decoder(ToDesktop)
_for_either = msgspec.msgpack.Decoder(Message)

M = TypeVar("M", bound=Message)


def row_bytes(rows: RowFormat, hidden_size: int) -> int:
    """Bytes of one row of `hidden_size` numbers in this format."""
    return _BYTES_PER_NUMBER[rows] * hidden_size


def code_bytes(codes: Codes) -> int:
    """Bytes of one row that travels as codes."""
    return -(-codes.bits * codes.dimensions // 8)


def encode(message: Message, payload: bytes | bytearray | memoryview = b"") -> bytes:
    """The bytes of one message; raises MalformedMessage for a payload where none may be, or when it is too large."""
    return b"".join(encode_buffers(message, payload))


def encode_buffers(message: Message, payload: bytes | bytearray | memoryview = b"") -> tuple[bytes, memoryview]:
    """As `encode`, but head and payload apart, the payload not copied."""
    view = memoryview(payload).cast("B") if len(payload) else memoryview(b"")
    if len(view) and not isinstance(message, Step | Answer):
        raise MalformedMessage(f"{type(message).__name__} may carry no payload.")
    header = _encoder.encode(message)
    if len(header) > MAX_HEADER_BYTES:
        raise MalformedMessage(f"A header of {len(header)} bytes is over the limit of {MAX_HEADER_BYTES}.")
    if _length.size + len(header) + len(view) > MAX_MESSAGE_BYTES:
        raise MalformedMessage(f"A message with {len(view)} bytes of rows is over the limit of {MAX_MESSAGE_BYTES}.")
    return _length.pack(len(header)) + header, view


def largest_size(message: Message, payload_bytes: int) -> int:
    """Bytes that no message of this kind, with as many rows, exceeds: numbers in a header are shorter or longer."""
    rows = max(len(message.parents), len(message.levels)) if isinstance(message, Step) else 0
    return _length.size + HEADER_BYTES + 12 * rows + payload_bytes


def decode(data: bytes | bytearray | memoryview) -> tuple[Message, memoryview]:
    """A message of either direction and its payload, a view into `data`; raises MalformedMessage."""
    return _decode(data, _for_either)


def decode_for_agent(data: bytes | bytearray | memoryview) -> tuple[ToAgent, memoryview]:
    """What a desktop may send, and its payload, a view into `data`; raises MalformedMessage."""
    return _decode(data, _for_agent)


def decode_for_desktop(data: bytes | bytearray | memoryview) -> tuple[ToDesktop, memoryview]:
    """What an agent may send, and its payload, a view into `data`; raises MalformedMessage."""
    return _decode(data, _for_desktop)


def _decode(data: bytes | bytearray | memoryview, decoder: msgspec.msgpack.Decoder[M]) -> tuple[M, memoryview]:
    view = memoryview(data)
    if len(view) < _length.size:
        raise MalformedMessage("The message ends before its header.")
    if len(view) > MAX_MESSAGE_BYTES:
        raise MalformedMessage(f"A message of {len(view)} bytes is over the limit of {MAX_MESSAGE_BYTES}.")
    (length,) = _length.unpack_from(view)
    header, payload = view[_length.size : _length.size + length], view[_length.size + length :]
    if length > MAX_HEADER_BYTES or len(header) != length:
        raise MalformedMessage(f"A header of {length} bytes does not fit this message.")
    try:
        message = decoder.decode(header)
    except (msgspec.DecodeError, RecursionError) as error:
        # The reason is not quoted: it could repeat what the peer sent.
        raise MalformedMessage("The header is no message of this protocol.") from error
    if _encoder.encode(message) != header:
        raise MalformedMessage("The header is not in its one spelling.")
    if len(payload) and not isinstance(message, Step | Answer):
        raise MalformedMessage(f"{type(message).__name__} may carry no payload.")
    return message, payload
