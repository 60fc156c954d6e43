"""What an agent lets in of what peers ask: no more than it may, nothing new once it is being stopped; and what it refused."""

import time
from collections import Counter
from collections.abc import Callable

from remote_agent.wire.errors import BrokenRule, ErrorCode

BURST_SECONDS = 10.0
"""A peer may use so many seconds of its rate at once: a prompt comes in one go, and then there is silence."""


class Rate:
    """A token bucket: `per_second`, saved up for `BURST_SECONDS`; None is no bound."""

    def __init__(self, per_second: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._clock = per_second, clock
        self._most = (per_second or 0.0) * BURST_SECONDS
        self._left, self._at = self._most, clock()

    def take(self, amount: float) -> bool:
        """Whether there is room for so much; then it is used up. One piece larger than the bucket passes when that is full."""
        if self._per_second is None:
            return True
        now = self._clock()
        self._left, self._at = min(self._most, self._left + (now - self._at) * self._per_second), now
        if self._left < min(amount, self._most):
            return False
        self._left -= amount
        return True


class Doorkeeper:
    """One for all peers of an agent; `stopping` is set when it is about to end."""

    def __init__(self, messages_per_second: float | None = None, rows_per_second: float | None = None) -> None:
        """Both are for each peer (None: no bound)."""
        self._messages_per_second, self._rows_per_second = messages_per_second, rows_per_second
        self.stopping = False
        self.refused: Counter[ErrorCode] = Counter()

    def visitor(self) -> "Visitor":
        """What one peer has asked so far: nothing."""
        return Visitor(self, Rate(self._messages_per_second), Rate(self._rows_per_second))


class Visitor:
    """One peer at the door. Belongs to the link's thread."""

    def __init__(self, keeper: Doorkeeper, messages: Rate, rows: Rate) -> None:
        self._keeper, self._messages, self._rows = keeper, messages, rows

    def message(self) -> None:
        """One message has come. Raises `BrokenRule`."""
        if not self._messages.take(1):
            raise BrokenRule(ErrorCode.TOO_FAST, "More messages came than are allowed.")

    def session(self) -> None:
        """A session is to be opened. Raises `BrokenRule`."""
        if self._keeper.stopping:
            raise BrokenRule(ErrorCode.AGENT_STOPPING, "This agent is about to end.")

    def rows(self, count: int) -> None:
        """So many rows are to be computed. Raises `BrokenRule`."""
        if not self._rows.take(count):
            raise BrokenRule(ErrorCode.TOO_FAST, "More rows came than are allowed.")

    def refused(self, code: ErrorCode) -> None:
        """Something was refused, for whoever counts."""
        self._keeper.refused[code] += 1
