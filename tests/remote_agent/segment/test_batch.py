"""Steps together and in slices give what each gives alone and whole; a step that is given up leaves its session as it was."""

import random
from collections.abc import Sequence

import pytest
import torch

from remote_agent.segment.batch import UnderWay, advance
from remote_agent.segment.errors import StepDropped
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.segment import Attention, Segment
from tests.helpers.tiny_models import KINDS, TinyModel, tiny_model

TOLERANCE = 1e-4
HIDDEN = 48


@pytest.fixture(scope="module")
def models() -> dict[str, TinyModel]:
    return {kind: tiny_model(kind) for kind in KINDS}


def whole(model: TinyModel, attention: Attention = "sdpa") -> Segment:
    plan = ModelPlan.from_config(model.config)
    return Segment(plan, model, 0, plan.layers, device="cpu", dtype=torch.float32, attention=attention)


def tree(draw: random.Random, first: int, count: int) -> list[int]:
    """Parents of `count` rows from `first` on, below row `first - 1`: mostly a chain, with branches."""
    return [first + row - 1 if draw.random() < 0.7 else draw.randrange(first - 1, first + row) for row in range(count)]


def go(steps: Sequence[UnderWay], draw: random.Random) -> list[torch.Tensor]:
    """Take all steps through, in passes of random portions of random steps."""
    with torch.inference_mode():
        while waiting := [step for step in steps if step.left]:
            chosen = draw.sample(waiting, draw.randint(1, len(waiting)))
            advance([(step, draw.randint(1, min(step.left, 7))) for step in chosen])
        return [step.answer() for step in steps]


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
@pytest.mark.parametrize("kind", KINDS)
def test_rows_together_and_in_slices_equal_each_step_alone(models: dict[str, TinyModel], kind: str, attention: Attention) -> None:
    """Trees and chains of five sessions, over two rounds, the second on top of branches that the first left."""
    draw, generator = random.Random(kind), torch.Generator().manual_seed(5)
    together, alone = whole(models[kind], attention), whole(models[kind], attention)
    for session in range(5):
        for segment in (together, alone):
            segment.open(session, 300)
    first = [0] * 5
    for _ in range(3):
        steps, expected = [], []
        for session in range(5):
            count = draw.choice((1, 2, 9, 40))
            row = first[session]
            parents = tree(draw, row, count) if row else list(range(-1, count - 1))
            rows = torch.randn(count, HIDDEN, generator=generator)
            expected.append(alone.run(session, 0, row - 1, row, parents, rows))
            steps.append(together.begin(session, 0, row - 1, row, parents, rows))
            first[session] += count
        for got, want in zip(go(steps, draw), expected, strict=True):
            assert (got - want).abs().max() < TOLERANCE


def test_sessions_on_other_layers_go_together_where_the_layers_are_the_same(models: dict[str, TinyModel]) -> None:
    segment = whole(models["mistral"])
    spans = [(0, 3), (1, 4), (2, 3), (0, segment.last_layer)]
    parts = [segment.part(*span) for span in spans]
    again = [segment.part(*span) for span in spans]
    rows = [torch.randn(4, HIDDEN) for _ in spans]
    for part in (*parts, *again):
        part.open(0, 100)
    steps = [part.begin(0, 0, -1, 0, range(-1, 3), row) for part, row in zip(parts, rows, strict=True)]
    for got, part, row in zip(go(steps, random.Random(1)), again, rows, strict=True):
        assert (got - part.run(0, 0, -1, 0, range(-1, 3), row)).abs().max() < TOLERANCE


def test_rows_that_overflow_harm_nobody_elses(models: dict[str, TinyModel]) -> None:
    """Finite numbers that are so large that they become infinite on their way stay in their own session."""
    segment, rows = whole(models["llama"]), torch.randn(3, HIDDEN)
    for session in (0, 1, 2):
        segment.open(session, 100)
    expected = segment.run(2, 0, -1, 0, range(-1, 2), rows)
    steps = [
        segment.begin(0, 0, -1, 0, range(-1, 2), torch.full((3, HIDDEN), 3e38)),
        segment.begin(1, 0, -1, 0, range(-1, 2), rows),
    ]
    with torch.inference_mode():
        advance([(step, 3) for step in steps])
        assert (steps[1].answer() - expected).abs().max() < TOLERANCE


def test_a_step_given_up_after_a_slice_can_come_again(models: dict[str, TinyModel]) -> None:
    segment, rows = whole(models["gemma3_text"]), torch.randn(20, HIDDEN)
    for session in (0, 1):
        segment.open(session, 100)
        segment.run(session, 0, -1, 0, range(-1, 4), torch.ones(5, HIDDEN))
    step = segment.begin(0, 0, 4, 5, range(4, 24), rows)
    with torch.inference_mode():
        advance([(step, 7)])
        with pytest.raises(StepDropped):
            advance([(step, 7)], lambda: True)
        assert step.left == 13
    step.give_up()
    assert segment.length(0) == 5
    expected = segment.run(1, 0, 4, 5, range(4, 24), rows)
    assert (segment.run(0, 0, 4, 5, range(4, 24), rows) - expected).abs().max() < TOLERANCE
