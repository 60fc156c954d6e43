"""Prompts under noise on the real engine: drawn once, charged before they leave, and opaque to all that follows."""

import asyncio
import math
import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from desktop_app.chat.events import PADDED, DocumentText, Noise, ReplyEvent, ReplyFailed, ReplyFinished, ReplyRequest, Sampling
from desktop_app.chat.stored import Decision
from desktop_app.engine.agent_client import AgentClient
from desktop_app.engine.agents import Agents
from desktop_app.engine.exchange import KeptExchange
from desktop_app.engine.keeper import Keeper, Kept
from desktop_app.engine.models import Models
from desktop_app.engine.noise_figures import budget_set
from desktop_app.engine.noise_figures import spent as noise_spent
from desktop_app.engine.noisy_rows import PUBLIC, NoisyHead
from desktop_app.engine.opening import decoder_for
from desktop_app.engine.protection import Protection
from desktop_app.engine.replies import Replies
from desktop_app.model.local import LocalModel
from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.privacy.noise.draws import Draw
from desktop_app.privacy.noise.occurrences import Occurrences
from remote_agent.segment.artefacts import Projection
from remote_agent.wire.messages import Codes, Decoder, Device, RowFormat, Welcome
from tests.helpers.protecting import keeper_in, protection_of, request_of
from tests.helpers.tiny_codes import save_projection

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

QUESTION = "What is the capital of France?"
MILD = Noise(mu=200.0, epsilon=1e9)


class Engine:
    """Replies with an archive in memory, on the starter model with a projection on its first 128 principal directions."""

    def __init__(self, replies: Replies, keeper: Keeper, protection: Protection, tokenizer: ChatTokenizer) -> None:
        self.replies, self.keeper = replies, keeper
        self.protection, self.tokenizer = protection, tokenizer

    async def ask(self, request: ReplyRequest) -> list[ReplyEvent]:
        events: list[ReplyEvent] = []
        await self.replies.make(request, events.append)
        return events

    async def draws(self, message: str) -> list[Draw]:
        return [row.draw for row in await self.keeper.run(lambda kept: kept.draws.of_message(message), "c")]

    async def epsilon(self) -> float:
        return (await self.keeper.run(lambda kept: kept.ledger.spent("c"), "c")).epsilon


@pytest.fixture(scope="module")
def projection(prepared_starter: LocalModel) -> Projection:
    import torch

    embeddings = prepared_starter.weights.tensor("model.embed_tokens.weight").float()
    directions = torch.linalg.svd(embeddings[:4000] - embeddings[:4000].mean(0), full_matrices=False).Vh[:128].contiguous()
    return Projection(directions, 2 * float((embeddings @ directions.T).std()))


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proofs")


@pytest.fixture
async def engine(
    tmp_path: Path, models_directory: Path, prepared_starter: LocalModel, projection: Projection, proofs: Path
) -> AsyncIterator[Engine]:
    save_projection(tmp_path / "codes" / "p.safetensors", projection, prepared_starter.manifest.digest())
    (tmp_path / "models").symlink_to(models_directory, target_is_directory=True)
    thread, keeper = ThreadPoolExecutor(1), keeper_in(None, codes_folders=[proofs])
    protection, _ = protection_of("Okafor", keeper=keeper)
    agents = Agents(lambda state: None, None)
    models = Models(tmp_path / "models", thread)

    def exchange(request: ReplyRequest, emit: object) -> KeptExchange:
        return KeptExchange(request, emit, keeper, protection)  # type: ignore[arg-type]

    try:
        yield Engine(
            Replies(models, agents, thread, exchange, [tmp_path / "codes"]), keeper, protection, prepared_starter.tokenizer
        )
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
    assert refused[-1].kind == "budget"
    assert refused[-1].needed > 1.0
    assert refused[-1].statistics.bytes_up == 0
    assert await engine.draws("c-0") == []


async def test_exact_after_noise_and_noise_after_exact_are_refused(engine: Engine) -> None:
    await engine.ask(asked(QUESTION))
    exact = await engine.ask(asked(QUESTION, "Paris.", "And of Italy?", noise=None))
    assert isinstance(exact[-1], ReplyFailed)
    assert "infinite" in exact[-1].sentence
    told = await engine.ask(asked(QUESTION, "Paris.", "And of Italy?", noise=None, told_exact=True))
    assert isinstance(told[-1], ReplyFinished), told[-1]
    assert await engine.epsilon() == math.inf

    first = await engine.ask(asked(QUESTION, conversation="d", noise=None))
    assert isinstance(first[-1], ReplyFinished)
    noisy = await engine.ask(asked(QUESTION, "Paris.", "And of Italy?", conversation="d"))
    assert isinstance(noisy[-1], ReplyFailed)
    assert "new conversation" in noisy[-1].sentence


