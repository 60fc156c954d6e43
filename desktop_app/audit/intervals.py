"""Shares with 95 % intervals, by documents: tokens of one text are not independent, texts are.

The interval is a percentile bootstrap over documents (Efron 1979): documents are drawn with replacement, and the share is taken
anew. Where every document is right, or every one is wrong, a bootstrap sees no spread at all; there the exact binomial bound over
documents stands in (Clopper and Pearson 1934), so that five documents out of five never read as certainty.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

RESAMPLES = 4000
TAIL = 0.025


class Share(Struct, frozen=True):
    """A share with its 95 % interval; `count` is how many documents it rests on."""

    value: float
    low: float
    high: float
    count: int


def share(hits: Sequence[float], totals: Sequence[float], seed: int = 0) -> Share:
    """The share of `hits` in `totals`, one entry a document each; documents without anything to hit are left out."""
    pairs = [(hit, total) for hit, total in zip(hits, totals, strict=True) if total > 0]
    if not pairs:
        return Share(0.0, 0.0, 1.0, 0)
    hit, total = np.array(pairs, dtype=np.float64).T
    count, value = len(pairs), float(hit.sum() / total.sum())
    drawn = np.random.default_rng(seed).integers(0, count, (RESAMPLES, count))
    shares = hit[drawn].sum(1) / total[drawn].sum(1)
    low, high = (float(bound) for bound in np.quantile(shares, (TAIL, 1 - TAIL)))
    if low == high == value:
        spread = 1 - TAIL ** (1 / count)
        low, high = max(0.0, value - spread), min(1.0, value + spread)
    return Share(value, low, high, count)


def share_of_matches(guesses: Sequence[Sequence[int]], truths: Sequence[Sequence[int]]) -> Share:
    """The share of tokens guessed right, place by place; one guess and one truth a document."""
    hits = [sum(a == b for a, b in zip(guess, truth, strict=False)) for guess, truth in zip(guesses, truths, strict=True)]
    return share(hits, [len(truth) for truth in truths])


def prior_hits(truths: Sequence[Sequence[int]]) -> list[int]:
    """How many tokens of each document guessing without any traffic gets: always the commonest token of the *other* documents."""
    counts = [Counter(truth) for truth in truths]
    everything = sum(counts, Counter())
    hits = []
    for own in counts:
        others = everything - own
        hits.append(own[others.most_common(1)[0][0]] if others else 0)
    return hits


def prior_only(truths: Sequence[Sequence[int]]) -> Share:
    """The share of tokens that guessing gets without any traffic."""
    return share(prior_hits(truths), [len(truth) for truth in truths])


def majority(labels: Sequence[str]) -> Share:
    """What always guessing the commonest label gets."""
    commonest = Counter(labels).most_common(1)[0][0] if labels else ""
    return share([float(label == commonest) for label in labels], [1.0] * len(labels))
