"""A linear discriminant for tens of thousands of tokens: the closed form that a learned inverter starts from.

The rows of each token are taken for normal, with a mean of its own and one covariance for all (Fisher 1936; Ledoit and Wolf 2004
for the shrinkage towards a multiple of the identity). It needs one pass over the pairs and one solution of a linear system, and
tokens that were seen once or twice still have a direction: what a network would need many epochs to find.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

CHUNK = 4096  # rows at once
SHRINKAGE = 0.01
BOTTOM = -1e9  # the score of a token that was never seen


@dataclass(frozen=True, slots=True)
class Moments:
    """What pairs say: means [tokens, hidden size], how often each token was seen [tokens], and one covariance within tokens."""

    means: Tensor
    counts: Tensor
    covariance: Tensor

    @classmethod
    def of(cls, rows: Tensor, tokens: Tensor, count: int) -> "Moments":
        """The moments of rows [n, hidden size] (standardised, float32) and the n tokens in [0, count) behind them."""
        counts = torch.bincount(tokens, minlength=count).float()
        means = torch.zeros(count, rows.shape[1]).index_add_(0, tokens, rows) / counts.clamp_min(1)[:, None]
        covariance = torch.zeros(rows.shape[1], rows.shape[1])
        for part, own in zip(torch.split(rows, CHUNK), torch.split(tokens, CHUNK), strict=True):
            within = part - means[own]
            covariance += within.T @ within
        return cls(means, counts, covariance / max(1, len(rows) - int((counts > 0).sum())))


@dataclass(frozen=True, slots=True)
class Discriminant:
    """Scores of rows [n, hidden size] are `rows @ weights.T + bias`: `weights` [tokens, hidden size], `bias` [tokens]."""

    weights: Tensor
    bias: Tensor

    @classmethod
    def of(cls, moments: Moments) -> "Discriminant":
        """The discriminant of these moments; no token is expected more than another, but for those never seen."""
        covariance = moments.covariance
        scale = covariance.diagonal().mean() + 1e-6
        system = (1 - SHRINKAGE) * covariance + SHRINKAGE * scale * torch.eye(len(covariance))
        weights = torch.linalg.solve(system, moments.means.T).T.contiguous()
        bias = -0.5 * (moments.means * weights).sum(1)
        return cls(weights, torch.where(moments.counts > 0, bias, BOTTOM))

    def best(self, rows: Tensor, count: int = 1) -> tuple[Tensor, Tensor]:
        """The `count` best scores for each row and their tokens, both [n, count], the best first."""
        found = [
            torch.topk(torch.addmm(self.bias, part, self.weights.T), min(count, len(self.bias)))
            for part in torch.split(rows, CHUNK // 4)
        ]
        return torch.cat([it.values for it in found]), torch.cat([it.indices for it in found])