async def test_noise_goes_with_a_traffic_shape_and_a_penalty(engine: Engine) -> None:
    penalised = Sampling(temperature=0.0, max_tokens=8, repetition_penalty=1.1)
    shaped = await engine.ask(asked(QUESTION, shape=PADDED, sampling=penalised))
    assert isinstance(shaped[-1], ReplyFinished), shaped[-1]


async def test_padding_of_an_answer_as_codes_is_never_charged_and_the_next_question_goes_on(engine: Engine) -> None:
    noise = Noise(mu=200.0, epsilon=1e9, answers="codes")
    first = await engine.ask(asked(QUESTION, noise=noise, shape=PADDED))
    assert isinstance(first[-1], ReplyFinished), first[-1]
    assert "Paris" in text_of(first)
    assert first[-1].statistics.shape
    assert 0 < len(await engine.draws("c-1")) <= first[-1].statistics.reply_tokens
    engine.replies.forget("c")
    second = await engine.ask(asked(QUESTION, text_of(first), "And of Italy?", noise=noise, shape=PADDED))
    assert isinstance(second[-1], ReplyFinished), second[-1]


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


async def test_what_does_not_fit_whole_is_not_drawn_in_part(engine: Engine) -> None:
    await engine.ask(asked(QUESTION, noise=Noise(mu=30.0, epsilon=4000.0)))
    drawn = await engine.draws("c-0")
    assert drawn
    both = asked(
        QUESTION, "Rome is what you said, and you were wrong.", " ".join([QUESTION] * 20), noise=Noise(mu=30.0, epsilon=4000.0)
    )
    refused = await engine.ask(both)
    assert isinstance(refused[-1], ReplyFailed)
    assert (await engine.draws("c-1"), await engine.draws("c-2")) == ([], [])


async def test_an_answer_that_the_model_never_gave_is_drawn_and_charged_like_any_text(engine: Engine) -> None:
    await engine.ask(asked(QUESTION))
    await engine.ask(asked(QUESTION, "Something that I wrote myself.", "Go on."))
    assert all(draw.mu16 == 3200 for draw in await engine.draws("c-1"))
    assert await engine.draws("c-1")


async def test_answers_as_codes_are_charged_token_by_token_and_sent_again_as_they_were(engine: Engine) -> None:
    noise = Noise(mu=200.0, epsilon=1e9, answers="codes")
    first = await engine.ask(asked(QUESTION, noise=noise))
    assert isinstance(first[-1], ReplyFinished), first[-1]
    assert "Paris" in text_of(first)
    sent, epsilon = await engine.draws("c-1"), await engine.epsilon()
    assert len(sent) >= first[-1].statistics.reply_tokens - 1
    engine.replies.forget("c")
    second = await engine.ask(asked(QUESTION, text_of(first), "And of Italy?", noise=noise))
    assert isinstance(second[-1], ReplyFinished), second[-1]
    assert (await engine.draws("c-1"))[: len(sent)] == sent
    assert await engine.epsilon() > epsilon


async def test_an_answer_as_codes_is_no_longer_than_the_budget_pays(engine: Engine) -> None:
    tight = Noise(mu=30.0, epsilon=8000.0, answers="codes")
    answer = await engine.ask(asked(QUESTION, noise=tight, sampling=Sampling(temperature=0.0, max_tokens=400)))
    assert isinstance(answer[-1], ReplyFinished | ReplyFailed), answer[-1]
    assert 0 < await engine.epsilon() <= 8000.0


async def test_strict_words_never_leave_the_rest_does_and_the_answer_names_them(engine: Engine) -> None:
    noise = Noise(strict_mu=0.75, rest="exact", per="value", epsilon=50.0)
    text = "Okafor lives in Lagos. Say the name of who lives in Lagos, nothing else."
    answer = await engine.ask(asked(text, noise=noise, protect=True))
    assert isinstance(answer[-1], ReplyFinished), answer[-1]
    drawn = await engine.draws("c-0")
    assert {draw.mu16 for draw in drawn} == {0, 12}
    spent = await engine.keeper.run(lambda kept: kept.ledger.spent("c", span="Okafor"), "c")
    assert spent.success < 0.05
    assert spent.epsilon < 50
    stored = await engine.keeper.run(lambda kept: kept.history.load("c").messages[-1], "c")
    assert "Okafor" not in stored.sent


