"""Protected words under strict noise: where they stand among a prompt's tokens, and what stands there instead.

Theory of operation. A token of a protected value is drawn at the strict level like any other, and charged. What leaves are not
the codes but the exact rows of a word that they may stand for: one drawn from the posterior, given the codes of the word's
tokens, over a public list (names, towns, companies, months; digits, and what has no list, token by token over all tokens of one
shape), with coins that the codes themselves give. That is post-processing, so it costs nothing more than the codes, and whoever
sees the rows sees less than whoever sees the codes; yet the model reads a clean word, the same for every mention (one word, one
draw), and this computer knows it, so that what an answer says of it can be turned back.

Public, and not hidden by any of it: which words are protected and of what kind they are, which of their letters are digits,
capitals or of another writing, all marks between them, and words that only say what kind of thing is named ("Hospital").
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import torch

from desktop_app.model.codes import ModelCodes
from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.privacy.language import name_pools
from desktop_app.privacy.language.date_shift import MONTH_LISTS, MONTHS
from desktop_app.privacy.language.generic_words import ADDRESS_WORDS, ORGANISATION_WORDS, PLACE_WORDS
from desktop_app.privacy.noise.draws import Draw
from desktop_app.privacy.spans import Kind
from remote_agent.segment.code_rows import unpacked

DROPPED = -2  # no row leaves for this token: what stands for its word is shorter
WHOLE_WORDS = ("given", "family", "town", "company")
LEAST_LETTERS = 3  # of a whole word that stands in for another
_WORD = re.compile(r"[^\W\d_]+|\d")
_GENERIC = ORGANISATION_WORDS | PLACE_WORDS | ADDRESS_WORDS


class Place(NamedTuple):
    """A token of a protected value: whose it is, which mention, which list its word is chosen from, and the word's own key.

    The key is the same for the same part of the same word anywhere. `values` are all that the token tells of, first the one that
    stands here, then all others that hold its word, however they are written: what is drawn for it is spent by each of them.
    """

    values: tuple[str, ...]
    mention: int
    pool: str
    word: int
    key: str

    @property
    def value(self) -> str:
        """The value that stands here; the longest, where one is a part of another."""
        return self.values[0]


class StrictWords:
    """The protected words of one model's prompts."""

    def __init__(self, tokenizer: ChatTokenizer, codes: ModelCodes) -> None:
        self._tokenizer, self._codes = tokenizer, codes
        self._shapes: dict[str, torch.Tensor] | None = None
        self._pools: dict[tuple[str, bool, str], list[list[int]]] = {}

    def places(self, ids: Sequence[int], values: Mapping[str, str]) -> dict[int, Place]:
        """Which of a text's tokens [n] belong to which of the values, given with their kinds, and how."""
        pieces = [self._tokenizer.token_bytes(token) for token in ids]
        text = b"".join(pieces).decode("utf-8", "replace")
        ends = np.cumsum([len(piece) for piece in pieces])
        found: dict[int, Place] = {}
        told: dict[int, set[str]] = {}  # the words that a token is a part of
        here: dict[int, dict[str, None]] = {}  # the values that stand at it, the longest first
        for value in sorted(values, key=len, reverse=True):
            for mention, match in enumerate(re.finditer(_pattern(value), text)):
                start = len(text[: match.start()].encode())
                words = list(_words(match[0]))
                for number, (word, first, last) in enumerate(words):
                    pool = _pool(Kind(values[value]), word, number + 1 == len(words))
                    begin, end = start + first, start + last
                    first_token, last_token = (int(at) for at in np.searchsorted(ends, [begin, end], side="right"))
                    for place in range(first_token, last_token + 1):
                        offset = int(ends[place]) - len(pieces[place].lstrip()) - begin
                        if pool != "public":
                            found.setdefault(place, Place((value,), mention, pool, number, f"{word}@{max(0, offset)}"))
                            told.setdefault(place, set()).add(word)
                            here.setdefault(place, {})[value] = None
        holders = _Holders(values)
        return {
            place: it._replace(values=tuple(here[place] | dict.fromkeys(holders.of(told[place], pieces[place]))))
            for place, it in found.items()
        }

    def sent(self, ids: Sequence[int], draws: Sequence[Draw], places: Mapping[int, Place]) -> dict[int, int]:
        """The token whose exact row leaves at each of the places, or `DROPPED`."""
        words: dict[tuple[str, int, int], list[int]] = {}
        for place in sorted(places):
            words.setdefault((places[place].value, places[place].mention, places[place].word), []).append(place)
        found: dict[int, int] = {}
        for run in words.values():
            chosen = self._chosen(places[run[0]].pool, [ids[place] for place in run], [draws[place] for place in run])
            found |= dict(zip(run, [*chosen, *[DROPPED] * len(run)], strict=False))
        return found

    def of_shape(self, token: int) -> torch.Tensor:
        """All tokens of the same shape: what may stand for it, and what an attacker knows of it beforehand."""
        if self._shapes is None:
            shapes: dict[str, list[int]] = {}
            for other in range(self._codes.table.tokens):
                shapes.setdefault(shape(self._tokenizer.token_bytes(other)), []).append(other)
            self._shapes = {name: torch.tensor(tokens) for name, tokens in shapes.items()}
        return self._shapes[shape(self._tokenizer.token_bytes(token))]

    def _chosen(self, pool: str, ids: Sequence[int], draws: Sequence[Draw]) -> list[int]:
        """The tokens, at most as many, that stand for a word's; the same for the same draws."""
        word = b"".join(map(self._tokenizer.token_bytes, ids)).decode("utf-8", "replace")
        candidates = [tokens for tokens in self._listed(pool, word) if len(tokens) <= len(ids)]
        if not candidates:
            return [self._stands_for(draw, token) for draw, token in zip(draws, ids, strict=True)]
        gains = [self._log_likelihood(draw) for draw in draws]
        # A shorter candidate says nothing of the last draws: each counts as much as a token of the vocabulary does on average.
        gains = [gain - torch.logsumexp(gain, 0) + np.log(len(gain)) for gain in gains]
        scores = torch.stack(
            [sum((gain[token] for gain, token in zip(gains, it, strict=False)), torch.zeros(())) for it in candidates]
        )
        return candidates[_drawn(scores, draws)]

    def _stands_for(self, draw: Draw, token: int) -> int:
        candidates = self.of_shape(token)
        if len(candidates) == 1:
            return int(candidates[0])
        return int(candidates[_drawn(self._log_likelihood(draw)[candidates], [draw])])

    def _log_likelihood(self, draw: Draw) -> torch.Tensor:
        table = self._codes.table
        return table.log_likelihood(unpacked(draw.codes, 1, table.bits, table.dimensions), draw.mu16)[0].cpu().double()

    def _listed(self, pool: str, word: str) -> list[list[int]]:
        """The tokens of each word of a list, written as `word` is: behind a space or not, in capitals or not."""
        bare = word.lstrip(" ")
        case = "upper" if bare.isupper() and len(bare) > 1 else "lower" if bare[:1].islower() else "title"
        key = (pool, bare != word, case)
        if key not in self._pools:
            written = [getattr(str, case)(name) if case != "title" else name for name in _names(pool)]
            self._pools[key] = [self._tokenizer.encode(f"{' ' if bare != word else ''}{name}") for name in written]
        return self._pools[key]


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


