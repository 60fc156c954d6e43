"""What identifies a person is replaced here, before a question leaves the engine for the model.

Finding takes long (a child process with models for names), replacing does not. So what was found in a text is remembered by the
text's digest, and every question replaces anew, in all its turns: a name that was learnt from the third question is then also
replaced in the first. Where that changes a text that has been sent before, its rows are sent again.

An answer goes back to the model as the model wrote it (`StoredMessage.sent`), not as a second replacement of the restored text,
so that its rows can be used again. One that was made without protection is a text like any other.
"""

import asyncio
import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from desktop_app.chat.events import Mark, ReplyRequest, Turn
from desktop_app.chat.history import ConversationGone
from desktop_app.chat.responder import ProtectionFailed
from desktop_app.chat.stored import Consequence, Decision, Found, Review
from desktop_app.engine.consequences import consequences
from desktop_app.engine.document_names import neutral_names
from desktop_app.engine.keeper import Keeper, Kept
from desktop_app.engine.recognition import Recognition
from desktop_app.privacy.errors import PrivacyError
from desktop_app.privacy.keeping import KeptList
from desktop_app.privacy.language.unread_scripts import unread_scripts
from desktop_app.privacy.naming import Entry, Naming, Protected
from desktop_app.privacy.spans import Kind, Source, Span, outside

T = TypeVar("T")

ROUNDS = 8
REPLACE_SECONDS = 120.0
REMEMBERED = 20_000_000
"""Characters of text whose spans are remembered."""


@dataclass(slots=True)
class ProtectedRequest:
    """A request whose turns hold stand-ins; the marks are places in the real words of the last question and its documents."""

    request: ReplyRequest
    asked: ReplyRequest
    naming: Naming | None = None
    marks: list[Mark] = field(default_factory=list)
    document_marks: list[list[Mark]] = field(default_factory=list)

    @property
    def unread(self) -> list[str]:
        """The scripts in which words of the question and its documents leave that no recogniser has read."""
        question = self.asked.turns[-1]
        texts = [question.text, *(document.text for document in question.documents)]
        left = zip(texts, (self.marks, *self.document_marks), strict=True)
        return unread_scripts(part for text, marks in left for part in outside(text, marks))

    @property
    def replaced(self) -> dict[str, int]:
        """How many spans of each kind were replaced in the question and its documents."""
        return dict(Counter(mark.kind for marks in (self.marks, *self.document_marks) for mark in marks))


class ForNoise(NamedTuple):
    """A request, the protected values in it with their kinds, and what the names of documents leave as."""

    request: ReplyRequest
    values: dict[str, str]
    names: dict[str, str]


@dataclass(slots=True)
class _Branches:
    """The stand-ins of one conversation; `kept` of its entries are in the archive."""

    naming: Naming
    kept: int
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class _Lists:
    """The person's lists as recognisers take them, and a version that tells them from others. Slow where they are long."""

    def __init__(self, kept: list[KeptList]) -> None:
        self.kept = kept
        self.always = {value: Kind(names.kind) for names in kept if not names.never for value in names.values}
        self.never = {value for names in kept if names.never for value in names.values}
        self.version = hashlib.sha256(repr((sorted(self.always.items()), sorted(self.never))).encode()).digest()


