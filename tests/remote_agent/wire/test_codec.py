"""Messages to bytes and back; and that no bytes can do harm."""

import random
import tracemalloc
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remote_agent.wire.codec import (
    MAX_HEADER_BYTES,
    MAX_MESSAGE_BYTES,
    code_bytes,
    decode,
    decode_for_agent,
    decode_for_desktop,
    encode,
    encode_buffers,
    largest_size,
    row_bytes,
)
from remote_agent.wire.errors import ErrorCode, MalformedMessage
from remote_agent.wire.messages import (
    MAX_HOLD,
    MAX_ROWS_PER_STEP,
    NO_ARTEFACT,
    Answer,
    Bits,
    Close,
    Codes,
    Decoder,
    Device,
    Fork,
    Hello,
    Message,
    Open,
    Ping,
    Ready,
    Refused,
    RowFormat,
    Step,
    Welcome,
)
from tests.helpers.wire_messages import messages, mutate

SAMPLES: list[Message] = [
    Hello(1, bytes(32)),
    Welcome(1, bytes(32), 0, 30, 576, Device.CPU, RowFormat.FLOAT32, 1024, 8192, 8),
    Open(1, 4, 28, RowFormat.FLOAT32),
    Open(1, 0, 28, RowFormat.FLOAT32, Codes(bytes(32), Bits.FOUR, 128, Decoder.MAP, bytes(range(32)))),
    Fork(2, 1, 17),
    Close(2),
    Ready(1),
    Step(1, 3, 4, 99, 100, [99, 100, 100, 101], 2, 0, [320, 0, 0, 0]),
    Answer(1, 3, 4, 1500),
    Refused(ErrorCode.CONTEXT_FULL, 1, 3, 4),
    Ping(7),
]
HELLO, WELCOME, STEP, ANSWER = SAMPLES[0], SAMPLES[1], SAMPLES[7], SAMPLES[8]
NUMBER, ROW = 2**31 - 1, 2**53
LARGEST = Step(NUMBER, NUMBER, NUMBER, ROW, ROW, [ROW] * MAX_ROWS_PER_STEP, NUMBER, MAX_HOLD, [65_535] * MAX_ROWS_PER_STEP)


@given(messages(), st.binary(max_size=64))
def test_what_is_encoded_decodes_to_itself(message: Message, payload: bytes) -> None:
    payload = payload if isinstance(message, Step | Answer) else b""
    decoded, rows = decode(encode(message, payload))
    assert decoded == message
    assert rows == payload


def test_the_largest_header_fits() -> None:
    assert decode(encode(LARGEST))[0] == LARGEST
    assert len(encode(LARGEST)) <= MAX_HEADER_BYTES + 2


@given(messages(), st.integers(0, 5000))
def test_no_message_is_larger_than_any_of_its_kind_and_number_of_rows_may_be(message: Message, payload: int) -> None:
    payload = payload if isinstance(message, Step | Answer) else 0
    rows = max(len(message.parents), len(message.levels)) if isinstance(message, Step) else 0
    largest = largest_size(message, payload)
    assert len(encode(message, bytes(payload))) <= largest
    assert largest == largest_size(Step(0, 0, 0, -1, 0, [0] * rows, -1), payload)


def test_the_payload_is_copied_neither_out_nor_in() -> None:
    rows = bytearray(b"abcd")
    _, view = encode_buffers(STEP, rows)
    rows[0] = ord("x")
    assert view == b"xbcd"
    data = encode(STEP, rows)
    assert decode(data)[1].obj is data


def test_numbers_of_other_widths_are_taken_as_bytes() -> None:
    assert encode_buffers(STEP, memoryview(b"abcdefgh").cast("f"))[1] == b"abcdefgh"


@pytest.mark.parametrize("message", [m for m in SAMPLES if not isinstance(m, Step | Answer)], ids=lambda m: type(m).__name__)
def test_only_steps_and_answers_may_carry_rows(message: Message) -> None:
    with pytest.raises(MalformedMessage):
        encode(message, b"text")
    with pytest.raises(MalformedMessage):
        decode(encode(message) + b"text")


