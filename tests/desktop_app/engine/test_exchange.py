"""Around a reply: the question is kept before all else, stand-ins leave, real words come back, and the end is kept."""

import asyncio
from collections.abc import Sequence

import pytest

from desktop_app.archive.errors import DiskFull
from desktop_app.chat.events import (
    DocumentText,
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
from desktop_app.chat.history import History
from desktop_app.chat.responder import ArchiveUnavailable, ProtectionFailed
from desktop_app.chat.stored import SentRecord, StoredMessage
from desktop_app.engine.exchange import KeptExchange, PlainExchange
from desktop_app.engine.keeper import Keeper
from desktop_app.engine.protection import Protection
from tests.helpers.protecting import ScriptedRecognition, keeper_in, protection_of, request_of

SENT = Statistics(mode="exact", peer="agent.example", model="m", bytes_up=10, bytes_down=20, rows=3, head_layers=4, tail_layers=2)


class Table:
    """A keeper in memory and protection that finds Marlowe."""

    def __init__(self) -> None:
        self.keeper: Keeper = keeper_in(None)
        self.protection: Protection
        self.recognition: ScriptedRecognition
        self.protection, self.recognition = protection_of("Marlowe", keeper=self.keeper)
        self.events: list[ReplyEvent] = []

    async def open(self, request: ReplyRequest) -> KeptExchange:
        exchange = KeptExchange(request, self.events.append, self.keeper, self.protection)
        await exchange.open()
        return exchange

    async def messages(self, conversation: str = "c", incognito: bool = False) -> list[StoredMessage]:
        return (await self.keeper.run(lambda kept: kept.history.load(conversation), conversation, incognito)).messages

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextAdded))


@pytest.fixture
def table() -> Table:
    return Table()


def _pieces(text: str, size: int) -> Sequence[str]:
    return [text[index : index + size] for index in range(0, len(text), size)]


@pytest.mark.parametrize("size", [1, 3, 100])
async def test_what_leaves_has_stand_ins_and_what_is_shown_has_the_real_words(table: Table, size: int) -> None:
    exchange = await table.open(request_of("Who is Marlowe?", documents=[DocumentText(name="a", text="Marlowe slept.")]))
    assert "Marlowe" not in str(exchange.request)
    protected = next(event for event in table.events if isinstance(event, QuestionProtected))
    stand_in = protected.marks[0].stand_in
    for piece in _pieces(f"It is {stand_in}.", size):
        exchange.emit(TextAdded(piece))
    assert isinstance(await exchange.end(ReplyFinished("end", SENT)), ReplyFinished)
    assert table.text == "It is Marlowe."
    assert protected.sent == exchange.request.turns[-1]
    assert "".join(event.sent for event in table.events if isinstance(event, TextAdded)) == f"It is {stand_in}."
    marks = [mark for event in table.events if isinstance(event, TextAdded) for mark in event.marks]
    assert [(mark.stand_in, mark.kind) for mark in marks] == [(stand_in, "person")]


async def test_question_marks_answer_and_record_are_kept(table: Table) -> None:
    exchange = await table.open(request_of("Who is Marlowe?", documents=[DocumentText(name="a", text="Marlowe slept.")]))
    stand_in = next(event for event in table.events if isinstance(event, QuestionProtected)).marks[0].stand_in
    await exchange.leave(LEAVING)
    exchange.emit(TextAdded(f"It is {stand_in}."))
    await exchange.end(ReplyFinished("length", SENT))
    question, answer = await table.messages()
    assert question.text == "Who is Marlowe?"
    assert [mark.start for mark in question.marks] == [7]
    assert [[mark.start for mark in marks] for marks in question.document_marks] == [[0]]
    assert (answer.text, answer.sent, answer.state, answer.at_limit) == ("It is Marlowe.", f"It is {stand_in}.", "complete", True)
    assert [answer.text[mark.start : mark.end] for mark in answer.marks] == ["Marlowe"]
    (record,) = await table.keeper.run(lambda kept: kept.history.sent("c"))
    assert (record.peer, record.rows, record.bytes_up, record.replaced) == ("agent.example", 3, 10, {"person": 2})


