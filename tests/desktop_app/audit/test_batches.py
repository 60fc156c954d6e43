"""Many texts at once are what each of them is alone."""

import pytest
import torch

from desktop_app.audit import batches
from desktop_app.audit.batches import Batches
from desktop_app.open_weights.trainable import Trainable
from remote_agent.segment.plan import ModelPlan
from tests.helpers.attacked_rows import greedy, random_tokens
from tests.helpers.tiny_models import tiny_model

LENGTHS = (5, 19, 1, 12)


@pytest.fixture
def model() -> Batches:
    tiny = tiny_model("llama")
    return Batches(Trainable(ModelPlan.from_config(tiny.config), tiny, tiny.config))


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "AT_ONCE", 3)


def test_states_are_those_of_each_text_alone(model: Batches) -> None:
    texts = [random_tokens(length, length) for length in LENGTHS]
    states = model.states([model.rows(text) for text in texts])
    for text, own in zip(texts, states, strict=True):
        torch.testing.assert_close(model.logits(own), tiny_model("llama").logits(text), rtol=1e-4, atol=1e-4)


def test_answers_are_greedy_and_stop_with_a_stop_token(model: Batches) -> None:
    texts = [random_tokens(length, length) for length in LENGTHS]
    wanted = [greedy(text, 6) for text in texts]
    prompts = [model.rows(text) for text in texts]
    answered = model.answered(prompts, wanted, 6, ())
    assert [answer.reply for answer in answered] == wanted
    stop = wanted[1][2]
    cut = [reply[: reply.index(stop) + 1] if stop in reply else reply for reply in wanted]
    assert [answer.reply for answer in model.answered(prompts, wanted, 6, {stop})] == cut


def test_what_it_thinks_of_a_reply_is_what_the_model_says_at_each_place(model: Batches) -> None:
    texts = [random_tokens(length, length) for length in LENGTHS]
    replies = [random_tokens(count, 50 + count) for count in (4, 1, 7, 2)]
    for text, reply, answer in zip(
        texts, replies, model.answered([model.rows(text) for text in texts], replies, 3, ()), strict=True
    ):
        chances = torch.log_softmax(tiny_model("llama").logits([*text, *reply])[len(text) - 1 : -1], -1)
        assert answer.forced.first == chances.argmax(-1).tolist()
        torch.testing.assert_close(
            answer.forced.log_chances, chances.gather(1, torch.tensor(reply)[:, None])[:, 0], rtol=1e-4, atol=1e-4
        )
        assert answer.reply == greedy(text, 3)  # whatever it was given


def test_an_adapter_changes_its_layers_and_leaves_nothing_behind(model: Batches) -> None:
    prompt, name = model.rows(random_tokens(9)), "model.layers.2.self_attn.q_proj"
    before = model.states([prompt])[0]
    weight = model._network.get_submodule(name).weight
    adapter = {f"{name}.a": torch.randn(2, weight.shape[1]), f"{name}.b": torch.randn(weight.shape[0], 2)}
    with model.adapted(adapter):
        assert (model.states([prompt])[0] - before).abs().max() > 0.01
        torch.testing.assert_close(
            weight.data, tiny_model("llama").tensor(f"{name}.weight") + adapter[f"{name}.b"] @ adapter[f"{name}.a"]
        )
    assert torch.equal(model.states([prompt])[0], before)
