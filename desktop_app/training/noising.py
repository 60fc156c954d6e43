"""Samples as an agent reads them: codes drawn for the prompt, and the rows that a decoder makes of them.

The decoder of recipe `sotto` is the likeliest text under the model, as the agent's is; here it is found by a few rounds in which
all tokens are looked at together, each with the last round's tokens before it: many times faster than the agent's beam, and
nearly the same text. That of recipe `del` is linear (arXiv 2602.11513), with a cap on the norm of what came.
"""

import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from desktop_app.open_weights.trainable import Trainable
from desktop_app.privacy.noise import quantiser
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.training.samples import Sample
from remote_agent.segment.code_decoders import LinearDecoder
from remote_agent.segment.code_table import CodeTable

ROUNDS = 3
UNIGRAM = 0.1  # of the prior: a model is sure where it should not be
AT_ONCE = 8  # texts


def drawn(table: CodeTable, tokens: Sequence[int], level: Level, seed: int | Sequence[int]) -> Tensor:
    """Counts [n, d'] uint8 for tokens [n], by coins that repeat for the seed: only where they are nobody's own words."""
    codes: NDArray[np.float64] = table.codes[list(tokens)].numpy()
    limits = quantiser.thresholds(codes, level)
    return torch.from_numpy(quantiser.draw(limits, level, np.random.default_rng(seed).bytes))


def linear_rows(table: CodeTable, counts: Tensor, level: Level, decoder: Tensor | None, cap: float) -> Tensor:
    """Rows [n, d]: D z, with z [n, d'] the numbers that counts stand for, shrunk where their norm is above `cap`.

    `decoder`: D [d, d']; the pseudo-inverse of the projection where there is none.
    """
    mu16 = round(level.mu * 16)
    rows = LinearDecoder(table, decoder)(counts, torch.full((len(counts),), mu16)).rows
    # The decoder has no bias, so what it makes of shorter numbers is shorter by as much.
    capped: Tensor = rows * (cap / table.meant(counts, mu16).norm(dim=1, keepdim=True)).clamp(max=1.0)
    return capped


@torch.inference_mode()
def likeliest(
    model: Trainable, table: CodeTable, samples: Sequence[Sample], counts: Sequence[Tensor], level: Level
) -> list[Tensor]:
    """The tokens [n] of each prompt that are likeliest, given its codes and the model."""
    mu16 = round(level.mu * 16)
    found: list[Tensor] = []
    for start in range(0, len(samples), AT_ONCE):
        some = samples[start : start + AT_ONCE]
        gains = [table.log_likelihood(own, mu16) for own in counts[start : start + AT_ONCE]]
        tokens = [(gain + table.log_prior).argmax(-1) for gain in gains]
        for _ in range(ROUNDS):
            states = model.states(_padded(model, some, tokens))
            for place, (sample, gain) in enumerate(zip(some, gains, strict=True)):
                first = len(sample.before) - 1
                prior = torch.log_softmax(model.logits_of(states[place, first : first + len(gain)]), -1)
                own = prior + math.log(1 - UNIGRAM)
                tokens[place] = (gain + torch.logaddexp(own, table.log_prior + math.log(UNIGRAM))).argmax(-1)
        found += tokens
    return found


def _padded(model: Trainable, samples: Sequence[Sample], tokens: Sequence[Tensor]) -> Tensor:
    """Rows [texts, longest, d] of template and tokens; behind a shorter text anything, which nothing before it sees."""
    longest = max(len(sample.before) + len(own) for sample, own in zip(samples, tokens, strict=True))
    ids = torch.zeros(len(samples), longest, dtype=torch.int64)
    for place, (sample, own) in enumerate(zip(samples, tokens, strict=True)):
        ids[place, : len(sample.before) + len(own)] = torch.cat((torch.tensor(sample.before), own))
    return model.table[ids]
