"""Tokens to text, as they come: a character appears when its last byte has come, and nothing is ever taken back.

Every token stands for some bytes; the bytes of all tokens together are the text in UTF-8. Decoding them incrementally costs the
same for each token however long the reply is, and gives the same text however the tokens are cut into pieces.
"""

import codecs
from collections.abc import Iterable
from typing import Protocol


class TokenBytes(Protocol):
    """What is needed of a tokenizer."""

    @property
    def strips_leading_space(self) -> bool:
        """Whether one space at the very beginning of a text belongs to the tokenizer, not to the text."""

    def token_bytes(self, token: int) -> bytes:
        """The bytes of a token; none for a control token."""


class StreamingText:
    """The text of one reply. `add` gives new text, `finish` the rest; together they are `ChatTokenizer.decode` of all tokens."""

    def __init__(self, tokenizer: TokenBytes) -> None:
        self._tokenizer = tokenizer
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._at_start = tokenizer.strips_leading_space

    def add(self, ids: Iterable[int]) -> str:
        """The text that these tokens complete; the bytes of an incomplete last character are withheld."""
        return self._stripped(self._decoder.decode(b"".join(map(self._tokenizer.token_bytes, ids))))

    def finish(self) -> str:
        """The end of the text. What was withheld until now is no character and stays withheld."""
        self._decoder.reset()
        return ""

    def _stripped(self, text: str) -> str:
        if self._at_start and text:
            self._at_start = False
            return text.removeprefix(" ")
        return text