class Protection:
    """Replaces protected spans, conversation by conversation. Belongs to the engine's event loop."""

    def __init__(self, keeper: Keeper, recognition: Recognition) -> None:
        self._keeper = keeper
        self._recognition = recognition
        self._conversations: dict[str, _Branches] = {}
        self._spans: OrderedDict[bytes, tuple[int, list[Span]]] = OrderedDict()
        self._lists = _Lists([])

    async def protect(self, request: ReplyRequest, progress: Callable[[int, int], None]) -> ProtectedRequest:
        """Replace in all turns, and keep the new stand-ins. Raises `ProtectionFailed`: nothing may be sent then."""
        if not request.protect:
            return ProtectedRequest(request, request)
        return (await self._protect(request, progress))[0]

    async def find(self, request: ReplyRequest, progress: Callable[[int, int], None]) -> ForNoise:
        """The protected values of all turns, for noise of their own; nothing is replaced but the names of documents.

        They are what stand-ins would take the place of, in all turns and however a later one writes a name of an earlier one.
        Answers are as the model wrote them. Raises `ProtectionFailed`: nothing may be sent then.
        """
        branches = await self._branches(request.conversation, request.incognito)
        async with branches.lock:
            names = neutral_names(branches.naming, (it.name for turn in request.turns for it in turn.documents))
            answers = await self._answers(request)
            found = await self._find(_texts(request, answers), progress)
            protected = await self._in_time(request.conversation, partial(_protected, branches.naming, found))
        values: dict[str, str] = {}
        for text, spans in found.items():
            marks = [Mark(start=it.start, end=it.end, kind=it.kind) for it in spans]
            for mark in (*marks, *_marks(protected[text])):
                values.setdefault(text[mark.start : mark.end].strip(), mark.kind)
        never = {it.value for it in await self._decisions(request.conversation, request.incognito) if not it.replaced}
        turns = [
            replace(
                turn,
                text=answers.get(turn.identity, turn.text),
                documents=[replace(it, name=names[it.name]) for it in turn.documents],
            )
            for turn in request.turns
        ]
        kept = {value: kind for value, kind in values.items() if value and value not in never}
        return ForNoise(replace(request, turns=turns), kept, names)

    async def review(self, request: ReplyRequest, progress: Callable[[int, int], None]) -> Review:
        """What would be replaced in the last question. The stand-ins shown are those that will leave. Raises as `protect`."""
        protected, found = await self._protect(request, progress)
        decisions = await self._decisions(request.conversation, request.incognito)
        question = request.turns[-1]
        rows = _rows(question, protected, found) + _left_alone(question, decisions)
        return Review(found=rows, marks=protected.marks, document_marks=protected.document_marks, unread=protected.unread)

    async def _protect(
        self, request: ReplyRequest, progress: Callable[[int, int], None]
    ) -> tuple[ProtectedRequest, dict[str, list[Span]]]:
        branches = await self._branches(request.conversation, request.incognito)
        async with branches.lock:
            answers = await self._answers(request)
            found = await self._find(_texts(request, answers), progress)
            replace_in = partial(_replaced, request, branches.naming, found, answers)
            protected = await self._in_time(request.conversation, replace_in)
            await self._keep_entries(request, branches)
        return protected, found

    async def _in_time(self, conversation: str, job: Callable[[], T]) -> T:
        """What a job with the conversation's naming gives, in a thread. Raises `ProtectionFailed`."""
        try:
            return await asyncio.wait_for(asyncio.to_thread(job), REPLACE_SECONDS)
        except PrivacyError as error:
            raise ProtectionFailed(str(error)) from error
        except TimeoutError:
            # The thread cannot be ended: what it still does is done to a naming that nobody uses any more.
            self._conversations.pop(conversation, None)
            raise ProtectionFailed(
                "Replacing names took too long and was given up; nothing was sent. Try again, or a part of the text."
            ) from None

    async def decide(self, conversation: str, incognito: bool, decisions: Sequence[Decision]) -> list[Consequence]:
        """Hold to the person's words from now on; tells for which of them it is too late."""
        branches = await self._branches(conversation, incognito)
        async with branches.lock:
            late = await self._keeper.run(lambda kept: consequences(kept, conversation, decisions), conversation, incognito)
            await self._keeper.run(lambda kept: _keep_decisions(kept, conversation, decisions), conversation, incognito)
            for decision in decisions:
                _decide(branches.naming, decision)
        return late

    def left(self, conversation: str) -> None:
        """The conversation is not open any more."""
        self._conversations.pop(conversation, None)

    def close(self) -> None:
        """End the process that looks for names."""
        self._recognition.close()

    async def _branches(self, conversation: str, incognito: bool) -> _Branches:
        if conversation not in self._conversations:
            blobs = await self._keeper.run(lambda kept: kept.keeping.entries(conversation), conversation, incognito)
            naming = Naming(msgspec.msgpack.decode(blob, type=Entry) for blob in blobs)
            for decision in await self._decisions(conversation, incognito):
                _decide(naming, decision)
            self._conversations.setdefault(conversation, _Branches(naming, len(blobs)))
        return self._conversations[conversation]

    async def _decisions(self, conversation: str, incognito: bool) -> list[Decision]:
        blobs = await self._keeper.run(lambda kept: kept.keeping.decisions(conversation), conversation, incognito)
        return [msgspec.msgpack.decode(blob, type=Decision) for blob in blobs]

    async def _keep_entries(self, request: ReplyRequest, branches: _Branches) -> None:
        new = [msgspec.msgpack.encode(entry) for entry in branches.naming.entries[branches.kept :]]
        if new:
            conversation = request.conversation
            await self._keeper.run(lambda kept: kept.keeping.add_entries(conversation, new), conversation, request.incognito)
            branches.kept += len(new)

    async def _find(
        self, texts: Sequence[str], progress: Callable[[int, int], None] = lambda done, total: None
    ) -> dict[str, list[Span]]:
        """The spans of each text; those of texts that were seen before, with the same lists, are remembered."""
        kept = await self._keeper.lists()
        if kept != self._lists.kept:
            self._lists = await asyncio.to_thread(_Lists, kept)
        lists = self._lists
        digests = {text: _digest(text, lists.version) for text in texts}
        new = [text for text, digest in digests.items() if digest not in self._spans]
        for text, found in zip(new, await self._recognition.find(new, lists.always, lists.never, progress), strict=True):
            self._spans[digests[text]] = (len(text), found)
        for digest in digests.values():
            self._spans.move_to_end(digest)
        result = {text: self._spans[digest][1] for text, digest in digests.items()}
        while sum(size for size, _ in self._spans.values()) > REMEMBERED and len(self._spans) > 1:
            self._spans.popitem(last=False)
        return result

    async def _answers(self, request: ReplyRequest) -> dict[str, str]:
        """The answers of the request that are kept and were made under protection, as the model wrote them, by identity."""
        asked = {turn.identity: turn.text for turn in request.turns if turn.role == "assistant" and turn.identity}
        if not asked:
            return {}
        try:
            return await self._keeper.run(
                lambda kept: _answers_kept(kept, request.conversation, asked), request.conversation, request.incognito
            )
        except ConversationGone:
            return {}


