"""Embedding and LM head: only used rows are read, scaled and capped as the family says."""

import pytest
import torch

from remote_agent.segment.ends import Embedding, Output
from remote_agent.segment.errors import SegmentError
from remote_agent.segment.plan import ModelPlan
from tests.helpers.tiny_models import KINDS, tiny_model


@pytest.mark.parametrize("kind", KINDS)
def test_both_ends_equal_transformers(kind: str) -> None:
    model = tiny_model(kind)
    plan = ModelPlan.from_config(model.config)
    tokens = [5, 9, 5, 198]
    with torch.inference_mode():
        assert torch.equal(Embedding(plan, model)(tokens), model.reference.model.embed_tokens(torch.tensor(tokens)))
        rows = torch.randn(3, plan.hidden_size)
        expected = model.reference.lm_head(model.reference.model.norm(rows))
    if plan.logit_softcap is not None:
        expected = torch.tanh(expected / plan.logit_softcap) * plan.logit_softcap
    assert torch.allclose(Output(plan, model, device="cpu")(rows), expected, atol=1e-4)


def test_logits_are_float32_whatever_is_computed_in() -> None:
    model = tiny_model("gemma2")
    output = Output(ModelPlan.from_config(model.config), model, device="cpu", dtype=torch.bfloat16)
    assert output(torch.randn(2, 48)).dtype == torch.float32


@pytest.mark.parametrize("token", [-1, 199])
def test_a_token_that_the_model_does_not_have_is_refused(token: int) -> None:
    model = tiny_model("llama")
    with pytest.raises(SegmentError, match="do not go together"):
        Embedding(ModelPlan.from_config(model.config), model)([3, token])
