"""The copy that is trained around is the model: the same logits, and gradients that reach the rows and no weight."""

import pytest
import torch

from desktop_app.open_weights.trainable import Trainable
from remote_agent.segment.plan import ModelPlan
from tests.helpers.tiny_models import KINDS, tiny_model

TOKENS = [7, 3, 150, 7, 42, 9]


@pytest.mark.parametrize("kind", KINDS)
def test_its_logits_are_the_models(kind: str) -> None:
    tiny = tiny_model(kind)
    copy = Trainable(ModelPlan.from_config(tiny.config), tiny, tiny.config)
    with torch.inference_mode():
        logits = copy.logits(copy.table[TOKENS].unsqueeze(0))[0]
        some = copy.logits_of(copy.states(copy.table[TOKENS].unsqueeze(0))[0, 2:4])
    torch.testing.assert_close(logits, tiny.logits(TOKENS), rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(some, logits[2:4], rtol=1e-4, atol=1e-4)


def test_gradients_reach_the_rows_and_no_weight() -> None:
    tiny = tiny_model("llama")
    copy = Trainable(ModelPlan.from_config(tiny.config), tiny, tiny.config)
    rows = copy.table[TOKENS].unsqueeze(0).requires_grad_()
    copy.states(rows)[0, -1].square().sum().backward()
    assert rows.grad is not None
    assert rows.grad.abs().sum(-1).min() > 0
    assert all(parameter.grad is None for parameter in copy.network.parameters())


def test_a_missing_weight_is_told() -> None:
    tiny, other = tiny_model("qwen3"), tiny_model("llama")
    with pytest.raises(KeyError):
        Trainable(ModelPlan.from_config(tiny.config), other, tiny.config)
