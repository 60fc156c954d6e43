"""What surrounds a reply: the question is kept and protected before it leaves, the answer is restored and kept as it comes.

    kept -> protected -> [the reply is made] -> restored, shown and kept twice a second -> ended

The question is in the archive before anything else happens to it, and a record of what leaves before the first row does. What
the model writes is restored in the torch thread, as the rest of the reply is made there; the archive is written from the engine's
loop, so that no disk ever delays a token.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol, TypeVar

from msgspec.structs import replace

from desktop_app.chat.events import (
    Mark,
    Progress,
    QuestionProtected,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Statistics,
    StatisticsChanged,
    TextAdded,
)
from desktop_app.chat.responder import ChatError
from desktop_app.chat.stored import SentRecord, State, StoredMessage
from desktop_app.engine.keeper import Keeper, Kept
from desktop_app.engine.noise_figures import spent
from desktop_app.engine.protection import ProtectedRequest, Protection
from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.naming import Entry, Pair, Piece, Restorer, Role
from desktop_app.privacy.noise.ledger import ModeRefused
from desktop_app.privacy.spans import Kind

KEEP_EVERY = 0.5  # seconds; a crash loses at most what came since

Emit = Callable[[ReplyEvent], None]
T = TypeVar("T")


class Exchange(Protocol):
    """One question and its answer."""

    request: ReplyRequest
    values: Mapping[str, str]
    """Protected values in the real words of `request`, with their kinds: to leave under strict noise."""

    async def open(self) -> None:
        """Get `request` ready to leave. Raises `ChatError`, and nothing may be sent then."""

    async def leave(self, figures: Statistics) -> None:
        """Rows are about to leave, to whom the figures say. Raises `ChatError`, and nothing may be sent then."""

    def emit(self, event: ReplyEvent) -> None:
        """Take an event of the reply, in any thread."""

    async def kept(self, job: Callable[[Kept], T]) -> T:
        """Do something with the archive that keeps this conversation. Raises `ChatError`, and what the job raises."""

    def restore(self, stand_ins: Mapping[str, str]) -> None:
        """Turn back what the answer says of these values; what stands for each of them at the agent is beside it."""

    async def end(self, last: ReplyEvent) -> ReplyEvent:
        """Clear everything away and return the last event: whoever is told it may ask the next question at once."""


class PlainExchange:
    """Neither keeps nor replaces anything: for the audit and the tests, which look at what the model itself does."""

    def __init__(self, request: ReplyRequest, emit: Emit) -> None:
        self.request = request
        self.emit = emit
        self.values: Mapping[str, str] = {}

    async def open(self) -> None:
        """Nothing is to be done."""

    async def leave(self, figures: Statistics) -> None:
        """Nothing is to be done."""

    async def kept(self, job: Callable[[Kept], T]) -> T:
        """There is no archive, and so no ledger."""
        raise ChatError("Without an archive there is no ledger of what was spent, so no noisy codes are sent.")

    def restore(self, stand_ins: Mapping[str, str]) -> None:
        """Nothing is replaced."""

    async def end(self, last: ReplyEvent) -> ReplyEvent:
        """Nothing is to be done."""
        return last


class KeptExchange:
    """Keeps and protects. A request without an `answer` identity is protected, but not kept."""

    def __init__(self, request: ReplyRequest, emit: Emit, keeper: Keeper, protection: Protection) -> None:
        self.request = self._asked = request
        self._emit = emit
        self._keeper = keeper
        self._protection = protection
        self._protected = ProtectedRequest(request, request)
        self.values: Mapping[str, str] = {}
        self._names: Mapping[str, str] = {}  # of documents, where values have noise of their own
        self._restorer: Restorer | None = None
        self._text: list[str] = []
        self._sent: list[str] = []
        self._told = 0  # of the pieces of `_sent`
        self._marks: list[Mark] = []
        self._length = 0
        self._keeping: asyncio.Task[None] | None = None
        self._figures: Statistics | None = None  # since rows leave
        self._time = time.time()

    async def open(self) -> None:
        """Keep the question, then replace what identifies a person in all turns."""
        if self._asked.answer:
            await self._keep(lambda kept: _keep_turns(kept, self._asked))
            self._keeping = asyncio.get_running_loop().create_task(self._keep_streaming())
        noise = self._asked.noise
        if noise is not None and noise.strict_mu:
            self.request, self.values, self._names = await self._protection.find(self._asked, self._searched)
            return
        self._protected = await self._protection.protect(self._asked, self._searched)
        self.request = self._protected.request
        if self._protected.naming is not None:
            self._restorer = self._protected.naming.restorer()
            marks, document_marks = self._protected.marks, self._protected.document_marks
            question = self._asked.turns[-1].identity
            if self._asked.answer:
                await self._keep(lambda kept: kept.history.mark(question, marks, document_marks))
            self._emit(QuestionProtected(marks, document_marks, self.request.turns[-1], self._protected.unread))

    async def leave(self, figures: Statistics) -> None:
        """Keep to whom rows leave before the first does. All of the prompt counts: of an engine that is killed nobody knows."""
        if figures.mode == "exact":
            await self.kept(lambda kept: _begin_exact(kept, self._asked.conversation, self._asked.told_exact))
        new = figures.prompt_tokens - figures.reused_tokens
        self._figures = replace(figures, rows=new if figures.peer else 0)
        if self._asked.answer:
            record = self._record(self._figures)
            await self._keep(lambda kept: kept.history.record(record))

    def emit(self, event: ReplyEvent) -> None:
        """Hand the event on, text with its stand-ins restored."""
        if isinstance(event, StatisticsChanged):
            self._figures = event.statistics
        if isinstance(event, TextAdded):
            self._sent.append(event.text)
            self._show(self._restorer.feed(event.text) if self._restorer is not None else [_ordinary(event.text)])
        else:
            self._emit(event)

    async def end(self, last: ReplyEvent) -> ReplyEvent:
        """Show what was held back, keep the answer as it ended and what has left."""
        if self._restorer is not None:
            self._show(self._restorer.finish())
        if self._keeping is not None:
            self._keeping.cancel()
            try:
                answer = self._answer(last)
                record = self._record(self._statistics(last)) if self._figures is not None else None
                await self._keep(lambda kept: _keep_end(kept, self._asked.conversation, answer, record))
            except ChatError as error:
                # The answer is on the screen, and that it is nowhere else must be said with it.
                return ReplyFailed(str(error), self._statistics(last), "interrupted")
        return last

    def restore(self, stand_ins: Mapping[str, str]) -> None:
        """See `Exchange`."""
        told = {name: other for name, other in self._names.items() if name != other} | dict(stand_ins)
        if told:
            lexicon = Lexicon(backward=True)
            for value, stand_in in told.items():
                pair = Pair(value, stand_in, Role.WORD)
                kind = next((kind for whole, kind in self.values.items() if value in whole), Kind.OTHER)
                lexicon.add(Entry(value, Kind(kind), stand_in, (pair,)))
            self._restorer = Restorer(lexicon)

    def _searched(self, done: int, total: int) -> None:
        self._emit(Progress("protect", done, total))

    def _show(self, pieces: list[Piece]) -> None:
        text = "".join(piece.text for piece in pieces)
        if not text:
            return
        marks, start = [], 0
        for piece in pieces:
            if piece.kind is not None:
                end = start + len(piece.text)
                marks.append(Mark(start=start, end=end, kind=piece.kind, stand_in=piece.stand_in, doubtful=piece.doubtful))
            start += len(piece.text)
        self._text.append(text)
        self._marks += [replace(mark, start=mark.start + self._length, end=mark.end + self._length) for mark in marks]
        self._length += len(text)
        sent, self._told = "".join(self._sent[self._told :]), len(self._sent)
        self._emit(TextAdded(text, marks, sent))

    async def _keep_streaming(self) -> None:
        answer = self._asked.answer
        while True:
            await asyncio.sleep(KEEP_EVERY)
            so_far = "".join(self._text), list(self._marks), "".join(self._sent)
            record = self._record(self._figures) if self._figures is not None else None
            with contextlib.suppress(ChatError):  # what fails now is tried again, and told at the end
                await self._keep(partial(_keep_so_far, answer, so_far, record))

    async def kept(self, job: Callable[[Kept], T]) -> T:
        """See `Exchange`."""
        return await self._keeper.run(job, self._asked.conversation, self._asked.incognito)

    async def _keep(self, job: Callable[[Kept], None]) -> None:
        await self.kept(job)

    def _answer(self, last: ReplyEvent) -> StoredMessage:
        state: State = "complete"
        text, sentence = "".join(self._text), ""
        if isinstance(last, ReplyFinished):
            state = "stopped" if last.reason == "stopped" else "complete"
        elif isinstance(last, ReplyFailed):
            state = "interrupted" if text or last.kind == "interrupted" else "failed"
            sentence = last.sentence
        return StoredMessage(
            identity=self._asked.answer,
            parent=self._asked.turns[-1].identity,
            role="assistant",
            text=text,
            sent="".join(self._sent),
            marks=self._marks,
            state=state,
            sentence=sentence,
            at_limit=isinstance(last, ReplyFinished) and last.reason == "length",
            statistics=self._statistics(last),
        )

    def _statistics(self, last: ReplyEvent) -> Statistics:
        """The last figures: of an end that tells none, those that were told before."""
        told = last.statistics if isinstance(last, ReplyFinished | ReplyFailed) else Statistics()
        return self._figures if self._figures is not None and told == Statistics() else told

    def _record(self, statistics: Statistics) -> SentRecord:
        return SentRecord(
            message=self._asked.answer,
            time=self._time,
            mode=statistics.mode,
            peer=statistics.peer,
            model=statistics.model,
            bytes_up=statistics.bytes_up,
            bytes_down=statistics.bytes_down,
            rows=statistics.rows,
            head_layers=statistics.head_layers,
            tail_layers=statistics.tail_layers,
            protect=self._asked.protect,
            replaced=self._protected.replaced,
            shape=statistics.shape,
            noise=self._asked.noise if statistics.mode == "dp" else None,
        )


def _begin_exact(kept: Kept, conversation: str, told: bool) -> None:
    """Note that exact rows leave, after which no noise protects anything. Raises `ChatError` after noise, unless `told`."""
    try:
        kept.ledger.begin_exact(conversation, told)
    except ModeRefused as error:
        raise ChatError(str(error)) from error


def _ordinary(text: str) -> Piece:
    return Piece(text=text, kind=None, stand_in="", doubtful=False)


def _keep_turns(kept: Kept, request: ReplyRequest) -> None:
    """Keep the turns that are not kept yet, each under the one before, and the answer that is to come."""
    now, parent = time.time(), ""
    with kept.archive.transaction():
        kept.history.begin(request.conversation, now, request.protect, request.noise)
        for turn in request.turns:
            last = turn is request.turns[-1]
            message = StoredMessage(
                identity=turn.identity,
                parent=request.parent if last and kept.history.holds(request.conversation, request.parent) else parent,
                role=turn.role,
                text=turn.text,
                documents=turn.documents,
                created=now,
            )
            kept.history.add(request.conversation, message)
            parent = turn.identity
        answer = StoredMessage(identity=request.answer, parent=parent, role="assistant", text="", state="streaming", created=now)
        kept.history.add(request.conversation, answer)


def _keep_so_far(answer: str, so_far: tuple[str, list[Mark], str], record: SentRecord | None, kept: Kept) -> None:
    with kept.archive.transaction():
        kept.history.stream(answer, *so_far)
        if record is not None:
            kept.history.record(record)


def _keep_end(kept: Kept, conversation: str, answer: StoredMessage, record: SentRecord | None) -> None:
    if record is not None and record.mode == "dp" and (total := spent(kept, conversation)) is not None:
        record = replace(record, epsilon=total.epsilon)
    with kept.archive.transaction():
        kept.history.finish(answer)
        if record is not None:
            kept.history.record(record)
