"""Epsilon is never too small, and next to the closed form; the library's traps are gone round."""

import math

import numpy as np
import pytest
from dp_accounting import NeighboringRelation, dp_event
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.pld.pld_privacy_accountant import PLDAccountant
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, norm

from desktop_app.privacy.errors import BadBudget
from desktop_app.privacy.noise.accounting import Loss
from desktop_app.privacy.noise.quantiser import Level

GRID = [(mu, bits, dimensions) for mu in (0.5, 2.0, 10.0, 40.0, 60.0) for bits in (1, 2, 4) for dimensions in (32, 128, 256)]
FEW = [(0.5, 1, 32), (20.0, 2, 128), (40.0, 4, 128), (60.0, 4, 256)]


def closed_form(level: Level, tokens: int, delta: float) -> float:
    """Epsilon by the sum over the number of ones: delta(epsilon) = sum of Bin(x; k, p) - e^epsilon Bin(x; k, 1 - p)."""
    coins, chance = level.steps * level.dimensions * tokens, level.extreme
    unit = math.log(chance / (1 - chance))
    ones = np.arange(int(binom.ppf(1e-25, coins, chance)), coins + 1)[:200_000]
    mass, loss = np.exp(binom.logpmf(ones, coins, chance)), (2 * ones - coins) * unit
    low, high = 0.0, coins * unit
    for _ in range(100):
        middle = (low + high) / 2
        over = loss > middle
        low, high = (middle, high) if mass[over] @ -np.expm1(middle - loss[over]) > delta else (low, middle)
    return high


@pytest.mark.parametrize(
    ("mu", "bits", "dimensions"), [*FEW, *(pytest.param(*case, marks=pytest.mark.slow) for case in GRID if case not in FEW)]
)
def test_epsilon_is_the_closed_form_s_within_a_thousandth_and_never_below(mu: float, bits: int, dimensions: int) -> None:
    level = Level(mu, bits, dimensions)
    for tokens in (1, 30, 1000):
        exact = closed_form(level, tokens, 1e-5)
        assert exact <= Loss({level: tokens}).epsilon(1e-5) <= exact * 1.001


@settings(max_examples=15, deadline=None)
@given(st.floats(0.5, 20), st.integers(1, 40), st.integers(1, 40))
def test_releases_of_one_level_compose_to_as_many_at_once(mu: float, one: int, more: int) -> None:
    level, other = Level(mu, 4, 32), Level(mu * (1 + 1e-12), 4, 32)
    together, apart = Loss({level: one + more}).epsilon(1e-6), Loss({level: one, other: more}).epsilon(1e-6)
    assert together * 0.999 <= apart <= together * 1.002


def test_the_libraries_accountant_still_counts_a_composed_response_once() -> None:
    event = dp_event.SelfComposedDpEvent(dp_event.RandomizedResponseDpEvent(0.9, 2), 100)
    once, often = PLDAccountant(NeighboringRelation.REPLACE_ONE), PLDAccountant(NeighboringRelation.REPLACE_ONE)
    once.compose(dp_event.RandomizedResponseDpEvent(0.9, 2))
    assert often.compose(event).get_epsilon(1e-6) == pytest.approx(once.get_epsilon(1e-6))


def test_the_libraries_epsilon_is_still_infinite_where_numbers_end_and_ours_is_not() -> None:
    level = Level(40, 2, 256)
    coins, chance = level.steps * level.dimensions, level.extreme
    ones = range(coins + 1)
    seen, other = (dict(zip(ones, binom.logpmf(ones, coins, p), strict=True)) for p in (chance, 1 - chance))
    found = pld.from_two_probability_mass_functions(other, seen, value_discretization_interval=0.05)
    assert found.get_epsilon_for_delta(1e-5) == math.inf
    assert Loss({level: 1}).epsilon(1e-5) == pytest.approx(725.6, rel=1e-3)


@pytest.mark.parametrize(("mu", "prior", "bound"), [(1, 1e-6, 9e-5), (2, 1e-3, 0.14), (5, 1e-6, 0.60)])
def test_the_chance_of_a_right_guess_is_that_of_the_trade_off_function(mu: float, prior: float, bound: float) -> None:
    success = Loss({Level(mu, 4, 128): 1}).success(prior)
    assert success == pytest.approx(bound, rel=0.05)
    assert success == pytest.approx(norm.cdf(mu + norm.ppf(prior)), rel=0.03)


@settings(max_examples=15, deadline=None)
@given(st.floats(0.5, 30), st.integers(1, 20), st.floats(1e-9, 0.9))
def test_a_guess_is_never_worse_for_what_was_seen(mu: float, tokens: int, prior: float) -> None:
    level = Level(mu, 2, 64)
    assert prior <= Loss({level: tokens}).success(prior) * (1 + 1e-9)
    assert Loss({level: tokens}).success(prior) <= Loss({level: tokens + 1}).success(prior) + 1e-9


def test_nothing_sent_costs_nothing() -> None:
    assert Loss({}).epsilon(1e-6) == 0.0
    assert Loss({Level(1, 4, 8): 0}).success(0.01) == pytest.approx(0.01)


@pytest.mark.parametrize("delta", [0.0, 1.0, -1.0, float("nan"), float("inf")])
def test_a_delta_that_means_nothing_is_refused(delta: float) -> None:
    with pytest.raises(BadBudget, match="delta"):
        Loss({Level(1, 4, 8): 1}).epsilon(delta)
