"""A responder that says what a test wrote down: no engine, no process, no network.

It looks for `people` in what is asked (and for the values of the person's lists), keeps conversations in memory, and tells what
it would have sent: all that a window may ask of an engine, done honestly with literal words.
"""

import asyncio
import math
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from msgspec.structs import replace

from desktop_app.chat.events import (
    AgentState,
    ArchiveState,
    DocumentText,
    EngineNews,
    EngineState,
    Mark,
    ModelLoaded,
    Noise,
    QuestionProtected,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Split,
    Statistics,
    TextAdded,
    Turn,
)
from desktop_app.chat.responder import ArchiveUnavailable, ChatError, DocumentRefused, ProtectionFailed
from desktop_app.chat.stored import (
    Consequence,
    ConversationEntry,
    Decision,
    Found,
    NameList,
    NoiseSpent,
    NoiseWorth,
    Recovered,
    Review,
    SentRecord,
    StoredConversation,
    StoredMessage,
)
from tests.helpers.scripted_archive import KeptAnswer, ScriptedArchive

MODEL = ModelLoaded(name="SmolLM2 135M Instruct", layers=30, context=8192, first_layer=1, last_layer=29)
EMBEDDED = AgentState(connected=True, embedded=True, round_trip=0.0042, device="cpu")
FIGURES = Statistics(
    prompt_tokens=212,
    reply_tokens=180,
    steps=82,
    seconds=4.1,
    tokens_per_second=43.9,
    tokens_per_step=2.2,
    time_to_first_token=0.3,
    round_trip=0.0042,
    bytes_up=421_000,
    bytes_down=1_310_000,
    head_layers=4,
    middle_layers=24,
    tail_layers=2,
    device="cpu",
    dtype="float32",
)

BUDGET_SPENT = ReplyFailed(
    sentence="This would bring the epsilon of this conversation to 4.24, at a delta of 1e-06; 2.12 is spent, and the budget is "
    "4. Nothing was sent. Make it shorter, attach fewer documents, begin a new conversation for other texts, or raise the "
    "budget.",
    kind="budget",
    needed=4.24,
)