@pytest.mark.parametrize(
    ("decoder", "message"),
    [
        (decode_for_agent, WELCOME),
        (decode_for_agent, ANSWER),
        (decode_for_desktop, HELLO),
        (decode_for_desktop, STEP),
    ],
    ids=["welcome to agent", "answer to agent", "hello to desktop", "step to desktop"],
)
def test_a_message_of_the_wrong_direction_is_malformed(decoder: object, message: Message) -> None:
    with pytest.raises(MalformedMessage):
        decoder(encode(message))  # type: ignore[operator]


def framed(header: object) -> bytes:
    raw = msgspec.msgpack.encode(header)
    return len(raw).to_bytes(2, "little") + raw


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x01",
        b"\xff\xff",
        framed([9, 7, "text at the end"]),
        framed([9, -1]),
        framed([9, 2**40]),
        framed([9, 7.0]),
        framed([9, "7"]),
        framed({"count": 7}),
        framed([99, 7]),
        framed([0, 1, b"x" * 31]),
        framed([6, 1, 0, 0, -1, 0, list(range(MAX_ROWS_PER_STEP + 1)), -1, 0]),
        framed([6, 1, 0, 0, -1, 0, [], -1]),
        framed([6, 1, 0, 0, -1, 0, [], -1, 0]),
        framed([6, 1, 0, 0, -1, 0, [-1], -1, 0, [65_536]]),
        framed([6, 1, 0, 0, -1, 0, [], -1, 0, [0] * (MAX_ROWS_PER_STEP + 1)]),
        framed([2, 1, 0, 28, 0]),
        framed([2, 1, 0, 28, 0, [NO_ARTEFACT, 3, 128, 1, NO_ARTEFACT]]),
        framed([2, 1, 0, 28, 0, [NO_ARTEFACT, 4, 0, 1, NO_ARTEFACT]]),
        framed([2, 1, 0, 28, 0, [NO_ARTEFACT, 4, 4097, 1, NO_ARTEFACT]]),
        framed([2, 1, 0, 28, 0, [NO_ARTEFACT, 4, 128, 5, NO_ARTEFACT]]),
        framed([2, 1, 0, 28, 0, [NO_ARTEFACT[1:], 4, 128, 1, NO_ARTEFACT]]),
        b"\x06\x00\x92\x09\xce\x00\x00\x00\x07",
    ],
)
def test_what_is_no_message_is_malformed(data: bytes) -> None:
    with pytest.raises(MalformedMessage):
        decode(data)


def test_a_message_over_the_limit_is_malformed() -> None:
    rows = bytes(MAX_MESSAGE_BYTES)
    with pytest.raises(MalformedMessage):
        encode(STEP, rows)
    with pytest.raises(MalformedMessage):
        decode(rows + b"x")


def test_bytes_of_a_row() -> None:
    assert [row_bytes(rows, 576) for rows in RowFormat] == [2304, 1152, 1152]


@pytest.mark.parametrize(("bits", "dimensions", "size"), [(4, 128, 64), (1, 128, 16), (2, 3, 1), (1, 9, 2)])
def test_bytes_of_a_row_of_codes(bits: int, dimensions: int, size: int) -> None:
    assert code_bytes(Codes(NO_ARTEFACT, Bits(bits), dimensions, Decoder.MAP, NO_ARTEFACT)) == size


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def fuzz(count: int, seed: int) -> None:
    chance = random.Random(seed)
    samples = [encode(message, chance.randbytes(64) if isinstance(message, Step | Answer) else b"") for message in SAMPLES]
    samples.append(encode(LARGEST))
    for trial in range(count):
        data = mutate(chance.choice(samples), chance)
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        decoder = (decode, decode_for_agent, decode_for_desktop)[trial % 3]
        try:
            message, rows = decoder(data)
        except MalformedMessage:
            pass
        else:
            assert encode(message, rows) == data, f"two spellings of one message: {data!r}"
        peak = tracemalloc.get_traced_memory()[1] - before
        assert peak < 16 * len(data) + 64 * 1024, f"{peak} bytes taken for {data!r}"


@pytest.mark.usefixtures("traced")
def test_mutated_messages_raise_nothing_but_their_own_error() -> None:
    fuzz(5_000, seed=1)


@pytest.mark.slow
@pytest.mark.usefixtures("traced")
def test_100000_mutated_messages_raise_nothing_but_their_own_error() -> None:
    fuzz(100_000, seed=2)
