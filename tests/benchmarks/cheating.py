"""How often an agent that alters some of its answers is found by known answers, and what that costs; a part of benchmark `agent`.

Of `STEPS` steps every `EVERY`th is one of a known answer. The agent computes in bfloat16, the known answers were computed in
float32 and layer by layer; it alters each answer with some chance, in one row, by `SIZE` of the row's length.
"""

import random
import time
from collections.abc import Sequence

import torch

from desktop_app.engine.known_answers import KnownAnswer, chance_of_finding, computed, is_wrong, tolerance
from desktop_app.engine.models import Loaded
from remote_agent.segment.preparation import prepare
from remote_agent.segment.segment import Segment
from remote_agent.wire.messages import RowFormat
from tests.benchmarks.prompts import PROMPTS

STEPS, EVERY = 200, 10
SIZE = 0.3
TRIALS = 2000
SHARES = (1, 10, 100)
ONE_BY_ONE = 4  # rows of each text that go as steps of their own, behind the rest as a prompt


def cheat_found(loaded: Loaded) -> dict[str, float]:
    """The figures; prints the cost beside them."""
    span = (loaded.first_layer, loaded.last_layer)
    texts = [_rows(loaded, loaded.model.tokenizer.encode(prompt)) for prompt in PROMPTS[: STEPS // EVERY // (ONE_BY_ONE + 1)]]
    weights = prepare(loaded.file.path, loaded.file.models_directory, ends=False)
    began = time.perf_counter()
    known = computed(loaded.model.plan, lambda layer: weights, *span, texts)
    seconds = time.perf_counter() - began
    rows = sum(map(len, texts))
    agent = Segment(loaded.model.plan, weights, *span, device="cpu", dtype=torch.bfloat16)
    steps = [step for answer in known for step in _asked(agent, answer)]
    within = tolerance(RowFormat.BFLOAT16, span[1] - span[0])
    if any(is_wrong(answer, first, got, within) for answer, first, got in steps):
        raise RuntimeError("An honest agent was found to cheat.")
    sent = rows * known[0].sent.shape[1] * 2 * 2
    print(
        f"known answers: {len(steps)} of {STEPS} steps are checks; {seconds / rows * 1e3:.0f} ms a row to compute, once; "
        f"{sent / STEPS / 1024:.1f} KiB a step both ways in bfloat16, {rows / (rows + STEPS):.0%} more rows"
    )
    return {f"cheat_found_percent.{share}": _found(steps, share / 100, within) for share in SHARES}


def _rows(loaded: Loaded, ids: Sequence[int]) -> torch.Tensor:
    """A text behind the head."""
    loaded.head.open(0, len(ids))
    return loaded.head.run(0, 0, -1, 0, range(-1, len(ids) - 1), ids)


def _asked(agent: Segment, known: KnownAnswer) -> list[tuple[KnownAnswer, int, torch.Tensor]]:
    """What the agent answers to the steps of one text: first row and rows."""
    agent.open(0, 512)
    prompt = len(known.sent) - ONE_BY_ONE
    steps = [(0, prompt), *((row, 1) for row in range(prompt, len(known.sent)))]
    return [
        (known, first, agent.run(0, 0, first - 1, first, range(first - 1, first + count - 1), known.sent[first : first + count]))
        for first, count in steps
    ]


def _found(steps: Sequence[tuple[KnownAnswer, int, torch.Tensor]], altered: float, within: float) -> float:
    """In how many percent of trials an agent that alters this share of its answers is found."""
    draw, found = random.Random(7), 0
    for _ in range(TRIALS):
        chosen = [step for step in steps if draw.random() < altered]
        found += any(is_wrong(known, first, _altered(got, draw), within) for known, first, got in chosen)
    percent = 100 * found / TRIALS
    formula = 100 * chance_of_finding(altered, len(steps))
    print(f"an agent that alters {altered:.0%} of its answers: found {percent:.1f} %, by the formula {formula:.1f} %")
    return percent


def _altered(answer: torch.Tensor, draw: random.Random) -> torch.Tensor:
    changed, row = answer.clone(), draw.randrange(len(answer))
    direction = torch.randn(changed.shape[1], generator=torch.Generator().manual_seed(draw.randrange(2**31)))
    changed[row] += (SIZE * changed[row].float().norm() * direction / direction.norm()).to(changed.dtype)
    return changed
