"""An adapter changes nothing at first, is W + b a, can be taken off, and gets gradients."""

import torch

from desktop_app.open_weights.low_rank import LowRank
from desktop_app.open_weights.trainable import Trainable
from remote_agent.segment.plan import ModelPlan
from tests.helpers.tiny_models import tiny_model

TOKENS = [7, 3, 150, 42]


def copy() -> Trainable:
    tiny = tiny_model("llama")
    return Trainable(ModelPlan.from_config(tiny.config), tiny, tiny.config)


def test_it_is_a_change_of_the_weights_and_can_be_taken_off() -> None:
    model, merged = copy(), copy()
    rows = model.table[TOKENS].unsqueeze(0)
    before = model.logits(rows)
    adapter = LowRank(model, 3, seed=1)
    assert torch.equal(model.logits(rows), before)
    generator = torch.Generator().manual_seed(2)
    adapter.load({name: torch.randn(tensor.shape, generator=generator) / 10 for name, tensor in adapter.tensors.items()})
    for name, module in merged.network.named_modules():
        if f"{name}.a" in adapter.tensors:
            module.weight.data += adapter.tensors[f"{name}.b"] @ adapter.tensors[f"{name}.a"]
    torch.testing.assert_close(model.logits(rows), merged.logits(rows), rtol=1e-4, atol=1e-5)
    assert not torch.allclose(model.logits(rows), before)
    with adapter.off():
        assert torch.equal(model.logits(rows), before)


def test_gradients_reach_every_part() -> None:
    model = copy()
    adapter = LowRank(model, 2, seed=1)
    generator = torch.Generator().manual_seed(3)
    adapter.load({name: torch.randn(tensor.shape, generator=generator) for name, tensor in adapter.tensors.items()})
    for tensor in adapter.tensors.values():
        tensor.requires_grad_()
    model.logits(model.table[TOKENS].unsqueeze(0)).square().mean().backward()
    assert all(tensor.grad is not None and tensor.grad.abs().sum() > 0 for tensor in adapter.tensors.values())
