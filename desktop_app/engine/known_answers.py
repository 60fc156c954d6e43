"""Texts whose middle output was computed here, to test an agent's arithmetic: single-use known answers.

Theory of operation. An agent is not believed, and whatever it returns decides the reply. When a model is converted all of its
layers pass through this machine once: layer by layer, so that one layer at a time is in memory, the middle's output is computed
for some drawn texts. Later such a text is sent as a session that looks like any other, step by step, and each answer is compared
with what is known. A text is used once: an agent that keeps what it saw would know it again.

The comparison is by row, the length of the difference over the length of what is known. The two sides may compute in other
numbers; with the starter model (24 layers, 160 rows of real text) an honest agent was at most 3e-6 away in float32, 0.0033 in
float16 and 0.037 in bfloat16, and one text's row is 0.68 away from the next. What an agent alters by less than `tolerance` is not
found, and hardly moves a reply.

Why not commitments, which the agent would open afterwards: hashing the inputs of its layers is cheap (0.04 ms a row), but opening
one takes its inputs for the row and all of its ancestors, which the agent must have kept for every layer, megabytes on the wire
for each check, and that layer's weights here; and a check of one of L layers finds an alteration in one layer with a chance of
only 1 in L. A known answer tests all layers at the price of its rows.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.projection import TensorSource
from remote_agent.segment.segment import Segment
from remote_agent.wire.messages import RowFormat

_TOLERANCES = {RowFormat.FLOAT32: 1e-4, RowFormat.FLOAT16: 0.01, RowFormat.BFLOAT16: 0.1}
_MEASURED_LAYERS = 24

Weights = Callable[[int], TensorSource]
"""Where the tensors of a layer come from; asked for one layer after the other, so that each may be let go again."""


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """One text: its rows behind the head and, computed here, behind the middle; both float32 [rows, hidden size]."""

    sent: torch.Tensor
    answer: torch.Tensor


def computed(
    plan: ModelPlan, weights: Weights, first_layer: int, last_layer: int, texts: Sequence[torch.Tensor]
) -> list[KnownAnswer]:
    """The answers of layers [first_layer, last_layer) to texts, each rows [n, hidden size] behind the head.

    One layer is in memory at a time, in float32 on the CPU. Raises `SegmentError`.
    """
    rows = [text.float() for text in texts]
    for index in range(first_layer, last_layer):
        layer = Segment(plan, weights(index), index, index + 1, device="cpu", dtype=torch.float32)
        for number, text in enumerate(rows):
            layer.open(0, len(text))
            rows[number] = layer.run(0, 0, -1, 0, range(-1, len(text) - 1), text)
    return [KnownAnswer(sent.float(), answer) for sent, answer in zip(texts, rows, strict=True)]


def tolerance(computes_in: RowFormat, layers: int) -> float:
    """How far an honest agent's row may be from ours: about three times what was measured, more where more layers round."""
    return _TOLERANCES[computes_in] * max(1.0, math.sqrt(layers / _MEASURED_LAYERS))


def is_wrong(known: KnownAnswer, first_row: int, answer: torch.Tensor, within: float) -> bool:
    """Whether an answer to rows from `first_row` on, [n, hidden size], is another than is known, beyond `within`.

    Rows that are not finite are wrong too.
    """
    expected = known.answer[first_row : first_row + len(answer)]
    away = (answer.float() - expected).norm(dim=1) / expected.norm(dim=1).clamp_min(1e-12)
    return not bool((away <= within).all())


def chance_of_finding(altered: float, checks: int) -> float:
    """The chance that one of so many known steps is among those that an agent alters, which cannot tell them from others."""
    return 1.0 - (1.0 - altered) ** checks
