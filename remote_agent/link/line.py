"""One peer connection with its negotiated data channels: offer, answer, frames out and in, and that it is lost.

`Channel` uses two of them. All ids are agreed on beforehand, which saves a round trip. Handlers are registered before the
connection is started, and are plain functions: aiortc loses messages that arrive while a handler is a coroutine (aiortc #1394).
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

import aioice.turn
from aiortc import RTCConfiguration, RTCDataChannel, RTCPeerConnection, RTCSessionDescription

from remote_agent.link.errors import LinkClosed
from remote_agent.link.loopback import restrict
from remote_agent.link.path import PathFigures
from remote_agent.link.sctp import LARGEST_WINDOW_CHUNKS, LOOPBACK_WINDOW_CHUNKS, QuickSctpTransport, quicken, send_frames

UDP_BUFFER_BYTES = 4 * 1024 * 1024
FRAMES_AT_ONCE = 32

# aioice asks for 256 KiB, which overflows while Python is busy; the operating system may give less than asked for.
aioice.turn.UDP_SOCKET_BUFFER_SIZE = UDP_BUFFER_BYTES


@dataclass(frozen=True)
class Stream:
    """One data channel of a line: reliable; sending pauses at `high_bytes` unsent and goes on at `low_bytes`."""

    name: str
    id: int
    ordered: bool
    high_bytes: int
    low_bytes: int


class Line:
    """A peer connection; to be made, used and closed in one event loop.

    `on_frame(frame)` is called for each frame that comes, `on_lost()` once when the connection failed or was closed by the peer.
    """

    def __init__(
        self, streams: Iterable[Stream], only_loopback: bool, on_frame: Callable[[bytes], None], on_lost: Callable[[], None]
    ) -> None:
        loop = asyncio.get_running_loop()
        self._on_lost = on_lost
        self._closed = False
        self.opened: asyncio.Future[None] = loop.create_future()
        self._peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self._outlets = {stream.id: _Outlet(self._peer, stream) for stream in streams}
        for outlet in self._outlets.values():
            outlet.data_channel.on("message", _only_bytes(on_frame))
            outlet.data_channel.on("open", self._opened)
            outlet.data_channel.on("close", self._lost)
        self._peer.on("connectionstatechange", self._state_changed)
        quicken(self._peer.sctp, LOOPBACK_WINDOW_CHUNKS if only_loopback else LARGEST_WINDOW_CHUNKS)
        restrict(self._peer.sctp.transport.transport.iceGatherer._connection, only_loopback)

    async def offer(self) -> str:
        """The SDP that starts the exchange."""
        await self._peer.setLocalDescription(await self._peer.createOffer())
        return str(self._peer.localDescription.sdp)

    async def answer(self, offer: str) -> str:
        """The SDP that answers the peer's."""
        await self._peer.setRemoteDescription(RTCSessionDescription(sdp=offer, type="offer"))
        await self._peer.setLocalDescription(await self._peer.createAnswer())
        return str(self._peer.localDescription.sdp)

    async def accept(self, answer: str) -> None:
        """Takes the peer's answer to our offer."""
        await self._peer.setRemoteDescription(RTCSessionDescription(sdp=answer, type="answer"))

    async def send(self, stream: Stream, frames: Iterable[bytes]) -> None:
        """Sends the frames of one message, waiting while too much is unsent; raises LinkClosed."""
        await self._outlets[stream.id].send(frames)

    def figures(self) -> PathFigures:
        """What this line has found out about the path; nothing with an aiortc that is left as it is."""
        transport = self._peer.sctp
        return transport.figures() if isinstance(transport, QuickSctpTransport) else PathFigures()

    async def close(self) -> None:
        """Tells the peer and frees the sockets."""
        self._closed = True
        for outlet in self._outlets.values():
            outlet.close()
        await self._peer.close()

    def _opened(self) -> None:
        if not self.opened.done() and all(outlet.data_channel.readyState == "open" for outlet in self._outlets.values()):
            self.opened.set_result(None)

    def _state_changed(self) -> None:
        if self._peer.connectionState in ("failed", "closed"):
            self._lost()

    def _lost(self) -> None:
        if not self._closed:
            self._closed = True
            for outlet in self._outlets.values():
                outlet.close()
            self._on_lost()


class _Outlet:
    """A data channel with back-pressure: one message at a time, in the order of the calls."""

    def __init__(self, peer: RTCPeerConnection, stream: Stream) -> None:
        self._stream = stream
        self._turn = asyncio.Lock()
        self._room = asyncio.Event()
        self._closed = False
        self.data_channel: RTCDataChannel = peer.createDataChannel(
            stream.name, ordered=stream.ordered, negotiated=True, id=stream.id
        )
        self.data_channel.bufferedAmountLowThreshold = stream.low_bytes
        self.data_channel.on("bufferedamountlow", self._room.set)

    async def send(self, frames: Iterable[bytes]) -> None:
        remaining = iter(frames)
        async with self._turn:
            while True:
                while not self._closed and self.data_channel.bufferedAmount > self._stream.high_bytes:
                    self._room.clear()
                    await self._room.wait()
                if self._closed or self.data_channel.readyState != "open":
                    raise LinkClosed("The connection to the other side is closed. Connect again.")
                batch = list(islice(remaining, FRAMES_AT_ONCE))
                if not batch:
                    return
                send_frames(self.data_channel, batch)

    def close(self) -> None:
        self._closed = True
        self._room.set()


def _only_bytes(on_frame: Callable[[bytes], None]) -> Callable[[object], None]:
    def on_message(message: object) -> None:
        # A text message is no frame of ours: as an empty one it is refused like any other malformed frame.
        on_frame(message if isinstance(message, bytes) else b"")

    return on_message
