"""What is on its way, and which of it is lost: what was sent well before something that has arrived (RACK, RFC 8985).

aiortc counts three later acknowledgements with gaps, which the last packets of a step never get, and walks over all sent packets
at each. Time is a better witness: once anything sent later has come, a packet is given a quarter of a round trip to have been
overtaken, and is then sent again. Packets are kept in the order of sending, so that only those that may be lost are looked at.
"""

from itertools import islice
from typing import Any

LEAST_REORDERING = 0.002  # seconds that packets may overtake each other


class Flight:
    """The chunks on their way, oldest first. Chunks are aiortc's, with `tsn`, `_sent_time` (seconds) and `_sent_count`."""

    def __init__(self) -> None:
        self._chunks: dict[int, Any] = {}
        self._latest = float("-inf")
        self._round_trip = 0.0

    def __len__(self) -> int:
        return len(self._chunks)

    @property
    def earliest(self) -> float | None:
        """When the oldest was sent; None if nothing is on its way."""
        return next(iter(self._chunks.values()))._sent_time if self._chunks else None

    def sent(self, chunk: Any, now: float) -> None:
        """This chunk leaves now."""
        chunk._sent_time = now
        chunk._sent_count += 1
        self._chunks.pop(chunk.tsn, None)
        self._chunks[chunk.tsn] = chunk

    def arrived(self, chunk: Any, now: float, least: float | None) -> None:
        """This chunk has been acknowledged now; `least`: the shortest round trip."""
        self._chunks.pop(chunk.tsn, None)
        round_trip = now - chunk._sent_time
        if chunk._sent_count > 1 and least is not None and round_trip < least:
            return  # what was acknowledged is the copy before
        if chunk._sent_time >= self._latest:
            self._latest, self._round_trip = chunk._sent_time, round_trip

    def take_lost(self, now: float, least: float | None) -> tuple[list[Any], float | None]:
        """The chunks that are lost, which are on their way no more, and after how many seconds to look again, if at all."""
        allowed = self._round_trip + max(LEAST_REORDERING, (least or 0.0) / 4)
        lost, later = [], None
        for chunk in self._chunks.values():
            if chunk._sent_time >= self._latest:
                break
            due = chunk._sent_time + allowed
            if due > now:
                later = due - now
                break
            lost.append(chunk)
        for chunk in lost:
            del self._chunks[chunk.tsn]
        return lost, later

    def take_oldest(self, count: int) -> list[Any]:
        """So many of the oldest, as nothing was heard of any for too long."""
        chunks = list(islice(self._chunks.values(), count))
        for chunk in chunks:
            del self._chunks[chunk.tsn]
        return chunks
