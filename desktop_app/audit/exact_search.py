"""Exact search: with the public weights of the head, the token behind each row is looked up, one after the other.

The head is deterministic and causal. Given the tokens before it, each candidate token gives one row; the candidate whose row is
the one that was sent is the token (Nikolaou et al., arXiv 2510.15511; vocabulary matching, Thomas et al., arXiv 2505.18332). What
makes it fast is the order in which candidates are tried:

- by the model's own prior: the agent computed the middle layers, so the public tail gives it the next-token distribution;
- and, taken in turns with that, by a linear map from rows to embeddings, fitted by least squares on random tokens (`RowReader`).
  Where the prior is surprised (a name, a number) the map is not, and the other way round.

Together they have the token among the first few dozen nearly always; the rest of the vocabulary follows in batches. Candidates
are sibling rows under the prefix in the engine's own row tree, so one pass of the head tries a whole batch.

How close is close enough the attacker learns from the rows of the public chat template, whose tokens everybody knows: there the
distance between the row that came and the row computed is rounding (or the noise of a coarser row format) and nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import torch
from torch import Tensor

from desktop_app.audit.held_rows import HeldRows
from desktop_app.open_weights.public_model import PublicModel, run_chain
from remote_agent.segment.segment import Segment

STAGES = (8, 64, 512, 2048)  # candidates tried before the rest of the vocabulary
BATCH = 512
LEAST_TOLERANCE = 1e-4  # relative distance; rounding differs between machines and batch sizes
MARGIN = 2.0
LOST_AFTER = 3  # rows in a row without a match: the prefix is wrong, and the whole vocabulary is not searched any more


@dataclass(frozen=True, slots=True)
class Found:
    """A token for a row, at what relative distance, after how many candidates; `matched`: as close as rounding allows."""

    token: int
    distance: float
    tried: int
    matched: bool


class RowReader:
    """Ranks tokens by a row alone: least squares from rows behind the head to the embeddings of their tokens."""

    def __init__(self, model: PublicModel, head: int, *, texts: int = 40, length: int = 256, seed: int = 0) -> None:
        """Fits on `texts` of random tokens, which nobody has to know anything to make."""
        generator = torch.Generator().manual_seed(seed)
        segment = model.head(head)
        rows, tokens = [], []
        for _ in range(texts):
            ids = torch.randint(0, model.plan.vocab_size, (length,), generator=generator)
            rows.append(run_chain(segment, model.embedding(ids.tolist()))[1:])
            tokens.append(ids[1:])
        inputs, self._middle = torch.cat(rows), model.table.mean(0)
        self._mean, self._scale = inputs.mean(0), inputs.std(0).clamp_min(1e-6)
        inputs = (inputs - self._mean) / self._scale
        ridge = 1e-3 * len(inputs) * torch.eye(inputs.shape[1])
        targets = model.table[torch.cat(tokens)] - self._middle
        self._weights = torch.linalg.solve(inputs.T @ inputs + ridge, inputs.T @ targets)
        self._tokens = torch.nn.functional.normalize(model.table - self._middle, dim=1).T.contiguous()

    def scores(self, rows: Tensor) -> Tensor:
        """A score [rows, vocabulary] of each token, by the cosine to what the map makes of the row."""
        scores: Tensor = ((rows - self._mean) / self._scale) @ self._weights @ self._tokens
        return scores


class ExactSearch:
    """Recovers the tokens behind rows that a head of this depth has sent."""

    def __init__(self, model: PublicModel, head: int, reader: RowReader) -> None:
        self._model = model
        self._segment = model.head(head)
        self._reader = reader

    def recover(self, rows: HeldRows, path: Sequence[int], prior: Tensor, known: Mapping[int, int]) -> dict[int, Found]:
        """The tokens of the rows of `path` that are not `known`; `prior` [path, vocabulary] are the logits behind each row.

        `known` are the tokens of the path's first rows that the attacker has already: those of the template, or found on another
        branch. Without at least two the noise is not known, and rounding alone is allowed for.
        """
        walk = _Walk(self._model, self._segment)
        given = next((place for place, row in enumerate(path) if row not in known), len(path))
        noise = walk.follow([known[row] for row in path[:given]], rows.sent[list(path[:given])])
        # The first row is unlike all others (an attention sink), and its noise tells nothing about theirs.
        tolerance = max(LEAST_TOLERANCE, MARGIN * float(noise[1:].max())) if given > 1 else LEAST_TOLERANCE
        scores = self._reader.scores(rows.sent[list(path[given:])])
        found: dict[int, Found] = {}
        in_vain = 0
        for place, row in enumerate(path[given:], start=given):
            whole = in_vain < LOST_AFTER
            likely = prior[place - 1] if place else torch.zeros(self._model.plan.vocab_size)
            batches = _candidates(likely, scores[place - given], whole)
            found[row] = self._search(walk, batches, rows.sent[row], tolerance)
            in_vain = 0 if found[row].matched else in_vain + 1
        walk.close()
        return found

    def _search(self, walk: "_Walk", batches: Iterator[list[int]], target: Tensor, tolerance: float) -> Found:
        best, tried = (float("inf"), -1), 0
        for batch in batches:
            distances = walk.distances(batch, target)
            nearest = int(distances.argmin())
            tried += len(batch)
            best = min(best, (float(distances[nearest]), batch[nearest]))
            if best[0] <= tolerance:
                walk.step(nearest)
                return Found(best[1], best[0], tried, matched=True)
        walk.distances([best[1]], target)
        walk.step(0)
        return Found(best[1], best[0], tried, matched=False)


class _Walk:
    """The head's cache along the tokens found so far; candidates hang below the last of them."""

    _sessions = count(1)

    def __init__(self, model: PublicModel, segment: Segment) -> None:
        self._model = model
        self._segment = segment
        self._session = next(self._sessions)
        self._segment.open(self._session, model.plan.max_positions)
        self._tip, self._epoch, self._first, self._next = -1, 0, 0, 0

    def follow(self, tokens: Sequence[int], targets: Tensor) -> Tensor:
        """Go down these tokens; relative distance [tokens] between their rows and those that were sent."""
        if not tokens:
            return torch.zeros(0)
        distances = self._run([self._tip, *range(self._next, self._next + len(tokens) - 1)], tokens, targets)
        self._tip = self._next - 1
        return distances

    def distances(self, candidates: Sequence[int], target: Tensor) -> Tensor:
        """Relative distance [candidates] between each candidate's row and the one that was sent."""
        return self._run([self._tip] * len(candidates), candidates, target)

    def step(self, index: int) -> None:
        """Go on below this candidate of the last batch; the others are dropped with the next one."""
        self._tip = self._first + index

    def close(self) -> None:
        """Free the cache."""
        self._segment.close(self._session)

    def _run(self, parents: Sequence[int], tokens: Sequence[int], targets: Tensor) -> Tensor:
        self._first = self._next
        embedded = self._model.embedding(tokens)
        rows = self._segment.run(self._session, self._epoch, self._tip, self._first, parents, embedded).float()
        self._next += len(tokens)
        self._epoch += 1
        apart, length = torch.linalg.vector_norm(rows - targets, dim=1), torch.linalg.vector_norm(targets, dim=-1)
        relative: Tensor = apart / length.clamp_min(1e-9)
        return relative


def _candidates(prior: Tensor, scores: Tensor, whole: bool) -> Iterator[list[int]]:
    """Batches of tokens, each once: the best of both rankings in turns, then (`whole`) the rest of the vocabulary."""
    tried: set[int] = set()
    for size in (min(size, len(prior)) for size in STAGES):
        best = torch.stack([torch.topk(prior, size // 2).indices, torch.topk(scores, size // 2).indices], dim=1)
        fresh = [token for token in dict.fromkeys(best.flatten().tolist()) if token not in tried]
        tried.update(fresh)
        yield from _batches(fresh)
    if whole:
        yield from _batches([token for token in torch.argsort(prior, descending=True).tolist() if token not in tried])


def _batches(tokens: list[int]) -> Iterator[list[int]]:
    return (tokens[start : start + BATCH] for start in range(0, len(tokens), BATCH))