class ScriptedResponder:
    """Every reply plays `script`. With `hold` it waits before each event for `release`; `stop` ends it at once.

    `people` are the values that are found: each with its kind and stand-in. With `hold_review` a review waits for
    `release_review`; `review_failure` is the sentence with which the next reviews fail.
    """

    def __init__(self, script: list[ReplyEvent] | None = None, hold: bool = False, pause: float = 0.0) -> None:
        self.script: list[ReplyEvent] = script if script is not None else said("Hello.")
        self.hold = hold
        self.pause = pause
        self.requests: list[ReplyRequest] = []
        self.stopped: list[str] = []
        self.forgotten: list[str] = []
        self.prepared: list[tuple[str, Split]] = []
        self.documents: dict[str, DocumentText | str] = {}
        self.imports: dict[str, list[str]] = {}
        self.people: dict[str, tuple[str, str]] = {}
        self.decisions: dict[str, dict[str, Decision]] = defaultdict(dict)
        self.reviews: list[ReplyRequest] = []
        self.hold_review = False
        self.release_review = asyncio.Event()
        self.review_failure = ""
        self.archive = ScriptedArchive()
        self.figures: list[Recovered] = []
        self.spent: dict[str, NoiseSpent] = {}
        self.worth = NoiseWorth(epsilon=3.52, success=3.1e-5, prior=1e-6, tokens=18)
        self.started = self.closed = False
        self.without_lists = False
        self.left_out = 0
        self._incognito_records: dict[str, list[SentRecord]] = defaultdict(list)
        self._listeners: list[Callable[[EngineNews], None]] = []
        self._permits = asyncio.Semaphore(0)
        self._stop: dict[str, asyncio.Event] = {}

    def release(self, events: int = 1) -> None:
        """Let this many more events out."""
        for _ in range(events):
            self._permits.release()

    def tell(self, news: EngineNews) -> None:
        """Give news to every listener."""
        for listener in self._listeners:
            listener(news)

    async def start(self) -> None:
        self.started = True
        for news in (EngineState(running=True), MODEL, EMBEDDED, self._archive_state()):
            self.tell(news)

    async def prepare(self, model: str, split: Split) -> None:
        self.prepared.append((model, split))

    async def close(self) -> None:
        self.closed = True

    # replies

    async def reply(self, request: ReplyRequest) -> AsyncIterator[ReplyEvent]:
        self.requests.append(request)
        stop = self._stop[request.conversation] = asyncio.Event()
        try:
            question = self._question(request)
            with self.archive.answer(request, question) as kept:
                kept.grow()
                if request.protect:
                    yield QuestionProtected(question.marks, question.document_marks)
                script = list(self.script) if self._charge(request) else [BUDGET_SPENT]
                async for event in self._play([_in_mode(event, request) for event in script], stop):
                    self._keep(request, kept, event)
                    yield event
        except ArchiveUnavailable as error:
            yield ReplyFailed(sentence=str(error))

    async def _play(self, script: list[ReplyEvent], stop: asyncio.Event) -> AsyncIterator[ReplyEvent]:
        for event in script:
            if not await self._may_go_on(stop):
                yield ReplyFinished(reason="stopped", statistics=FIGURES)
                return
            yield event

    async def _may_go_on(self, stop: asyncio.Event) -> bool:
        if self.hold:
            permit, stopped = asyncio.ensure_future(self._permits.acquire()), asyncio.ensure_future(stop.wait())
            try:
                await asyncio.wait({permit, stopped}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (permit, stopped):
                    task.cancel()
        else:
            await asyncio.sleep(self.pause)
        return not stop.is_set()

    def _question(self, request: ReplyRequest) -> StoredMessage:
        turn = request.turns[-1]
        review = (
            self._find(request) if request.protect else Review(found=[], marks=[], document_marks=[[] for _ in turn.documents])
        )
        return StoredMessage(
            identity=turn.identity,
            parent="",
            role="user",
            text=turn.text,
            marks=review.marks,
            documents=turn.documents,
            document_marks=review.document_marks,
        )

    def _keep(self, request: ReplyRequest, kept: KeptAnswer, event: ReplyEvent) -> None:
        match event:
            case TextAdded(text=text, marks=marks):
                before = len(kept.message.text)
                moved = [
                    Mark(start=m.start + before, end=m.end + before, kind=m.kind, stand_in=m.stand_in, doubtful=m.doubtful)
                    for m in marks
                ]
                kept.grow(text=kept.message.text + text, marks=kept.message.marks + moved)
            case ReplyFinished(reason=reason, statistics=statistics):
                kept.end("stopped" if reason == "stopped" else "complete", statistics=statistics, at_limit=reason == "length")
                self._record(request, statistics)
            case ReplyFailed(sentence=sentence, statistics=statistics, kind=kind):
                state = "interrupted" if kind == "interrupted" or kept.message.text else "failed"
                kept.end(state, statistics=statistics, sentence=sentence)
                if kind != "budget":
                    self._record(request, statistics)

    def _record(self, request: ReplyRequest, statistics: Statistics) -> None:
        replaced: dict[str, int] = defaultdict(int)
        for found in self._find(request).found if request.protect else []:
            if found.replaced:
                replaced[found.kind] += found.count
        record = SentRecord(
            message=request.answer,
            time=self.archive.now(),
            mode=statistics.mode,
            peer="this computer",
            model=MODEL.name,
            bytes_up=statistics.bytes_up,
            bytes_down=statistics.bytes_down,
            rows=statistics.prompt_tokens + statistics.reply_tokens,
            head_layers=request.split.head,
            tail_layers=request.split.tail,
            protect=request.protect,
            replaced=dict(replaced),
            noise=request.noise if statistics.mode == "dp" else None,
            codes=statistics.prompt_tokens if statistics.mode == "dp" else -1,
            epsilon=self.spent[request.conversation].epsilon if statistics.mode == "dp" else -1.0,
        )
        records = self._incognito_records if request.incognito else self.archive.records
        records.setdefault(request.conversation, []).append(record)

    async def stop(self, conversation: str) -> None:
        self.stopped.append(conversation)
        if conversation in self._stop:
            self._stop[conversation].set()

    async def forget(self, conversation: str) -> None:
        self.forgotten.append(conversation)
        self._incognito_records.pop(conversation, None)
        self.decisions.pop(conversation, None)

    async def read_document(self, path: Path) -> DocumentText:
        await asyncio.sleep(0)
        known = self.documents.get(path.name)
        if isinstance(known, DocumentText):
            return known
        raise DocumentRefused(known or f"{path.name} could not be read. Choose another document.")

    # what is replaced

    async def review(self, request: ReplyRequest) -> Review:
        self.reviews.append(request)
        if self.hold_review:
            await self.release_review.wait()
        await asyncio.sleep(0)
        if self.review_failure:
            raise ProtectionFailed(self.review_failure)
        return self._find(request)

    def _find(self, request: ReplyRequest) -> Review:
        turn = request.turns[-1]
        decisions = self.decisions[request.conversation]
        known = dict(self.people)
        for names in self.archive.lists.values():
            known |= {value: (names.kind, f"{value[::-1]}") for value in names.values if not names.never}
        known |= {d.value: (d.kind, d.stand_in or known.get(d.value, ("", f"{d.value[::-1]}"))[1]) for d in decisions.values()}
        kept_out = {value for names in self.archive.lists.values() if names.never for value in names.values}
        kept_out |= {decision.value for decision in decisions.values() if not decision.replaced}
        pattern = re.compile("|".join(re.escape(value) for value in sorted(known, key=len, reverse=True)) or r"(?!)")
        texts = {"": turn.text} | {document.name: document.text for document in turn.documents}
        counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        marks: dict[str, list[Mark]] = {}
        for place, text in texts.items():
            marks[place] = []
            for match in pattern.finditer(text):
                counts[match[0]][place] += 1
                if match[0] not in kept_out:
                    kind, stand_in = known[match[0]]
                    marks[place].append(Mark(start=match.start(), end=match.end(), kind=kind, stand_in=stand_in))
        found = [
            Found(
                value=value,
                kind=known[value][0],
                source="mark" if value in decisions else "name",
                stand_in=known[value][1],
                count=sum(places.values()),
                places=list(places),
                replaced=value not in kept_out,
            )
            for value, places in counts.items()
        ]
        return Review(found=found, marks=marks[""], document_marks=[marks[document.name] for document in turn.documents])

    async def decide(self, conversation: str, incognito: bool, decisions: list[Decision]) -> list[Consequence]:
        if not incognito:
            self.archive.check()
        sent: list[Turn] = []
        for request in self.requests:
            if request.conversation == conversation:
                sent += [turn for turn in request.turns if turn not in sent]
        late: list[Consequence] = []
        for decision in decisions:
            known = decision.value in self.people or decision.value in self.decisions[conversation]
            messages = sum(decision.value in "\n".join([t.text, *(d.text for d in t.documents)]) for t in sent)
            if decision.replaced and messages and not known:
                late.append(Consequence(value=decision.value, messages=messages, peer="this computer"))
            self.decisions[conversation][decision.value] = decision
        return late

    async def lists(self) -> list[NameList]:
        self.archive.check()
        return list(self.archive.lists.values())

    async def keep_list(self, names: NameList) -> None:
        self.archive.check()
        self.archive.lists[names.name] = names
        if not names.values:
            del self.archive.lists[names.name]

    async def import_list(self, path: Path, name: str, kind: str) -> NameList:
        self.archive.check()
        if path.name not in self.imports:
            raise DocumentRefused(f"{path.name} could not be read as a list. Choose a text or CSV file.")
        before = self.archive.lists.get(name)
        values = [*(before.values if before else []), *self.imports[path.name]]
        names = NameList(name=name, kind=kind, values=list(dict.fromkeys(values)))
        await self.keep_list(names)
        return replace(names, left_out=self.left_out)

    # what is kept

    async def conversations(self) -> list[ConversationEntry]:
        return self.archive.listed()

    async def open_conversation(self, conversation: str) -> StoredConversation:
        return self.archive.opened(conversation)

    async def keep_branch(self, conversation: str, protect: bool, messages: list[StoredMessage], noise: Noise | None) -> None:
        self.archive.branch(conversation, protect, messages, noise)

    async def rename_conversation(self, conversation: str, title: str) -> None:
        self.archive.rename(conversation, title)

    async def delete_conversation(self, conversation: str) -> None:
        self.archive.delete(conversation)

    async def sent(self, conversation: str, incognito: bool) -> list[SentRecord]:
        records = self._incognito_records if incognito else self.archive.records
        return list(records.get(conversation, []))

    async def recovered(self, model: str, split: Split, protect: bool, mu: float = 0.0) -> list[Recovered]:
        return [row for row in self.figures if (mu / 2 <= row.mu <= 2 * mu if mu else not row.mu)]

    async def noise_spent(self, conversation: str) -> NoiseSpent | None:
        return self.spent.get(conversation)

    async def noise_worth(self, noise: Noise, model: str) -> NoiseWorth:
        return self.worth

    async def set_noise_budget(self, conversation: str, epsilon: float, delta: float) -> None:
        if conversation not in self.spent:
            raise ChatError("Nothing was sent under noise. Ask something first.")
        self.spent[conversation] = replace(self.spent[conversation], budget=epsilon, delta=delta)

    def _charge(self, request: ReplyRequest) -> bool:
        """Whether the budget allows what is asked: every token of the prompt costs an epsilon of 0.01."""
        noise = request.noise
        if noise is None:
            return True
        before = self.spent.get(request.conversation) or NoiseSpent(
            epsilon=0.0, delta=noise.delta, budget=noise.epsilon, tokens=0, success=1e-6, prior=1e-6,
            per=noise.per, exact=False,
        )  # fmt: skip
        tokens = before.tokens + FIGURES.prompt_tokens
        after = replace(before, epsilon=tokens / 100, tokens=tokens, success=min(1.0, 1e-6 * math.exp(tokens / 100)))
        allowed = after.epsilon <= before.budget
        self.spent[request.conversation] = after if allowed else before
        return allowed

    async def unlock(self, passphrase: str) -> None:
        await asyncio.sleep(0)
        if self.archive.state == "new":
            self.archive.passphrase = passphrase
        elif passphrase != self.archive.passphrase:
            raise ArchiveUnavailable("This passphrase does not open the archive. Try again.")
        self.archive.state = "open"
        self.tell(self._archive_state())

    async def go_on_without_lists(self) -> None:
        self.without_lists = True

    def _archive_state(self) -> ArchiveState:
        return ArchiveState(self.archive.state, self.archive.sentence)  # type: ignore[arg-type]

    def listen(self, listener: Callable[[EngineNews], None]) -> None:
        self._listeners.append(listener)


def _in_mode(event: ReplyEvent, request: ReplyRequest) -> ReplyEvent:
    """The event with the mode in its figures, where rows have left."""
    if request.noise is None or not isinstance(event, ReplyFinished | ReplyFailed) or event.statistics == Statistics():
        return event
    return replace(event, statistics=replace(event.statistics, mode="dp", head_layers=0))


def said(text: str, size: int = 4, people: dict[str, tuple[str, str]] | None = None) -> list[ReplyEvent]:
    """The script of a reply that says `text` in pieces of about `size` characters and ends well; `people` in it are marked.

    A stand-in that ends with "?" is a doubtful one.
    """
    pattern = re.compile("|".join(re.escape(value) for value in sorted(people or {}, key=len, reverse=True)) or r"(?!)")
    spans = [match.span() for match in pattern.finditer(text)]
    pieces: list[ReplyEvent] = []
    start = 0
    while start < len(text):
        # No piece ends within a marked word.
        end = next((after for before, after in spans if before < min(start + size, len(text)) < after), start + size)
        marks = [
            Mark(start=before - start, end=after - start, kind=kind, stand_in=stand_in.rstrip("?"), doubtful=stand_in[-1:] == "?")
            for before, after in spans
            if start <= before < end
            for kind, stand_in in [(people or {})[text[before:after]]]
        ]
        pieces.append(TextAdded(text=text[start:end], marks=marks))
        start = end
    return [*pieces, ReplyFinished(reason="end", statistics=FIGURES)]
