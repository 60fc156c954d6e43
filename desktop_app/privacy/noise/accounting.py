"""What noisy codes give away, to the last token: epsilon at a delta, and the chance that a guess is right after all.

Theory of operation. Two texts that differ in T tokens differ most where every coordinate of each of them lies at opposite ends of
the clip. Then all u d T coins are alike, and the number of ones among them is all there is to see:

    Binomial(u d T, p)   against   Binomial(u d T, 1 - p),   p = `Level.extreme`

So a composition over tokens of one level is again two binomials, exactly; different levels are composed by `dp-accounting`, from
probability mass functions, with losses rounded up and cut tails counted as lost. Two traps of that library are gone round, and a
test pins each: its `PLDAccountant` counts a composed randomised response once, so events are not used; its epsilon is infinite
between 709 and 745, where e^-loss is hardly a number, so epsilon is found from its delta, which is stable.

A release is an occurrence of a token whose coins are thrown: the same bytes sent again are none. Units are the caller's: the
releases of a span, of a message, of a conversation.

The bound people understand follows from the trade-off function f (Kaissis et al., arXiv 2307.03928): who is right about a secret
with probability kappa beforehand is right afterwards with at most 1 - f(kappa), the least of delta(epsilon) + kappa e^epsilon.
"""

import math
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from desktop_app.privacy.errors import BadBudget
from desktop_app.privacy.noise.budget import check_chance, check_delta
from desktop_app.privacy.noise.quantiser import Level

CUT = 1e-20  # the mass of a tail that is counted as lost
FINENESS = 20_000  # into how many parts a usual loss is divided before it is rounded up
HALVINGS = 60  # of an interval, until epsilon is known to all digits

Releases = Mapping[Level, int]
_Pmf = dict[int, float]


class Loss:
    """The privacy loss of so many releases at each level, in the worst case."""

    def __init__(self, releases: Releases) -> None:
        """`releases` counts thrown tokens by level; none at all lose nothing."""
        counted = {level: count for level, count in releases.items() if count}
        if any(count < 0 for count in counted.values()):
            raise BadBudget("A number of tokens cannot be negative.")
        moments = [_moments(level, count) for level, count in counted.items()]
        usual = sum(mean for mean, _, _ in moments) + 3 * math.sqrt(sum(spread**2 for _, spread, _ in moments))
        parts = [_distribution(level, count, usual / FINENESS) for level, count in counted.items()]
        self._lost = reduce(lambda left, right: left.compose(right), parts) if parts else None
        self._most = sum(most for _, _, most in moments) + usual

    def delta(self, epsilon: float) -> float:
        """The delta that goes with an epsilon."""
        return float(self._lost.get_delta_for_epsilon(epsilon)) if self._lost is not None else 0.0

    def epsilon(self, delta: float) -> float:
        """The epsilon that goes with a delta, never too small. Raises `BadBudget`."""
        check_delta(delta)
        if self.delta(0.0) <= delta:
            return 0.0
        low, high = 0.0, self._most
        if self.delta(high) > delta:
            return math.inf
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.delta(middle) > delta else (low, middle)
        return high

    def success(self, prior: float) -> float:
        """The most that a guess can be right with, which without anything seen is right with probability `prior`."""
        check_chance(prior)
        # Convex in e^epsilon, so it falls and then rises.
        return min(1.0, _least(lambda epsilon: self.delta(epsilon) + prior * math.exp(epsilon), 0.0, -math.log(prior)))


def _moments(level: Level, count: int) -> tuple[float, float, float]:
    """Mean, standard deviation and greatest value of the loss of so many releases."""
    coins, chance = level.steps * level.dimensions * count, level.extreme
    unit = math.log(chance / (1 - chance))
    return coins * (2 * chance - 1) * unit, 2 * math.sqrt(coins * chance * (1 - chance)) * unit, coins * unit


def _distribution(level: Level, count: int, interval: float) -> Any:
    # They take seconds to load, and an engine without noise needs neither.
    from dp_accounting.pld import privacy_loss_distribution as pld
    from scipy.stats import binom

    coins, chance = level.steps * level.dimensions * count, level.extreme
    # The far tail is the near one of the zeros: so close to one, chances cannot be told apart.
    low, high = max(0, int(binom.ppf(CUT, coins, chance)) - 1), coins - max(0, int(binom.ppf(CUT, coins, 1 - chance)) - 1)
    ones = np.arange(low, high + 1)
    seen: _Pmf = dict(zip(ones.tolist(), binom.logpmf(ones, coins, chance).tolist(), strict=True))
    other: _Pmf = dict(zip(ones.tolist(), binom.logpmf(ones, coins, 1 - chance).tolist(), strict=True))
    seen[-1] = math.log(2 * CUT)  # what was cut could be anything: it occurs here and never there
    return pld.from_two_probability_mass_functions(other, seen, value_discretization_interval=interval)


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(HALVINGS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if function(left) < function(right) else (left, high)
    return function(low)
