"""Draws one token at each row of logits, the same one whatever else is in the batch.

The order is penalty, temperature, top-k, top-p, min-p, then argmax of score + Gumbel noise (see `gumbel`); temperature 0 is the
argmax of the penalised logits. Ties go to the lowest id. A draw is not `certain` where rounding could have changed the winner:
the two best lie within `tolerance` of each other, or a token within `tolerance` of a cut would win on its other side. Then the
decoder has the row run alone (design, section 4, "Rounding is not identity").
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from desktop_app.chat.events import Sampling
from desktop_app.decoding.step import Draw
from desktop_app.engine.gumbel import LARGEST, gumbel

LEARNED = 8  # successors of each row told to the drafters
FIRST_LOOK = 256  # candidates looked at before it is known how far down the list the winner may lie

# Largest difference seen between a row run alone and in a tree, in logits, with a margin of four (research/speculation.md, 4.2).
TOLERANCE = {torch.float32: 1e-4, torch.float16: 0.02, torch.bfloat16: 0.1}


@dataclass(frozen=True, slots=True)
class Cuts:
    """How many candidates, best first, survive top-k, top-p and min-p: as computed, at most and at least."""

    exact: int
    loose: int
    tight: int


class Sampler:
    """Draws tokens for one reply."""

    def __init__(self, sampling: Sampling, seed: int, dtype: torch.dtype = torch.float32) -> None:
        """`seed` has 64 bits; `dtype` is what the segments compute in, and says how much rounding to expect."""
        self._sampling = sampling
        self._seed = seed
        self._tolerance = TOLERANCE[dtype]

    @property
    def needs_path(self) -> bool:
        """Whether `draw` looks at the tokens before a row."""
        return self._sampling.repetition_penalty != 1.0

    def draw(
        self, logits: torch.Tensor, rows: Sequence[int], positions: Sequence[int], paths: Sequence[Sequence[int]]
    ) -> list[Draw]:
        """Draw at each row of `logits` [rows, vocabulary, float32].

        `positions` are those of the tokens to be drawn; `paths` hold the tokens up to and including each row, and may be empty
        lists unless `needs_path`.
        """
        if self.needs_path:
            logits = self._penalised(logits, paths)
        best = torch.topk(logits, min(LEARNED, logits.shape[-1]), dim=-1)
        norms = torch.logsumexp(logits, dim=-1)
        probabilities = torch.exp(best.values - norms[:, None]).tolist()
        ids = best.indices.tolist()
        draws = []
        for index, row in enumerate(rows):
            if self._sampling.temperature <= 0:
                token, certain = self._greedy(logits[index], best.values[index], best.indices[index])
            else:
                token, certain = self._sampled(logits[index], positions[index])
            draws.append(Draw(row, token, certain, tuple(ids[index]), tuple(probabilities[index])))
        return draws

    def _penalised(self, logits: torch.Tensor, paths: Sequence[Sequence[int]]) -> torch.Tensor:
        """Divide positive and multiply negative logits of tokens on the row's own path (Keskar et al. 2019, section 4.1)."""
        logits = logits.clone()
        penalty = self._sampling.repetition_penalty
        for row, path in zip(logits, paths, strict=True):
            # Under noise a prompt's numbers are no ids of the vocabulary: what may not be seen is not penalised.
            seen = torch.tensor(sorted({token for token in path if token < len(row)}), dtype=torch.long, device=logits.device)
            values = row[seen]
            row[seen] = torch.where(values > 0, values / penalty, values * penalty)
        return logits

    def _greedy(self, logits: torch.Tensor, values: torch.Tensor, ids: torch.Tensor) -> tuple[int, bool]:
        if len(values) < 2:
            return int(ids[0]), True
        gap = float(values[0] - values[1])
        if gap == 0.0:
            return int(torch.nonzero(logits == values[0])[0, 0]), False
        return int(ids[0]), gap > self._tolerance

    def _sampled(self, logits: torch.Tensor, position: int) -> tuple[int, bool]:
        sampling = self._sampling
        scaled = logits.double() / sampling.temperature
        tolerance = self._tolerance / sampling.temperature
        size = min(max(FIRST_LOOK, sampling.top_k + 16), scaled.shape[-1])
        scores, ids = _ranked(*torch.topk(scaled, size))
        cuts = self._cuts(scaled, scores, tolerance)
        noisy = scores[: cuts.loose] + gumbel(self._seed, position, ids[: cuts.loose])
        if cuts.loose == size < scaled.shape[-1]:
            # No cut ends the list. Below this score no token can win any more, however lucky its noise.
            kept = torch.nonzero(scaled >= float(noisy.max()) - LARGEST)[:, 0]
            scores, ids = _ranked(scaled[kept], kept)
            cuts = self._cuts(scaled, scores, tolerance)
            noisy = scores[: cuts.loose] + gumbel(self._seed, position, ids[: cuts.loose])
        winner = int(np.argmax(noisy[: cuts.exact]))
        others = np.delete(noisy, winner)
        clear = len(others) == 0 or bool(noisy[winner] - others.max() > tolerance)
        return int(ids[winner]), clear and winner < cuts.tight

    def _cuts(self, scaled: torch.Tensor, scores: NDArray[np.float64], tolerance: float) -> Cuts:
        """Return how many of the ranked candidates survive: as computed, and with every edge moved by `tolerance` either way."""
        sampling = self._sampling
        exact = loose = tight = len(scores)
        norm = float(torch.logsumexp(scaled, dim=-1))
        if 0 < sampling.top_k < len(scores):
            exact, edge = sampling.top_k, scores[sampling.top_k - 1]
            loose, tight = int(np.sum(scores >= edge - tolerance)), int(np.sum(scores > edge + tolerance))
            norm = float(np.logaddexp.reduce(scores[:exact]))
        if sampling.top_p < 1.0:
            probabilities = np.exp(scores - norm)
            before = np.cumsum(probabilities) - probabilities
            exact = min(exact, int(np.sum(before < sampling.top_p)))
            loose = min(loose, int(np.sum(before < sampling.top_p + tolerance)))
            tight = min(tight, int(np.sum(before < sampling.top_p - tolerance)))
        if sampling.min_p > 0.0:
            edge = scores[0] + np.log(sampling.min_p)
            exact = min(exact, int(np.sum(scores >= edge)))
            loose = min(loose, int(np.sum(scores >= edge - tolerance)))
            tight = min(tight, int(np.sum(scores >= edge + tolerance)))
        return Cuts(max(1, exact), max(1, loose), max(1, tight))


def _ranked(values: torch.Tensor, indices: torch.Tensor) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return scores and ids, best first, ties by the lower id."""
    scores, ids = values.cpu().numpy(), indices.cpu().numpy()
    order = np.lexsort((ids, -scores))
    return scores[order], ids[order]