def _answers_kept(kept: Kept, conversation: str, asked: Mapping[str, str]) -> dict[str, str]:
    """Which of these answers hold stand-ins for all that was found; without protection they hold the real words."""
    protected = {record.message for record in kept.history.sent(conversation) if record.protect or record.mode == "dp"}
    messages = kept.history.load(conversation).messages
    return {it.identity: it.sent for it in messages if it.identity in protected and it.sent and asked.get(it.identity) == it.text}


def _replaced(
    request: ReplyRequest, naming: Naming, found: Mapping[str, Sequence[Span]], answers: Mapping[str, str]
) -> ProtectedRequest:
    """The request with stand-ins. Raises `PrivacyError`."""
    result = ProtectedRequest(request, request, naming)
    turns = []
    names = neutral_names(naming, (document.name for turn in request.turns for document in turn.documents))
    protected = _protected(naming, {**dict.fromkeys(request.sampling.stop, ()), **found})
    for turn in request.turns:
        if turn.identity in answers:
            turns.append(replace(turn, text=naming.protect_reply(answers[turn.identity])))
            continue
        documents = [replace(it, name=names[it.name], text=protected[it.text].text) for it in turn.documents]
        turns.append(replace(turn, text=protected[turn.text].text, documents=documents))
        result.marks = _marks(protected[turn.text])
        result.document_marks = [_marks(protected[it.text]) for it in turn.documents]
    stop = [protected[text].text for text in request.sampling.stop]
    result.request = replace(request, turns=turns, sampling=replace(request.sampling, stop=stop))
    return result


def _protected(naming: Naming, found: Mapping[str, Sequence[Span]]) -> dict[str, Protected]:
    """Each text with stand-ins. Again while names are learnt: one of a later text is one in the earlier too."""
    naming.meet(found)
    for _ in range(ROUNDS):
        known = len(naming.entries)
        protected = {text: naming.protect(text, spans) for text, spans in found.items()}
        if len(naming.entries) == known:
            return protected
    raise ProtectionFailed("Names in this text bring up ever more names, so nothing was sent. Send it in smaller parts.")


def _texts(request: ReplyRequest, answers: Mapping[str, str]) -> list[str]:
    """Every text that may hold a name: of all turns but the answers that are kept as the model wrote them."""
    turns = [turn for turn in request.turns if turn.identity not in answers]
    return [text for turn in turns for text in (turn.text, *(document.text for document in turn.documents))]


def _marks(protected: Protected) -> list[Mark]:
    return [Mark(start=it.start, end=it.end, kind=it.kind, stand_in=it.stand_in) for it in protected.replaced]


def _rows(question: Turn, protected: ProtectedRequest, found: Mapping[str, Sequence[Span]]) -> list[Found]:
    """The review's rows: one for each value and kind, in the order in which they stand."""
    places = [("", question.text, protected.marks)]
    places += [(it.name, it.text, marks) for it, marks in zip(question.documents, protected.document_marks, strict=True)]
    rows: dict[tuple[str, str], Found] = {}
    for place, text, marks in places:
        sources = {(span.start, span.end): span.source for span in found.get(text, [])}
        for mark in marks:
            value = text[mark.start : mark.end]
            row = rows.get((value, mark.kind))
            if row is None:
                source = sources.get((mark.start, mark.end), Source.SEEN)
                row = Found(value=value, kind=mark.kind, source=source, stand_in=mark.stand_in, count=0, places=[])
            rows[value, mark.kind] = replace(row, count=row.count + 1, places=list(dict.fromkeys([*row.places, place])))
    return list(rows.values())


def _left_alone(question: Turn, decisions: Sequence[Decision]) -> list[Found]:
    """What the person said is never to be replaced, where it stands in this question."""
    texts = [("", question.text), *((document.name, document.text) for document in question.documents)]
    rows = []
    for decision in decisions:
        places = [place for place, text in texts if decision.value in text]
        if places and not decision.replaced:
            count = sum(text.count(decision.value) for _, text in texts)
            rows.append(
                Found(
                    value=decision.value,
                    kind=decision.kind,
                    source=Source.MARK,
                    stand_in="",
                    count=count,
                    places=places,
                    replaced=False,
                )
            )
    return rows


def _decide(naming: Naming, decision: Decision) -> None:
    naming.decide(decision.value, Kind(decision.kind), decision.replaced, decision.stand_in)


def _keep_decisions(kept: Kept, conversation: str, decisions: Sequence[Decision]) -> None:
    for decision in decisions:
        kept.keeping.decide(conversation, decision.value, msgspec.msgpack.encode(decision))


def _digest(text: str, version: bytes) -> bytes:
    return hashlib.sha256(version + text.encode("utf-8", "surrogatepass")).digest()
