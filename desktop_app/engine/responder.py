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
from typing import Any

from desktop_app.chat.events import (
    DocumentText,
    EngineNews,
    EngineState,
    Noise,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Split,
    Statistics,
    StatisticsChanged,
)
from desktop_app.chat.responder import ArchiveUnavailable, ChatError, DocumentRefused
from desktop_app.chat.stored import (
    Consequence,
    ConversationEntry,
    Decision,
    NameList,
    NoiseSpent,
    NoiseWorth,
    Recovered,
    Review,
    SentRecord,
    StoredConversation,
    StoredMessage,
)
from desktop_app.engine import queries
from desktop_app.engine.child import Child
from desktop_app.engine.errors import EngineError
from desktop_app.engine.messages import Ask, Event, Forget, FromEngine, News, Prepare, Stop
from desktop_app.engine.queries import About, Answered, Query, Unanswered

LIVES = 3  # deaths within LIFETIME seconds after which the engine is not started again by itself
LIFETIME = 60.0

_DIED = "The engine stopped unexpectedly, and a new one is being started. Please ask again."
_DIED_OFTEN = "The engine stopped several times in a row. Ask again to start it once more; the log folder says more."


class EngineResponder:
    """Implements `chat.responder.Responder` with an engine process. All methods belong to one event loop."""

    def __init__(
        self, *, log: Path | None = None, model: str = "", split: Split | None = None, dtype: str = "", keep: bool = True
    ) -> None:
        """`model` is made ready when the engine starts; `log` gets what the engine writes to standard error.

        `keep` false: the archive is not opened, and nothing is kept.
        """
        self._log = log
        self._command = ["engine"] if keep else ["engine", "--keep-nothing"]
        self._passphrase = ""  # kept to open the archive again where the engine dies
        self._without_lists = False
        self._prepare = Prepare(model, split or Split(), dtype)
        self._child: Child | None = None
        self._numbers = itertools.count(1)
        self._replies: dict[int, asyncio.Queue[ReplyEvent]] = {}
        self._queries: dict[int, asyncio.Future[Answered]] = {}
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
                    event = ReplyFailed(event.sentence, latest, event.kind, event.needed)
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
        document: DocumentText = await self._ask(queries.DocumentAt(str(path)), DocumentRefused)
        return document

    async def review(self, request: ReplyRequest) -> Review:
        """What would be replaced if this were asked, without asking it. Raises `ProtectionFailed`."""
        review: Review = await self._ask(queries.ReviewOf(request))
        return review

    async def decide(self, conversation: str, incognito: bool, decisions: list[Decision]) -> list[Consequence]:
        """Hold to the person's words in this conversation; tells for which it is too late."""
        consequences: list[Consequence] = await self._ask(queries.Decide(conversation, incognito, decisions))
        return consequences

    async def lists(self) -> list[NameList]:
        """The person's own lists."""
        lists: list[NameList] = await self._ask(queries.Lists())
        return lists

    async def keep_list(self, names: NameList) -> None:
        """Keep a list, in place of the one of this name; without values it is deleted."""
        await self._ask(queries.KeepList(names))

    async def import_list(self, path: Path, name: str, kind: str) -> NameList:
        """Add what a text or CSV file holds to the list of this name, and keep it. Raises `DocumentRefused`."""
        names: NameList = await self._ask(queries.ImportList(str(path), name, kind), DocumentRefused)
        return names

    async def conversations(self) -> list[ConversationEntry]:
        """The conversations that are kept, the latest first."""
        entries: list[ConversationEntry] = await self._ask(queries.Conversations())
        return entries

    async def open_conversation(self, conversation: str) -> StoredConversation:
        """Everything of one conversation."""
        stored: StoredConversation = await self._ask(queries.OpenConversation(conversation))
        return stored

    async def keep_branch(self, conversation: str, protect: bool, messages: list[StoredMessage], noise: Noise | None) -> None:
        """Keep the branch in which the conversation goes on."""
        await self._ask(queries.KeepBranch(conversation, protect, messages, noise))

    async def rename_conversation(self, conversation: str, title: str) -> None:
        """Give a conversation another title."""
        await self._ask(queries.RenameConversation(conversation, title))

    async def delete_conversation(self, conversation: str) -> None:
        """Delete a conversation with all that belongs to it, for good."""
        await self._ask(queries.DeleteConversation(conversation))

    async def sent(self, conversation: str, incognito: bool) -> list[SentRecord]:
        """What has left this computer, answer by answer."""
        records: list[SentRecord] = await self._ask(queries.SentOf(conversation, incognito))
        return records

    async def recovered(self, model: str, split: Split, protect: bool, mu: float = 0.0) -> list[Recovered]:
        """What attackers get back at this setting, as the audit has measured it."""
        figures: list[Recovered] = await self._ask(queries.RecoveredAt(model, split, protect, mu))
        return figures

    async def noise_spent(self, conversation: str) -> NoiseSpent | None:
        """What the noisy codes of a conversation have given away; None where none have left."""
        spent: NoiseSpent | None = await self._ask(queries.NoiseSpentIn(conversation))
        return spent

    async def noise_worth(self, noise: Noise, model: str) -> NoiseWorth:
        """What this noise is worth by count with this model. Raises `ChatError` for one that is none."""
        worth: NoiseWorth = await self._ask(queries.WorthOf(noise, model))
        return worth

    async def set_noise_budget(self, conversation: str, epsilon: float, delta: float) -> None:
        """Give a conversation another budget. Raises `ChatError` for one that is none."""
        await self._ask(queries.SetNoiseBudget(conversation, epsilon, delta))

    async def unlock(self, passphrase: str) -> None:
        """Make or open the archive with a passphrase. Raises `ArchiveUnavailable`."""
        await self._ask(queries.Unlock(passphrase))
        self._passphrase, self._without_lists = passphrase, False

    async def go_on_without_lists(self) -> None:
        """Protect questions although the person's lists cannot be read."""
        self._without_lists = True
        await self._ask(queries.GoOnWithoutLists())

    def listen(self, listener: Callable[[EngineNews], None]) -> None:
        """Call `listener` with all news from now on."""
        self._listeners.append(listener)

    def _running(self) -> Child:
        if self._child is None:
            self._child = Child(self._command, FromEngine, on_message=self._received, on_exit=self._died, log=self._log)
            if self._passphrase:
                self._child.send(Query(0, queries.Unlock(self._passphrase)))
            if self._without_lists:
                self._child.send(Query(0, queries.GoOnWithoutLists()))
            self._child.send(self._prepare)
            self._tell(EngineState(running=True))
        return self._child

    async def _ask(self, about: About, lost: type[ChatError] = ArchiveUnavailable) -> Any:
        """Ask the engine something; `lost` is raised where it dies over it."""
        number = next(self._numbers)
        future = self._queries[number] = asyncio.get_running_loop().create_future()
        try:
            self._running().send(Query(number, about))
            return queries.value_of(about, await future)
        except EngineError as error:
            raise lost(str(error)) from error
        finally:
            del self._queries[number]

    def _received(self, message: Event | News | Answered | Unanswered) -> None:
        if isinstance(message, News):
            self._tell(message.news)
        elif isinstance(message, Event):
            if (events := self._replies.get(message.number)) is not None:
                events.put_nowait(message.event)
                if isinstance(message.event, ReplyFinished):
                    self._deaths.clear()
        elif (future := self._queries.get(message.number)) is not None and not future.done():
            if isinstance(message, Answered):
                future.set_result(message)
            else:
                future.set_exception(queries.error_of(message))

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
        for future in self._queries.values():
            if not future.done():
                future.set_exception(EngineError(sentence))

    def _tell(self, news: EngineNews) -> None:
        for listener in self._listeners:
            with contextlib.suppress(RuntimeError):  # a window that is being destroyed
                listener(news)
