"""Intervals cover what they should as often as they should, and are honest where nothing varies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.audit.intervals import majority, prior_only, share, share_of_matches

COUNTS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda it: (min(it), max(it))), min_size=1, max_size=30)


@given(COUNTS)
def test_the_share_lies_in_its_interval_and_both_in_range(counts: list[tuple[int, int]]) -> None:
    found = share([hit for hit, _ in counts], [total for _, total in counts])
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    assert found.count == sum(total > 0 for _, total in counts)


def test_the_interval_covers_the_truth_nineteen_times_in_twenty() -> None:
    chance = np.random.default_rng(5)
    covered = 0
    for _ in range(200):
        rates = chance.beta(6, 4, 30)  # documents differ; the truth is 0.6
        totals = chance.integers(10, 40, 30)
        found = share(chance.binomial(totals, rates).tolist(), totals.tolist())
        covered += found.low <= 0.6 <= found.high
    assert 0.88 <= covered / 200 <= 0.99


def test_tokens_of_one_document_are_not_independent() -> None:
    apart = share([1] * 50 + [0] * 50, [1] * 100)
    together = share([50, 0], [50, 50])
    assert together.high - together.low > 3 * (apart.high - apart.low)


@pytest.mark.parametrize(("documents", "low"), [(1, 0.025), (5, 0.478), (12, 0.735), (100, 0.963)])
def test_all_right_in_few_documents_is_not_certainty(documents: int, low: float) -> None:
    right, wrong = share([7] * documents, [7] * documents), share([0] * documents, [7] * documents)
    assert (right.low, right.high) == (pytest.approx(low, abs=1e-3), 1.0)
    assert (wrong.low, wrong.high) == (0.0, pytest.approx(1 - low, abs=1e-3))


def test_nothing_to_hit_is_no_knowledge() -> None:
    assert share([], []) == share([0], [0])
    assert (share([], []).low, share([], []).high) == (0.0, 1.0)


def test_a_guess_that_is_too_short_misses_the_rest() -> None:
    assert share_of_matches([[1, 2], []], [[1, 2, 3, 4], [1]]).value == pytest.approx(2 / 5)


def test_the_prior_guesses_the_commonest_token_of_the_others() -> None:
    assert prior_only([[1, 1, 2], [1, 3, 3, 3], [1, 4]]).value == pytest.approx((0 + 1 + 1) / 9)  # 3 is commonest for the first
    assert prior_only([[1, 1]]).value == 0.0


def test_the_majority_is_the_commonest_label() -> None:
    assert majority(["a", "b", "a", "a"]).value == 0.75