def sent_as(tokenizer: ChatTokenizer, sent: Mapping[int, int], places: Mapping[int, Place], ids: Sequence[int]) -> dict[str, str]:
    """What stands for each value in a text, and for words of it that are used alone: what leaves for it at its first mention."""
    mentions: dict[tuple[str, int, int], list[int]] = {}
    for place in sorted(places):
        it = places[place]
        mentions.setdefault((it.value, it.mention, -1), []).append(place)
        if it.pool in WHOLE_WORDS:
            mentions.setdefault((it.value, it.mention, it.word), []).append(place)
    found: dict[str, str] = {}
    for (value, _, _), mention in mentions.items():
        tokens = (sent.get(place, ids[place]) for place in range(mention[0], mention[-1] + 1))
        other = b"".join(tokenizer.token_bytes(token) for token in tokens if token != DROPPED).decode("utf-8", "replace")
        own = b"".join(tokenizer.token_bytes(ids[place]) for place in range(mention[0], mention[-1] + 1)).decode(
            "utf-8", "replace"
        )
        if own.strip() in value and other.strip():
            found.setdefault(own.strip(), other.strip())
    return found


def _drawn(scores: torch.Tensor, draws: Sequence[Draw]) -> int:
    """A place, by the posterior that these scores are logarithms of, with coins that the codes give."""
    chances = torch.softmax(scores, 0).numpy()
    coins = np.random.default_rng(list(hashlib.sha256(b"".join(draw.codes for draw in draws)).digest()))
    return int(coins.choice(len(chances), p=chances / chances.sum()))


