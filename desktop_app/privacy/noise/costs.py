"""What a number of draws costs: by the worst case, and by the real vocabulary where that is proven; the smaller one counts.

Both bound the same thing, what is lost when any other tokens could have stood there, so either of them may be told. The worst
case (`accounting.Loss`) takes seconds for thousands of draws; so it is worked out once for each multiset of levels, and what fits
into a budget is remembered: fewer draws fit where more do.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from desktop_app.privacy.noise import vocabulary
from desktop_app.privacy.noise.accounting import Loss
from desktop_app.privacy.noise.budget import Budget, check_delta
from desktop_app.privacy.noise.quantiser import Level

Releases = Mapping[Level, int]
Proven = Callable[[Level], float | None]
"""The rho that is proven for the table in use at a level (`vocabulary.worst_pair`), None where none is."""
By = Literal["worst case", "vocabulary"]
Counted = tuple[tuple[Level, int], ...]

ONE_IN_A_MILLION = 1e-6


@dataclass(frozen=True, slots=True)
class Cost:
    """What `draws` thrown tokens give away: `epsilon` at `delta`, by which count.

    `success` bounds the chance that somebody is right after all whose best guess is right with probability `prior` beforehand.
    """

    draws: int
    epsilon: float
    delta: float
    success: float
    prior: float
    by: By
    success_by: By


class Costs:
    """Costs under one table. Releases count the draws of each level; tokens that left in clear (`clear`) are lost entirely."""

    def __init__(self, proven: Proven = lambda level: None) -> None:
        self._proven = proven
        self._fitting: dict[Budget, list[Counted]] = {}
        self._failing: dict[Budget, list[Counted]] = {}

    def of(self, releases: Releases, delta: float, prior: float = ONE_IN_A_MILLION, clear: int = 0) -> Cost:
        """Epsilon and the bound on a guess. Raises `BadBudget` where delta or prior is none."""
        counted = _counted(releases)
        draws = sum(releases.values()) + clear
        if clear:
            check_delta(delta)
            return Cost(draws, math.inf, delta, 1.0, prior, "worst case", "worst case")
        epsilon, success, rho = _epsilon(counted, delta), _success(counted, prior), self._rho(counted)
        by: By = "worst case"
        success_by: By = "worst case"
        if rho is not None:
            tighter, rarer = vocabulary.epsilon(rho, delta), vocabulary.success(rho, prior)
            epsilon, by = (tighter, "vocabulary") if tighter < epsilon else (epsilon, by)
            success, success_by = (rarer, "vocabulary") if rarer < success else (success, success_by)
        return Cost(draws, epsilon, delta, success, prior, by, success_by)

    def fits(self, releases: Releases, budget: Budget) -> bool:
        """Whether a budget allows for this; as `of` says, without working out more than is needed."""
        counted = _counted(releases)
        rho = self._rho(counted)
        if rho is not None and vocabulary.epsilon(rho, budget.delta) <= budget.epsilon:
            return True
        fitting, failing = self._fitting.setdefault(budget, []), self._failing.setdefault(budget, [])
        if any(_within(counted, other) for other in fitting):
            return True
        if any(_within(other, counted) for other in failing):
            return False
        if _delta(counted, budget.epsilon) <= budget.delta:
            self._fitting[budget] = [*(other for other in fitting if not _within(other, counted)), counted]
            return True
        self._failing[budget] = [*(other for other in failing if not _within(counted, other)), counted]
        return False

    def _rho(self, counted: Counted) -> float | None:
        """Zero-concentrated differential privacy adds up; None where a level has no proof."""
        rhos = [(self._proven(level), count) for level, count in counted]
        return None if any(rho is None for rho, _ in rhos) else sum((rho or 0.0) * count for rho, count in rhos)


def _counted(releases: Releases) -> Counted:
    return tuple(sorted(((level, count) for level, count in releases.items() if count), key=lambda item: item[0].mu))


def _within(few: Counted, many: Counted) -> bool:
    room = dict(many)
    return all(count <= room.get(level, 0) for level, count in few)


@lru_cache(maxsize=64)
def _loss(counted: Counted) -> Loss:
    return Loss(dict(counted))


@lru_cache(maxsize=1024)
def _epsilon(counted: Counted, delta: float) -> float:
    return _loss(counted).epsilon(delta)


@lru_cache(maxsize=1024)
def _success(counted: Counted, prior: float) -> float:
    return max(prior, _loss(counted).success(prior))


@lru_cache(maxsize=1024)
def _delta(counted: Counted, epsilon: float) -> float:
    return _loss(counted).delta(epsilon)
