"""The smaller of two counts is told, and which it was; what fits is what costs no more than the budget."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.privacy.errors import BadBudget
from desktop_app.privacy.noise import costs as module
from desktop_app.privacy.noise import vocabulary
from desktop_app.privacy.noise.accounting import Loss
from desktop_app.privacy.noise.budget import Budget
from desktop_app.privacy.noise.costs import Costs
from desktop_app.privacy.noise.quantiser import Level

LEVEL, OTHER = Level(2, 2, 16), Level(5, 2, 16)
DELTA = 1e-6


def test_without_a_proof_the_worst_case_counts() -> None:
    cost = Costs().of({LEVEL: 3, OTHER: 2}, DELTA, 1e-3)
    loss = Loss({LEVEL: 3, OTHER: 2})
    assert (cost.draws, cost.epsilon, cost.by) == (5, loss.epsilon(DELTA), "worst case")
    assert (cost.success, cost.success_by) == (loss.success(1e-3), "worst case")


@pytest.mark.parametrize(("rho", "by"), [(0.01, "vocabulary"), (100.0, "worst case")])
def test_the_smaller_of_both_counts_is_told(rho: float, by: str) -> None:
    releases = {LEVEL: 3, OTHER: 2}
    cost = Costs(lambda level: rho).of(releases, DELTA)
    assert (cost.by, cost.success_by) == (by, by)
    assert cost.epsilon == min(Loss(releases).epsilon(DELTA), vocabulary.epsilon(5 * rho, DELTA))
    assert cost.success == min(Loss(releases).success(1e-6), vocabulary.success(5 * rho, 1e-6))


def test_one_level_without_a_proof_leaves_the_worst_case() -> None:
    proven = Costs({LEVEL: 0.01}.get)
    assert proven.of({LEVEL: 1}, DELTA).by == "vocabulary"
    assert proven.of({LEVEL: 1, OTHER: 1}, DELTA).by == "worst case"


def test_nothing_costs_nothing_and_what_left_in_clear_everything() -> None:
    nothing = Costs().of({}, DELTA)
    assert (nothing.draws, nothing.epsilon, nothing.success) == (0, 0.0, pytest.approx(1e-6))
    everything = Costs(lambda level: 0.0).of({LEVEL: 1}, DELTA, clear=1)
    assert (everything.draws, everything.epsilon, everything.success) == (2, math.inf, 1.0)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 20), st.integers(0, 20), st.floats(0.5, 60), st.sampled_from([None, 0.3, 30.0]))
def test_what_fits_costs_no_more_than_the_budget(some: int, others: int, epsilon: float, rho: float | None) -> None:
    costs, releases = Costs(lambda level: rho), {LEVEL: some, OTHER: others}
    cost = costs.of(releases, DELTA).epsilon
    if abs(cost - epsilon) > 1e-6:
        assert costs.fits(releases, Budget(epsilon, DELTA)) == (cost <= epsilon)


def test_fewer_draws_fit_where_more_do_without_counting_again(monkeypatch: pytest.MonkeyPatch) -> None:
    costs, budget = Costs(), Budget(150, DELTA)
    assert costs.fits({LEVEL: 20, OTHER: 2}, budget)
    assert not costs.fits({OTHER: 40}, budget)
    monkeypatch.setattr(module, "_delta", None)
    assert costs.fits({LEVEL: 20}, budget)
    assert costs.fits({LEVEL: 3, OTHER: 2}, budget)
    assert not costs.fits({OTHER: 41, LEVEL: 1}, budget)


def test_a_multiset_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Costs().of({LEVEL: 11, OTHER: 7}, DELTA)
    monkeypatch.setattr(module, "Loss", None)
    assert Costs().of({OTHER: 7, LEVEL: 11}, DELTA) == first


def test_a_delta_or_prior_that_is_none_is_refused() -> None:
    with pytest.raises(BadBudget):
        Costs().of({LEVEL: 1}, 0.0)
    with pytest.raises(BadBudget):
        Costs().of({LEVEL: 1}, DELTA, 1.0)