async def _records(table: Table) -> list[SentRecord]:
    return await table.keeper.run(lambda kept: kept.history.sent("c"))


LEAVING = Statistics(mode="exact", peer="agent.example", prompt_tokens=40, reused_tokens=10)


async def test_of_a_question_that_was_refused_nothing_is_said_to_have_left(table: Table) -> None:
    exchange = await table.open(request_of("Who is Marlowe?"))
    await exchange.end(ReplyFailed("Raise the budget.", kind="budget"))
    assert await _records(table) == []


async def test_to_whom_rows_leave_is_kept_before_the_first_and_once(table: Table) -> None:
    exchange = await table.open(request_of("Who is Marlowe?"))
    assert await _records(table) == []
    await exchange.leave(LEAVING)
    (record,) = await _records(table)
    assert (record.peer, record.rows, record.replaced) == ("agent.example", 30, {"person": 1})
    await exchange.end(ReplyFinished("end", SENT))
    (record,) = await _records(table)
    assert (record.rows, record.bytes_up) == (3, 10)


async def test_what_has_left_is_kept_while_the_answer_streams(table: Table) -> None:
    exchange = await table.open(request_of("Hello"))
    await exchange.leave(LEAVING)
    exchange.emit(StatisticsChanged(SENT))

    async def kept() -> None:
        while (await _records(table))[0].bytes_up != SENT.bytes_up:  # each look waits for the archive's thread
            pass

    await asyncio.wait_for(kept(), 10)
    await exchange.end(ReplyFinished("end", SENT))


@pytest.mark.parametrize("last", [ReplyFinished("stopped", Statistics()), ReplyFailed("It broke. Ask again.")])
async def test_an_end_without_figures_takes_none_back(table: Table, last: ReplyEvent) -> None:
    exchange = await table.open(request_of("Hello"))
    await exchange.leave(LEAVING)
    exchange.emit(StatisticsChanged(SENT))
    await exchange.end(last)
    (record,) = await _records(table)
    assert (record.peer, record.rows, record.bytes_up) == ("agent.example", 3, 10)
    assert (await table.messages())[1].statistics == SENT


async def test_where_nothing_is_sent_no_row_has_left(table: Table) -> None:
    exchange = await table.open(request_of("Hello"))
    await exchange.leave(Statistics(mode="only here", prompt_tokens=40))
    assert [record.rows for record in await _records(table)] == [0]
    await exchange.end(ReplyFinished("end", Statistics(mode="only here")))


async def test_the_question_is_kept_before_names_are_looked_for_and_stays_where_that_fails(table: Table) -> None:
    table.recognition.failure = ProtectionFailed("It crashed. Try again.")
    exchange = KeptExchange(request_of("Who is Marlowe?"), table.events.append, table.keeper, table.protection)
    with pytest.raises(ProtectionFailed):
        await exchange.open()
    await exchange.end(ReplyFailed("It crashed. Try again."))
    question, answer = await table.messages()
    assert question.text == "Who is Marlowe?"
    assert (answer.state, answer.sentence) == ("failed", "It crashed. Try again.")


async def test_an_answer_is_kept_while_it_streams(table: Table) -> None:
    exchange = await table.open(request_of("Hello"))
    exchange.emit(TextAdded("As far as it has come. And"))
    assert table.text.startswith("As far as it")

    async def kept() -> None:
        while (await table.messages())[1].text != table.text:  # each look waits for the archive's thread
            pass

    await asyncio.wait_for(kept(), 10)
    assert (await table.messages())[1].state == "streaming"
    await exchange.end(ReplyFinished("stopped", SENT))
    assert (await table.messages())[1].state == "stopped"


