"""What is replaced of aiortc's SCTP, so that a step waits neither for acknowledgements it does not need nor for lost packets.

aiortc 1.16 starts with a window of 3 chunks, sends at most 4 at a time, acknowledges each packet by one of its own, waits a
second before it takes the last packet of a step for lost, and halves its window at every loss. `quicken` changes, on one
connection:

    burst and window       a step of up to 110 KB leaves at once; then the window follows the bottleneck's queue (`window`)
    time-out               from the round trip, with a floor of 30 ms, measured from when the packet left, RFC 7765 (`round_trip`)
    loss detection         by time, not by counting later acknowledgements (`loss`)
    acknowledgements       at once where a hole opens or closes and for a copy, else for some packets together
    what came              as runs (`received`), which neither a hole nor a hostile peer makes slow
    whole messages         each chunk is a message, as ours all are, and is handed over as it comes, on ordered streams in order

A peer that sends messages of several chunks is cut off before anything is put together; so is one that skips data (RFC 3758),
sends text, or opens channels.

On loopback there is nothing to fill but the receiver's socket buffer, which overflows while Python is busy, so the caller bounds
the window there. What goes over the line stays standard SCTP. The names replaced are checked at start; where one is missing,
another version of aiortc is installed and the connection stays as it is: slower, not wrong. A sender never has data further ahead
of the acknowledged than a receiver takes (`received.MOST_AHEAD`), whatever its window.
"""

import asyncio
import logging
import time
from collections.abc import Iterable
from typing import Any

from aiortc import RTCDataChannel
from aiortc.rtcsctptransport import USERDATA_MAX_LENGTH, WEBRTC_BINARY, RTCSctpTransport
from aiortc.utils import uint32_gt, uint32_gte

from remote_agent.link.loss import Flight
from remote_agent.link.path import LossShare, PathFigures, TrainRate
from remote_agent.link.received import MODULO, MOST_AHEAD
from remote_agent.link.receiving import SACK_DELAY_SECONDS, ReceivingSctpTransport
from remote_agent.link.round_trip import RoundTrip
from remote_agent.link.window import Window

BURST_CHUNKS = 96
READ_FIRST_SECONDS = 0.002  # a time-out that came due while Python was busy lets what has arrived be read first
PROBE_CHUNKS = 4
SET_UP_SECONDS = 0.5  # before the first packets of an association are sent again
LARGEST_WINDOW_CHUNKS = 4096
LOOPBACK_WINDOW_CHUNKS = 128
MOST_SENT_AHEAD = MOST_AHEAD - 1024

_REPLACED = (
    "_transmit", "_send_sack", "_receive_sack_chunk", "_receive_data_chunk", "_receive_forward_tsn_chunk",
    "_t3_expired", "_t3_start", "_t3_restart", "_set_state",
)  # fmt: skip
_USED = (
    "_data_channel_flush", "_flight_size_increase", "_flight_size_decrease", "_receive", "_abort",
    "_reset_deferred_streams", "_send_chunk", "_t3_cancel", "_handle_data",
)  # fmt: skip
_STATE = (
    "_flight_size", "_sent_queue", "_outbound_queue", "_sack_duplicates", "_sack_needed", "_data_channel_queue", "_data_channels",
    "_last_sacked_tsn", "_last_received_tsn", "_local_tsn", "_rto", "_t3_handle", "_advertised_rwnd", "_association_state",
)  # fmt: skip

_log = logging.getLogger(__name__)


