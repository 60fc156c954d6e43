"""A denoiser adds nothing before it is trained, learns from the clean words, and sees no later ones."""

import pytest
import torch

from desktop_app.open_weights.trainable import Trainable
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.training import recipes
from desktop_app.training.denoiser import Denoiser, Denoising, standing_before_the_tail
from desktop_app.training.distillation import Plan
from desktop_app.training.projection import principal
from desktop_app.training.recipes import Run
from desktop_app.training.samples import Sample
from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.plan import ModelPlan
from tests.helpers.tiny_models import tiny_model

pytestmark = pytest.mark.slow

SAMPLES = [Sample((1,), tuple(range(n, n + 8)), (2,), tuple(range(150, 166))) for n in range(20, 100)]
HIDDEN = 48


@pytest.fixture(scope="module")
def model() -> Trainable:
    tiny = tiny_model("llama")
    return Trainable(ModelPlan.from_config(tiny.config), tiny, tiny.config)


def trained(seed: int = 0) -> Denoiser:
    denoiser = Denoiser(HIDDEN, seed)
    torch.nn.init.normal_(denoiser.leave.weight, generator=torch.Generator().manual_seed(1))
    return denoiser


def test_an_untrained_one_changes_nothing(model: Trainable) -> None:
    rows = model.table[SAMPLES[0].ids][None]
    with standing_before_the_tail(model, Denoiser(HIDDEN), rows[0]):
        assert torch.equal(model.states(rows), model.states(rows))
        denoised = model.states(rows)
    assert torch.equal(denoised, model.states(rows))


def test_what_is_added_hangs_on_earlier_and_own_words_only() -> None:
    denoiser = trained()
    noisy, clean = torch.randn(2, 6, HIDDEN, generator=torch.Generator().manual_seed(2))
    changed = clean.clone()
    changed[3] += 1
    before, after = denoiser(noisy, clean), denoiser(noisy, changed)
    assert torch.allclose(before[:3], after[:3], atol=1e-6)
    assert not torch.allclose(before[3:], after[3:], atol=1e-3)


def test_it_goes_away_again(model: Trainable) -> None:
    rows = model.table[SAMPLES[0].ids][None]
    clean = model.states(rows)
    with standing_before_the_tail(model, trained(), rows[0]):
        assert not torch.allclose(model.states(rows), clean, atol=1e-3)
    assert torch.equal(model.states(rows), clean)


def test_weights_of_another_shape_are_refused() -> None:
    with pytest.raises(RuntimeError, match="size mismatch"):
        Denoiser.of(Denoiser(HIDDEN).state_dict(), HIDDEN + 1)


def test_it_learns_what_the_reply_as_codes_has_lost(model: Trainable) -> None:
    """The reply is read as one and the same token: what was really said is known to the denoiser alone."""
    denoiser = Denoiser(HIDDEN, seed=3)
    replies = [torch.full((16,), 5) for _ in SAMPLES]
    made = Denoising(model, SAMPLES, denoiser, Plan(steps=60, rate=1e-2, batch=2, warm_up=2), replies)
    made.run(lambda number: model.table[[*SAMPLES[number].before, *SAMPLES[number].prompt, *SAMPLES[number].between]])
    losses = made.losses
    assert sum(losses[-10:]) < 0.9 * sum(losses[:10])


def test_the_recipe_trains_one_that_can_be_read_again(model: Trainable) -> None:
    run = Run(model, None, SAMPLES, seed=1)  # type: ignore[arg-type]
    table = CodeTable(principal(model.table, 16), model.table, 4)
    tensors, losses = recipes.denoiser(run, table, Level(10.0, 4, 16))
    assert len(losses) == recipes.DENOISER_ROUNDS * len(SAMPLES) // recipes.BATCH
    again = Denoiser.of(tensors, HIDDEN)
    assert bool(again.leave.weight.abs().sum() > 0)
