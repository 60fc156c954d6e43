"""The association with one peer: messages out and in, over two peer connections.

    line 1   control   id 0, ordered      greeting, sessions, refusals, pings
             steps     id 1, unordered    Step and Answer
    line 2   bulk      id 2, unordered    Step and Answer with more than `BULK_BYTES` of rows

Bulk has a line of its own because all data channels of one peer connection share a queue and a window: a prompt on its way
would delay every step behind it. All are reliable; a message travels as frames of one SCTP chunk each (`wire.frames`).

Nothing orders a message on one data channel against one on another: wait for `Ready` before the first step of a session.

A step whose answer is late is sent again (`resending`): an agent runs it once, and answers it each time.

A channel belongs to the event loop it was made in. It ends once: by `close`, by the peer's goodbye, by `PATIENCE_SECONDS`
of silence, or when the peer breaks the protocol. A peer whose process died says nothing; `suspect` (called when the
signalling connection, which its operating system closes, is gone) then asks it once and waits `SUSPICION_SECONDS`.

With `padded`, which the desktop sets and the agent takes over from the last frame that came, all frames that are sent have one
size, pings and goodbyes too, and a message has as many of them as any of its kind and number of rows.

`bytes_sent` and `bytes_received` count frames as given to and taken from SCTP, pings and copies included. On the line
each frame costs 93 bytes more with IPv4 (IP 20, UDP 8, DTLS 37, SCTP 28), and each acknowledgement is a packet of its own.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from enum import Enum
from typing import Any

from remote_agent.link.errors import LinkClosed, LinkError
from remote_agent.link.heartbeat import PATIENCE_SECONDS, SUSPICION_SECONDS, TICK_SECONDS, Heartbeat
from remote_agent.link.line import Line, Stream
from remote_agent.link.path import PathFigures
from remote_agent.link.resending import ResendTimer
from remote_agent.wire.codec import decode_for_agent, decode_for_desktop, encode_buffers, largest_size
from remote_agent.wire.errors import ErrorCode, WireError
from remote_agent.wire.frames import Assembler, Spare, Splitter
from remote_agent.wire.messages import Answer, Message, Ping, Pong, Refused, Step

BULK_BYTES = 64 * 1024
MAX_EARLY_MESSAGES = 64
MAX_TASKS = 64
GOODBYE_SECONDS = 0.5

CONTROL = Stream("control", 0, ordered=True, high_bytes=1024 * 1024, low_bytes=512 * 1024)
STEPS = Stream("steps", 1, ordered=False, high_bytes=1024 * 1024, low_bytes=512 * 1024)
BULK = Stream("bulk", 2, ordered=False, high_bytes=256 * 1024, low_bytes=128 * 1024)

OnMessage = Callable[[Message, memoryview], object]
OnClosed = Callable[[LinkError], object]
OnFrame = Callable[[bool, bytes], object]

_log = logging.getLogger(__name__)


class Side(Enum):
    """Which end this is; it decides which messages may come in."""

    AGENT = "agent"
    DESKTOP = "desktop"


class Channel:
    """One end of the association; made by `signalling`, used in the event loop it was made in."""

    def __init__(self, side: Side, only_loopback: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._side = side
        self._lines = (
            Line((CONTROL, STEPS), only_loopback, self._on_frame, self._on_lost),
            Line((BULK,), only_loopback, self._on_frame, self._on_lost),
        )
        self._splitter = Splitter()
        self._assembler = Assembler()
        self._early: list[tuple[Message, memoryview]] = []
        self._message_callback: OnMessage | None = None
        self._closed_callbacks: list[OnClosed] = []
        self._suspect_callback: Callable[[], object] | None = None
        self._watcher: OnFrame | None = None
        self._end: LinkError | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._bulk_sends: set[asyncio.Task[Any]] = set()
        self._heartbeat = Heartbeat(time.monotonic())
        self._path = PathFigures()
        self._resend_timer = ResendTimer(self._send_again)
        self._used_since_tick = False
        self.has_spare_frames = not only_loopback
        self.padded = False
        self.bytes_sent = 0
        self.bytes_received = 0

    @property
    def round_trip(self) -> float | None:
        """Median of the last pings, in seconds; None before the first answer."""
        return self._heartbeat.round_trip

    @property
    def path(self) -> PathFigures:
        """What is known of the path to the peer, at most `TICK_SECONDS` old; may be read from any thread."""
        return self._path

    @property
    def is_closed(self) -> bool:
        """Whether the channel has ended."""
        return self._end is not None

    def on_message(self, callback: OnMessage) -> None:
        """Has `callback(message, payload)` called for each message; those that came before come now."""
        self._message_callback = callback
        early, self._early = self._early, []
        for message, payload in early:
            callback(message, payload)

    def on_closed(self, callback: OnClosed) -> None:
        """Has `callback(reason)` called exactly once, when the channel ends or at once if it has."""
        if self._end is None:
            self._closed_callbacks.append(callback)
        else:
            callback(self._end)

    def on_suspect(self, callback: Callable[[], object]) -> None:
        """Has `callback()` called each second while a ping is overdue: the path may be dead, or only slow."""
        self._suspect_callback = callback

    def watch(self, watcher: OnFrame | None) -> None:
        """Has `watcher(sent, frame)` called for each frame, sent or received, as it crosses the line: for one's own audit."""
        self._watcher = watcher

    def spare(self, message: Message, payload_bytes: int) -> Spare:
        """Which spare frames this message, with so many bytes of rows, travels with."""
        wanted = self.has_spare_frames and isinstance(message, Step | Answer) and payload_bytes <= BULK_BYTES
        return self._assembler.spare if wanted else Spare.NONE

    async def send(self, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        """Hands one message to the line, waiting while too much is unsent.

        `payload` is not copied: leave it unchanged until this returns. Cancelling sends the message whole or not at all.
        Raises LinkClosed, or MalformedMessage for one that may not be sent.
        """
        if self._end is not None:
            raise self._end
        buffers = encode_buffers(message, payload)
        line, stream = self._lines[0], CONTROL
        if isinstance(message, Step | Answer):
            line, stream = (self._lines[1], BULK) if len(buffers[1]) > BULK_BYTES else (self._lines[0], STEPS)
        self._used_since_tick |= not isinstance(message, Ping | Pong)
        if stream is not BULK and self._side is Side.DESKTOP:
            self._resend_timer.sent(message, buffers[1])
        sending = self._send_frames(line, stream, message, buffers)
        if stream is BULK:
            # Half a message would stay at the peer for ever, so cancelling the caller does not reach it.
            await asyncio.shield(self._spawn(sending, self._bulk_sends))
        else:
            await sending

    async def close(self) -> None:
        """Ends the channel and tells the peer; nothing happens if it has ended."""
        self._finish(LinkClosed("The connection was closed here."))
        await self._close_lines()

    def suspect(self) -> None:
        """There is a sign that the peer's process is gone: asks it, and ends the channel if nothing comes soon."""
        if self._end is None:
            self._spawn(self._ask_once(), self._tasks)

    async def make_offers(self) -> list[str]:
        """The SDP offers of both lines; the desktop's first move."""
        return list(await asyncio.gather(*(line.offer() for line in self._lines)))

    async def make_answers(self, offers: list[str]) -> list[str]:
        """The SDP answers to the desktop's offers; the agent's move."""
        return list(await asyncio.gather(*(line.answer(offer) for line, offer in zip(self._lines, offers, strict=True))))

    async def take_answers(self, answers: list[str]) -> None:
        """Takes the agent's answers; the desktop's last move."""
        await asyncio.gather(*(line.accept(answer) for line, answer in zip(self._lines, answers, strict=True)))

    async def open(self) -> None:
        """Waits until all data channels are open; raises LinkClosed if they never will be."""
        ended = self._loop.create_future()
        self.on_closed(lambda reason: None if ended.done() else ended.set_result(reason))
        opened = asyncio.gather(*(line.opened for line in self._lines))
        try:
            await asyncio.wait((opened, ended), return_when=asyncio.FIRST_COMPLETED)
            if self._end is not None:
                raise self._end
        finally:
            opened.cancel()
        self._spawn(self._beat(), self._tasks)

    # Out

    async def _send_frames(self, line: Line, stream: Stream, message: Message, buffers: tuple[bytes, memoryview]) -> None:
        size = largest_size(message, len(buffers[1])) if self.padded else 0
        frames = self._splitter.split(*buffers, size, self.spare(message, len(buffers[1])))
        await line.send(stream, map(self._count_sent, frames))

    def _count_sent(self, frame: bytes) -> bytes:
        self.bytes_sent += len(frame)
        if self._watcher is not None:
            self._watcher(True, frame)
        return frame

    def _send_again(self, step: Step, payload: bytes) -> None:
        if not self.padded:  # a padded line has a shape, which this would break
            self._spawn(self._send_frames(self._lines[0], STEPS, step, encode_buffers(step, payload)), self._tasks)

    # In

    def _on_frame(self, frame: bytes) -> None:
        if self._end is not None:
            return
        self.bytes_received += len(frame)
        if self._watcher is not None:
            self._watcher(False, frame)
        self._heartbeat.heard()
        try:
            whole = self._assembler.add(frame)
            if self._side is Side.AGENT:
                self.padded = self._assembler.padded
            if whole is None:
                return
            message, payload = decode_for_agent(whole) if self._side is Side.AGENT else decode_for_desktop(whole)
        except WireError as error:
            self._break_off(error)
            return
        self._on_whole_message(message, payload)

    def _on_whole_message(self, message: Message, payload: memoryview) -> None:
        if isinstance(message, Ping):
            if len(self._tasks) < MAX_TASKS:
                self._spawn(self._send_quietly(Pong(message.count)), self._tasks)
            return
        if isinstance(message, Pong):
            self._heartbeat.answered(message.count, time.monotonic())
            return
        self._used_since_tick = True
        self._resend_timer.came(message)
        if self._message_callback is not None:
            self._message_callback(message, payload)
        elif len(self._early) < MAX_EARLY_MESSAGES:
            self._early.append((message, payload))
        else:
            self._finish(LinkClosed("The other side sent more than was asked for. Connect again."))
            self._loop.create_task(self._close_lines())

    # The end

    def _on_lost(self) -> None:
        self._finish(LinkClosed("The connection to the other side was lost. Connect again."))
        self._loop.create_task(self._close_lines())

    def _break_off(self, error: WireError) -> None:
        _log.warning("the peer broke the protocol: %s", error)
        self._finish(LinkClosed("The other side does not keep to the protocol. Check that both are the same version."), tell=True)

    def _finish(self, reason: LinkError, tell: bool = False) -> None:
        if self._end is not None:
            return
        self._end = reason
        for task in self._tasks:
            task.cancel()
        self._resend_timer.stop()
        if tell:
            self._loop.create_task(self._say_malformed())
        callbacks, self._closed_callbacks = self._closed_callbacks, []
        for callback in callbacks:
            try:
                callback(reason)
            except Exception:
                _log.exception("a callback failed while a channel ended")

    async def _say_malformed(self) -> None:
        if self._side is Side.AGENT:
            goodbye = Refused(ErrorCode.MALFORMED, 0, 0, 0)
            sending = self._send_frames(self._lines[0], CONTROL, goodbye, encode_buffers(goodbye))
            try:
                await asyncio.wait_for(sending, GOODBYE_SECONDS)
                await asyncio.sleep(GOODBYE_SECONDS)  # what SCTP has taken needs a moment to leave
            except (LinkError, TimeoutError):
                _log.debug("the peer could not be told why the channel ends")
        await self._close_lines()

    async def _close_lines(self) -> None:
        await asyncio.gather(*(line.close() for line in self._lines), return_exceptions=True)

    # Is the peer there

    async def _beat(self) -> None:
        while True:
            count = self._heartbeat.tick(time.monotonic(), active=self._used_since_tick)
            self._used_since_tick = False
            steps, bulk = (line.figures() for line in self._lines)
            self._path = steps.joined(bulk, self._heartbeat.round_trip)
            self._resend_timer.round_trip = self._path.round_trip
            if self._heartbeat.is_gone:
                self._finish(LinkClosed(f"Nothing came from the other side for {PATIENCE_SECONDS:.0f} seconds. Connect again."))
                self._loop.create_task(self._close_lines())
                return
            if self._suspect_callback is not None and self._heartbeat.is_suspect(time.monotonic()):
                self._suspect_callback()
            if count is not None:
                await self._send_quietly(Ping(count))
            await asyncio.sleep(TICK_SECONDS)

    async def _ask_once(self) -> None:
        received = self.bytes_received
        await self._send_quietly(Ping(0))
        await asyncio.sleep(SUSPICION_SECONDS)
        if self.bytes_received == received:
            self._on_lost()

    async def _send_quietly(self, message: Ping | Pong) -> None:
        try:
            await self.send(message)
        except LinkError:
            _log.debug("a ping found the channel closed")

    def keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs `work` until it ends or the channel does."""
        self._spawn(work, self._tasks)

    def _spawn(self, work: Coroutine[Any, Any, None], among: set[asyncio.Task[Any]]) -> asyncio.Task[None]:
        task = self._loop.create_task(work)
        among.add(task)
        task.add_done_callback(among.discard)
        task.add_done_callback(_take_exception)
        return task


def _take_exception(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and task.exception() is not None:
        _log.debug("work for a channel ended with %s", type(task.exception()).__name__)
