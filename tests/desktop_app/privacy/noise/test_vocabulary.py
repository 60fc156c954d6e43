"""The bound over a real table holds for each pair of it and each order, and is no looser than its theory says."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from desktop_app.privacy.errors import BadBudget
from desktop_app.privacy.noise import vocabulary
from desktop_app.privacy.noise.accounting import Loss
from desktop_app.privacy.noise.quantiser import Level, Thresholds, thresholds

levels = st.builds(Level, st.floats(0.5, 60), st.sampled_from([1, 2, 4]), st.just(16))


def table(level: Level, tokens: int, seed: int, spread: float = 0.4) -> Thresholds:
    codes = np.random.default_rng(seed).normal(0, spread, (tokens, level.dimensions))
    return thresholds(np.clip(codes, -1, 1), level)


@settings(max_examples=25, deadline=None)
@given(levels, st.integers(0, 1000), st.sampled_from([1.01, 1.5, 2.0, 8.0, 50.0]))
def test_no_pair_of_the_table_differs_more_at_any_order(level: Level, seed: int, order: float) -> None:
    limits = table(level, 30, seed)
    brute = max(vocabulary.divergence(one, other, level, order) for one, other in itertools.permutations(limits, 2))
    assert brute <= vocabulary.worst_pair(limits, level).rho * order


def test_the_pair_found_is_the_one_that_differs_most() -> None:
    level = Level(20, 4, 16)
    limits = table(level, 60, seed=3)
    worst = vocabulary.worst_pair(limits, level)
    brute = max(itertools.combinations(range(60), 2), key=lambda pair: vocabulary.divergence(*limits[list(pair)], level, 2.0))
    assert (worst.first, worst.second) == brute


def test_the_bound_is_tight_where_codes_are_noisy() -> None:
    level = Level(5, 4, 128)
    limits = table(level, 60, seed=3)
    worst = vocabulary.worst_pair(limits, level)
    assert 2 * worst.rho <= 1.01 * vocabulary.divergence(limits[worst.first], limits[worst.second], level, 2.0)


def test_blocks_of_a_large_table_leave_no_pair_out(monkeypatch: pytest.MonkeyPatch) -> None:
    level = Level(20, 4, 16)
    limits = table(level, 50, seed=5)
    whole = vocabulary.worst_pair(limits, level)
    monkeypatch.setattr(vocabulary, "BLOCK", 7)
    assert vocabulary.worst_pair(limits, level) == whole


@pytest.mark.parametrize(("mu", "dimensions"), [(2, 32), (10, 128), (40, 128)])
def test_at_the_corners_the_bound_is_next_to_exact_accounting(mu: float, dimensions: int) -> None:
    level = Level(mu, 4, dimensions)
    corners = thresholds(np.array([np.full(dimensions, -1.0), np.full(dimensions, 1.0)]), level)
    exact = Loss({level: 3}).epsilon(1e-6)
    assert exact <= vocabulary.epsilon(3 * vocabulary.worst_pair(corners, level).rho, 1e-6) <= exact * 1.25


@given(st.floats(0.1, 5), st.sampled_from([1e-9, 1e-6, 1e-3, 0.1]))
def test_a_guess_is_bounded_above_what_two_gaussians_of_that_rho_allow(mu: float, prior: float) -> None:
    bound = vocabulary.success(mu**2 / 2, prior)
    assert prior <= bound <= 1
    assert norm.cdf(mu + norm.ppf(prior)) <= bound * (1 + 1e-9)


def test_nothing_sent_tells_nothing() -> None:
    assert vocabulary.epsilon(0.0, 1e-6) == 0.0
    assert vocabulary.success(0.0, 0.25) == 0.25


def test_delta_and_chance_must_be_some() -> None:
    for delta in (0.0, 1.0, math.nan):
        with pytest.raises(BadBudget):
            vocabulary.epsilon(1.0, delta)
    with pytest.raises(BadBudget):
        vocabulary.success(1.0, 0.0)
