"""The Responder that the window and the command line use: the engine process at the other end of a pipe.

If the engine dies, every reply under way ends with a sentence and what had come is kept; a new engine is started at once, unless
it dies again and again without having answered, in which case the next request starts it.
"""

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from desktop_app.chat.events import (
    DocumentText,
    EngineNews,
    EngineState,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Split,
    Statistics,
    StatisticsChanged,
)
from desktop_app.chat.responder import DocumentRefused
from desktop_app.engine.child import Child
from desktop_app.engine.errors import EngineError
from desktop_app.engine.messages import (
    Ask,
    DocumentRead,
    DocumentUnreadable,
    Event,
    Forget,
    FromEngine,
    News,
    Prepare,
    Read,
    Stop,
)

LIVES = 3  # deaths within LIFETIME seconds after which the engine is not started again by itself
LIFETIME = 60.0

_DIED = "The engine stopped unexpectedly, and a new one is being started. Please ask again."
_DIED_OFTEN = "The engine stopped several times in a row. Ask again to start it once more; the log folder says more."


class EngineResponder:
    """Implements `chat.responder.Responder` with an engine process. All methods belong to one event loop."""

    def __init__(self, *, log: Path | None = None, model: str = "", split: Split | None = None, dtype: str = "") -> None:
        """`model` is made ready when the engine starts; `log` gets what the engine writes to standard error."""
        self._log = log
        self._prepare = Prepare(model, split or Split(), dtype)
        self._child: Child | None = None
        self._numbers = itertools.count(1)
        self._replies: dict[int, asyncio.Queue[ReplyEvent]] = {}
        self._documents: dict[int, asyncio.Future[DocumentText]] = {}
        self._listeners: list[Callable[[EngineNews], None]] = []
        self._deaths: list[float] = []
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process id of the engine, while there is one."""
        return self._child.pid if self._child else None

    async def start(self) -> None:
        """Start the engine process; returns at once, news tell how it goes."""
        self._running()

    async def prepare(self, model: str, split: Split) -> None:
        """Get another model or split ready, now and after every restart of the engine."""
        self._prepare = Prepare(model, split)
        self._running().send(self._prepare)

    async def close(self) -> None:
        """Stop the engine and everything it started."""
        self._closed = True
        if self._child is not None:
            child, self._child = self._child, None
            await asyncio.to_thread(child.close)
        self._end_all("Sotto was closed.")

    async def reply(self, request: ReplyRequest) -> AsyncIterator[ReplyEvent]:
        """Answer; the last event is a `ReplyFinished` or a `ReplyFailed`, whatever happens to the engine meanwhile."""
        number = next(self._numbers)
        events = self._replies[number] = asyncio.Queue()
        latest = Statistics()
        ended = False
        try:
            try:
                self._running().send(Ask(number, request))
            except EngineError as error:
                events.put_nowait(ReplyFailed(str(error)))
            while not ended:
                event = await events.get()
                if isinstance(event, StatisticsChanged):
                    latest = event.statistics
                if isinstance(event, ReplyFailed) and event.statistics == Statistics():
                    event = ReplyFailed(event.sentence, latest, event.kind)
                ended = isinstance(event, ReplyFinished | ReplyFailed)
                yield event
        finally:
            del self._replies[number]
            if not ended and self._child is not None:
                self._child.send(Stop(request.conversation))

    async def stop(self, conversation: str) -> None:
        """Stop the reply of this conversation; its iterator ends with reason "stopped"."""
        if self._child is not None:
            self._child.send(Stop(conversation))

    async def forget(self, conversation: str) -> None:
        """Drop what the engine and the agent hold of this conversation."""
        if self._child is not None:
            self._child.send(Forget(conversation))

    async def read_document(self, path: Path) -> DocumentText:
        """Read a document in the readers' process. Raises `DocumentRefused`."""
        number = next(self._numbers)
        future = self._documents[number] = asyncio.get_running_loop().create_future()
        try:
            self._running().send(Read(number, str(path)))
            document: DocumentText = await future
            return document
        except EngineError as error:
            raise DocumentRefused(str(error)) from error
        finally:
            del self._documents[number]

    def listen(self, listener: Callable[[EngineNews], None]) -> None:
        """Call `listener` with all news from now on."""
        self._listeners.append(listener)

    def _running(self) -> Child:
        if self._child is None:
            self._child = Child(["engine"], FromEngine, on_message=self._received, on_exit=self._died, log=self._log)
            self._child.send(self._prepare)
            self._tell(EngineState(running=True))
        return self._child

    def _received(self, message: Event | News | DocumentRead | DocumentUnreadable) -> None:
        if isinstance(message, News):
            self._tell(message.news)
        elif isinstance(message, Event):
            if (events := self._replies.get(message.number)) is not None:
                events.put_nowait(message.event)
                if isinstance(message.event, ReplyFinished):
                    self._deaths.clear()
        elif (future := self._documents.get(message.number)) is not None and not future.done():
            if isinstance(message, DocumentRead):
                future.set_result(message.document)
            else:
                future.set_exception(DocumentRefused(message.sentence))

    def _died(self) -> None:
        self._child = None
        if self._closed:
            return
        now = time.monotonic()
        self._deaths = [death for death in self._deaths if now - death < LIFETIME] + [now]
        sentence = _DIED if len(self._deaths) < LIVES else _DIED_OFTEN
        self._tell(EngineState(running=False, sentence=sentence))
        self._end_all(sentence)
        if len(self._deaths) < LIVES:
            self._running()

    def _end_all(self, sentence: str) -> None:
        for events in self._replies.values():
            events.put_nowait(ReplyFailed(sentence, kind="interrupted"))
        for future in self._documents.values():
            if not future.done():
                future.set_exception(DocumentRefused(sentence))

    def _tell(self, news: EngineNews) -> None:
        for listener in self._listeners:
            with contextlib.suppress(RuntimeError):  # a window that is being destroyed
                listener(news)
