"""One direction of an emulated wide-area path: given packets and times, when and how often each arrives. No I/O, no clock.

A packet is how it is delivered: a function to be called.

Each packet in turn is lost by chance, by a burst, or because the path is cut or its queue is full; then held by the bottleneck's
rate; then delayed, by the jitter too. Without `reorder` order is kept, as on a path with one queue. Bursts follow Gilbert and
Elliott: in the bad state everything is lost, and the state lasts `burst_packets` packets on average.
"""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field

DEFAULT_QUEUE = 1_000_000


@dataclass(frozen=True)
class Conditions:
    """What a path does to packets: seconds, shares (0 to 1), bits a second (0: no limit), bytes before the bottleneck."""

    delay: float = 0.0
    jitter: float = 0.0
    loss: float = 0.0
    burst: float = 0.0  # the share of packets that fall into bursts of loss
    burst_packets: float = 8.0
    rate: float = 0.0
    queue: int = DEFAULT_QUEUE
    reorder: float = 0.0  # the share of packets that overtake those sent up to `jitter` + 1 ms earlier
    duplicate: float = 0.0
    cut: bool = False


Deliver = Callable[[], object]


@dataclass(order=True)
class _Waiting:
    when: float
    number: int
    deliver: Deliver = field(compare=False)


class WanPath:
    """Packets on their way. `conditions` may be changed while some are; they hold for those that come after."""

    def __init__(self, conditions: Conditions, seed: int = 0) -> None:
        self.conditions = conditions
        self._random = random.Random(seed)
        self._waiting: list[_Waiting] = []
        self._busy_until = self._last = 0.0
        self._bad = False
        self._count = 0
        self.taken = self.dropped = 0

    def take(self, deliver: Deliver, size: int, now: float) -> None:
        """A packet of so many bytes is sent."""
        it = self.conditions
        self.taken += 1
        if it.cut or self._is_lost() or self._queue_is_full(size, now):
            self.dropped += 1
            return
        left = now
        if it.rate:
            left = self._busy_until = max(self._busy_until, now) + 8 * size / it.rate
        for _ in range(2 if self._random.random() < it.duplicate else 1):
            self._push(deliver, left)

    def due(self, now: float) -> list[Deliver]:
        """The packets that have arrived by now, in order of arrival."""
        found = []
        while self._waiting and self._waiting[0].when <= now:
            found.append(heapq.heappop(self._waiting).deliver)
        return found

    @property
    def next(self) -> float | None:
        """When the next packet arrives; None while none is on its way."""
        return self._waiting[0].when if self._waiting else None

    def _is_lost(self) -> bool:
        it = self.conditions
        if it.burst:
            leave, enter = 1 / it.burst_packets, it.burst / it.burst_packets / max(1e-9, 1 - it.burst)
            self._bad = self._random.random() >= leave if self._bad else self._random.random() < enter
        else:
            self._bad = False
        return self._bad or self._random.random() < it.loss

    def _queue_is_full(self, size: int, now: float) -> bool:
        it = self.conditions
        return bool(it.rate) and max(0.0, self._busy_until - now) * it.rate / 8 + size > it.queue

    def _push(self, deliver: Deliver, left: float) -> None:
        it = self.conditions
        when = left + max(0.0, it.delay + self._random.uniform(-it.jitter, it.jitter))
        if self._random.random() < it.reorder:
            when = max(left, when - it.jitter - 0.001)
        elif it.reorder:
            when = max(when, self._last)
            self._last = when
        else:
            self._last = when = max(when, self._last)
        self._count += 1
        heapq.heappush(self._waiting, _Waiting(when, self._count, deliver))
