"""Curves made by hand are read off where they should be, and never beyond their ends."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.audit.recovery_curves import Curve, Ground, compared, gain_share, gained, points, read_off

DOCUMENTS = 40


def ground(without: float = 5.0) -> Ground:
    return Ground([20.0] * DOCUMENTS, [1.0] * DOCUMENTS, [10.0] * DOCUMENTS, [without] * DOCUMENTS)


def curve(recovered: list[float], agreed: list[float], alike: list[float] | None = None) -> Curve:
    """Of a share of each document's 20 tokens, and of its 10 reply tokens, at each level."""
    return Curve(
        [20.0 * (level + 1) for level in range(len(recovered))],
        [[20 * share] * DOCUMENTS for share in recovered],
        [[10 * share] * DOCUMENTS for share in agreed],
        [[share] * 7 for share in alike or agreed],
    )


def test_a_curve_is_read_off_between_its_points() -> None:
    recovered, gain = np.array([0.1, 0.3, 0.7]), np.array([0.0, 0.2, 1.0])
    assert read_off(recovered, gain, 0.2) == pytest.approx(0.1)
    assert read_off(recovered, gain, 0.6) == pytest.approx(0.8)
    assert read_off(recovered, gain, 0.3) == pytest.approx(0.2)


@pytest.mark.parametrize("target", [0.09, 0.71])
def test_nothing_is_read_off_beyond_its_ends(target: float) -> None:
    assert math.isnan(read_off(np.array([0.1, 0.3, 0.7]), np.array([0.0, 0.2, 1.0]), target))


def test_points_that_fall_are_pooled() -> None:
    recovered, gain = np.array([0.0, 0.4, 0.2, 0.9]), np.array([0.0, 0.5, 0.3, 1.0])
    assert read_off(recovered, gain, 0.3) == pytest.approx(0.4)
    assert read_off(recovered, gain, 0.15) == pytest.approx(0.2)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(-1, 1)), min_size=1, max_size=6),
    st.floats(0, 1),
)
def test_what_is_read_off_lies_among_the_points(levels: list[tuple[float, float]], target: float) -> None:
    recovered, values = (np.array(column) for column in zip(*levels, strict=True))
    value = read_off(recovered, values, target)
    assert math.isnan(value) or values.min() - 1e-9 <= value <= values.max() + 1e-9


def test_the_gain_is_what_lies_above_no_prompt() -> None:
    assert gained(np.array([0.5, 0.75, 1.0, 0.25]), 0.5).tolist() == [0.0, 0.5, 1.0, -0.5]
    assert points(ground(), curve([0.1], [0.75])).gain.tolist() == [0.5]
    assert np.isnan(gained(np.array([1.0]), 1.0)).all()  # no figure can be made of it


def test_systems_are_compared_at_equal_recovery_not_at_equal_mu() -> None:
    # The very same curve of recovery against agreement, reached at other levels: neither is better.
    slow, fast = curve([0.05, 0.25, 0.45, 0.65], [0.5, 0.6, 0.7, 0.8]), curve([0.05, 0.65, 0.85, 0.9], [0.5, 0.8, 0.9, 0.925])
    found = compared(ground(), {"ours": slow, "del": fast}, resamples=50)
    assert found["gain.ours.at_prior_plus_0.6"] == pytest.approx(0.6)
    assert found["agreement.ours.at_prior_plus_0.6"] == pytest.approx(0.8)
    for above in ("0.1", "0.3", "0.6"):
        assert found[f"difference.at_prior_plus_{above}"] == pytest.approx(0, abs=1e-9)
        assert found[f"difference_similarity.at_prior_plus_{above}"] == pytest.approx(0, abs=1e-9)


def test_who_is_worth_more_shows_with_its_interval() -> None:
    random = np.random.default_rng(1)
    better, worse = curve([0.05, 0.35, 0.95], [0.5, 0.7, 0.9]), curve([0.05, 0.35, 0.95], [0.5, 0.6, 0.7])
    noise = random.normal(0, 1, DOCUMENTS)
    for it in (better, worse):  # what is hard is hard for both: a paired difference does not see it
        it.agreed = [(np.array(level) + noise).tolist() for level in it.agreed]
    found = compared(ground(), {"ours": better, "del": worse}, resamples=200)
    assert found["difference.at_prior_plus_0.3"] == pytest.approx(0.2)
    assert found["difference_low.at_prior_plus_0.3"] > 0.19
    assert found["gain.ours.at_prior_plus_0.3.low"] < found["gain.ours.at_prior_plus_0.3"] - 0.03
    swapped = compared(ground(), {"ours": worse, "del": better}, resamples=200)
    assert swapped["difference_high.at_prior_plus_0.3"] < 0


def test_a_rebuilt_recipe_below_nothing_trained_shows() -> None:
    found = compared(ground(), {"del": curve([0.0, 1.0], [0.5, 0.6]), "untrained": curve([0.0, 1.0], [0.5, 0.8])}, resamples=20)
    assert found["del_minus_untrained.at_prior_plus_0.6"] < 0
    assert found["del_minus_untrained_similarity.at_prior_plus_0.6"] < 0
    assert not any(name.startswith("difference") for name in found)


def test_a_curve_that_does_not_reach_so_far_has_no_figure_there() -> None:
    found = compared(ground(), {"ours": curve([0.05, 0.5], [0.5, 0.9]), "del": curve([0.05, 0.9], [0.5, 0.9])}, resamples=20)
    assert "gain.ours.at_prior_plus_0.3" in found
    assert not {"gain.ours.at_prior_plus_0.6", "difference.at_prior_plus_0.6", "difference_low.at_prior_plus_0.6"} & set(found)
    assert "gain.del.at_prior_plus_0.6" in found


def test_a_curve_that_only_just_reaches_so_far_has_no_interval_there() -> None:
    reaches = curve([0.05, 0.36], [0.5, 0.9])
    reaches.recovered[1] = [20 * (0.36 + (0.3 if document % 2 else -0.3)) for document in range(DOCUMENTS)]
    found = compared(ground(), {"ours": reaches}, resamples=100)
    assert "gain.ours.at_prior_plus_0.3" in found
    assert "gain.ours.at_prior_plus_0.3.low" not in found


def test_one_levels_gain_has_an_interval_by_documents() -> None:
    agreed = [10.0 if document % 2 else 5.0 for document in range(DOCUMENTS)]
    share = gain_share(agreed, ground())
    assert share.value == pytest.approx(0.5)
    assert 0.3 < share.low < 0.45 < 0.55 < share.high < 0.7
    assert share.count == DOCUMENTS