class QuickSctpTransport(ReceivingSctpTransport):
    """aiortc's transport with other timing; made by `quicken` from a plain one."""

    _round_trip: RoundTrip
    _window: Window
    _flight: Flight
    _resend: dict[int, Any]  # lost chunks by number
    _told: dict[int, int]  # first and last number of each run of the last acknowledgement
    _loss_up: LossShare
    _rate_up: TrainRate
    _silent_time_outs = 0
    _loss_timer: asyncio.TimerHandle | None = None

    def figures(self) -> PathFigures:
        """What this connection has found out about the path."""
        came = self._received_numbers
        return PathFigures(
            round_trip=self._round_trip.smoothed,
            shortest_round_trip=self._round_trip.least,
            jitter=None if self._round_trip.smoothed is None else self._round_trip.variation,
            loss_up=self._loss_up.share,
            loss_down=max(0, came.missing) / came.expected if came is not None and came.expected else None,
            bandwidth_up=self._rate_up.rate,
            bandwidth_down=self._rate_down.rate,
        )

    def _set_state(self, state: Any) -> None:
        if state == self.State.CLOSED and self._loss_timer is not None:
            self._loss_timer.cancel()
            self._loss_timer = None
        super()._set_state(state)

    # What is acknowledged

    async def _receive_sack_chunk(self, chunk: Any) -> None:
        if uint32_gt(self._last_sacked_tsn, chunk.cumulative_tsn) or uint32_gte(chunk.cumulative_tsn, self._local_tsn):
            return
        now, in_use = time.monotonic(), bool(self._outbound_queue or self._resend)
        arrived = self._arrived(chunk)
        self._loss_up.add(-len(chunk.duplicates), 0)  # what came twice was sent again in vain (RFC 3708)
        if arrived:
            self._learn(arrived, in_use, now)
        self._look_for_losses()
        if not self._sent_queue:
            self._t3_cancel()
        elif arrived:
            self._t3_restart()
        await self._transmit_all()

    def _learn(self, arrived: list[Any], in_use: bool, now: float) -> None:
        self._silent_time_outs = 0
        size = sum(it._book_size for it in arrived)
        self._rate_up.arrived(size, now)
        self._window.acknowledged(size, in_use)
        latest = max(arrived, key=lambda it: it._sent_time)
        if latest._sent_count == 1:
            sample = now - latest._sent_time
            self._round_trip.add(sample, now)
            self._window.sampled(sample, self._round_trip.least or sample, self._round_trip.smoothed or sample, now)
        least, rate = self._round_trip.least, self._rate_up.rate
        if rate is not None and least is not None:
            self._window.is_wide(rate, least)
        for it in arrived:
            self._flight.arrived(it, now, least)

    def _arrived(self, sack: Any) -> list[Any]:
        """The chunks that this acknowledgement is the first to tell of; they are in flight no more."""
        self._last_sacked_tsn = sack.cumulative_tsn
        found: list[Any] = []
        while self._sent_queue and uint32_gte(sack.cumulative_tsn, self._sent_queue[0].tsn):
            self._acknowledge(self._sent_queue.popleft(), found)
        told, end = {}, 0
        for gap in sack.gaps if self._sent_queue else ():
            if not end < gap[0] <= gap[1]:
                break  # not ascending: no honest peer
            first, end = gap
            told[(sack.cumulative_tsn + first) % MODULO] = (sack.cumulative_tsn + end) % MODULO
            # Chunks lie in the queue by number. Where the run was told of before, only what it gained is new.
            place = (sack.cumulative_tsn + first - self._sent_queue[0].tsn) % MODULO
            before = self._told.get((sack.cumulative_tsn + first) % MODULO)
            if before is not None:
                place += (before - sack.cumulative_tsn - first + 1) % MODULO
            last = (sack.cumulative_tsn + end - self._sent_queue[0].tsn) % MODULO
            for index in range(place, min(last + 1, len(self._sent_queue))):
                self._acknowledge(self._sent_queue[index], found)
        self._told = told
        return found

    def _acknowledge(self, chunk: Any, found: list[Any]) -> None:
        if not chunk._acked:
            chunk._acked = True
            self._resend.pop(chunk.tsn, None)
            self._flight_size_decrease(chunk)
            found.append(chunk)

    def _look_for_losses(self) -> None:
        lost, again = self._flight.take_lost(time.monotonic(), self._round_trip.least)
        self._are_lost(lost)
        if self._loss_timer is not None:
            self._loss_timer.cancel()
        self._loss_timer = None if again is None else self._loop.call_later(again, self._losses_are_due)

    def _losses_are_due(self) -> None:
        self._loss_timer = None
        self._look_for_losses()
        self._start(self._transmit_all())

    def _are_lost(self, chunks: list[Any]) -> None:
        for chunk in chunks:
            self._flight_size_decrease(chunk)
            self._resend[chunk.tsn] = chunk
        self._window.lost(sum(chunk._book_size for chunk in chunks))
        self._loss_up.add(len(chunks), 0)

    # What is sent

    def _t3_start(self) -> None:
        """Wait from when the earliest packet left, not from now (RFC 7765)."""
        self._rto = self._round_trip.timeout
        earliest = self._flight.earliest
        waited = 0.0 if earliest is None else time.monotonic() - earliest
        self._t3_handle = self._loop.call_later(max(SACK_DELAY_SECONDS, self._rto - waited), self._t3_expired)

    def _t3_restart(self) -> None:
        self._t3_cancel()
        self._t3_start()

    def _t3_expired(self) -> None:
        self._t3_handle = self._loop.call_later(READ_FIRST_SECONDS, self._nothing_came)

    def _nothing_came(self) -> None:
        self._t3_handle = None
        self._round_trip.timed_out()
        # A time-out may be our own or the peer's slowness. So a few are sent again first: if these arrive and the others do not,
        # time tells which are lost (RFC 8985, section 7).
        is_probe = self._silent_time_outs == 0
        if not is_probe:
            self._window.timed_out(self._silent_time_outs > 1)
        self._silent_time_outs += 1
        self._are_lost(self._flight.take_oldest(PROBE_CHUNKS if is_probe else len(self._flight)))
        self._start(self._transmit_all())

    async def _transmit_all(self) -> None:
        """What is in SCTP's queue, which makes room in it, and then what waits for that room."""
        await self._transmit()
        await self._data_channel_flush()

    async def _transmit(self) -> None:
        window = min(self._flight_size + BURST_CHUNKS * USERDATA_MAX_LENGTH, self._window.size)
        while self._resend and self._flight_size < window:
            await self._send_data_chunk(self._resend.pop(next(iter(self._resend))))
        while self._outbound_queue and self._flight_size < window:
            if (self._outbound_queue[0].tsn - self._last_sacked_tsn) % MODULO > MOST_SENT_AHEAD:
                return
            chunk = self._outbound_queue.popleft()
            self._sent_queue.append(chunk)
            self._loss_up.add(0, 1)
            await self._send_data_chunk(chunk)

    async def _send_data_chunk(self, chunk: Any) -> None:
        self._flight_size_increase(chunk)
        self._flight.sent(chunk, time.monotonic())
        if self._t3_handle is None:
            self._t3_start()
        await self._send_chunk(chunk)