async def test_after_a_refusal_for_its_budget_a_raised_one_goes_on(engine: Engine) -> None:
    refused = await engine.ask(asked(QUESTION, noise=Noise(mu=30.0, epsilon=1.0)))
    assert isinstance(refused[-1], ReplyFailed)
    assert await engine.keeper.run(lambda kept: kept.history.sent("c"), "c") == [], "nothing left"
    await engine.keeper.run(lambda kept: budget_set(kept, "c", 1e6, 1e-6), "c")
    again = await engine.ask(asked(QUESTION, noise=Noise(mu=30.0, epsilon=1e6)))
    assert isinstance(again[-1], ReplyFinished), again[-1]
    (record,) = await engine.keeper.run(lambda kept: kept.history.sent("c"), "c")
    assert (record.mode, record.noise) == ("dp", Noise(mu=30.0, epsilon=1e6))
    assert record.epsilon == pytest.approx(await engine.epsilon())
    assert (await engine.keeper.run(lambda kept: kept.history.load("c").entry.noise, "c")) == Noise(mu=30.0, epsilon=1e6)


STRICT = Noise(strict_mu=0.75, rest="exact", per="value", epsilon=100.0)
NAMED = "Okafor lives in Lagos. Who lives there?"


async def in_clear(engine: Engine, message: str) -> str:
    """What left of a message as it was said."""
    rows = await engine.keeper.run(lambda kept: kept.draws.of_message(message), "c")
    tokenizer = engine.tokenizer
    return b"".join(tokenizer.token_bytes(row.token) for row in rows if not row.draw.mu16).decode("utf-8", "replace")


async def test_a_document_s_name_never_leaves_under_strict_noise(engine: Engine) -> None:
    paper = DocumentText(name="Emma_Harrison_HIV_results.pdf", text="Okafor was well.")
    answered = await engine.ask(asked(NAMED, noise=STRICT, protect=True, documents=[paper]))
    assert isinstance(answered[-1], ReplyFinished), answered[-1]
    left = await in_clear(engine, "c-0")
    assert "Document 1.pdf" in left
    assert not any(word in left for word in ("Emma", "Harrison", "HIV", "Okafor"))


@pytest.mark.parametrize("rest", ["exact", "noisy"])
async def test_a_mark_is_for_what_comes_and_what_has_left_stays_as_it_was(engine: Engine, rest: str) -> None:
    noise = Noise(mu=0.0 if rest == "exact" else 200.0, strict_mu=0.75, rest=rest, per="value", epsilon=1e9)
    more = {"noise": noise, "protect": True, "sampling": Sampling(temperature=0.0, max_tokens=4)}
    text = "Okafor lives in Lagos. Where does he live?"
    first = await engine.ask(asked(text, **more))
    drawn = await engine.draws("c-0")
    engine.replies.forget("c")
    marks = [Decision(value="Lagos", kind="place", replaced=True), Decision(value="Okafor", kind="person", replaced=False)]
    await engine.protection.decide("c", False, marks)
    second = await engine.ask(asked(text, text_of(first), "Who is Okafor of Lagos?", **more))
    assert isinstance(second[-1], ReplyFinished), second[-1]
    assert await engine.draws("c-0") == drawn

    def strictly(kept: Kept, message: str) -> list[int]:
        return [row.token for row in kept.draws.of_message(message) if row.draw.mu16 == 12]

    encode = engine.tokenizer.encode
    assert await engine.keeper.run(lambda kept: strictly(kept, "c-0"), "c") == encode("Okafor"), "as long as it is told"
    assert await engine.keeper.run(lambda kept: strictly(kept, "c-2"), "c") == encode(" Lagos"), "from now on"
    # Whoever left in clear, before the mark or after it was taken back, is told as lost, and asked nothing.
    for value, in_clear in (("Lagos", rest == "exact"), ("Okafor", rest == "exact")):
        spent = await engine.keeper.run(lambda kept, value=value: kept.ledger.spent("c", span=value), "c")  # type: ignore[misc]
        assert (spent.epsilon == math.inf, spent.success == 1.0) == (in_clear, True), value
    if rest == "exact":
        told = await engine.keeper.run(lambda kept: noise_spent(kept, "c"), "c")
        assert told is not None
        assert told.epsilon == math.inf


