"""How many draft rows a step carries.

A draft row costs bytes both ways and compute, and pays only if it is accepted. `AdaptiveBudget` needs no measurement: it widens
while everything is accepted and narrows while nothing is. A controller that knows round trip and bandwidth implements
`RowBudget` just as well: `choose` sees the proposals' probabilities, best first, and says how many of them are worth their cost.
"""

from collections.abc import Sequence
from typing import Protocol


class RowBudget(Protocol):
    """Decides how many draft rows are sent; one may serve the replies of a conversation one after the other."""

    def limit(self) -> int:
        """The most draft rows that the next step may carry; 0: drafting is not worth it now. Asked before drafting."""

    def choose(self, probabilities: Sequence[float]) -> int:
        """How many of these proposed rows to send: their path probabilities, likeliest first, at most `limit()` of them."""

    def record(self, drafted: int, accepted: int) -> None:
        """A step was answered or given up: it had carried `drafted` draft rows, and with its answer this many were accepted.

        With several steps in flight those may be rows of other steps: only the sums over many steps agree.
        """


class FixedBudget:
    """Always the same number of draft rows; 0 is decoding without drafts."""

    def __init__(self, rows: int) -> None:
        self._rows = rows

    def limit(self) -> int:
        """The number given."""
        return self._rows

    def choose(self, probabilities: Sequence[float]) -> int:
        """All of them."""
        return len(probabilities)

    def record(self, drafted: int, accepted: int) -> None:
        """Nothing to learn."""


class AdaptiveBudget:
    """At most `most` draft rows, fewer where they were not accepted lately.

    The width doubles when a step's drafts were all accepted, else it moves half-way to twice what was accepted. So drafts that
    always lie bring it under 1 within a few steps, and then it means: one row every 1 / width steps, to see if they still do.
    """

    _NARROWEST = 1 / 8

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._width = most / 2
        self._steps_without = 0

    def limit(self) -> int:
        """The width, or what a width under 1 means."""
        if self._width >= 1 or self._steps_without * self._width >= 1:
            return min(max(int(self._width), 1), self._most)
        return 0

    def choose(self, probabilities: Sequence[float]) -> int:
        """All of them: without a measurement of the link none can be called too dear."""
        return len(probabilities)

    def record(self, drafted: int, accepted: int) -> None:
        """Widen or narrow."""
        if drafted == accepted == 0:
            self._steps_without += 1
            return
        self._steps_without = 0
        if accepted >= drafted:
            self._width = min(2 * max(self._width, 1), self._most)
        else:
            self._width = max((self._width + min(2 * accepted, self._most)) / 2, self._NARROWEST)
