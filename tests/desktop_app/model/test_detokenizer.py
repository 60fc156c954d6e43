"""Streamed text is whole characters, never taken back, and adds up to a plain decode."""

import time
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.model.detokenizer import StreamingText
from tests.helpers.texts import TEXTS


class Bytes:
    """A tokenizer whose tokens are slices of bytes."""

    strips_leading_space = False

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.pieces = list(pieces)

    def token_bytes(self, token: int) -> bytes:
        return self.pieces[token]


class StrippingBytes(Bytes):
    strips_leading_space = True


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    """`data` in pieces of these sizes, over and over."""
    pieces, start, turn = [], 0, 0
    while start < len(data):
        size = sizes[turn % len(sizes)]
        pieces.append(data[start : start + size])
        start, turn = start + size, turn + 1
    return pieces


def streamed(pieces: list[bytes]) -> list[str]:
    text = StreamingText(Bytes(pieces))
    return [*(text.add([token]) for token in range(len(pieces))), text.finish()]


@given(text=TEXTS, sizes=st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_text_cut_anywhere_comes_out_whole(text: str, sizes: list[int]) -> None:
    parts = streamed(cut(text.encode(), sizes))
    assert "".join(parts) == text
    assert "\ufffd" in text or not any("\ufffd" in part for part in parts)


@given(data=st.binary(max_size=40), sizes=st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_bytes_that_are_no_text_come_out_as_a_plain_decode_without_an_incomplete_end(data: bytes, sizes: list[int]) -> None:
    total = "".join(streamed(cut(data, sizes)))
    plain = data.decode(errors="replace")
    assert plain == total or plain == total + "\ufffd"
    if plain != total:
        # What was withheld could still have become a character.
        ends = (b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\xa0\x80", b"\x90\x80\x80")
        completed = [(data + end).decode(errors="replace") for end in ends]
        assert any(text[:-1] == total and text[-1] != "\ufffd" for text in completed)


@given(text=TEXTS, keep=st.integers(1, 3))
def test_an_incomplete_last_character_is_withheld(text: str, keep: int) -> None:
    assert "".join(streamed([(text + "😀").encode()[: -4 + keep]])) == text


@given(text=TEXTS)
def test_a_leading_space_of_the_tokenizer_is_stripped_once(text: str) -> None:
    stream = StreamingText(StrippingBytes([b"", b" ", text.encode()]))
    assert stream.add([0]) + stream.add([1]) + stream.add([2]) == text


def test_a_token_costs_the_same_however_long_the_reply_is() -> None:
    stream = StreamingText(Bytes(["한".encode()[:2], "한".encode()[2:] + b"word "]))

    def seconds(count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            stream.add([0])
            stream.add([1])
        return time.perf_counter() - start

    first = min(seconds(500) for _ in range(3))
    seconds(30_000)
    assert min(seconds(500) for _ in range(3)) < 5 * first + 0.005
