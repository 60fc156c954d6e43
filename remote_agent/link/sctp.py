"""What is replaced of aiortc's SCTP, so that a step does not wait for acknowledgements it does not need.

aiortc 1.16 starts with a window of 3 chunks, sends at most 4 at a time, and acknowledges each packet by one of its own: 40 KB
cost five round trips, and half of the processor time goes into acknowledgements. `quicken` changes, on one connection:

- the first window and the burst: `BURST_CHUNKS`, so that a step of up to 110 KB leaves at once;
- the largest window, where the caller knows what the path holds. On loopback there is nothing to fill but the receiver's
  socket buffer, which overflows while Python is busy; an overflow costs a second, so the window stays well inside it;
- acknowledgements: at once for a gap or a copy, else for every `PACKETS_PER_SACK`th packet or after `SACK_DELAY_SECONDS`;
- the walk over all sent chunks at each transmission: only when something may be lost.

What goes over the line stays standard SCTP. The names replaced are checked at start; where one is missing, another version
of aiortc is installed and the connection stays as it is: slower, not wrong. Loss over distance has an issue of its own.
"""

import asyncio
import logging
import time
from collections.abc import Iterable
from typing import Any

from aiortc import RTCDataChannel, rtcsctptransport
from aiortc.rtcsctptransport import USERDATA_MAX_LENGTH, WEBRTC_BINARY, RTCSctpTransport

BURST_CHUNKS = 96
PACKETS_PER_SACK = 4
SACK_DELAY_SECONDS = 0.004
LOOPBACK_WINDOW_CHUNKS = 128

_REPLACED = ("_transmit", "_send_sack", "_receive_sack_chunk", "_t3_expired")
_USED = (
    "_data_channel_flush", "_flight_size_increase", "_send_chunk", "_t3_restart", "_t3_start", "_set_state",
)  # fmt: skip
_STATE = (
    "_cwnd",
    "_flight_size",
    "_sent_queue",
    "_outbound_queue",
    "_sack_misordered",
    "_sack_duplicates",
    "_data_channel_queue",
)

_log = logging.getLogger(__name__)


class QuickSctpTransport(RTCSctpTransport):  # type: ignore[misc]  # aiortc is untyped here
    """aiortc's transport with a wider first window and fewer acknowledgements; made by `quicken` from a plain one."""

    _largest_window: int | None = None
    _may_retransmit = False
    _packets_unacknowledged = 0
    _sack_timer: asyncio.TimerHandle | None = None
    _sending_sack: asyncio.Future[None] | None = None
    _flushing: asyncio.Future[None] | None = None

    async def _send_sack(self) -> None:
        self._packets_unacknowledged += 1
        urgent = self._sack_misordered or self._sack_duplicates
        if urgent or self._packets_unacknowledged >= PACKETS_PER_SACK:
            await self._send_sack_now()
            return
        self._sack_needed = False
        if self._sack_timer is None:
            self._sack_timer = self._loop.call_later(SACK_DELAY_SECONDS, self._sack_is_due)

    async def _send_sack_now(self) -> None:
        self._packets_unacknowledged = 0
        if self._sack_timer is not None:
            self._sack_timer.cancel()
            self._sack_timer = None
        await super()._send_sack()

    def _sack_is_due(self) -> None:
        self._sack_timer = None
        if self._association_state == self.State.ESTABLISHED:
            self._sending_sack = asyncio.ensure_future(_ignoring_a_lost_path(self._send_sack_now()))

    def _set_state(self, state: Any) -> None:
        if state == self.State.CLOSED and self._sack_timer is not None:
            self._sack_timer.cancel()
            self._sack_timer = None
        super()._set_state(state)

    async def _receive_sack_chunk(self, chunk: Any) -> None:
        if chunk.gaps:
            self._may_retransmit = True
        await super()._receive_sack_chunk(chunk)

    def _t3_expired(self) -> None:
        self._may_retransmit = True
        super()._t3_expired()

    async def _transmit(self) -> None:
        if self._forward_tsn_chunk is not None or self._fast_recovery_exit is not None:
            self._may_retransmit = True
            await super()._transmit()
            return
        window = min(self._flight_size + BURST_CHUNKS * USERDATA_MAX_LENGTH, self._cwnd)
        if self._largest_window is not None:
            window = min(window, self._largest_window)
        if self._may_retransmit and not await self._retransmit_within(window):
            return
        while self._outbound_queue and self._flight_size < window:
            chunk = self._outbound_queue.popleft()
            self._sent_queue.append(chunk)
            self._flight_size_increase(chunk)
            chunk._sent_count += 1
            chunk._sent_time = time.time()
            await self._send_chunk(chunk)
            if self._t3_handle is None:
                self._t3_start()

    async def _retransmit_within(self, window: int) -> bool:
        """Sends again what is marked as lost; False while the window is too small for all of it."""
        earliest = True
        for chunk in self._sent_queue:
            if chunk._retransmit:
                if self._flight_size >= window:
                    return False
                self._flight_size_increase(chunk)
                chunk._misses = 0
                chunk._retransmit = False
                chunk._sent_count += 1
                await self._send_chunk(chunk)
                if earliest:
                    self._t3_restart()
            earliest = False
        self._may_retransmit = False
        return True


async def _ignoring_a_lost_path(sending: Any) -> None:
    try:
        await sending
    except ConnectionError:
        _log.debug("a packet found the path gone")


def can_quicken() -> bool:
    """Whether this version of aiortc is the one whose methods are replaced here."""
    return all(callable(getattr(RTCSctpTransport, name, None)) for name in _REPLACED + _USED) and hasattr(
        rtcsctptransport, "WEBRTC_BINARY"
    )


def quicken(transport: RTCSctpTransport, largest_window_chunks: int | None = None) -> None:
    """Changes one transport, before it is started, as this module says; leaves it alone where aiortc is another."""
    if not can_quicken() or not all(hasattr(transport, name) for name in _STATE):
        _log.warning("aiortc is not the version this was written for: its data channel stays as it is")
        return
    transport.__class__ = QuickSctpTransport
    transport._cwnd = BURST_CHUNKS * USERDATA_MAX_LENGTH
    if largest_window_chunks is not None:
        transport._largest_window = largest_window_chunks * USERDATA_MAX_LENGTH


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
    transport._flushing = asyncio.ensure_future(_ignoring_a_lost_path(transport._data_channel_flush()))
