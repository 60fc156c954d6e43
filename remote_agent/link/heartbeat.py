"""Is the peer still there, and how far away: pings, silence, round trip. No I/O, no clock of its own.

A peer that is stopped or swapped out for some seconds is not gone: only `PATIENCE_SECONDS` of silence are an end. Long before, a
ping that has no answer for `SUSPICION_SECONDS` makes the path suspect: another may be tried beside it. Silence is counted tick by
tick, each worth at most two ticks, so that our own sleep (a laptop's lid) is not taken for the peer's.
"""

from collections import deque
from statistics import median

TICK_SECONDS = 1.0
IDLE_TICKS = 5
PATIENCE_SECONDS = 20.0
SUSPICION_SECONDS = 1.5
_SAMPLES = 8


class Heartbeat:
    """What one end knows of the other from when it heard of it last; times in seconds of any one steady clock."""

    def __init__(self, now: float) -> None:
        self._last_tick = now
        self._silence = 0.0
        self._heard = False
        self._ticks = 0
        self._count = 0
        self._pinged_at: float | None = None
        self._samples: deque[float] = deque(maxlen=_SAMPLES)

    @property
    def round_trip(self) -> float | None:
        """Median of the last pings, in seconds; None before the first answer."""
        return median(self._samples) if self._samples else None

    @property
    def is_gone(self) -> bool:
        """Whether the peer was silent for longer than patience lasts."""
        return self._silence >= PATIENCE_SECONDS

    def is_suspect(self, now: float) -> bool:
        """Whether a ping is overdue, and nothing else came either."""
        return self._pinged_at is not None and now - self._pinged_at >= SUSPICION_SECONDS and self._silence > 0

    def heard(self) -> None:
        """Something came from the peer."""
        self._heard = True

    def tick(self, now: float, active: bool) -> int | None:
        """One tick has passed; the count of the ping to send now, if any. `active`: the line was used since the last tick."""
        elapsed = min(now - self._last_tick, 2 * TICK_SECONDS)
        self._last_tick = now
        self._silence = 0.0 if self._heard else self._silence + elapsed
        due = active or self._ticks % IDLE_TICKS == 0
        self._heard = False
        self._ticks += 1
        if not due or self._pinged_at is not None:
            return None
        self._count += 1
        self._pinged_at = now
        return self._count

    def answered(self, count: int, now: float) -> None:
        """A pong came; one that answers no waiting ping is ignored."""
        if count == self._count and self._pinged_at is not None:
            self._samples.append(now - self._pinged_at)
            self._pinged_at = None
