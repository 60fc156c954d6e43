"""The codes of a whole vocabulary, and how likely each token is to have sent what came.

Theory of operation. Each token v has a fixed, public code z_v = clip(P E_v, c) / c in [-1, 1]. At a noise level mu a coordinate
leaves as K ~ Binomial(u, p), u = 2^bits - 1, with p = threshold / 2^16 on the grid that is really drawn from (DEL, arXiv
2602.11513; the desktop's `privacy.noise.quantiser` draws, and a test holds its thresholds against these). So, but for what is the
same for all tokens,

    ln P(K | v) = sum_j K_j logit(p_vj) + u sum_j ln(1 - p_vj)

one product of the counts with a table [V, d'] and a constant a token: linear in K, exact, and never larger than [rows, V].
"""

import math
from collections import OrderedDict
from collections.abc import Iterator

import torch

from remote_agent.segment.artefacts import Projection

GRID = 2**16
LEVELS_KEPT = 2  # each is as large as the table
AT_ONCE = 8192  # tokens that are looked at together


def half_width(mu16: int, bits: int, dimensions: int) -> float:
    """A, in clips, of codes at mu = mu16 / 16: A = sqrt(1 + 4 u d' / mu^2)."""
    return math.sqrt(1 + 4 * ((1 << bits) - 1) * dimensions / (mu16 / 16) ** 2)


def thresholds(codes: torch.Tensor, mu16: int, bits: int) -> torch.Tensor:
    """What 16 random bits are compared with, int64, for each coordinate of `codes` [.., d'] float64 in [-1, 1]."""
    width = half_width(mu16, bits, codes.shape[-1])
    lowest = math.ceil(GRID * (width - 1) / (2 * width))
    return torch.round(GRID * (width + codes) / (2 * width)).long().clamp(lowest, GRID - lowest)


class CodeTable:
    """The table of one projection and one vocabulary; `bits` a coordinate. Not for several threads at once."""

    def __init__(self, projection: Projection, embeddings: torch.Tensor, bits: int) -> None:
        """`embeddings` [V, d]: the rows that the model's first layer sees, scaled where the family scales them."""
        self.projection, self.embeddings, self.bits = projection, embeddings, bits
        self.device = embeddings.device
        matrix = projection.matrix.double()
        with torch.no_grad():
            parts = [part.cpu().double() @ matrix.T for part in torch.split(embeddings, AT_ONCE)]
            # In 64 bits on the CPU, as the desktop does it: a threshold must not depend on who works it out.
            self.codes = (torch.cat(parts) / projection.clip).clamp(-1.0, 1.0)
            uniform = torch.full((len(embeddings),), -math.log(len(embeddings)))
            self.log_prior = (uniform if projection.log_prior is None else projection.log_prior).to(self.device)
        self._levels: OrderedDict[int, tuple[torch.Tensor, torch.Tensor]] = OrderedDict()

    @property
    def tokens(self) -> int:
        """V."""
        return len(self.embeddings)

    @property
    def dimensions(self) -> int:
        """d'."""
        return self.projection.matrix.shape[0]

    @property
    def steps(self) -> int:
        """u: the largest count."""
        return (1 << self.bits) - 1

    def half_width(self, mu16: int) -> float:
        """A at a level, in clips."""
        return half_width(mu16, self.bits, self.dimensions)

    def meant(self, counts: torch.Tensor, mu16: int) -> torch.Tensor:
        """The numbers [n, d'] float32 that counts [n, d'] stand for at one level: A (2 K / u - 1) clips, without bias."""
        width = self.half_width(mu16) * self.projection.clip
        return width * (2 * counts.to(self.device, torch.float32) / self.steps - 1)

    def log_likelihood(self, counts: torch.Tensor, mu16: int) -> torch.Tensor:
        """ln P(counts | token) [n, V] float32 of counts [n, d'] at one level, up to a constant for each row."""
        with torch.no_grad():
            logits, constants = self._level(mu16)
            return torch.addmm(constants, counts.to(self.device, torch.float32), logits.T)

    def log_posterior(self, counts: torch.Tensor, mu16: int) -> torch.Tensor:
        """ln P(token | counts) [n, V] under the prior of the projection's file, a uniform one where it has none."""
        with torch.no_grad():
            return torch.log_softmax(self.log_likelihood(counts, mu16) + self.log_prior, dim=-1)

    def rows_of(self, tokens: torch.Tensor) -> torch.Tensor:
        """The embeddings [n, d] float32 of tokens [n]."""
        with torch.no_grad():
            return self.embeddings[tokens.to(self.device)].float()

    def tokens_of(self, rows: torch.Tensor) -> torch.Tensor:
        """The tokens [n] whose embeddings these rows [n, d] are, up to 16 bits' rounding; -1 for a row that is none."""
        with torch.no_grad():
            rows = rows.to(self.device, torch.float32)
            best = torch.full((len(rows),), math.inf, device=self.device)
            found = torch.zeros(len(rows), dtype=torch.int64, device=self.device)
            for start, part in self._parts():
                # |row - e|^2 without |row|^2, which is the same for all.
                nearest = (part.square().sum(dim=1) - 2 * rows @ part.T).min(dim=1)
                found = torch.where(nearest.values < best, nearest.indices + start, found)
                best = torch.minimum(nearest.values, best)
            embeddings = self.rows_of(found)
            near = (rows - embeddings).norm(dim=1) <= embeddings.norm(dim=1) / 64
            return torch.where(near, found, -1)

    def weighted(self, weights: torch.Tensor) -> torch.Tensor:
        """The mean embeddings [n, d] float32 under weights [n, V]."""
        with torch.no_grad():
            rows = torch.zeros(len(weights), self.embeddings.shape[1], device=self.device)
            for start, part in self._parts():
                rows += weights[:, start : start + len(part)] @ part
            return rows

    def _parts(self) -> Iterator[tuple[int, torch.Tensor]]:
        """The embeddings in float32, some at a time, and the first token of each part."""
        for start in range(0, self.tokens, AT_ONCE):
            yield start, self.embeddings[start : start + AT_ONCE].float()

    def _level(self, mu16: int) -> tuple[torch.Tensor, torch.Tensor]:
        """logit(p) [V, d'] and u sum ln(1 - p) [V] at a level, in float32 from 64 bits."""
        if mu16 not in self._levels:
            if len(self._levels) >= LEVELS_KEPT:
                self._levels.popitem(last=False)
            logits, constants = [], []
            for part in torch.split(self.codes, AT_ONCE):
                chances = thresholds(part, mu16, self.bits).double() / GRID
                logits.append(torch.logit(chances).float())
                constants.append((self.steps * torch.log1p(-chances).sum(dim=1)).float())
            self._levels[mu16] = torch.cat(logits).to(self.device), torch.cat(constants).to(self.device)
        self._levels.move_to_end(mu16)
        return self._levels[mu16]
