"""Protected words under strict noise: where they stand among a prompt's tokens, and what stands there instead.

Theory of operation. A token of a protected value is drawn at the strict level like any other, and charged. What leaves are not
the codes but the exact rows of a word that they may stand for: one drawn from the posterior, given the codes of the word's
tokens, over a public list (names, towns, companies, months), or, of what has no list, token by token over all tokens of one
shape; where a token is a part of a letter, or few have its shape, over strings of the same pattern for whole letters
(`like_strings`). The coins are given by the codes themselves. That is post-processing, so it costs nothing more than the codes,
and whoever sees the rows sees less than whoever sees the codes; yet the model reads a clean word, the same for every mention (one
word, one draw), and this computer knows it, so that what an answer says of it can be turned back. No letter and no digit of a
value leaves as itself but by the draw, the public words below excepted.

Public, and not hidden by any of it: which words are protected and of what kind they are, how long they are in tokens, which of
their letters are digits, capitals or of another writing, all marks between them, which words of a date are months, and words
that only say what kind of thing is named ("Hospital" beside a name that is drawn).
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import torch

from desktop_app.engine.like_strings import kind_of, korean_names, pattern_of, strings_of
from desktop_app.model.codes import ModelCodes
from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.privacy.language import name_pools
from desktop_app.privacy.language.date_shift import MONTH_LISTS, MONTHS
from desktop_app.privacy.language.generic_words import ADDRESS_WORDS, ORGANISATION_WORDS, PLACE_WORDS
from desktop_app.privacy.noise.draws import Draw
from desktop_app.privacy.spans import Kind
from remote_agent.segment.code_rows import unpacked

DROPPED = -2  # no row leaves for this token: what stands for its word is shorter
PERSONS = ("given", "family", "name")
WHOLE_WORDS = (*PERSONS, "town", "company", "korean")
LEAST_LETTERS = 3  # of a whole word that stands in for another
FEWEST_OF_SHAPE = 20
_WORD = re.compile("[am]+|9")  # of `_role`s
_OF_DATES = frozenset({"of", "the", "on", "at"})
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
        self._strings: dict[tuple[str, ...], list[list[int]]] = {}

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
                pools = _pools(Kind(values[value]), [word for word, _, _ in words])
                for number, ((word, first, last), pool) in enumerate(zip(words, pools, strict=True)):
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
        if candidates:
            return self._likely(candidates, draws)
        found: list[int] = []
        for start, end in self._pieces(ids):
            found += self._stand_for(ids[start:end], draws[start:end])
        return found

    def _pieces(self, ids: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Where tokens begin and end that together are whole letters."""
        start, begun = 0, b""
        for place, token in enumerate(ids):
            begun += self._tokenizer.token_bytes(token)
            if place + 1 == len(ids) or _is_whole(begun):
                yield start, place + 1
                start, begun = place + 1, b""

    def _stand_for(self, ids: Sequence[int], draws: Sequence[Draw]) -> list[int]:
        """What stands for a piece: as many tokens, the last of them perhaps `DROPPED`."""
        piece = b"".join(map(self._tokenizer.token_bytes, ids))
        if len(ids) == 1 and _is_whole(piece) and len(same := self.of_shape(ids[0])) >= FEWEST_OF_SHAPE:
            return [int(same[_drawn(self._log_likelihood(draws[0])[same], draws)])]
        # What is no whole text is a letter cut in two by a mark beside it: it has no pattern but its length.
        text = piece.decode() if _is_whole(piece) else "a" * len(ids)
        pattern = pattern_of(text)
        if all(kind[0] == "=" for kind in pattern):
            return list(ids)
        candidates = self._encoded(pattern, len(ids)) or self._encoded(pattern_of("a" * len(ids)), len(ids))
        chosen = self._likely(candidates, draws)
        return [*chosen, *[DROPPED] * (len(ids) - len(chosen))]

    def _encoded(self, pattern: tuple[str, ...], most: int) -> list[list[int]]:
        """The tokens of strings of a pattern, of those that have at most so many."""
        if pattern not in self._strings:
            self._strings[pattern] = [self._tokenizer.encode(other) for other in strings_of(pattern)]
        return [tokens for tokens in self._strings[pattern] if 0 < len(tokens) <= most]

    def _likely(self, candidates: Sequence[list[int]], draws: Sequence[Draw]) -> list[int]:
        """One of these, drawn from the posterior given the codes."""
        gains = [self._log_likelihood(draw) for draw in draws]
        # A shorter candidate says nothing of the last draws: each counts as much as a token of the vocabulary does on average.
        gains = [gain - torch.logsumexp(gain, 0) + np.log(len(gain)) for gain in gains]
        scores = torch.zeros(len(candidates), dtype=torch.float64)
        for place, gain in enumerate(gains):
            there = [(number, it[place]) for number, it in enumerate(candidates) if place < len(it)]
            if there:
                numbers, tokens = zip(*there, strict=True)
                scores[list(numbers)] += gain[list(tokens)]
        return candidates[_drawn(scores, draws)]

    def _log_likelihood(self, draw: Draw) -> torch.Tensor:
        table = self._codes.table
        return table.log_likelihood(unpacked(draw.codes, 1, table.bits, table.dimensions), draw.mu16)[0].cpu().double()

    def _listed(self, pool: str, word: str) -> list[list[int]]:
        """The tokens of each word of a list, written as `word` is: behind a space or not, in capitals or not."""
        bare = word.lstrip(" ")
        if pool == "korean":
            pool = f"korean {len(bare)}"
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
        script = "a" if word.isascii() else kind_of(word[0]).partition(" ")[0]
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


