"""Norms in 16 bits; whole layers are tested through `test_segment`."""

import dataclasses

import pytest
import torch

from remote_agent.segment.layers import Norm
from remote_agent.segment.plan import ModelPlan
from tests.helpers.tiny_models import SIZES

CPU = torch.device("cpu")


@pytest.mark.parametrize("gemma", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_norms_follow_their_formula(gemma: bool, dtype: torch.dtype) -> None:
    plan = dataclasses.replace(ModelPlan.from_config({"model_type": "llama", **SIZES}), norm_plus_one=gemma)
    weight, rows = torch.randn(48) * 0.01, torch.randn(3, 48).to(dtype)
    exact = rows.double() * torch.rsqrt(rows.double().pow(2).mean(-1, keepdim=True) + plan.norm_eps) * (weight.double() + gemma)
    got = Norm(plan, weight, CPU, dtype)(rows)
    assert got.dtype == dtype
    assert torch.allclose(got.double(), exact, rtol=1e-5 if dtype == torch.float32 else 1e-2, atol=1e-6)


def test_heads_of_queries_and_keys_are_normed_with_weights_of_their_own() -> None:
    plan = ModelPlan.from_config({"model_type": "qwen3", **SIZES})
    weight, heads = torch.randn(6, 12), torch.randn(3, 6, 12)
    got = Norm(plan, weight, CPU, torch.float32)(heads)
    for head in range(6):
        assert torch.allclose(got[:, head], Norm(plan, weight[head], CPU, torch.float32)(heads[:, head]), atol=1e-6)
