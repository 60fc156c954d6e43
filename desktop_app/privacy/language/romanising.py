"""Korean names in Latin letters: how they may be spelt, and what may be one."""

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import product
from types import MappingProxyType

from desktop_app.privacy.language.hangul import FIRST_SYLLABLES, SECOND_SYLLABLES
from desktop_app.privacy.language.name_pools import resource

_FIRST = ("g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h")
_MIDDLE = (
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu", "eu", "ui", "i",
)  # fmt: skip
# By the order of finals in Unicode: ㄱ to ㅎ with their clusters.
_LAST = ("", *"kkknnntlkmlllplmpptt", "ng", *"ttktpt")


def revised(syllables: str) -> str:
    """Hangul in Latin letters by the Revised Romanisation of 2000, syllable by syllable as in names."""
    letters = []
    for syllable in syllables:
        rest, last = divmod(ord(syllable) - 0xAC00, 28)
        first, middle = divmod(rest, 21)
        letters.append(_FIRST[first] + _MIDDLE[middle] + _LAST[last])
    return "".join(letters)


@cache
def _usual(what: str) -> Mapping[str, tuple[str, ...]]:
    lines = (line for line in resource("korean_spellings.txt") if line[0] == what)
    return MappingProxyType({hangul: tuple(spellings) for _, hangul, *spellings in lines})


def family_spellings(family: str) -> tuple[str, ...]:
    """How a family name in Hangul may be spelt, in lower case, the most usual first."""
    return tuple(dict.fromkeys([*_usual("family").get(family, ()), revised(family)]))


def given_spellings(given: str) -> list[tuple[str, ...]]:
    """How a given name in Hangul may be spelt, in lower case and a syllable at a time, the most usual first."""
    return list(product(*(_syllable_spellings(syllable) for syllable in given)))


@lru_cache(maxsize=1024)
def _syllable_spellings(syllable: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*_usual("given").get(syllable, ()), revised(syllable)]))


@cache
def _families() -> Mapping[str, str]:
    pairs = [(spelling, family) for family in _usual("family") for spelling in family_spellings(family)]
    return MappingProxyType(dict(reversed(pairs)))


def is_family(spelling: str) -> bool:
    """Whether this may be a Korean family name in Latin letters."""
    return spelling.casefold() in _families()


@cache
def _syllables() -> Mapping[str, str]:
    """Spellings of syllables that names are made of, with a syllable for each."""
    syllables = sorted({*FIRST_SYLLABLES, *SECOND_SYLLABLES})
    return MappingProxyType({spelling: syllable for syllable in syllables for spelling in _syllable_spellings(syllable)})


def syllables_of(given: str) -> str:
    """A given name in Hangul that may be spelt like this (Minjun, Min-jun), of two syllables; "" where none may."""
    parts = given.casefold().split("-")
    known = _syllables()
    if len(parts) == 2:
        return known[parts[0]] + known[parts[1]] if parts[0] in known and parts[1] in known else ""
    if len(parts) == 1:
        for cut in range(len(given) - 1, 0, -1):
            first, second = parts[0][:cut], parts[0][cut:]
            if first in known and second in known:
                return known[first] + known[second]
    return ""
