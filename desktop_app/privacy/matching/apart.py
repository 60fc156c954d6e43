"""Words that are written apart: spelt out (이 서 연, B.R.E.W), or cut by the end of a line or cell; and words bound to another.

Only whoever knows a word can tell that two pieces are one: what is looked for is given to `together`, which joins nothing else.
"""

import re
from collections.abc import Callable, Container, Iterator
from itertools import pairwise
from typing import NamedTuple

from desktop_app.privacy.language.capitals import PARTICLES
from desktop_app.privacy.language.hangul import is_particles
from desktop_app.privacy.language.tokens import POINTS, TOKEN, fold, unpointed

SHORTEST = 3  # letters of an alphabet; shorter words come about by chance
_BLANK = r"[ \t]{0,24}"
# Within a word: the end of a line, or of a cell, or a sign of bold letters, also with a hyphen or an empty line.
CUT = re.compile(
    rf"{_BLANK}(?:[-|]{_BLANK})?\n(?:[ \t>]{{0,24}}\n)?[ \t>]{{0,24}}(?:\|{_BLANK})?|{_BLANK}\|{_BLANK}|[*`~]{{1,3}}|__|-?\u00ad"
)
# Between the letters of one that is spelt out.
_SPELT = re.compile(r"[ \t]{1,3}|[ ]?[·•ㆍ・‧∙_/,-][ ]?|\.")
_MAY_BECOME_GAP = re.compile(r"[\s|>*`~·•ㆍ・‧∙._/,-]{1,160}")
_FEWEST_SPELT = 4  # letters that are a word without anybody knowing it: J. R. R. Tolkien has three initials
_LONGEST_HANGUL = 4  # syllables of a name
_RIGHT_TO_LEFT = ("\u0590", "\u08ff")
# And, the, in, as, to, from, that: Hebrew and Arabic write them as one with the word they belong to.
_BOUND = re.compile(rf"(?:[והבכלמש]|ال|[وفبكل]){POINTS.pattern}*")
_MOST_BOUND = 3


class NeedMore(Exception):
    """What follows decides."""


def _is_hangul(word: str) -> bool:
    """Whether a word is one in Hangul."""
    return "가" <= word[0] <= "힣"


class Sought(NamedTuple):
    """The words that are looked for, and how: `may_begin` tells whether letters may be the beginning of one."""

    known: Container[str]
    may_begin: Callable[[str], bool]
    key: Callable[[str], str] = fold
    halves: bool = False  # a family name may stand apart from its given name in Hangul: 이 서연


def together(text: str, word: re.Match[str], sought: Sought, final: bool = True) -> Iterator[tuple[str, int]]:
    """The known words that begin with this one and go on behind a gap, the shorter before the longer, and where each ends.

    Raises `NeedMore` where that depends on what is still to come.
    """
    known, may_begin, key, halves = sought
    end, single, pieces = word.end(), word.end() - word.start() == 1, word.re
    letters, sign = key(word[0]), ""
    while may_begin(letters):
        open_gap = None if final else _MAY_BECOME_GAP.match(text, end)
        if open_gap is not None and open_gap.end() == len(text):
            raise NeedMore
        cut = CUT.match(text, end)
        gap = cut or (_SPELT.match(text, end) if single else None)
        following = pieces.match(text, gap.end()) if gap is not None else None
        if gap is None or following is None or following[0][0].isdigit():
            return
        if following.end() == len(text) and not final:
            raise NeedMore
        hangul = _is_hangul(following[0])
        if cut is None and ((len(following[0]) > 1 and not hangul) or (sign and gap[0] != sign and not hangul)):
            return  # a wider gap parts two words that are spelt out
        sign = sign or gap[0]
        if cut is not None and not single and text[word.start()].islower() and ("\n" in cut[0] or "|" in cut[0]):
            return  # only the capital of "May\nfield" tells that it is Mayfield
        before, letters = len(letters), letters + key(following[0])
        whole = cut is not None or halves or len(following[0]) == 1
        if whole and letters in known and len(letters) >= (2 if hangul else SHORTEST):
            yield letters, following.end()
        elif hangul:
            for length in range(len(letters) - 1 if whole else before + 1, before, -1):
                if letters[:length] in known and is_particles(letters[length:]):
                    yield letters[:length], following.start() + length - before
                    break
        end, single = following.end(), single and len(following[0]) == 1


def closed(value: str, is_name: bool) -> str:
    """A value with its words in one piece, as far as that can be told without knowing them, and without vowel points."""
    value = unpointed(value)
    words = list(TOKEN.finditer(value))
    parts: list[str] = []
    done = place = 0
    while place < len(words):
        last = _last_of(value, words, place, is_name)
        parts.append(value[done : words[place].start()] + "".join(match[0] for match in words[place : last + 1]))
        done, place = words[last].end(), last + 1
    return "".join([*parts, value[done:]])


def _last_of(value: str, words: list[re.Match[str]], first: int, is_name: bool) -> int:
    """The number of the last piece of the word that begins with this one."""
    gaps = [value[one.end() : other.start()] for one, other in pairwise(words[first:])]
    last = first
    while last + 1 < len(words) and len(words[last][0]) == 1 == len(words[last + 1][0]) and gaps[last - first] == gaps[0]:
        last += 1
    fewest = 3 if _is_hangul(words[first][0]) else _FEWEST_SPELT
    if last - first + 1 >= fewest and words[first][0].isalpha() and _SPELT.fullmatch(gaps[0]):
        return last
    last = first
    while last + 1 < len(words) and CUT.fullmatch(gaps[last - first]) and _goes_on(words[first : last + 2], is_name):
        last += 1
    return last


def _goes_on(pieces: list[re.Match[str]], is_name: bool) -> bool:
    """Whether a cut is most likely one within a name: it goes on in lower case, or is as short as Korean ones."""
    first, second = pieces[0][0], pieces[-1][0]
    if _is_hangul(first) and _is_hangul(second):
        return is_name and sum(len(piece[0]) for piece in pieces) <= _LONGEST_HANGUL
    return is_name and first[0].isupper() and second.islower() and second not in PARTICLES


def is_apart(text: str) -> bool:
    """Whether some word in this text may be written apart."""
    words = list(TOKEN.finditer(text))
    for one, other in pairwise(words):
        gap = text[one.end() : other.start()]
        if CUT.fullmatch(gap) or (len(one[0]) == 1 and len(other[0]) == 1 and _SPELT.fullmatch(gap)):
            return True
    return False


def stems(word: str) -> Iterator[int]:
    """Where a Hebrew or Arabic word begins that others are bound to: after the first of them, after the second …"""
    place = 0
    for _ in range(_MOST_BOUND if _RIGHT_TO_LEFT[0] <= word[0] <= _RIGHT_TO_LEFT[1] else 0):
        bound = _BOUND.match(word, place)
        if bound is None or len(fold(word[bound.end() :])) < SHORTEST:
            return
        place = bound.end()
        yield place
