"""Recovery against usefulness: systems are compared where an attacker gets as much from each of them, never at the same mu.

Theory of operation. A system under a ladder of noise levels is a curve: what the best attack recovers, and what the answers are
worth. A mu means another thing for another projection, so two systems are compared at a recovery of so much above what a guess
gets (`prior_only`), read off each curve between its own two levels around it. With more mu an attacker gets more; where a curve
measured otherwise its points are pooled (isotonic regression, Ayer et al. 1955), what they are worth with them. Nothing is read
off beyond the ends of a curve: there is no figure then.

Intervals are percentiles of a bootstrap over documents, paired: each resample draws documents once, for all systems, levels, the
prior and the answers without a prompt alike. Continuations are of other texts, drawn apart. Where one resample in twenty leaves a
curve, there is no interval either.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from desktop_app.audit.intervals import RESAMPLES, TAIL, Share

ABOVE_PRIOR = (0.1, 0.3, 0.6)
LEFT = 0.05  # the share of resamples that may leave a curve before there is no interval

Numbers = NDArray[np.float64]


class Ground(Struct):
    """What is the same for all systems, document by document: tokens of prompts and replies, and what is had without any codes.

    `prior` counts the prompt's tokens that a guess gets, `without` those of the reply that the model says without the prompt.
    """

    tokens: list[float]
    prior: list[float]
    replied: list[float]
    without: list[float]


class Curve(Struct):
    """One system, level by level (rising mu): tokens recovered and agreed on by document, and the likeness of continuations."""

    mus: list[float]
    recovered: list[list[float]]
    agreed: list[list[float]]
    alike: list[list[float]]


class Points(Struct, frozen=True):
    """A curve as numbers [levels]."""

    recovered: Numbers
    gain: Numbers
    agreement: Numbers
    similarity: Numbers


class _Sample:
    """So many times each document, and each text that is continued, counts."""

    def __init__(self, documents: int, texts: int, random: np.random.Generator | None) -> None:
        self.documents, self.texts = (
            np.ones(count) if random is None else np.bincount(random.integers(0, count, count), minlength=count).astype(float)
            for count in (documents, texts)
        )

    def prior(self, ground: Ground) -> float:
        return float(self.documents @ np.array(ground.prior) / (self.documents @ np.array(ground.tokens)))

    def points(self, ground: Ground, curve: Curve) -> Points:
        replied = self.documents @ np.array(ground.replied)
        without = self.documents @ np.array(ground.without) / replied
        agreement = np.array(curve.agreed) @ self.documents / replied
        recovered = np.array(curve.recovered) @ self.documents / (self.documents @ np.array(ground.tokens))
        return Points(recovered, gained(agreement, without), agreement, np.array(curve.alike) @ self.texts / self.texts.sum())


def gained(agreement: Numbers, without: float) -> Numbers:
    """How much of what the prompt is worth is kept: (a - a0) / (1 - a0); no number where a prompt changes nothing."""
    return (agreement - without) / (1 - without) if without < 1 else np.full_like(agreement, np.nan)


def points(ground: Ground, curve: Curve) -> Points:
    """The curve over all documents."""
    return _Sample(len(ground.tokens), len(curve.alike[0]), None).points(ground, curve)


def read_off(recovered: Numbers, values: Numbers, target: float) -> float:
    """The value of a curve where `target` is recovered; not a number where that lies beyond its ends."""
    blocks: list[tuple[float, float, int]] = []  # recovery, value, levels
    for level in zip(recovered.tolist(), values.tolist(), strict=True):
        blocks.append((*level, 1))
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (more, worth, many), (less, other, few) = blocks[-2:]
            count = many + few
            blocks[-2:] = [((more * many + less * few) / count, (worth * many + other * few) / count, count)]
    at, of, _ = zip(*blocks, strict=True)
    return float(np.interp(target, at, of)) if at[0] <= target <= at[-1] else float("nan")


def gain_share(agreed: Sequence[float], ground: Ground, seed: int = 0) -> Share:
    """The gain of one level with its interval."""
    curve = Curve([0.0], [ground.prior], [list(agreed)], [[0.0]])
    random = np.random.default_rng(seed)
    count = len(agreed)
    value = float(_Sample(count, 1, None).points(ground, curve).gain[0])
    drawn = [float(_Sample(count, 1, random).points(ground, curve).gain[0]) for _ in range(RESAMPLES)]
    low, high = (float(bound) for bound in np.nanquantile(drawn, (TAIL, 1 - TAIL))) if np.isfinite(value) else (value, value)
    return Share(value, low, high, count)


PAIRS = {
    "difference": ("ours", "del"),
    "ours_minus_untrained": ("ours", "untrained"),
    "del_minus_untrained": ("del", "untrained"),
    "del_minus_untrained_linear": ("del", "untrained_linear"),
}
MEASURES = {"gain": "", "similarity": "_similarity"}


def compared(ground: Ground, curves: Mapping[str, Curve], seed: int = 0, resamples: int = RESAMPLES) -> dict[str, float]:
    """The figures of systems (`untrained del ours`, those there are) at equal recovery. What cannot be read off is left out.

    MEASURE.WHO.at_prior_plus_X, with `.low` and `.high`; and differences of gain and of similarity, `difference` being ours less
    DEL's: NAME.at_prior_plus_X, NAME_low.at_prior_plus_X, NAME_high…, and the same of NAME_similarity.
    """
    texts = max((len(curve.alike[0]) for curve in curves.values()), default=0)
    random = np.random.default_rng(seed)
    whole = _figures(_Sample(len(ground.tokens), texts, None), ground, curves)
    drawn = [_figures(_Sample(len(ground.tokens), texts, random), ground, curves) for _ in range(resamples)]
    found: dict[str, float] = {}
    for (name, behind, dotted), value in whole.items():
        if not np.isfinite(value):
            continue
        found[f"{name}.{behind}"] = value
        others = np.array([it[name, behind, dotted] for it in drawn])
        if np.isnan(others).mean() > LEFT:
            continue
        low, high = (float(bound) for bound in np.nanquantile(others, (TAIL, 1 - TAIL)))
        ends = (f"{name}.{behind}.low", f"{name}.{behind}.high") if dotted else (f"{name}_low.{behind}", f"{name}_high.{behind}")
        found |= dict(zip(ends, (low, high), strict=True))
    return found


def _figures(sample: _Sample, ground: Ground, curves: Mapping[str, Curve]) -> dict[tuple[str, str, bool], float]:
    """All figures of a sample: by name, what is behind its dot, and whether interval ends are named behind a further dot."""
    prior = sample.prior(ground)
    of = {who: sample.points(ground, curve) for who, curve in curves.items()}
    at: dict[tuple[str, str, bool], float] = {}
    for above in ABOVE_PRIOR:
        place, values = f"at_prior_plus_{above:g}", {}
        for who, these in of.items():
            for measure in ("gain", "agreement", "similarity"):
                value = read_off(these.recovered, getattr(these, measure), prior + above)
                values[measure, who] = at[measure, f"{who}.{place}", True] = value
        for pair, (one, other) in PAIRS.items():
            if one in of and other in of:
                for measure, ending in MEASURES.items():
                    at[f"{pair}{ending}", place, False] = values[measure, one] - values[measure, other]
    return at
