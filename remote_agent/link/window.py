"""How many bytes may be on their way. No I/O, no clock.

aiortc halves its window at every loss, which on a path that loses one packet in a hundred by chance leaves a tenth of a megabyte
a second. Here the window follows the queue at the bottleneck, as in FAST TCP (Wei, Jin, Low, Hegde 2006): once a round trip it is
multiplied by (shortest round trip + `QUEUE_SECONDS`) over this round's shortest, so that the queue settles at `QUEUE_SECONDS`,
which is what a step waits behind a prompt. The shortest of a round, because jitter and a busy interpreter only ever add. A loss
changes nothing, unless so many are lost that a short queue must be overflowing. Until the queue shows, the window doubles each
round, counting bytes (RFC 3465). That is not fair to TCP beside it: it yields where there is delay, and does not where there is
chance loss; `largest` bounds it. Doubling ends where the first trains of packets say that the path is full (Keshav 1991).
"""

QUEUE_SECONDS = 0.008
CUT, GROWTH = 0.7, 1.25  # the most that a round trip changes
MOST_LOST = 0.10  # the share that chance may take
LEAST_CHUNKS = 8
NEARLY_FULL = 0.8  # of what the path is known to hold; below, growth is quick


class Window:
    """The congestion window in bytes; it begins with `first`, a whole step, and is never over `largest`."""

    def __init__(self, first: int, chunk: int, largest: int) -> None:
        self._first, self._chunk, self._largest = min(first, largest), chunk, largest
        self.size = self._first
        self.in_slow_start = True
        self._round_ends = 0.0
        self._wait_a_round = False
        self._path_bytes = 0.0
        self._round_least = float("inf")
        self._delivered = self._lost = 0
        self._used = False

    def acknowledged(self, size: int, in_use: bool) -> None:
        """So many bytes came; `in_use`: more would have been sent if the window allowed it."""
        self._delivered += size
        self._used |= in_use
        if in_use and self.in_slow_start:
            self._resize(self.size + size)

    def sampled(self, sample: float, least: float, smoothed: float, now: float) -> None:
        """One round trip took so long; `least` and `smoothed` as in `RoundTrip`."""
        self._round_least = min(self._round_least, sample)
        if now >= self._round_ends:
            self._adjust(least)
            self._begin_round(now + smoothed)

    def is_wide(self, rate: float, least: float) -> None:
        """The path takes so many bytes a second: doubling beyond what that fills would only make the queue overflow."""
        self._path_bytes = rate * least
        if self.in_slow_start and self._used and self.size >= rate * (least + QUEUE_SECONDS):
            self.in_slow_start = False
            self._resize(int(rate * (least + QUEUE_SECONDS)))

    def lost(self, size: int) -> None:
        """So many bytes were lost."""
        self._lost += size

    def timed_out(self, again: bool) -> None:
        """Nothing came back at all; `again`: not since the last time either."""
        self._resize(self.size // 2 if again else max(self._first, int(CUT * self.size)))
        self.in_slow_start = True

    def _adjust(self, least: float) -> None:
        if not self._used:
            return
        if self._wait_a_round:  # what was changed a round ago has not shown yet
            self._wait_a_round = False
            return
        too_many = self._lost > MOST_LOST * (self._lost + self._delivered)
        change = CUT if too_many else (least + QUEUE_SECONDS) / self._round_least
        if change < 1:
            self.in_slow_start, self._wait_a_round = False, True
            self._resize(int(max(CUT, change) * self.size))
        elif not self.in_slow_start:
            growth = GROWTH if self.size < NEARLY_FULL * self._path_bytes else min(GROWTH, change)
            self._resize(max(self.size + self._chunk, int(growth * self.size)))

    def _begin_round(self, ends: float) -> None:
        self._round_ends = ends
        self._round_least = float("inf")
        self._delivered = self._lost = 0
        self._used = False

    def _resize(self, size: int) -> None:
        self.size = max(min(LEAST_CHUNKS * self._chunk, self._largest), min(size, self._largest))
