"""What is known of the path to the peer: how far, how even, how lossy, how wide. No I/O, no clock.

Loss and width are measured each way at this end: what we send by what the peer acknowledges, what it sends by what comes. Width
comes from trains: packets that leave together arrive as far apart as the narrowest place of the path lets them (Dovrolis,
Ramanathan, Moore 2001). A lone step is too short a train to tell, so width is None until something larger has crossed.
"""

from collections import deque
from dataclasses import dataclass, replace

REMEMBERED_PACKETS = 4000
TRAIN_GAP_SECONDS = 0.020  # a longer pause ends a train
TRAIN_BYTES, LONGEST_TRAIN_BYTES = 24_000, 250_000
LEAST_TRAINS, TRAINS = 3, 12


@dataclass(frozen=True)
class PathFigures:
    """Times in seconds, losses as shares of packets, widths in bytes a second; None: not measured yet. Up is away from here."""

    round_trip: float | None = None
    shortest_round_trip: float | None = None
    jitter: float | None = None
    loss_up: float | None = None
    loss_down: float | None = None
    bandwidth_up: float | None = None
    bandwidth_down: float | None = None

    def joined(self, bulk: "PathFigures", ping: float | None) -> "PathFigures":
        """These, of the line of steps, with the widths from the line of `bulk`, which has longer trains, where it knows them.

        `ping` stands for the round trip where nothing else knows it.
        """
        return replace(
            self,
            round_trip=ping if self.round_trip is None else self.round_trip,
            bandwidth_up=self.bandwidth_up if bulk.bandwidth_up is None else bulk.bandwidth_up,
            bandwidth_down=self.bandwidth_down if bulk.bandwidth_down is None else bulk.bandwidth_down,
        )


class LossShare:
    """The share of packets lost, those of long ago counting less and less."""

    def __init__(self) -> None:
        self._lost = self._sent = 0.0

    def add(self, lost: int, sent: int) -> None:
        """So many packets more were lost (fewer, if some turn out not to be), and sent."""
        self._lost = max(0.0, self._lost + lost)
        self._sent += sent
        if self._sent > REMEMBERED_PACKETS:
            self._lost, self._sent = self._lost / 2, self._sent / 2

    @property
    def share(self) -> float | None:
        """From 0 to 1; None before the first packet."""
        return min(1.0, self._lost / self._sent) if self._sent else None


class TrainRate:
    """Bytes a second within trains of packets: the upper quartile of the last, since other delays only slow them."""

    def __init__(self) -> None:
        self._rates: deque[float] = deque(maxlen=TRAINS)
        self._began = self._last = float("-inf")
        self._bytes = 0

    def arrived(self, size: int, now: float) -> None:
        """So many bytes came now."""
        if now - self._last > TRAIN_GAP_SECONDS or self._bytes >= LONGEST_TRAIN_BYTES:
            self._end_train()
            self._began, self._bytes = now, 0  # the first packet's bytes came before the train's time begins
        else:
            self._bytes += size
        self._last = now

    def _end_train(self) -> None:
        if self._bytes >= TRAIN_BYTES and self._last > self._began:
            self._rates.append(self._bytes / (self._last - self._began))

    @property
    def rate(self) -> float | None:
        """Bytes a second; None before `LEAST_TRAINS` have ended."""
        return sorted(self._rates)[3 * len(self._rates) // 4] if len(self._rates) >= LEAST_TRAINS else None
