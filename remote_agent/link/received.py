"""Which packets have come: all up to a number, and runs beyond it. No I/O, no clock.

aiortc keeps each number beyond a hole in a set that it sorts at every packet: with one hole in a window of a thousand that is
most of the processor, and a peer that never fills a hole makes it grow without end. Here a packet costs a step through the runs,
and nothing further ahead than `MOST_AHEAD` is taken: as if it had been lost, and an honest peer sends it again.

Transmission sequence numbers (TSN, RFC 9260) wrap at 32 bits; inside they are unwrapped.
"""

from bisect import bisect_right
from enum import Enum

MODULO = 2**32
MOST_AHEAD = 8192
MOST_RUNS_TOLD = 250  # in one acknowledgement, which has to fit one packet
OVERTAKING_SECONDS = 0.010  # a hole that is filled within this time was no loss


class Arrival(Enum):
    """What a packet was."""

    NEXT = "in order, no hole behind it"
    BEYOND = "behind a hole that is known"
    CHANGE = "opened or filled a hole: the sender should know at once"
    COPY = "here before"
    TOO_FAR = "too far ahead to be taken"


class ReceivedNumbers:
    """The numbers received so far; `missing` of `expected` packets were not there when later ones were."""

    def __init__(self, cumulative: int) -> None:
        self._base = cumulative
        self._runs: list[list[int]] = []  # [first, last], ascending, unwrapped, each with a hole before it
        self._opened: list[float] = []  # when the hole before each was found
        self.expected = self.missing = 0

    @property
    def cumulative(self) -> int:
        """The last number with all before it here."""
        return self._base % MODULO

    def add(self, number: int, now: float) -> Arrival:
        """Takes note of a packet that came now (seconds)."""
        distance = (number - self._base) % MODULO
        if distance == 0 or distance >= MODULO // 2:
            return Arrival.COPY
        if distance > MOST_AHEAD:
            return Arrival.TOO_FAR
        if distance == 1 and not self._runs:
            self._base += 1
            self.expected += 1
            return Arrival.NEXT
        return self._place(self._base + distance, now)

    def runs(self) -> list[tuple[int, int]]:
        """The runs beyond the hole, as distances from `cumulative`: the gap blocks of a SACK."""
        return [(first - self._base, last - self._base) for first, last in self._runs[:MOST_RUNS_TOLD]]

    def _place(self, place: int, now: float) -> Arrival:
        runs = self._runs
        index = bisect_right(runs, place, key=lambda run: run[0])
        before, after = index > 0, index < len(runs)
        if before and runs[index - 1][1] >= place:
            return Arrival.COPY
        if after:
            if now - self._opened[index] < OVERTAKING_SECONDS:
                self.missing -= 1
        else:
            highest = runs[-1][1] if runs else self._base
            self.expected += place - highest
            self.missing += place - highest - 1
        joins_before = before and runs[index - 1][1] == place - 1
        joins_after = after and runs[index][0] == place + 1
        if joins_before and joins_after:
            runs[index - 1][1] = runs[index][1]
            del runs[index], self._opened[index]
        elif joins_before:
            runs[index - 1][1] = place
        elif joins_after:
            runs[index][0] = place
        else:
            runs.insert(index, [place, place])
            self._opened.insert(index, self._opened[index] if after else now)
        if runs[0][0] == self._base + 1:
            self._base = runs[0][1]
            del runs[0], self._opened[0]
        return Arrival.BEYOND if joins_before and not after else Arrival.CHANGE
