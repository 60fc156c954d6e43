"""Numbers of which only the last digits are shown: xxx-xx-4399, **** **** **** 1881.

What hides the others is no part of anybody's number, and stays. Where the whole number stands in the same text, the last digits
are left to it: they become those of its stand-in, as in "ending in 4399".
"""

import re
from collections.abc import Iterable, Iterator, Set

from desktop_app.privacy.language.tokens import compact
from desktop_app.privacy.matching.lexicon import HAVE_TAILS, TAIL
from desktop_app.privacy.recognition.names import Found

FEWEST_HIDDEN = 3  # signs: two crosses may be the letters of a passport's number
_HIDING = re.compile(r"(?<![A-Za-z])[xX]{2,}(?![A-Za-z])|[*•●○#]+")
_SHOWN = re.compile(rf"[xX*•#]{{2}}[ -]?(?P<shown>\d{{{TAIL}}})$")


def hidden(value: str) -> Set[int]:
    """The places in a value of the signs that stand for digits which are not shown."""
    places = frozenset(place for match in _HIDING.finditer(value) for place in range(match.start(), match.end()))
    return places if len(places) >= FEWEST_HIDDEN else frozenset()


def without_known(text: str, found: Iterable[Found]) -> Iterator[Found]:
    """What was found in a text without those of which the whole number was found too."""
    numbers = list(found)
    tails = {number: tail["shown"] for number in numbers if (tail := _SHOWN.search(text, number.start, number.end)) is not None}
    if not tails:
        yield from numbers
        return
    whole = {_tail(text[number.start : number.end]) for number in numbers if number.kind in HAVE_TAILS and number not in tails}
    yield from (number for number in numbers if tails.get(number) not in whole)


def _tail(value: str) -> str:
    """The last digits by which a whole number is named; "" where it is too short for that."""
    letters = compact(value)
    return letters[-TAIL:] if len(letters) >= 2 * TAIL else ""
