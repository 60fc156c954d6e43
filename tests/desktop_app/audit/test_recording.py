"""What is recorded is what crossed the line of the engine's own pipeline, and it is enough for an attacker to read everything."""

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from desktop_app.audit.canaries import LATE, Canary, found_in_text
from desktop_app.audit.errors import AuditError
from desktop_app.audit.exact_search import ExactSearch, RowReader
from desktop_app.audit.held_rows import held_rows, messages
from desktop_app.audit.recording import Recorded, Recorder, content_span, recorder
from desktop_app.audit.tail_completion import TailCompletion
from desktop_app.chat.conversation import Asking, Conversation
from desktop_app.chat.events import PADDED, ReplyEvent, ReplyFinished, ReplyRequest, Sampling, Shape, Split, Turn
from desktop_app.model.store import ModelStore
from desktop_app.open_weights.public_model import PublicModel
from remote_agent.wire.messages import Step

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

QUESTION = "Did Petra Vandersloot pay invoice 20418-B?"
NAME = Canary("Petra Vandersloot", "name")


@pytest.fixture
async def engine(models_directory: Path, starter_model: Path) -> AsyncIterator[Recorder]:
    async with recorder(models_directory) as made:
        yield made


@pytest.fixture(scope="module")
def model(models_directory: Path, starter_model: Path) -> PublicModel:
    local = ModelStore(models_directory).prepare("", 2**16, 0)
    return PublicModel(local.plan, local.weights)


def request(**changes: object) -> ReplyRequest:
    values: dict[str, object] = {
        "conversation": "a",
        "turns": [Turn(role="user", text=QUESTION)],
        "protect": False,
        "incognito": True,
        "sampling": Sampling(temperature=0.0, max_tokens=8),
        "split": Split(head=1, tail=2),
    }
    return ReplyRequest(**(values | changes))  # type: ignore[arg-type]


def read(recorded: Recorded, model: PublicModel, known: int) -> list[int]:
    """The tokens on the path that was kept, as exact search finds them."""
    rows = held_rows(recorded.frames, model.plan.hidden_size)[0]
    search = ExactSearch(model, 1, RowReader(model, 1, texts=20))
    given = dict(zip(rows.path, recorded.prompt[:known], strict=False))
    found = search.recover(rows, rows.path, TailCompletion(model, 2).logits(rows), given)
    return [given[row] if row in given else found[row].token for row in rows.path]


async def test_prompt_and_reply_are_read_from_the_frames_alone(engine: Recorder, model: PublicModel) -> None:
    loaded = await engine.prepare(request())
    recorded = await engine.ask(request())
    start, end = content_span(loaded, request().turns)
    assert loaded.model.tokenizer.decode(recorded.prompt[start:end]) == QUESTION
    truth = [*recorded.prompt, *recorded.reply]
    found = read(recorded, model, start)
    assert found[: len(recorded.prompt)] == recorded.prompt
    assert sum(a == b for a, b in zip(found, truth, strict=False)) >= len(truth) - 1  # the last token is never sent
    rows = held_rows(recorded.frames, model.plan.hidden_size)[0]
    guesses = TailCompletion(model, 2).read(rows)
    assert guesses[len(recorded.prompt) - 1 :][: len(recorded.reply)] == recorded.reply


async def test_with_protected_spans_the_name_is_nowhere_and_a_stand_in_is_read(engine: Recorder, model: PublicModel) -> None:
    await engine.use_names([NAME.value])
    loaded = await engine.prepare(request(protect=True))
    recorded = await engine.ask(request(protect=True))
    text = loaded.model.tokenizer.decode(read(recorded, model, 24))
    assert not found_in_text(NAME, text)
    assert "pay" in text


async def test_a_second_turn_is_recorded_on_its_own_and_sends_only_what_is_new(engine: Recorder) -> None:
    first = await engine.ask(request())
    turns = [*request().turns, Turn(role="assistant", text=first.text), Turn(role="user", text="Why?")]
    second = await engine.ask(request(turns=turns))
    rows = [sum(len(it.parents) for _, _, it, _ in messages(found.frames) if isinstance(it, Step)) for found in (first, second)]
    assert rows[1] < rows[0]
    assert second.statistics.reused_tokens > 0


async def test_a_chat_goes_through_kept_answers_and_a_word_that_is_marked_late(engine: Recorder, model: PublicModel) -> None:
    late = Canary("quellomire", LATE)
    conversation = Conversation(incognito=True)
    asking = Asking(sampling=Sampling(temperature=0.0, max_tokens=8), split=Split(head=1, tail=2))
    conversation.ask(f"Write the word {late.value}, and nothing else: {late.value}.")
    first = conversation.request(asking)
    told: list[ReplyEvent] = []

    def tell(event: ReplyEvent) -> None:
        told.append(event)
        conversation.receive(event)

    loaded = await engine.prepare(first)
    before = await engine.ask(first, tell)
    await engine.mark(first, late.value)
    said = conversation.messages[-1].text
    conversation.ask(f"You wrote “{said}”. Why?")
    second = await engine.ask(conversation.request(asking), conversation.receive)
    assert isinstance(told[-1], ReplyFinished)
    assert found_in_text(late, said)
    # All that leaves again begins with the word's first place, which has changed.
    assert second.statistics.reused_tokens < len(second.prompt) - 8
    both = dataclasses.replace(second, frames=[*before.frames, *second.frames])
    text = loaded.model.tokenizer.decode(read(both, model, 24))
    assert "You wrote" in text
    assert not found_in_text(late, text)
    await engine.leave(conversation.identity)


async def test_dummy_steps_behind_the_end_are_recorded_too(engine: Recorder) -> None:
    assert PADDED.rows
    recorded = await engine.ask(request(shape=Shape(rows=2, ticks=64), sampling=Sampling(temperature=0.0, max_tokens=3)))
    steps = [it for _, _, it, _ in messages(recorded.frames) if isinstance(it, Step)]
    assert len(recorded.reply) <= 3
    assert len(steps) == 65  # the prompt's, and 64 more


async def test_what_cannot_be_attacked_or_fails_is_a_sentence(engine: Recorder) -> None:
    with pytest.raises(AuditError, match="nothing to attack"):
        await engine.ask(request(split=Split(only_here=True)))
    with pytest.raises(AuditError, match="no question"):
        await engine.ask(request(turns=[Turn(role="user", text=" ")]))
