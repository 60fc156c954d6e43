"""A reply on the starter model goes on by itself, with the very same tokens, whatever becomes of its agent on the way."""

import os
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from desktop_app.chat.events import ReplyEvent, ReplyFinished, ReplyRequest, Sampling, TextAdded
from tests.helpers.engine_harness import Harness, engine_harness, turns_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

SECOND = "And what then?"


@pytest.fixture
async def engine(models_directory: Path, starter_model: Path) -> AsyncIterator[Harness]:
    async with engine_harness(models_directory, "float32") as harness:
        yield harness


@dataclass
class Disturbed:
    """What came of a reply of which the agent or the connection was lost on the way, after its first words."""

    tokens: list[int]
    events: list[ReplyEvent]


async def disturbed(engine: Harness, harm: Callable[[], object], sampling: Sampling, conversation: str) -> Disturbed:
    events: list[ReplyEvent] = []

    def emit(event: ReplyEvent) -> None:
        if isinstance(event, TextAdded) and not any(isinstance(it, TextAdded) for it in events):
            harm()
        events.append(event)

    request = ReplyRequest(conversation=conversation, turns=turns_of("Tell a long story."), sampling=sampling, dtype="float32")
    return Disturbed(await engine.replies.make(request, emit), events)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
async def test_when_the_agent_dies_another_goes_on_with_the_very_tokens_that_it_would_have_had(
    engine: Harness, temperature: float
) -> None:
    sampling = Sampling(temperature=temperature, max_tokens=60, seed=5, repetition_penalty=1.1)
    whole = await engine.ask(turns_of("Tell a long story."), conversation="b", sampling=sampling)
    killed: list[int] = []

    def kill() -> None:
        killed.append(engine.agents.pid or 0)
        os.kill(killed[0], signal.SIGKILL)

    story = await disturbed(engine, kill, sampling, "a")
    assert isinstance(story.events[-1], ReplyFinished), story.events[-1]
    assert story.tokens == whole.tokens
    assert "".join(event.text for event in story.events if isinstance(event, TextAdded)) == whole.text
    assert engine.agents.pid not in (None, *killed)
    again = await engine.ask(turns_of("Tell a long story.", whole.text, SECOND), conversation="a")
    assert again.sentence == ""
    assert again.statistics.reused_tokens > 60, "the session that went on is used again"


async def test_a_lost_connection_is_mended_and_nothing_is_run_or_sent_twice_differently(engine: Harness) -> None:
    sampling = Sampling(temperature=1.0, max_tokens=60, seed=5)
    whole = await engine.ask(turns_of("Tell a long story."), conversation="b", sampling=sampling)
    pid = engine.agents.pid
    story = await disturbed(engine, engine.lose_connection, sampling, "a")
    assert isinstance(story.events[-1], ReplyFinished), story.events[-1]
    assert story.tokens == whole.tokens
    assert engine.agents.pid == pid, "the same agent went on"
    prompt = whole.statistics.prompt_tokens
    assert story.events[-1].statistics.rows < whole.statistics.rows + prompt, "the prompt was not sent again"


async def test_a_reply_can_be_stopped_while_its_agent_is_gone(engine: Harness) -> None:
    def kill_and_stop() -> None:
        os.kill(engine.agents.pid or 0, signal.SIGKILL)
        engine.replies.stop("a")

    story = await disturbed(engine, kill_and_stop, Sampling(temperature=0.0, max_tokens=400), "a")
    assert isinstance(story.events[-1], ReplyFinished)
    assert story.events[-1].reason == "stopped"
    assert len(story.tokens) < 400
