"""Protected words under strict noise: where they stand among a prompt's tokens, and what stands there instead.

Theory of operation. A token of a protected value is drawn at the strict level like any other, and charged. What leaves for it is
not the codes but the exact row of a token that they may stand for: one drawn from the posterior, given the codes, over all tokens
of the same shape, with coins that the codes themselves give. That is post-processing, so it costs nothing more than the codes,
and whoever sees the row sees less than whoever sees the codes; yet the model reads a clean word, the same for every mention (one
word, one draw), and this computer knows it, so that what an answer says of it can be turned back.

Public, and not hidden by any of it: how many tokens a value has, which of them are digits, capitalised, of which writing and
behind a space, all marks between them, and which words are protected.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch

from desktop_app.model.codes import ModelCodes
from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.privacy.noise.draws import Draw
from remote_agent.segment.code_rows import unpacked

LEAST_LETTERS = 3  # of a whole word that stands in for another
_WORD = re.compile(r"\w+")


class Place(NamedTuple):
    """A token of a protected value: the value, and a key that is the same for the same part of the same word anywhere."""

    value: str
    key: str


class StrictWords:
    """The protected words of one model's prompts."""

    def __init__(self, tokenizer: ChatTokenizer, codes: ModelCodes) -> None:
        self._tokenizer, self._codes = tokenizer, codes
        self._shapes: dict[str, torch.Tensor] | None = None

    def places(self, ids: Sequence[int], values: Iterable[str]) -> dict[int, Place]:
        """Which of a text's tokens [n] belong to which value; a token that a value only touches belongs to it."""
        pieces = [self._tokenizer.token_bytes(token) for token in ids]
        text = b"".join(pieces).decode("utf-8", "replace")
        ends = np.cumsum([len(piece) for piece in pieces])
        found: dict[int, Place] = {}
        for value in sorted(set(values), key=len, reverse=True):
            for match in re.finditer(_pattern(value), text):
                start = len(text[: match.start()].encode())
                end = start + len(match[0].encode())
                first, last = np.searchsorted(ends, [start, end - 1], side="right")
                for place in range(int(first), int(last) + 1):
                    begin = int(ends[place]) - len(pieces[place].lstrip())
                    found.setdefault(place, Place(value, self._key(match[0], begin - start)))
        return found

    def stands_for(self, draw: Draw, token: int) -> int:
        """The token whose exact row leaves for a draw of `token`; the same for the same draw."""
        candidates = self._of_shape(token)
        if len(candidates) == 1:
            return int(candidates[0])
        table = self._codes.table
        counts = unpacked(draw.codes, 1, table.bits, table.dimensions)
        likelihood = table.log_likelihood(counts, draw.mu16)[0].cpu()[candidates].double()
        chances = torch.softmax(likelihood, 0).numpy()
        coins = np.random.default_rng(list(hashlib.sha256(draw.codes).digest()))
        return int(candidates[int(coins.choice(len(chances), p=chances / chances.sum()))])

    def _key(self, value: str, offset: int) -> str:
        """The word of a value in which a byte lies, and where in it."""
        written = value.encode()[: max(0, offset)].decode("utf-8", "ignore")
        for word in _WORD.finditer(value):
            if len(written) < word.end():
                return f"{word[0]}@{len(written) - word.start()}"
        return f"{value}@{len(written)}"

    def _of_shape(self, token: int) -> torch.Tensor:
        """The tokens of the same shape, those of some letters where there are any."""
        if self._shapes is None:
            shapes: dict[str, list[int]] = {}
            for other in range(self._codes.table.tokens):
                shapes.setdefault(shape(self._tokenizer.token_bytes(other)), []).append(other)
            self._shapes = {name: torch.tensor(tokens) for name, tokens in shapes.items()}
        return self._shapes[shape(self._tokenizer.token_bytes(token))]


def shape(piece: bytes) -> str:
    """What is public of a token of a protected value: one of few classes of words and digits; of all else, the token itself."""
    text = piece.decode("utf-8", "replace")
    space, word = text[: len(text) - len(text.lstrip(" "))], text.lstrip(" ")
    if word.isdecimal() and word.isascii():
        return f"{space}9{len(word)}"
    if word.isalpha() and len(space) <= 1:
        script = "a" if word.isascii() else f"{ord(word[0]) >> 8:x}"
        letters = "" if len(word) >= LEAST_LETTERS else str(len(word))
        case = "Aa" if word[0].isupper() and not word[1:].isupper() else "AA" if word.isupper() else "aa"
        return f"{space}{script}{case}{letters}"
    return f"={piece.hex()}"


def sent_as(tokenizer: ChatTokenizer, ids: Sequence[int], sent: Sequence[int], places: Mapping[int, Place]) -> dict[str, str]:
    """What stands for each value in a text: the text of the tokens `sent` at its places, at its first mention."""
    found: dict[str, str] = {}
    runs: list[tuple[str, list[int]]] = []
    for place in sorted(places):
        value = places[place].value
        if runs and runs[-1][0] == value and runs[-1][1][-1] == place - 1:
            runs[-1][1].append(place)
        else:
            runs.append((value, [place]))
    for value, run in runs:
        own, other = (b"".join(tokenizer.token_bytes(kind[place]) for place in run) for kind in (ids, sent))
        start = own.find(value.encode())
        left, right = (own[:start], own[start + len(value.encode()) :]) if start >= 0 else (b"", b"")
        if other.startswith(left) and other.endswith(right):
            other = other[len(left) : len(other) - len(right)]
        found.setdefault(value, other.decode("utf-8", "replace").strip())
    return found


def _pattern(value: str) -> str:
    """The value where it is no part of a longer word; white space may be any."""
    body = r"\s+".join(re.escape(part) for part in value.split())
    before = r"(?<!\w)" if value[:1].isalnum() and value[:1].isascii() else ""
    behind = r"(?!\w)" if value[-1:].isalnum() and value[-1:].isascii() else ""
    return f"{before}{body}{behind}"
