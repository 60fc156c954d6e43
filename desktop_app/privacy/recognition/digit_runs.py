"""Digits that belong together although blanks, dashes, dots, brackets or the end of a line or table cell stand between them.

A run is cut into the groups it is written in. What a run is (a card, a telephone number, nothing at all) others tell by how many
digits it has, how they are grouped and by what they are parted; a part of a run may be a number too: a card with its expiry date.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from desktop_app.privacy.spans import Kind

MOST_GROUPS = 9
DIGIT = re.compile(r"\d")
_SEPARATOR = r"(?:[ \t]{0,2}[-./|·][ \t]{0,2}|[ \t]{0,2}\n[ \t]{0,2}|[ \t]{1,2}|[ ]?\(|\)[- ]{0,2})"
_RUN = re.compile(rf"(?<!\d)(?<!\d,)\d+(?:{_SEPARATOR}\d+)*")
_GROUP = re.compile(r"\d+")


class Run(NamedTuple):
    """Consecutive groups of digits; `between[i]` stands between group i and group i + 1."""

    start: int
    end: int
    groups: tuple[str, ...]
    between: tuple[str, ...]
    places: tuple[int, ...]  # where each group starts

    @property
    def digits(self) -> str:
        """All digits in one."""
        return "".join(self.groups)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many digits each group has."""
        return tuple(map(len, self.groups))

    @property
    def separators(self) -> str:
        """The characters that part the groups."""
        return "".join(self.between)

    def part(self, first: int, last: int) -> "Run":
        """The groups [first, last) as a run of their own."""
        return Run(
            self.places[first],
            self.places[last - 1] + len(self.groups[last - 1]),
            self.groups[first:last],
            self.between[first : last - 1],
            self.places[first:last],
        )

    def single(self) -> "Iterator[Run]":
        """Each group as a run of its own."""
        return (self.part(index, index + 1) for index in range(len(self.groups)))

    def numbers(self, text: str, *kinds_of: "Callable[[Run], Kind | None]") -> "Iterator[tuple[Run, Kind]]":
        """The parts of the run that are a number of some kind and stand free in `text`; none within another.

        Those of the first of `kinds_of` come first, and the longer before the shorter.
        """
        taken = bytearray(len(self.groups))
        for kind_of in kinds_of:
            for size in range(min(len(self.groups), MOST_GROUPS), 0, -1):
                for first in range(len(self.groups) - size + 1):
                    if taken.find(1, first, first + size) >= 0:
                        continue
                    part = self.part(first, first + size)
                    kind = kind_of(part)
                    if kind is not None and bounded(text, part):
                        taken[first : first + size] = b"\x01" * size
                        yield part, kind


def runs(text: str) -> Iterator[Run]:
    """All runs of a text, in order."""
    for match in _RUN.finditer(text):
        found = list(_GROUP.finditer(match[0]))
        yield Run(
            match.start(),
            match.end(),
            tuple(group[0] for group in found),
            tuple(match[0][a.end() : b.start()] for a, b in pairwise(found)),
            tuple(match.start() + group.start() for group in found),
        )


def bounded(text: str, run: Run) -> bool:
    """Whether no letter of a Latin word, digit, currency or decimal touches the run, so that it may be a number of its own."""
    before, after = text[max(0, run.start - 1) : run.start], text[run.end : run.end + 2]
    if before and (before in "$€£¥₩₹%_" or (before.isalnum() and before.isascii())):
        return False
    return re.match(r"[%_€₩]|(?!x\d)[A-Za-z0-9]|,\d", after) is None


_COUNTED = re.compile(
    r" ?(?:원|명|달러|엔|유로|만|억|조|개|권|대|건|회|년|won|dollars|euros?|usd|krw|eur|gbp"
    r"|people|bytes|[kmg]b|ms|km|kg|m\b|times|%)",
    re.I,
)


def is_amount(text: str, run: Run) -> bool:
    """Whether this is how much of something there is."""
    return _COUNTED.match(text, run.end) is not None
