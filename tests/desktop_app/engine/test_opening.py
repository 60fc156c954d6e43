"""Prompts under noise on the real engine: drawn once, charged before they leave, and opaque to all that follows."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from desktop_app.chat.events import PADDED, Noise, ReplyEvent, ReplyFailed, ReplyFinished, ReplyRequest, Sampling
from desktop_app.engine.agents import Agents
from desktop_app.engine.exchange import KeptExchange
from desktop_app.engine.keeper import Keeper
from desktop_app.engine.models import Models
from desktop_app.engine.replies import Replies
from desktop_app.model.local import LocalModel
from desktop_app.privacy.noise.draws import Draw
from remote_agent.segment.artefacts import Projection
from tests.helpers.protecting import keeper_in, protection_of, request_of
from tests.helpers.tiny_codes import save_projection

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

QUESTION = "What is the capital of France?"
MILD = Noise(mu=200.0, epsilon=1e9)


class Engine:
    """Replies with an archive in memory, on the starter model with a projection on its first 128 principal directions."""

    def __init__(self, replies: Replies, keeper: Keeper) -> None:
        self.replies = replies
        self.keeper = keeper

    async def ask(self, request: ReplyRequest) -> list[ReplyEvent]:
        events: list[ReplyEvent] = []
        await self.replies.make(request, events.append)
        return events

    async def draws(self, message: str) -> list[Draw]:
        return [row.draw for row in await self.keeper.run(lambda kept: kept.draws.of_message(message), "c")]

    async def epsilon(self) -> float:
        return (await self.keeper.run(lambda kept: kept.ledger.spent("c"), "c")).epsilon


@pytest.fixture
async def engine(tmp_path: Path, models_directory: Path, prepared_starter: LocalModel) -> AsyncIterator[Engine]:
    import torch

    embeddings = prepared_starter.weights.tensor("model.embed_tokens.weight").float()
    directions = torch.linalg.svd(embeddings[:4000] - embeddings[:4000].mean(0), full_matrices=False).Vh[:128].contiguous()
    clip = 2 * float((embeddings @ directions.T).std())
    save_projection(tmp_path / "codes" / "p.safetensors", Projection(directions, clip), prepared_starter.manifest.digest())
    (tmp_path / "models").symlink_to(models_directory, target_is_directory=True)
    thread, keeper = ThreadPoolExecutor(1), keeper_in(None)
    protection, _ = protection_of("nobody", keeper=keeper)
    agents = Agents(lambda state: None, None)
    models = Models(tmp_path / "models", thread)

    def exchange(request: ReplyRequest, emit: object) -> KeptExchange:
        return KeptExchange(request, emit, keeper, protection)  # type: ignore[arg-type]

    try:
        yield Engine(Replies(models, agents, thread, exchange, [tmp_path / "codes"]), keeper)
    finally:
        await agents.close()
        await keeper.close()
        thread.shutdown()


def asked(*texts: str, **more: object) -> ReplyRequest:
    usual = {"sampling": Sampling(temperature=0.0, max_tokens=12), "dtype": "float32", "protect": False, "noise": MILD}
    return request_of(*texts, **{**usual, **more})  # type: ignore[arg-type]


def text_of(events: list[ReplyEvent]) -> str:
    return "".join(getattr(event, "text", "") for event in events)


async def test_with_little_noise_the_answer_is_right_and_the_second_turn_goes_on_from_the_first(engine: Engine) -> None:
    first = await engine.ask(asked(QUESTION))
    assert "Paris" in text_of(first)
    last = first[-1]
    assert isinstance(last, ReplyFinished)
    assert (last.statistics.mode, last.statistics.head_layers) == ("dp", 0)
    drawn, epsilon = await engine.draws("c-0"), await engine.epsilon()
    assert drawn
    assert epsilon > 0

    second = await engine.ask(asked(QUESTION, text_of(first), "And of Italy?"))
    assert isinstance(second[-1], ReplyFinished)
    assert second[-1].statistics.reused_tokens > last.statistics.prompt_tokens
    assert await engine.draws("c-0") == drawn, "an occurrence is drawn once"
    assert await engine.epsilon() > epsilon


async def test_asking_again_draws_nothing_and_sends_the_same(engine: Engine) -> None:
    await engine.ask(asked(QUESTION))
    drawn, epsilon = await engine.draws("c-0"), await engine.epsilon()
    engine.replies.forget("c")  # as after a restart: the prompt is read anew
    again = await engine.ask(asked(QUESTION))
    assert isinstance(again[-1], ReplyFinished)
    assert again[-1].statistics.reused_tokens == 0
    assert (await engine.draws("c-0"), await engine.epsilon()) == (drawn, epsilon)


async def test_a_budget_that_would_be_exceeded_stops_the_send_and_nothing_is_drawn(engine: Engine) -> None:
    refused = await engine.ask(asked(QUESTION, noise=Noise(mu=30.0, epsilon=1.0)))
    assert isinstance(refused[-1], ReplyFailed)
    assert "raise the budget" in refused[-1].sentence
    assert refused[-1].statistics.bytes_up == 0
    assert await engine.draws("c-0") == []


async def test_exact_after_noise_and_noise_after_exact_are_refused(engine: Engine) -> None:
    await engine.ask(asked(QUESTION))
    exact = await engine.ask(asked(QUESTION, "Paris.", "And of Italy?", noise=None))
    assert isinstance(exact[-1], ReplyFailed)
    assert "infinite" in exact[-1].sentence

    first = await engine.ask(asked(QUESTION, conversation="d", noise=None))
    assert isinstance(first[-1], ReplyFinished)
    noisy = await engine.ask(asked(QUESTION, "Paris.", "And of Italy?", conversation="d"))
    assert isinstance(noisy[-1], ReplyFailed)
    assert "new conversation" in noisy[-1].sentence


async def test_noise_goes_with_a_traffic_shape_and_a_penalty(engine: Engine) -> None:
    penalised = Sampling(temperature=0.0, max_tokens=8, repetition_penalty=1.1)
    shaped = await engine.ask(asked(QUESTION, shape=PADDED, sampling=penalised))
    assert isinstance(shaped[-1], ReplyFinished), shaped[-1]


async def test_a_stop_while_the_prompt_is_read_leaves_the_conversation_usable(engine: Engine) -> None:
    task = engine.replies.make(asked(QUESTION), lambda event: None)
    await asyncio.sleep(0)
    engine.replies.stop("c")
    await task
    again = await engine.ask(asked(QUESTION))
    assert "Paris" in text_of(again)


async def test_a_model_without_projection_is_a_sentence(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "codes" / "p.safetensors").unlink()
    refused = await engine.ask(asked(QUESTION))
    assert isinstance(refused[-1], ReplyFailed)
    assert "projection" in refused[-1].sentence
