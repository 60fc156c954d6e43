"""The desktop's side of a channel: greeting, sessions, steps out and answers in.

`opened`, `forked` and `closed` may be awaited from the engine's event loop. Steps and answers take a shorter way: `send` may be
called from any thread, and the listener of a session is called in the link's thread, since a hop through a third loop would cost
as much as a small step itself.

Where a connection is lost, or suspect, the client builds another one to the same agent (`connect`), says its resume token in the
greeting, and goes on there: sessions ask again for what was not answered, and the agent runs nothing twice (`wire.session`).
Only where the agent has forgotten it, or is not reached for long (`way_back`), is it lost.
"""

import asyncio
import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from itertools import count
from typing import Protocol

from desktop_app.engine.errors import AgentLost, EngineError
from desktop_app.engine.refusals import refusal_of, sentence_of
from desktop_app.engine.way_back import GREETING_SECONDS, Connect, way_back
from remote_agent.link.channel import Channel, OnFrame
from remote_agent.link.outbox import Outbox
from remote_agent.link.path import PathFigures
from remote_agent.link.thread import LinkThread
from remote_agent.wire.errors import ErrorCode
from remote_agent.wire.frames import Spare
from remote_agent.wire.messages import (
    PROTOCOL_VERSION,
    Answer,
    Close,
    Codes,
    Fork,
    Hello,
    Message,
    Open,
    Ready,
    Refused,
    RowFormat,
    Welcome,
)

OPENING_SECONDS = 120.0  # behind a long step of somebody else's

LOST = "The connection to the agent was lost. Ask again, and Sotto connects anew."


class SessionListener(Protocol):
    """What a session's messages are told to, in the link's thread."""

    def answered(self, message: Answer | Refused, payload: memoryview) -> None:
        """An answer or a refusal came for this session."""

    def resumed(self) -> None:
        """The agent is reached another way: what was not answered is to be asked again."""

    def lost(self) -> None:
        """The agent is gone, or has forgotten the session."""


