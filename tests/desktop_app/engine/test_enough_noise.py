"""The noise that a budget allows keeps it, by the smaller of both bounds, and the next level would not."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.chat.events import Noise
from desktop_app.engine.enough_noise import within
from desktop_app.engine.errors import RequestRefused
from desktop_app.privacy.noise.accounting import Loss
from desktop_app.privacy.noise.budget import MOST_MU, Budget
from desktop_app.privacy.noise.costs import Costs
from desktop_app.privacy.noise.quantiser import Codes, Level, thresholds
from desktop_app.privacy.noise.vocabulary import WorstPair, worst_pair

DIMENSIONS = 16
DELTA = 1e-6


def table(seed: int, spread: float) -> Codes:
    """Codes of which some lie far out, as real ones do."""
    generator = np.random.default_rng(seed)
    wide = np.where(generator.random((80, 1)) < 0.1, 3.0, 1.0)
    return np.clip(spread * wide * generator.standard_normal((80, DIMENSIONS)), -1.0, 1.0)


def level_of(mu: float) -> Level:
    return Level(mu, 4, DIMENSIONS)


def proven(codes: Codes, level: Level) -> WorstPair:
    return worst_pair(thresholds(codes, level), level)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.floats(0.3, 300), st.integers(1, 200), st.integers(0, 9), st.sampled_from([0.02, 0.1, 0.3, 1.0]))
def test_it_keeps_the_budget_and_the_next_level_would_not(epsilon: float, tokens: int, seed: int, spread: float) -> None:
    codes, asked = table(seed, spread), []

    def prove(level: Level) -> WorstPair:
        asked.append(level)
        return proven(codes, level)

    costs, budget = Costs(lambda level: proven(codes, level).rho), Budget(epsilon, DELTA)
    try:
        mu = within(Noise(mu=0.0, epsilon=epsilon, delta=DELTA), tokens, codes, prove)
    except RequestRefused:
        assert not costs.fits({level_of(1 / 16): tokens}, budget)
        return
    after = math.floor(mu) + 1.0 if mu >= 1 else mu + 1 / 16
    assert costs.fits({level_of(mu): tokens}, budget)
    assert after > MOST_MU or not costs.fits({level_of(after): tokens}, budget)
    assert len(asked) <= 3, "a proof takes seconds"


def test_where_words_lie_close_the_proven_bound_allows_for_far_less_noise_than_the_worst_case() -> None:
    codes = table(1, 0.05)
    mu = within(Noise(mu=0.0, epsilon=20.0, delta=DELTA), 20, codes, lambda level: proven(codes, level))
    assert Loss({level_of(mu / 2): 20}).epsilon(DELTA) > 20.0


def test_with_any_budget_the_noise_is_the_least_there_is() -> None:
    codes = table(2, 1.0)
    assert within(Noise(mu=0.0, epsilon=1e15, delta=DELTA), 0, codes, lambda level: proven(codes, level)) == MOST_MU


def test_where_no_noise_is_enough_that_is_a_sentence() -> None:
    codes = table(3, 1.0)
    with pytest.raises(RequestRefused, match="raise the budget"):
        within(Noise(mu=0.0, epsilon=1e-3, delta=DELTA), 10_000, codes, lambda level: proven(codes, level))
