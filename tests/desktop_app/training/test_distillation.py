"""What is trained gets nearer to the clean model, its weights stay, and a run that was cut off ends like one that was not."""

import contextlib
from pathlib import Path

import pytest
import torch
from torch import Tensor

from desktop_app.open_weights.low_rank import LowRank
from desktop_app.open_weights.trainable import Trainable
from desktop_app.training.distillation import Distillation, Plan
from desktop_app.training.samples import Sample
from remote_agent.segment.plan import ModelPlan
from tests.helpers.tiny_models import tiny_model

pytestmark = pytest.mark.slow

SAMPLES = [Sample((1,), tuple(range(10 * n, 10 * n + 8)), (2,), tuple(range(90, 100))) for n in range(1, 5)]


@pytest.fixture
def model() -> Trainable:
    tiny = tiny_model("llama")
    return Trainable(ModelPlan.from_config(tiny.config), tiny, tiny.config)


def rows_with(model: Trainable, soft: Tensor, number: int) -> Tensor:
    """The rows before a reply, the person's words left out: what there is to be learnt is what they said on average."""
    sample = SAMPLES[number]
    return torch.cat((soft, model.table[[*sample.before, *sample.between]]))


def run(
    model: Trainable, steps: int, checkpoint: Path | None = None, cut: int | None = None, signature: str = "s"
) -> Distillation:
    soft = model.table[[3, 4, 5]].clone()
    made = Distillation(model, SAMPLES, {"soft_prompt": soft}, Plan(steps=steps, rate=0.05, batch=2, warm_up=2))

    class Cut(Exception):
        pass

    def tell(step: int, loss: float) -> None:
        if step == cut:
            raise Cut

    with contextlib.suppress(Cut):
        made.run(lambda number: rows_with(model, soft, number), checkpoint, signature, tell)
    return made


def test_the_loss_falls_and_the_weights_stay(model: Trainable) -> None:
    before = {name: parameter.clone() for name, parameter in model.network.named_parameters()}
    losses = run(model, 60).losses
    assert sum(losses[-10:]) < 0.8 * sum(losses[:10])
    assert all(torch.equal(before[name], parameter) for name, parameter in model.network.named_parameters())


def test_a_run_that_was_cut_off_ends_like_one_that_was_not(model: Trainable, tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    run(model, 50, path, cut=33)
    assert run(model, 50, path).losses == pytest.approx(run(model, 50).losses, rel=1e-4)


def test_another_runs_checkpoint_is_not_gone_on_from(model: Trainable, tmp_path: Path) -> None:
    path = tmp_path / "run.safetensors"
    run(model, 40, path, cut=25)
    assert run(model, 30, path, signature="another").losses == pytest.approx(run(model, 30).losses, rel=1e-4)


def test_what_is_learnt_from_is_the_model_without_its_adapter(model: Trainable) -> None:
    adapter = LowRank(model, 2, seed=1)
    generator = torch.Generator().manual_seed(1)
    adapter.load({name: torch.randn(tensor.shape, generator=generator) for name, tensor in adapter.tensors.items()})
    made = Distillation(model, SAMPLES, adapter.tensors, Plan(steps=1, rate=0.1), adapter)
    whole = model.table[SAMPLES[0].ids[: SAMPLES[0].reply_start]]
    with torch.no_grad():
        assert float(made.loss(0, whole)) > 0.01
        with adapter.off():
            assert float(made.loss(0, whole)) == pytest.approx(0.0, abs=1e-5)
