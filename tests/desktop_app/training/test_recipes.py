"""Each recipe trains what it says, lowers its loss, and leaves the model as it was."""

from collections.abc import Callable

import pytest
import torch

from desktop_app.model.local import LocalModel
from desktop_app.open_weights.trainable import Trainable
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.training import recipes
from desktop_app.training.projection import principal
from desktop_app.training.recipes import Run
from desktop_app.training.samples import Sample
from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.plan import ModelPlan
from tests.helpers.tiny_models import tiny_model

pytestmark = pytest.mark.slow

LEVEL = Level(40.0, 4, 16)
DIMENSIONS = 16


class Words:
    """Enough of a tokenizer: each word is a token."""

    def encode(self, text: str) -> list[int]:
        return [10 + len(word) for word in text.split()]


@pytest.fixture(scope="module")
def run() -> Run:
    tiny = tiny_model("llama")
    model = Trainable(ModelPlan.from_config(tiny.config), tiny, tiny.config)
    samples = [Sample((1,), tuple(range(n, n + 8)), (2,), tuple(range(150, 166))) for n in range(20, 100)]
    return Run(model, Words(), samples, seed=1)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def table(run: Run) -> CodeTable:
    return CodeTable(principal(run.model.table, DIMENSIONS), run.model.table, 4)


def falls(losses: list[float]) -> bool:
    third = len(losses) // 3
    return sum(losses[-third:]) < sum(losses[:third])


def test_del_trains_encoder_and_decoder_without_noise_then_a_soft_prompt_with_it(
    run: Run, table: CodeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(recipes.RATES, "ends", 1e-2)  # the model is tiny, and so are its embeddings
    start = table.projection
    found, losses = recipes.ends(run, start.matrix, start.clip)
    assert falls(losses)
    assert (found["projection"].shape, found["decoder"].shape) == ((DIMENSIONS, 48), (48, DIMENSIONS))
    assert not torch.equal(found["projection"], start.matrix)
    soft, losses = recipes.soft_prompt_of_del(run, table, LEVEL, found["decoder"], length=6)
    assert soft.shape == (6, 48)
    assert falls(losses)


@pytest.mark.parametrize("make", [recipes.soft_prompt, recipes.adapter])
def test_ours_are_trained_on_what_the_agent_reads(run: Run, table: CodeTable, make: Callable[..., object]) -> None:
    before = {name: parameter.clone() for name, parameter in run.model.network.named_parameters()}
    given = (run, table, LEVEL, 6) if make is recipes.soft_prompt else (run, table, LEVEL)
    _, losses = make(*given)  # type: ignore[misc]
    assert falls(losses)
    assert all(torch.equal(before[name], parameter) for name, parameter in run.model.network.named_parameters())


def test_the_cap_lets_nearly_all_clean_codes_pass(table: CodeTable) -> None:
    norms = table.codes.norm(dim=1) * table.projection.clip
    assert float((norms <= recipes.norm_cap(table)).float().mean()) == pytest.approx(0.95, abs=0.02)


@pytest.mark.slow
def test_a_soft_prompt_begins_with_a_sentence_of_the_real_tokenizer(prepared_starter: LocalModel) -> None:
    assert len(prepared_starter.tokenizer.encode(recipes.SENTENCE)) >= 20