def can_quicken() -> bool:
    """Whether this version of aiortc is the one whose methods are replaced here."""
    return all(callable(getattr(RTCSctpTransport, name, None)) for name in _REPLACED + _USED)


def quicken(transport: RTCSctpTransport, largest_window_chunks: int = LARGEST_WINDOW_CHUNKS) -> None:
    """Changes one transport, before it is started, as this module says; leaves it alone where aiortc is another."""
    if not can_quicken() or not all(hasattr(transport, name) for name in _STATE):
        _log.warning("aiortc is not the version this was written for: its data channel stays as it is")
        return
    transport.__class__ = QuickSctpTransport
    transport._round_trip, transport._flight = RoundTrip(), Flight()
    chunk = USERDATA_MAX_LENGTH
    transport._window = Window(BURST_CHUNKS * chunk, chunk, largest_window_chunks * chunk)
    transport._resend, transport._told = {}, {}
    transport._loss_up, transport._rate_up = LossShare(), TrainRate()
    transport.begin_receiving()
    transport._rto = SET_UP_SECONDS


def send_frames(channel: RTCDataChannel, frames: Iterable[bytes]) -> None:
    """Sends frames, none empty, over an open channel; with one wake-up for all of them where aiortc allows it."""
    transport = channel.transport
    if not isinstance(transport, QuickSctpTransport):
        for frame in frames:
            channel.send(frame)
        return
    for frame in frames:
        channel._addBufferedAmount(len(frame))
        transport._data_channel_queue.append((channel, WEBRTC_BINARY, frame))
    transport._start(transport._data_channel_flush())
