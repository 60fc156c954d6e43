"""The receiving half of `sctp`: what is taken, in which order it is handed over, and when it is acknowledged."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine
from typing import Any

from aiortc import rtcsctptransport
from aiortc.rtcsctptransport import WEBRTC_BINARY, RTCSctpTransport, SackChunk
from aiortc.utils import uint16_add

from remote_agent.link.path import TrainRate
from remote_agent.link.received import MOST_AHEAD, Arrival, ReceivedNumbers

PACKETS_PER_SACK = 4
PACKETS_IN_A_ROW = 8
SACK_DELAY_SECONDS = 0.004
MOST_DUPLICATES_TOLD = 64
ADVERTISED_BYTES = 8 * 1024 * 1024

_WHOLE = rtcsctptransport.SCTP_DATA_FIRST_FRAG | rtcsctptransport.SCTP_DATA_LAST_FRAG
_UNORDERED = rtcsctptransport.SCTP_DATA_UNORDERED

_log = logging.getLogger(__name__)


class ReceivingSctpTransport(RTCSctpTransport):  # type: ignore[misc]  # aiortc is untyped here
    """aiortc's transport with another way of receiving; `begin_receiving` comes before all else."""

    _early: dict[tuple[int, int], Any]  # chunks of ordered streams that wait for those before them, by stream and place
    _next_in_stream: dict[int, int]
    _jobs: set[asyncio.Future[None]]
    _rate_down: TrainRate
    _last_received_tsn: int | None
    _received_numbers: ReceivedNumbers | None = None
    _numbers_of = 0  # the peer's tag that they belong to
    _packets_unacknowledged = 0
    _packets_in_a_row = 0
    _hole_changed = False
    _sack_timer: asyncio.TimerHandle | None = None

    def begin_receiving(self) -> None:
        """Sets up what a transport that was made plain lacks."""
        self._early, self._next_in_stream, self._jobs = {}, {}, set()
        self._rate_down = TrainRate()
        self._advertised_rwnd = ADVERTISED_BYTES

    async def _handle_data(self, data: bytes) -> None:
        await super()._handle_data(data)
        self._packets_in_a_row += 1
        if self._packets_in_a_row >= PACKETS_IN_A_ROW:
            # aiortc takes all that has arrived before anything else runs: a step on another line would wait for it.
            self._packets_in_a_row = 0
            await asyncio.sleep(0)

    async def _receive_data_chunk(self, chunk: Any) -> None:
        if chunk.flags & _WHOLE != _WHOLE:
            await self._cut_off("sends messages of several chunks")
            return
        if chunk.stream_id not in self._data_channels or chunk.protocol != WEBRTC_BINARY:
            await self._cut_off("sends text, or opens channels, and all are agreed on beforehand")
            return
        if self._last_received_tsn is None:
            return  # before the association begins
        now, numbers = time.monotonic(), self._numbers()
        arrival = numbers.add(chunk.tsn, now)
        # aiortc sets this back to the first number when an INIT comes again, whose answer was lost.
        self._last_received_tsn = numbers.cumulative
        if arrival is Arrival.TOO_FAR:
            return
        self._sack_needed = True
        if arrival is Arrival.COPY:
            self._sack_duplicates.append(chunk.tsn)
            return
        self._hole_changed |= arrival is Arrival.CHANGE
        self._rate_down.arrived(len(chunk.user_data), now)
        if chunk.flags & _UNORDERED:
            await self._receive(chunk.stream_id, chunk.protocol, chunk.user_data)
        else:
            await self._receive_ordered(chunk)
        await self._reset_deferred_streams()

    async def _receive_ordered(self, chunk: Any) -> None:
        stream = chunk.stream_id
        if len(self._early) > MOST_AHEAD:
            await self._cut_off("never sends what is missing")
            return
        self._early[stream, chunk.stream_seq] = chunk
        place = self._next_in_stream.get(stream, 0)
        while (following := self._early.pop((stream, place), None)) is not None:
            place = self._next_in_stream[stream] = uint16_add(place, 1)
            await self._receive(stream, following.protocol, following.user_data)

    async def _receive_forward_tsn_chunk(self, chunk: Any) -> None:
        await self._cut_off("skips data, and all channels are reliable")

    async def _cut_off(self, what: str) -> None:
        _log.warning("the peer %s: it is cut off", what)
        await self._abort()
        self._set_state(self.State.CLOSED)

    def _numbers(self) -> ReceivedNumbers:
        found = self._received_numbers
        if found is None or self._numbers_of != self._remote_verification_tag:
            found = self._received_numbers = ReceivedNumbers(self._last_received_tsn or 0)
            self._numbers_of = self._remote_verification_tag
        return found

    async def _send_sack(self) -> None:
        self._packets_unacknowledged += 1
        if self._hole_changed or self._sack_duplicates or self._packets_unacknowledged >= PACKETS_PER_SACK:
            await self._send_sack_now()
            return
        self._sack_needed = False
        if self._sack_timer is None:
            self._sack_timer = self._loop.call_later(SACK_DELAY_SECONDS, self._sack_is_due)

    async def _send_sack_now(self) -> None:
        self._packets_unacknowledged = 0
        self._hole_changed = self._sack_needed = False
        if self._sack_timer is not None:
            self._sack_timer.cancel()
            self._sack_timer = None
        sack = SackChunk()
        sack.cumulative_tsn = self._numbers().cumulative
        sack.advertised_rwnd = self._advertised_rwnd
        sack.duplicates = self._sack_duplicates[:MOST_DUPLICATES_TOLD]
        sack.gaps = self._numbers().runs()
        self._sack_duplicates.clear()
        await self._send_chunk(sack)

    def _sack_is_due(self) -> None:
        self._sack_timer = None
        if self._association_state == self.State.ESTABLISHED:
            self._start(self._send_sack_now())

    def _set_state(self, state: Any) -> None:
        if state == self.State.CLOSED:
            if self._sack_timer is not None:
                self._sack_timer.cancel()
                self._sack_timer = None
            self._early.clear()
        super()._set_state(state)

    def _start(self, job: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(_ignoring_a_lost_path(job))
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)


async def _ignoring_a_lost_path(sending: Coroutine[Any, Any, None]) -> None:
    with contextlib.suppress(ConnectionError):
        await sending
