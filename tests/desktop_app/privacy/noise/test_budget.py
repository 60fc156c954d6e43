"""A budget that means nothing is refused in a sentence with a next step."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.errors import BadBudget
from desktop_app.privacy.noise.budget import Budget, check_chance


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.inf, -math.inf, math.nan])
def test_an_epsilon_that_is_none_is_refused(epsilon: float) -> None:
    with pytest.raises(BadBudget, match="Choose"):
        Budget(epsilon, 1e-6)


@pytest.mark.parametrize("delta", [0.0, 1.0, -1e-6, 2.0, math.inf, math.nan])
def test_a_delta_that_is_none_is_refused(delta: float) -> None:
    with pytest.raises(BadBudget, match="Choose"):
        Budget(8.0, delta)


@given(st.integers(2, 10**6))
def test_a_delta_larger_than_one_over_the_tokens_is_refused(tokens: int) -> None:
    Budget(8.0, 0.99 / tokens).check_tokens(tokens)
    with pytest.raises(BadBudget, match="Choose one below"):
        Budget(8.0, min(0.999, 1.01 / tokens)).check_tokens(tokens)


@pytest.mark.parametrize("chance", [0.0, 1.0, -0.1, math.nan])
def test_a_chance_that_is_none_is_refused(chance: float) -> None:
    with pytest.raises(BadBudget, match="Choose"):
        check_chance(chance)
