"""The desktop's side of a channel: greeting, sessions, steps out and answers in.

`opened`, `forked` and `closed` may be awaited from the engine's event loop. Steps and answers take a shorter way: `send` may be
called from any thread, and the listener of a session is called in the link's thread, since a hop through a third loop would cost
as much as a small step itself.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from itertools import count
from typing import Protocol

from desktop_app.engine.errors import AgentLost, EngineError, RequestRefused
from remote_agent.link.channel import Channel, OnFrame
from remote_agent.link.errors import LinkError
from remote_agent.link.outbox import Outbox
from remote_agent.link.thread import LinkThread
from remote_agent.wire.errors import ErrorCode
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

GREETING_SECONDS = 15.0
OPENING_SECONDS = 120.0  # behind a long step of somebody else's

LOST = "The connection to the agent was lost. Ask again, and Sotto connects anew."

_SENTENCES = {
    ErrorCode.PROTOCOL_VERSION: "The agent is of another version of Sotto. Update the older of the two.",
    ErrorCode.OTHER_MODEL: "The agent holds another model than this computer. Choose the same model file on both sides.",
    ErrorCode.LAYERS_NOT_AVAILABLE: "The agent cannot run these layers. Choose another split in the settings.",
    ErrorCode.SESSION_UNKNOWN: "The agent does not know this conversation any more. Ask again, and it is sent anew.",
    ErrorCode.SESSION_GONE: "The agent had to make room and dropped this conversation. Ask again, and it is sent anew.",
    ErrorCode.TOO_MANY_SESSIONS: "The agent is full. Try again later, or close other conversations.",
    ErrorCode.ROW_UNKNOWN: "The agent has lost a part of this conversation. Ask again, and it is sent anew.",
    ErrorCode.CONTEXT_FULL: "The agent has no room for a conversation of this length. Start a new chat, or shorten it.",
    ErrorCode.STEP_TOO_LARGE: "The agent takes smaller steps than this. Update the older of the two.",
    ErrorCode.BAD_ROWS: "The agent refused the numbers it was sent. Ask again; if it happens again, choose another split.",
    ErrorCode.OUT_OF_MEMORY: "The agent has run out of memory. Close other conversations, or take an agent with more of it.",
    ErrorCode.MALFORMED: "The agent did not understand a message. Update the older of the two.",
    ErrorCode.INTERNAL: "Something failed inside the agent. Ask again; if it happens again, restart the agent.",
    ErrorCode.CODES_UNKNOWN: "The agent lacks the tables that the codes were made with. Give it the same files, or choose exact.",
    ErrorCode.AGENT_FULL: "The agent serves as many computers as it can. Try again later, or choose another agent.",
    ErrorCode.TOO_FAST: "The agent computes only so much for one computer at a time. Wait a minute and ask again.",
    ErrorCode.AGENT_STOPPING: "The agent is being stopped or replaced. Ask again in a minute, or choose another agent.",
}


def sentence_of(code: ErrorCode) -> str:
    """Return what a person is told when an agent refuses with this code."""
    return _SENTENCES[code]


class SessionListener(Protocol):
    """What a session's messages are told to, in the link's thread."""

    def answered(self, message: Answer | Refused, payload: memoryview) -> None:
        """An answer or a refusal came for this session."""

    def lost(self) -> None:
        """The channel is gone."""


class AgentClient:
    """One agent, greeted and ready."""

    def __init__(self, channel: Channel, link: LinkThread, peer: str = "this computer") -> None:
        """`peer` is what the agent is called where a person reads who got what."""
        self.peer = peer
        self._channel = channel
        self._link = link
        self._outbox = Outbox(channel, link)
        self._lock = threading.Lock()
        self._listeners: dict[int, SessionListener] = {}
        self._ready: dict[int, Future[None]] = {}
        self._welcome: Future[Welcome] = Future()
        self._numbers = count(1)
        self._padding = 0
        self.padded = False
        self.lost = False
        link.post(channel.on_message, self._received)
        link.post(channel.on_closed, self._closed)

    @property
    def welcome(self) -> Welcome:
        """What the agent offers."""
        return self._welcome.result(0)

    @property
    def round_trip(self) -> float:
        """Seconds from here to the agent and back, as measured last; 0 where nothing was measured yet."""
        return self._channel.round_trip or 0.0

    @property
    def bytes_sent(self) -> int:
        """Bytes given to the data channels since they opened."""
        return self._channel.bytes_sent

    @property
    def bytes_received(self) -> int:
        """Bytes that came over the data channels since they opened."""
        return self._channel.bytes_received

    async def greet(self, manifest: bytes) -> Welcome:
        """Exchange greetings. Raises `EngineError` where the agent refuses, or holds another model than `manifest` names."""
        self.post(Hello(PROTOCOL_VERSION, manifest))
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
        self._link.post(self._channel.watch, watcher)

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
        self._link.post(setattr, self._channel, "padded", self.padded)
        try:
            yield
        finally:
            self._padding -= wanted

    def hang_up(self) -> None:
        """Close the channel, from any thread, without waiting."""
        self._link.submit(self._channel.close())

    async def close(self) -> None:
        """Close the channel."""
        await self._link.run(self._channel.close())

    async def _begin(self, number: int, message: Open | Fork) -> None:
        ready: Future[None] = Future()
        with self._lock:
            self._ready[number] = ready
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
            case Refused() if not self._settle(message.session, RequestRefused(sentence_of(message.code))):
                self._tell(message, payload)
            case _:
                pass

    def _settle(self, number: int, error: Exception | None) -> bool:
        with self._lock:
            ready = self._ready.pop(number, None)
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

    def _closed(self, reason: LinkError) -> None:
        with self._lock:
            self.lost = True
            listeners, ready = list(self._listeners.values()), list(self._ready.values())
            self._listeners.clear()
            self._ready.clear()
        lost = AgentLost(LOST)
        if not self._welcome.done():
            self._welcome.set_exception(lost)
        for future in ready:
            if not future.done():
                future.set_exception(lost)
        for listener in listeners:
            listener.lost()