def _words(value: str) -> Iterator[tuple[str, int, int]]:
    """Words and digits of a value: each with its first byte, and the last."""
    for match in _WORD.finditer(value):
        start = len(value[: match.start()].encode())
        yield match[0], start, start + len(match[0].encode()) - 1


class _Holders:
    """Which values hold a word, however it is written: what is told of "OKAFOR" is told of "Maria Okafor" too."""

    def __init__(self, values: Iterable[str]) -> None:
        self._folded = {value: value.casefold() for value in values}
        self._words = {value: {word for word, _, _ in _words(folded)} for value, folded in self._folded.items()}
        self._digits = {value: "".join(filter(str.isdecimal, value)) for value in values}
        self._known: dict[frozenset[str], list[str]] = {}

    def of(self, words: Iterable[str], piece: bytes) -> list[str]:
        """The values that hold one of these words, or, of digits, all that the token `piece` has of them in a row."""
        digits = "".join(filter(str.isdecimal, piece.decode("utf-8", "ignore")))
        asked = frozenset({word.casefold() for word in words if not word.isdecimal()} | ({digits} if digits else set()))
        if asked not in self._known:
            self._known[asked] = [value for value in self._words if any(self._holds(value, word) for word in asked)]
        return self._known[asked]

    def _holds(self, value: str, word: str) -> bool:
        if word.isdecimal():
            return word in self._digits[value]
        # Where words are not parted by spaces, a word may be a part of another.
        return word in self._words[value] or (not word.isascii() and word in self._folded[value])


def _pool(kind: Kind, word: str, is_last: bool) -> str:
    """The list that a word of a value is chosen from; "public": it says only what kind of thing is named, and stays."""
    if not word.isalpha() or not word.isascii():
        return ""
    if kind is Kind.DATE:
        return "month" if word.casefold() in MONTHS else "public"
    if kind is Kind.PERSON:
        return "family" if is_last and not name_pools.is_english_given_name(word) else "given"
    if kind in (Kind.ORGANISATION, Kind.PLACE, Kind.ADDRESS):
        return "public" if word.casefold() in _GENERIC else "company" if kind is Kind.ORGANISATION else "town"
    return ""


@cache
def _names(pool: str) -> tuple[str, ...]:
    if pool == "month":
        return tuple(name.title() for name in MONTH_LISTS[0])
    if pool == "given":
        return name_pools.english_given_names("")
    if pool == "family":
        return name_pools.english_surnames()
    if pool == "company":
        return name_pools.companies()
    return name_pools.towns("city") if pool == "town" else ()


def _pattern(value: str) -> str:
    """The value where it is no part of a longer word; white space may be any."""
    body = r"\s+".join(re.escape(part) for part in value.split())
    before = r"(?<!\w)" if value[:1].isalnum() and value[:1].isascii() else ""
    behind = r"(?!\w)" if value[-1:].isalnum() and value[-1:].isascii() else ""
    return f"{before}{body}{behind}"
