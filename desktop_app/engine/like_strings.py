"""What may stand for letters of any writing: other strings of the same pattern, from public lists.

Theory of operation. A pattern is what stays public of a piece of a protected word: at each place the writing and whether it is a
capital, a sign that belongs to a letter, or a digit; all else is a mark, and stays as it is. The strings of a pattern are all
that have it where they are few, else `MOST` of them, chosen once by coins that depend on nothing but the pattern. So which
strings are on the list never depends on the word, only which of them the codes make likely.
"""

import hashlib
import unicodedata
from functools import cache

import numpy as np

from desktop_app.privacy.language import name_pools

MOST = 4096
FEWEST = 20
"""Fewer than these hide nothing: the class is widened then."""
_ALL = range(0x21, 0x30000)
_USUAL = {
    "LATIN": range(0x41, 0x180), "GREEK": range(0x370, 0x400), "CYRILLIC": range(0x400, 0x460), "HANGUL": range(0xAC00, 0xD7A4),
    "CJK": range(0x4E00, 0x9FA6),
}  # fmt: skip
"""Of writings with many letters, those that people read; a rare one is replaced by one of them too."""


def kind_of(letter: str) -> str:
    """Writing and category of a letter, of a sign that belongs to one, or of a digit; "" for what is none of them."""
    category = unicodedata.category(letter)
    if category[0] not in "LMN":
        return ""
    return f"{unicodedata.name(letter, '').partition(' ')[0]} {category}"


def pattern_of(text: str) -> tuple[str, ...]:
    """What is public of a text: the kind of each letter, and each mark behind a "="."""
    return tuple(kind_of(letter) or f"={letter}" for letter in text)


@cache
def strings_of(pattern: tuple[str, ...]) -> tuple[str, ...]:
    """Strings of a pattern, at most `MOST`; of one of marks alone just the one that it is."""
    places = [(kind[1:],) if kind[0] == "=" else _letters(kind) for kind in pattern]
    if sum(len(letters) > 1 for letters in places) <= 1:
        strings = [""]
        for letters in places:
            strings = [begun + letter for begun in strings for letter in letters]
        return _some(strings, repr(pattern))
    coins = _coins(repr(pattern))
    columns = [[letters[number] for number in coins.integers(0, len(letters), MOST)] for letters in places]
    return tuple(dict.fromkeys(map("".join, zip(*columns, strict=True))))


@cache
def korean_names(length: int) -> tuple[str, ...]:
    """Korean names of so many syllables: family name and given name, in common use; none where there are no such."""
    names = [
        family + given
        for family in name_pools.korean_surnames()
        for given in name_pools.korean_given_names("")
        if len(family + given) == length
    ]
    return _some(sorted(set(names)), f"korean names of {length}")


@cache
def _letters(kind: str) -> tuple[str, ...]:
    """The letters of a kind; of its writing where they are few, and of all writings where that has few."""
    writing, _, category = kind.partition(" ")
    enough = 10 if category == "Nd" else FEWEST
    found: list[str] = []
    for wider in (kind, writing, ""):
        found = [
            letter
            for known, letters in _kinds().items()
            if known.startswith(wider) and known.partition(" ")[2][0] == category[0]
            for letter in letters
        ]
        if len(found) >= enough:
            break
    return tuple(found)


@cache
def _kinds() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for letter in map(chr, _ALL):
        kind = kind_of(letter)
        if kind and ord(letter) in _USUAL.get(kind.partition(" ")[0], _ALL):
            found.setdefault(kind, []).append(letter)
    return found


def _some(strings: list[str], seed: str) -> tuple[str, ...]:
    if len(strings) <= MOST:
        return tuple(strings)
    return tuple(strings[number] for number in sorted(_coins(seed).choice(len(strings), MOST, replace=False)))


def _coins(seed: str) -> np.random.Generator:
    return np.random.default_rng(list(hashlib.sha256(seed.encode()).digest()))
