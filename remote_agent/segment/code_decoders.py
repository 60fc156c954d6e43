"""From codes back to rows that a model's first layer can read, each row on its own.

All of them are post-processing: they look at nothing but what came, public weights and public tables, and so cost no privacy. The
best of them is also the best attack there is, and the audit runs this very code.

    LinearDecoder    a matrix on the numbers that the codes stand for, A (2 K / u - 1) c (DEL, arXiv 2602.11513)
    MapDecoder       the embedding of the likeliest token
    MeanDecoder      the mean of all embeddings under the posterior: least squared error; uncertain, it lies where no token is.
                     Sharpened, it lies between that and the likeliest

The likeliest text under the model itself is in `code_search`.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import torch

from remote_agent.segment.artefacts import UnknownArtefact
from remote_agent.segment.code_table import CodeTable

SHARP = 4.0
AT_ONCE = 64  # rows whose posteriors over the vocabulary are in memory together


class Decoded(NamedTuple):
    """Rows [n, d] float32 on the table's device, and the tokens [n] int64 they stand for, None where they stand for none."""

    rows: torch.Tensor
    tokens: torch.Tensor | None = None


class CodeDecoder(Protocol):
    """Decodes counts [n, d'] uint8 at `levels` [n], mu in sixteenths, each above 0."""

    def __call__(self, counts: torch.Tensor, levels: torch.Tensor) -> Decoded:
        """Rows in the order of the counts."""
        ...


class LinearDecoder:
    """x = D z_hat, with D [d, d'] as trained or, where there is none, the pseudo-inverse of the projection.

    A matrix that was trained for one `level` refuses all others with `UnknownArtefact`.
    """

    def __init__(self, table: CodeTable, matrix: torch.Tensor | None = None, level: int | None = None) -> None:
        self._table, self._level = table, level
        inverse = torch.linalg.pinv(table.projection.matrix.double()) if matrix is None else matrix
        self._matrix = inverse.to(table.device, torch.float32)

    def __call__(self, counts: torch.Tensor, levels: torch.Tensor) -> Decoded:
        """See `CodeDecoder`."""
        if self._level is not None and bool((levels != self._level).any()):
            raise UnknownArtefact("This decoder was made for another noise level. Choose the one that goes with it.")
        with torch.no_grad():
            return Decoded(_by_level(counts, levels, self._table.meant) @ self._matrix.T)


class MapDecoder:
    """The embedding of the likeliest token, by the prior of the projection's file."""

    def __init__(self, table: CodeTable) -> None:
        self._table = table

    def __call__(self, counts: torch.Tensor, levels: torch.Tensor) -> Decoded:
        """See `CodeDecoder`."""
        tokens = _by_level(counts, levels, lambda some, level: self._table.log_posterior(some, level).argmax(dim=-1))
        return Decoded(self._table.rows_of(tokens), tokens)


class MeanDecoder:
    """The mean embedding under the posterior, by the prior of the projection's file.

    Weights are the posterior to the power of `sharpness`: 1 is the mean, infinity would be the likeliest token.
    """

    def __init__(self, table: CodeTable, sharpness: float = 1.0) -> None:
        self._table, self._sharpness = table, sharpness

    def __call__(self, counts: torch.Tensor, levels: torch.Tensor) -> Decoded:
        """See `CodeDecoder`."""
        return Decoded(_by_level(counts, levels, self._mean))

    def _mean(self, counts: torch.Tensor, level: int) -> torch.Tensor:
        weights = torch.softmax(self._sharpness * self._table.log_posterior(counts, level), dim=-1)
        return self._table.weighted(weights)


def _by_level(counts: torch.Tensor, levels: torch.Tensor, decode: Callable[[torch.Tensor, int], torch.Tensor]) -> torch.Tensor:
    """What `decode` makes of the rows, level by level and some at a time, in the order of the rows."""
    with torch.no_grad():
        # In order of level: a table keeps few of them.
        order = torch.argsort(levels.cpu(), stable=True)
        parts = []
        for level in torch.unique(levels).tolist():
            of_level = order[levels.cpu()[order] == level]
            parts += [decode(counts[some], level) for some in torch.split(of_level, AT_ONCE)]
        joined = torch.cat(parts)
        return joined[torch.argsort(order).to(joined.device)]
