"""How long a round trip takes, and how long to wait before a packet is taken for lost. No I/O, no clock.

RFC 6298 with other constants: aiortc waits at least a second, as the internet of 1988 did, so that one lost packet at the end of
a step costs ten round trips. The floor here is what delayed acknowledgements and a busy interpreter need.
"""

ALPHA, BETA = 1 / 8, 1 / 4
INITIAL_SECONDS = 1.0
LEAST_SECONDS, MOST_SECONDS = 0.030, 2.0
LEAST_VARIATION = 0.020  # seconds: SACKs wait up to 4 ms, and Python for its turn
MINIMUM_SECONDS = 10.0  # that the shortest round trip is remembered for, at least


class RoundTrip:
    """Estimates from samples; all times in seconds."""

    def __init__(self) -> None:
        self.smoothed: float | None = None
        self.variation = 0.0
        self._least = self._least_before = float("inf")
        self._turns = 0.0
        self._back_off = 1

    def add(self, sample: float, now: float) -> None:
        """A packet that was sent once was acknowledged now, after so long."""
        self._back_off = 1
        if now >= self._turns:
            self._least_before, self._least, self._turns = self._least, float("inf"), now + MINIMUM_SECONDS
        self._least = min(self._least, sample)
        if self.smoothed is None:
            self.smoothed, self.variation = sample, sample / 2
        else:
            self.variation += BETA * (abs(self.smoothed - sample) - self.variation)
            self.smoothed += ALPHA * (sample - self.smoothed)

    def timed_out(self) -> None:
        """Nothing came for `timeout`: wait twice as long the next time."""
        self._back_off = min(2 * self._back_off, 64)

    @property
    def least(self) -> float | None:
        """The shortest lately: the path without queues. None before the first sample."""
        least = min(self._least, self._least_before)
        return None if least == float("inf") else least

    @property
    def timeout(self) -> float:
        """How long to wait for an acknowledgement."""
        if self.smoothed is None:
            usual = INITIAL_SECONDS
        else:
            usual = max(LEAST_SECONDS, self.smoothed + max(4 * self.variation, LEAST_VARIATION))
        return min(MOST_SECONDS, usual * self._back_off)
