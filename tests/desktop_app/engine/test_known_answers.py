"""Answers computed layer by layer are the whole middle's; an honest agent passes in any numbers, one that alters does not."""

import pytest
import torch

from desktop_app.engine.known_answers import KnownAnswer, chance_of_finding, computed, is_wrong, tolerance
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.segment import Segment
from remote_agent.wire.messages import RowFormat
from tests.helpers.tiny_models import KINDS, TinyModel, tiny_model

DTYPES = {RowFormat.FLOAT32: torch.float32, RowFormat.FLOAT16: torch.float16, RowFormat.BFLOAT16: torch.bfloat16}


def known(model: TinyModel, rows: int = 12) -> tuple[ModelPlan, KnownAnswer]:
    plan = ModelPlan.from_config(model.config)
    text = torch.randn(rows, plan.hidden_size, generator=torch.Generator().manual_seed(3))
    (answer,) = computed(plan, lambda layer: model, 1, plan.layers, [text])
    return plan, answer


def agents_answer(plan: ModelPlan, model: TinyModel, sent: torch.Tensor, computes_in: RowFormat) -> list[torch.Tensor]:
    """A prompt of all rows but three, and then one row a step, as an agent that computes in these numbers answers."""
    agent = Segment(plan, model, 1, plan.layers, device="cpu", dtype=DTYPES[computes_in])
    agent.open(0, 100)
    prompt = len(sent) - 3
    answers = [agent.run(0, 0, -1, 0, range(-1, prompt - 1), sent[:prompt])]
    return answers + [agent.run(0, 0, row - 1, row, [row - 1], sent[row : row + 1]) for row in range(prompt, len(sent))]


@pytest.mark.parametrize("computes_in", DTYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_an_honest_agent_passes_whatever_it_computes_in(kind: str, computes_in: RowFormat) -> None:
    model = tiny_model(kind)
    plan, answer = known(model)
    row = 0
    for part in agents_answer(plan, model, answer.sent, computes_in):
        assert not is_wrong(answer, row, part, tolerance(computes_in, plan.layers - 1))
        row += len(part)
    assert row == len(answer.sent)


@pytest.mark.parametrize("computes_in", DTYPES)
def test_one_row_that_was_altered_beyond_rounding_is_found(computes_in: RowFormat) -> None:
    plan, answer = known(tiny_model("llama"))
    within = tolerance(computes_in, plan.layers - 1)
    for size in (2 * within, 10 * within):
        altered = answer.answer.clone()
        altered[5] += size * altered[5].norm() / altered.shape[1] ** 0.5
        assert is_wrong(answer, 0, altered, within)
    assert is_wrong(answer, 0, answer.answer.roll(1, 0), within)
    assert is_wrong(answer, 4, torch.full((1, plan.hidden_size), float("nan")), within)


def test_layers_left_out_are_found() -> None:
    """An agent that saves work by skipping its last layer."""
    model = tiny_model("llama")
    plan, answer = known(model)
    agent = Segment(plan, model, 1, plan.layers - 1, device="cpu", dtype=torch.bfloat16)
    agent.open(0, 100)
    got = agent.run(0, 0, -1, 0, range(-1, len(answer.sent) - 1), answer.sent)
    assert is_wrong(answer, 0, got, tolerance(RowFormat.BFLOAT16, plan.layers - 1))


def test_the_chance_of_finding_grows_with_checks_and_with_what_is_altered() -> None:
    assert chance_of_finding(1.0, 1) == 1.0
    assert chance_of_finding(0.1, 20) == pytest.approx(0.878, abs=0.001)
    assert chance_of_finding(0.01, 20) == pytest.approx(0.182, abs=0.001)
    assert chance_of_finding(0.5, 0) == 0.0