def _is_whole(piece: bytes) -> bool:
    """Whether bytes are whole letters."""
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


def _words(value: str) -> Iterator[tuple[str, int, int]]:
    """Words of a value, with the signs that belong to their letters, and its digits: each with its first byte, and the last."""
    for match in _WORD.finditer("".join(_role(letter) for letter in value)):
        word = value[match.start() : match.end()]
        start = len(value[: match.start()].encode())
        yield word, start, start + len(word.encode()) - 1


def _role(letter: str) -> str:
    """A letter that is a digit, another, a sign that belongs to a letter, or a mark, as one sign each."""
    kind = kind_of(letter).rpartition(" ")[2][:1]
    return {"N": "9", "L": "a", "M": "m"}.get(kind, ".")


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


def _pools(kind: Kind, words: Sequence[str]) -> list[str]:
    """The list that each word of a value is chosen from, "" for none; "public": it says only what kind of thing is named.

    Which list it is follows from the kind and the place, never from the word itself, with two exceptions that are told: months,
    and public words. A word is public only beside another one that is drawn.
    """
    if kind is Kind.DATE:
        return ["month" if word.casefold() in MONTHS else "public" if word.casefold() in _OF_DATES else "" for word in words]
    if kind is Kind.PERSON:
        first = "name" if len(words) == 1 else "given"
        return [_written(word, "family" if number and number + 1 == len(words) else first) for number, word in enumerate(words)]
    if kind in (Kind.ORGANISATION, Kind.PLACE, Kind.ADDRESS):
        of_kind = "company" if kind is Kind.ORGANISATION else "town"
        says_kind = [word.casefold() in _GENERIC for word in words]
        if all(says_kind):
            return [_written(word, of_kind) for word in words]
        return ["public" if generic else _written(word, of_kind) for word, generic in zip(words, says_kind, strict=True)]
    return [""] * len(words)


def _written(word: str, pool: str) -> str:
    """The list for a word of this writing."""
    if word.isascii() and word.isalpha():
        return pool
    return "korean" if pool in PERSONS and all(kind_of(letter) == "HANGUL Lo" for letter in word) else ""


@cache
def _names(pool: str) -> tuple[str, ...]:
    if pool == "month":
        return tuple(name.title() for name in MONTH_LISTS[0])
    if pool == "given":
        return name_pools.english_given_names("")
    if pool == "family":
        return name_pools.english_surnames()
    if pool == "name":
        return (*name_pools.english_given_names(""), *name_pools.english_surnames())
    if pool.startswith("korean"):
        return korean_names(int(pool.split()[1]))
    if pool == "company":
        return name_pools.companies()
    return name_pools.towns("city") if pool == "town" else ()


def _pattern(value: str) -> str:
    """The value where it is no part of a longer word; white space may be any."""
    body = r"\s+".join(re.escape(part) for part in value.split())
    before = r"(?<!\w)" if value[:1].isalnum() and value[:1].isascii() else ""
    behind = r"(?!\w)" if value[-1:].isalnum() and value[-1:].isascii() else ""
    return f"{before}{body}{behind}"
