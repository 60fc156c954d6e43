"""Whole replies of the real engine on the starter model: turns, edits, stops, lost agents, and several at a time."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from desktop_app.chat.events import (
    PADDED,
    STEADY,
    DocumentText,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Sampling,
    Shape,
    Split,
    TextAdded,
    Turn,
)
from remote_agent.wire.frames import MAX_FRAME_BYTES
from tests.helpers.engine_harness import Harness, engine_harness, turns_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

FIRST = "Name three fruits."
SECOND = "And three vegetables?"


@pytest.fixture
async def engine(models_directory: Path, starter_model: Path) -> AsyncIterator[Harness]:
    async with engine_harness(models_directory, "float32") as harness:
        yield harness


async def test_a_second_turn_and_an_edit_send_only_what_is_new_and_change_nothing_else(engine: Harness) -> None:
    first = await engine.ask(turns_of(FIRST), conversation="a")
    second = await engine.ask(turns_of(FIRST, first.text, SECOND), conversation="a")
    figures = second.statistics
    new = figures.prompt_tokens - figures.reused_tokens
    assert figures.reused_tokens >= first.statistics.prompt_tokens + first.statistics.reply_tokens - 1
    assert figures.bytes_up < (new + figures.reply_tokens + 20) * 2304 * 1.3

    anew = await engine.ask(turns_of(FIRST, first.text, SECOND))
    assert anew.statistics.reused_tokens == 0
    assert anew.tokens == second.tokens
    assert anew.statistics.bytes_up > figures.bytes_up

    edited = await engine.ask(turns_of(FIRST, first.text, "Who wrote Hamlet?"), conversation="a")
    assert edited.statistics.reused_tokens >= first.statistics.prompt_tokens
    assert edited.tokens == (await engine.ask(turns_of(FIRST, first.text, "Who wrote Hamlet?"))).tokens


async def test_a_regenerated_reply_is_as_if_it_were_the_first(engine: Harness) -> None:
    sampling = Sampling(temperature=0.9, seed=4, max_tokens=16)
    replies = [await engine.ask(turns_of(FIRST), conversation="a", sampling=sampling) for _ in range(2)]
    assert replies[0].tokens == replies[1].tokens
    assert replies[1].statistics.reused_tokens == replies[1].statistics.prompt_tokens - 1


async def test_replies_at_the_same_time_do_not_touch_each_other(engine: Harness) -> None:
    questions = [FIRST, "Say a word.", "Count from one to nine.", "Write a haiku."]
    alone = [(await engine.ask(question)).tokens for question in questions]
    together = await asyncio.gather(*(engine.ask(question) for question in questions))
    assert [outcome.tokens for outcome in together] == alone


async def test_a_conversation_that_is_being_answered_refuses_a_second_question(engine: Harness) -> None:
    both = await asyncio.gather(*(engine.ask(FIRST, conversation="a") for _ in range(2)))
    assert sorted(bool(outcome.sentence) for outcome in both) == [False, True]


async def test_stop_ends_the_reply_at_once_and_the_next_turn_goes_on_from_there(engine: Harness) -> None:
    events: list[object] = []

    def emit(event: object) -> None:
        events.append(event)
        if isinstance(event, TextAdded) and not isinstance(events[-2], TextAdded):
            loop.call_soon_threadsafe(engine.replies.stop, "a")

    loop = asyncio.get_running_loop()
    sampling = Sampling(temperature=0.0, max_tokens=400)
    request = ReplyRequest(conversation="a", turns=turns_of("Tell a long story."), sampling=sampling)
    tokens = await engine.replies.make(request, emit)
    assert isinstance(events[-1], ReplyFinished)
    assert events[-1].reason == "stopped"
    assert 0 < len(tokens) < 400
    text = "".join(event.text for event in events if isinstance(event, TextAdded))
    after = await engine.ask(turns_of("Tell a long story.", text, SECOND), conversation="a")
    assert after.sentence == ""
    assert after.tokens == (await engine.ask(turns_of("Tell a long story.", text, SECOND))).tokens


async def test_an_answer_whose_engine_closes_ends_with_its_own_figures(engine: Harness) -> None:
    events: list[object] = []

    def emit(event: object) -> None:
        if isinstance(event, TextAdded) and not any(isinstance(it, TextAdded) for it in events):
            loop.call_soon_threadsafe(making.cancel)
        events.append(event)

    loop = asyncio.get_running_loop()
    sampling = Sampling(temperature=0.0, max_tokens=400)
    making = engine.replies.make(ReplyRequest(conversation="a", turns=turns_of("Tell a long story."), sampling=sampling), emit)
    await asyncio.wait((making,))
    last = events[-1]
    assert isinstance(last, ReplyFinished)
    assert last.reason == "stopped"
    assert last.statistics.peer
    assert last.statistics.rows >= last.statistics.prompt_tokens
    assert last.statistics.reply_tokens < 400


async def test_a_stop_before_the_first_token_is_heard(engine: Harness) -> None:
    events: list[object] = []
    making = asyncio.ensure_future(engine.replies.make(ReplyRequest(conversation="a", turns=turns_of(FIRST)), events.append))
    await asyncio.sleep(0)
    engine.replies.stop("a")
    assert await making == []
    assert isinstance(events[-1], ReplyFinished)


async def test_the_next_question_may_come_with_the_end_of_the_answer(engine: Harness) -> None:
    sampling = Sampling(temperature=0.0, max_tokens=1)
    request = ReplyRequest(conversation="a", turns=turns_of(FIRST), sampling=sampling)
    ends: list[object] = []
    more: list[asyncio.Task[list[int]]] = []

    def emit(event: object) -> None:
        if isinstance(event, ReplyFinished | ReplyFailed):
            ends.append(event)
            if len(ends) < 20:
                more.append(engine.replies.make(request, emit))

    more.append(engine.replies.make(request, emit))
    while len(ends) < 20:
        await more[-1]
    assert [type(end) for end in ends] == [ReplyFinished] * 20


async def test_another_model_waits_for_the_answers_under_way(engine: Harness) -> None:
    sampling = Sampling(temperature=0.0, max_tokens=24)
    slow = ReplyRequest(conversation="a", turns=turns_of("Tell a story."), sampling=sampling)
    other = ReplyRequest(conversation="b", turns=turns_of(FIRST), sampling=sampling, dtype="bfloat16")
    ends: list[object] = []
    both = [engine.replies.make(request, ends.append) for request in (slow, other)]
    assert all(await asyncio.gather(*both))
    assert not any(isinstance(event, ReplyFailed) for event in ends)


@pytest.mark.parametrize("shape", [PADDED, msgspec.structs.replace(STEADY, tick=0.04)], ids=lambda shape: shape.name)
async def test_a_shaped_reply_is_the_same_and_its_traffic_that_of_any_other(engine: Harness, shape: Shape) -> None:
    sampling = Sampling(temperature=0.7, seed=3, max_tokens=24)
    await engine.ask(FIRST)
    client = (await engine.replies.prepare("", Split(), "float32", lambda progress: None))[1]
    assert client is not None
    frames: list[tuple[bool, int]] = []
    client.watch(lambda sent, frame: frames.append((sent, len(frame))))
    traffic = set()
    for question in (FIRST, "Count from one to nine."):
        plain = await engine.ask(question, sampling=sampling)
        frames.clear()
        shaped = await engine.ask(question, sampling=sampling, shape=shape)
        assert shaped.tokens == plain.tokens
        figures = shaped.statistics
        assert figures.shape == shape.name
        # The agent pads from when it has seen a padded frame; a ping may have crossed it.
        begin = frames.index((False, MAX_FRAME_BYTES))
        assert {size for _, size in frames[begin:]} == {MAX_FRAME_BYTES}
        assert sum(size for sent, size in frames if sent) >= figures.bytes_up
        assert figures.padding_bytes > figures.bytes_up
        traffic.add((figures.bytes_up, figures.bytes_down))
    # How many beats a reply takes depends on how fast this machine is.
    assert len(traffic) == 1 or shape.tick


async def test_the_next_question_waits_for_the_dummies_of_a_shaped_reply_and_deleting_ends_them(engine: Harness) -> None:
    sampling = Sampling(temperature=0.0, max_tokens=6)
    request = ReplyRequest(conversation="a", turns=turns_of(FIRST), sampling=sampling, dtype="float32", shape=PADDED)
    told, order = asyncio.Event(), list[str]()

    def emit(event: object) -> None:
        if isinstance(event, ReplyFinished):
            order.append("told")
            told.set()

    first = engine.replies.make(request, emit)
    first.add_done_callback(lambda task: order.append("over"))
    await told.wait()
    told.clear()
    engine.replies.stop("a")
    second = engine.replies.make(request, emit)
    assert await second == await first
    assert order[:3] == ["told", "over", "told"]

    third = engine.replies.make(request, emit)
    told.clear()
    await told.wait()
    steps: list[bool] = []
    client = (await engine.replies.prepare("", Split(), "float32", lambda progress: None))[1]
    assert client is not None
    client.watch(lambda sent, frame: steps.append(sent))
    engine.replies.forget("a")
    await third
    assert sum(steps) < 30 * 9, "most dummies were never sent"


async def test_stop_strings_end_the_reply_and_are_not_shown(engine: Harness) -> None:
    plain = await engine.ask(FIRST)
    stop = plain.text[8:12]
    stopped = await engine.ask(FIRST, sampling=Sampling(temperature=0.0, max_tokens=32, stop=[stop]))
    assert stopped.text == plain.text[: plain.text.index(stop)]
    assert isinstance(stopped.events[-1], ReplyFinished)


async def test_a_document_and_the_context_are_checked_before_anything_is_sent(engine: Harness) -> None:
    long = Turn(role="user", text="Sum up.", documents=[DocumentText(name="long.txt", text="word " * 9000)])
    outcome = await engine.ask([long])
    assert "8,192" in outcome.sentence
    assert outcome.statistics.bytes_up == 0
    empty = Turn(role="user", text="Sum up.", documents=[DocumentText(name="empty.pdf", text="")])
    assert "empty.pdf" in (await engine.ask([empty])).sentence


async def test_the_same_seed_gives_the_same_text_whatever_split_and_drafter(engine: Harness) -> None:
    sampling = Sampling(temperature=0.8, top_p=0.95, repetition_penalty=1.1, seed=21, max_tokens=40)
    question = "List ten animals, then list them again."
    made = [
        (await engine.ask(question, sampling=sampling, split=split, drafting=drafting)).tokens
        for split in (Split(), Split(head=8, tail=8), Split(only_here=True))
        for drafting in (True, False)
    ]
    assert all(tokens == made[0] for tokens in made)