async def test_an_edit_keeps_the_draws_of_what_it_leaves_as_it_was(engine: Engine) -> None:
    one = asked("Who was the first person on the moon?")
    await engine.ask(one)
    first = await engine.draws("c-0")
    edited = replace(
        one, turns=[replace(one.turns[0], text="Who was the second person on the moon?", identity="c-0b")], answer="c-1b"
    )
    assert isinstance((await engine.ask(edited))[-1], ReplyFinished)
    again = await engine.draws("c-0b")
    assert len(set(again) - set(first)) == 1


async def test_no_guess_holds_anything_of_a_prompt(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    run, numbers = NoisyHead.run, list[int]()

    def watched(self: NoisyHead, *asked_for: Any) -> Any:
        numbers.extend(asked_for[-1])
        return run(self, *asked_for)

    monkeypatch.setattr(NoisyHead, "run", watched)
    first = text_of(await engine.ask(asked(QUESTION)))
    numbers.clear()
    # The same answer again: what a drafter copies goes on with the template's rows and the second question's codes.
    second = await engine.ask(asked(QUESTION, first, QUESTION))
    assert isinstance(second[-1], ReplyFinished), second[-1]
    statistics = second[-1].statistics
    assert statistics.steps < statistics.reply_tokens, "nothing was guessed"
    prompt = statistics.prompt_tokens - statistics.reused_tokens
    assert all(number < PUBLIC for number in numbers[prompt:])
    assert numbers[prompt - 1] >= PUBLIC


async def test_a_word_that_is_not_in_the_ledger_stops_the_prompt(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    of = Occurrences.of

    def unknown(self: Occurrences, *asked_for: Any, **more: Any) -> list[Draw]:
        draws = of(self, *asked_for, **more)
        return [*draws[:-1], draws[-1]._replace(number=draws[-1].number + 1000)]

    monkeypatch.setattr(Occurrences, "of", unknown)
    refused = await engine.ask(asked(QUESTION))
    assert isinstance(refused[-1], ReplyFailed)
    assert "not in the ledger" in refused[-1].sentence
    assert refused[-1].statistics.bytes_up == 0
    assert await engine.draws("c-0") == [], "and nothing of it is kept"


@given(st.integers(1, 60), st.data())
def test_the_model_is_asked_only_where_the_agent_has_all_its_layers(layers: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, layers - 1))
    last = data.draw(st.integers(first + 1, layers))
    welcome = Welcome(1, bytes(32), first, last, 8, Device.CPU, RowFormat.FLOAT32, 1, 1, 1)
    assert (decoder_for(welcome, layers) is Decoder.MAP_WITH_MODEL) == (last - first == layers)


def offering(monkeypatch: pytest.MonkeyPatch, **layers: int) -> list[Codes]:
    """Has every agent seem to offer other layers than it does; returns the codes that sessions are opened with from now on."""
    opened: list[Codes] = []
    welcome, begin = AgentClient.welcome.fget, AgentClient.open

    async def noted(self: AgentClient, first: int, last: int, rows: RowFormat, codes: Codes | None = None) -> int:
        assert codes is not None
        opened.append(codes)
        return await begin(self, first, last, rows, codes)

    monkeypatch.setattr(AgentClient, "welcome", property(lambda self: replace(welcome(self), **layers)))  # type: ignore[misc]
    monkeypatch.setattr(AgentClient, "open", noted)
    return opened


async def test_an_agent_without_the_last_layers_reads_codes_without_the_model(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = offering(monkeypatch, last_layer=28)
    answer = await engine.ask(asked(QUESTION))
    assert [codes.decoder for codes in opened] == [Decoder.MAP]
    assert "Paris" in text_of(answer)


async def test_an_agent_without_the_first_layer_is_a_sentence_that_names_noise(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = offering(monkeypatch, first_layer=1)
    failed = (await engine.ask(asked(QUESTION)))[-1]
    assert isinstance(failed, ReplyFailed)
    assert "Noise needs an agent that has the model from its first layer on" in failed.sentence
    assert opened == []
    assert await engine.draws("c-0") == [], "what cannot be sent is not charged"


async def test_every_code_of_a_real_prompt_is_thrown_with_the_operating_systems_coins(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[int] = []
    real = os.urandom

    def counted(count: int) -> bytes:
        asked_for.append(count)
        return real(count)

    monkeypatch.setattr(os, "urandom", counted)
    await engine.ask(asked(QUESTION))
    drawn = await engine.draws("c-0")
    assert drawn
    needed = sum(2 * 128 * 15 for draw in drawn if draw.mu16)  # 16 bits for each of 15 comparisons of 128 coordinates
    assert sum(count for count in asked_for if count >= 2 * 128 * 15) == needed