class AgentClient:
    """One agent, greeted and ready."""

    def __init__(self, channel: Channel, link: LinkThread, peer: str = "this computer", connect: Connect | None = None) -> None:
        """`peer` is what the agent is called where a person reads who got what. Without `connect` a lost channel is the end."""
        self.peer = peer
        self._link = link
        self._connect = connect
        self._resume = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._listeners: dict[int, SessionListener] = {}
        self._ready: dict[int, tuple[Open | Fork, Future[None]]] = {}
        self._closed_away: list[int] = []
        self._welcome: Future[Welcome] = Future()
        self._numbers = count(1)
        self._padding = 0
        self._watcher: OnFrame | None = None
        self._returning: asyncio.Task[None] | None = None
        self._tell_away: Callable[[bool], object] = lambda away: None
        self._crossed = (0, 0)
        self.padded = False
        self.lost = False
        self.away = False
        self._channel, self._outbox = channel, Outbox(channel, link)
        link.post(self._begin_on, channel)

    @property
    def welcome(self) -> Welcome:
        """What the agent offers."""
        return self._welcome.result(0)

    @property
    def round_trip(self) -> float:
        """Seconds from here to the agent and back, as measured last; 0 where nothing was measured yet."""
        return self._channel.round_trip or 0.0

    @property
    def path(self) -> PathFigures:
        """What is known of the path to the agent: times, losses, widths."""
        return self._channel.path

    def spare(self, message: Message, payload_bytes: int) -> Spare:
        """Which spare frames this message, with so many bytes of rows, travels with."""
        return self._channel.spare(message, payload_bytes)

    @property
    def bytes_sent(self) -> int:
        """Bytes given to the data channels since they opened."""
        return self._crossed[0] + self._channel.bytes_sent

    @property
    def bytes_received(self) -> int:
        """Bytes that came over the data channels since they opened."""
        return self._crossed[1] + self._channel.bytes_received

    async def greet(self, manifest: bytes) -> Welcome:
        """Exchange greetings. Raises `EngineError` where the agent refuses, or holds another model than `manifest` names."""
        self._manifest = manifest
        self.post(self._hello())
        try:
            welcome = await asyncio.wait_for(asyncio.wrap_future(self._welcome), GREETING_SECONDS)
        except TimeoutError:
            raise EngineError("The agent does not answer. Check that it runs, or restart it.") from None
        if welcome.version != PROTOCOL_VERSION:
            raise EngineError(sentence_of(ErrorCode.PROTOCOL_VERSION))
        if welcome.manifest != manifest:
            raise EngineError(sentence_of(ErrorCode.OTHER_MODEL))
        return welcome

    async def open(self, first_layer: int, last_layer: int, rows: RowFormat, codes: Codes | None = None) -> int:
        """Open a session on layers [first_layer, last_layer) and return its number; with `codes` rows may travel as those.

        Raises `EngineError`.
        """
        number = next(self._numbers)
        await self._begin(number, Open(number, first_layer, last_layer, rows, codes))
        return number

    async def fork(self, source: int, row: int) -> int:
        """Open a session that shares the rows of `source` up to `row`, and return its number. Raises `EngineError`."""
        number = next(self._numbers)
        await self._begin(number, Fork(number, source, row))
        return number

    def close_session(self, number: int) -> None:
        """Give a session up."""
        with self._lock:
            self._listeners.pop(number, None)
            self._ready.pop(number, None)
            if self.away:
                self._closed_away.append(number)
        if not self.lost:
            self.post(Close(number))

    def listen(self, number: int, listener: SessionListener | None) -> None:
        """Have the messages of a session told to `listener`; those of a session without one are dropped."""
        with self._lock:
            if listener is None:
                self._listeners.pop(number, None)
            else:
                self._listeners[number] = listener
        if listener is not None and self.lost:
            listener.lost()

    def watch(self, watcher: OnFrame | None) -> None:
        """Have `watcher(sent, frame)` called in the link's thread for each frame on the line: the audit records them."""
        self._watcher = watcher
        self._link.post(lambda: self._channel.watch(watcher))

    def on_away(self, tell: Callable[[bool], object]) -> None:
        """Have `tell(away)` called in the link's thread when the agent cannot be reached, and when it can be again."""
        self._tell_away = tell

    def post(self, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        """Send a message; never blocks, from any thread. To an agent that is gone it is dropped: `lost` tells of that."""
        self._outbox.post(message, payload)

    def post_at(self, when: float, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        """Send a message as `post` does, but not before this time of `time.perf_counter`."""
        self._outbox.post_at(when, message, payload)

    def call_at(self, when: float, job: Callable[[], None]) -> None:
        """Have `job` called in the link's thread at this time of `time.perf_counter`, to a millisecond; never after its end."""
        delay = max(0.0, when - time.perf_counter())
        with contextlib.suppress(RuntimeError):
            self._link.post(self._link.loop.call_later, delay, job)

    @contextlib.contextmanager
    def padding(self, wanted: bool) -> Iterator[None]:
        """While an answer is made: all frames have one size, both ways, if it or another answer under way wants that.

        Belongs to the engine's loop. Frames stay as they are (a session's end is padded, too) until the next answer begins.
        """
        self._padding += wanted
        self.padded = self._padding > 0
        self._link.post(lambda: setattr(self._channel, "padded", self.padded))
        try:
            yield
        finally:
            self._padding -= wanted

    def hang_up(self) -> None:
        """Close the channel for good, from any thread, without waiting."""
        self._link.submit(self._end())

    async def close(self) -> None:
        """Close the channel for good."""
        await self._link.run(self._end())

    async def _begin(self, number: int, message: Open | Fork) -> None:
        ready: Future[None] = Future()
        with self._lock:
            self._ready[number] = message, ready
        if self.lost:
            raise AgentLost(LOST)
        self.post(message)
        try:
            await asyncio.wait_for(asyncio.wrap_future(ready), OPENING_SECONDS)
        except TimeoutError:
            self.close_session(number)
            raise EngineError("The agent does not answer. Check that it runs, or restart it.") from None
        except asyncio.CancelledError:
            self.close_session(number)
            raise

    def _received(self, message: Message, payload: memoryview) -> None:
        match message:
            case Welcome() if not self._welcome.done():
                self._welcome.set_result(message)
            case Ready():
                self._settle(message.session, None)
            case Answer():
                self._tell(message, payload)
            case Refused() if not self._welcome.done():
                self._welcome.set_exception(EngineError(sentence_of(message.code)))
            case Refused() if not self._settle(message.session, refusal_of(message.code)):
                self._tell(message, payload)
            case _:
                pass

    def _settle(self, number: int, error: Exception | None) -> bool:
        with self._lock:
            _, ready = self._ready.pop(number, (None, None))
        if ready is None or ready.done():
            return False
        if error is None:
            ready.set_result(None)
        else:
            ready.set_exception(error)
        return True

    def _tell(self, message: Answer | Refused, payload: memoryview) -> None:
        with self._lock:
            listener = self._listeners.get(message.session)
        if listener is not None:
            listener.answered(message, payload)

    # The channel, in the link's thread

    def _hello(self) -> Hello:
        return Hello(PROTOCOL_VERSION, self._manifest, self._resume)

    def _begin_on(self, channel: Channel) -> None:
        channel.padded = self.padded
        channel.watch(self._watcher)
        channel.on_message(self._received)
        channel.on_suspect(self._return)
        channel.on_closed(lambda _: self._return() if channel is self._channel else None)

    def _return(self) -> None:
        """Look for another way to the agent, unless that is under way."""
        if self.lost or self._returning is not None:
            return
        if self._connect is None or not self._welcome.done():
            if self._channel.is_closed:
                self._give_up()
            return
        self._returning = self._link.loop.create_task(self._look_for_a_way(self._connect))

    async def _look_for_a_way(self, connect: Connect) -> None:
        self._set_away(True)
        try:
            channel = await way_back(connect, self._hello())
            if channel is None:
                self._give_up()
            else:
                await self._go_on(channel)
        finally:
            self._returning = None

    async def _go_on(self, channel: Channel) -> None:
        before = self._channel
        self._crossed = self._crossed[0] + before.bytes_sent, self._crossed[1] + before.bytes_received
        self._channel, self._outbox = channel, Outbox(channel, self._link)
        self._begin_on(channel)
        self._ask_again()
        self._set_away(False)
        await before.close()

    def _ask_again(self) -> None:
        with self._lock:
            listeners, opening = list(self._listeners.values()), [message for message, _ in self._ready.values()]
            closed, self._closed_away = self._closed_away, []
        for message in (*opening, *map(Close, closed)):
            self.post(message)
        for listener in listeners:
            listener.resumed()

    def _set_away(self, away: bool) -> None:
        self.away = away
        self._tell_away(away)

    async def _end(self) -> None:
        self._connect = None
        if self._returning is not None:
            self._returning.cancel()
        self._give_up()
        await self._channel.close()

    def _give_up(self) -> None:
        with self._lock:
            self.lost = True
            listeners, ready = list(self._listeners.values()), [future for _, future in self._ready.values()]
            self._listeners.clear()
            self._ready.clear()
        self._link.loop.create_task(self._channel.close())
        lost = AgentLost(LOST)
        if not self._welcome.done():
            self._welcome.set_exception(lost)
        for future in ready:
            if not future.done():
                future.set_exception(lost)
        for listener in listeners:
            listener.lost()