@pytest.mark.parametrize(
    ("last", "text", "state"),
    [
        (ReplyFinished("end", SENT), "a", "complete"),
        (ReplyFinished("stopped", SENT), "", "stopped"),
        (ReplyFailed("No."), "", "failed"),
        (ReplyFailed("No.", kind="interrupted"), "", "interrupted"),
        (ReplyFailed("No."), "a", "interrupted"),
    ],
)
async def test_each_way_to_end_is_kept_as_what_it_was(table: Table, last: ReplyEvent, text: str, state: str) -> None:
    exchange = await table.open(request_of("Hello"))
    if text:
        exchange.emit(TextAdded(text))
    assert await exchange.end(last) == last
    answer = (await table.messages())[1]
    assert (answer.state, answer.text) == (state, text)


async def test_turns_that_were_not_kept_are_kept_in_their_order(table: Table) -> None:
    await (await table.open(request_of("One", "Two", "Three"))).end(ReplyFinished("end", SENT))
    assert [(message.text, message.parent) for message in await table.messages()] == [
        ("One", ""), ("Two", "c-0"), ("Three", "c-1"), ("", "c-2"),
    ]  # fmt: skip


async def test_an_edited_question_is_a_sibling_and_nothing_is_lost(table: Table) -> None:
    await (await table.open(request_of("One", "Two", "Three"))).end(ReplyFinished("end", SENT))
    edited = request_of("One", "Two", "Three, but other")
    turns = [*edited.turns[:2], type(edited.turns[2])(role="user", text="Three, but other", identity="edited")]
    again = ReplyRequest(conversation="c", turns=turns, answer="answer-2", parent="c-1")
    await (await table.open(again)).end(ReplyFinished("end", SENT))
    parents = {message.text: message.parent for message in await table.messages() if message.text}
    assert parents["Three"] == parents["Three, but other"] == "c-1"


async def test_a_disk_that_is_full_at_the_end_is_told_and_the_text_was_shown(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange = await table.open(request_of("Hello"))
    exchange.emit(TextAdded("The answer"))

    def full(*_: object) -> None:
        raise DiskFull("The disk is full. Free some space.")

    monkeypatch.setattr(History, "finish", full)
    last = await exchange.end(ReplyFinished("end", SENT))
    assert isinstance(last, ReplyFailed)
    assert "disk is full" in last.sentence
    assert table.text == "The answer"


async def test_a_disk_that_is_full_at_the_start_sends_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise DiskFull("The disk is full. Free some space.")

    monkeypatch.setattr(History, "add", full)
    with pytest.raises(ArchiveUnavailable, match="disk is full"):
        await table.open(request_of("Hello"))
    assert table.recognition.asked == []


async def test_an_incognito_question_is_in_no_list(table: Table) -> None:
    await (await table.open(request_of("Hello", incognito=True))).end(ReplyFinished("end", SENT))
    assert await table.keeper.run(lambda kept: kept.keeping.lists()) == []
    assert len(await table.messages(incognito=True)) == 2


async def test_progress_of_the_search_is_told_and_other_events_pass(table: Table) -> None:
    exchange = await table.open(request_of("Hello"))
    assert any(isinstance(event, Progress) and event.stage == "protect" for event in table.events)
    exchange.emit(Progress("prompt", 1, 2))
    assert table.events[-1] == Progress("prompt", 1, 2)
    await exchange.end(ReplyFinished("end", SENT))


async def test_without_protection_text_passes_as_it_is(table: Table) -> None:
    exchange = await table.open(request_of("Who is Marlowe?", protect=False))
    assert exchange.request.turns[0].text == "Who is Marlowe?"
    exchange.emit(TextAdded("Marlowe"))
    await exchange.end(ReplyFinished("end", SENT))
    assert table.text == "Marlowe"


async def test_a_plain_exchange_hands_everything_on() -> None:
    events: list[ReplyEvent] = []
    exchange = PlainExchange(request_of("Hello"), events.append)
    await exchange.open()
    exchange.emit(TextAdded("a"))
    assert await exchange.end(ReplyFinished("end", SENT)) == ReplyFinished("end", SENT)
    assert events == [TextAdded("a")]
