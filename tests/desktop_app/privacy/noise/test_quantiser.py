"""What leaves is drawn as the accounting says: from clipped codes, by integers, with the operating system's coins."""

import math
import os
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

from desktop_app.privacy.noise.quantiser import BITS, GRID, BadLevel, Level, bytes_per_row, draw, packed, thresholds

LEVELS = st.builds(Level, st.floats(0.1, 200), st.sampled_from(BITS), st.integers(1, 16))


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("coordinate", [-1.0, -0.3, 0.0, 0.8, 1.0])
def test_a_million_draws_are_the_binomial_that_is_accounted_for(bits: int, coordinate: float) -> None:
    level = Level(20, bits, 100)
    limits = thresholds(np.full((10_000, 100), coordinate), level)
    counts = np.bincount(draw(limits, level).ravel(), minlength=level.steps + 1)
    expected = 1_000_000 * binom.pmf(np.arange(level.steps + 1), level.steps, limits[0, 0] / GRID)
    usual = expected > 5
    scale = counts[usual].sum() / expected[usual].sum()
    assert chisquare(counts[usual], expected[usual] * scale).pvalue > 1e-6
    assert counts[~usual].sum() < 100


@given(LEVELS, st.lists(st.floats(-1, 1), min_size=1, max_size=16))
def test_what_is_drawn_is_unbiased_up_to_the_grid(level: Level, code: list[float]) -> None:
    level = Level(level.mu, level.bits, len(code))
    chances = thresholds(np.array(code), level) / GRID
    assert np.abs(level.half_width * (2 * chances - 1) - code).max() <= 2 * level.half_width / GRID


@given(LEVELS)
def test_no_threshold_tells_more_than_the_worst_case_that_is_accounted_for(level: Level) -> None:
    ends = thresholds(np.stack([np.full(level.dimensions, -1.0), np.full(level.dimensions, 1.0)]), level)
    assert ends.min() == level.lowest
    assert ends.max() == GRID - level.lowest
    assert level.extreme == ends.max() / GRID
    assert level.extreme <= (level.half_width + 1) / (2 * level.half_width)


@given(LEVELS, st.data())
def test_codes_that_nothing_has_clipped_are_refused(level: Level, data: st.DataObject) -> None:
    beyond = np.zeros((2, level.dimensions))
    place = data.draw(st.integers(0, level.dimensions - 1))
    beyond[1, place] = data.draw(st.floats(1.0001, 1e300)) * data.draw(st.sampled_from([-1, 1]))
    with pytest.raises(BadLevel, match="not clipped"):
        thresholds(beyond, level)


def test_codes_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(BadLevel, match="not clipped"):
        thresholds(np.array([[0.0, math.nan, 1.0]]), Level(20, 4, 3))


@pytest.mark.parametrize("mu", [0.0, -1.0, float("nan"), float("inf")])
def test_a_level_that_is_none_is_refused(mu: float) -> None:
    with pytest.raises(BadLevel, match="mu above 0"):
        Level(mu, 4, 128)


def test_coins_come_from_the_operating_system_and_each_once() -> None:
    level = Level(20, 4, 8)
    limits = thresholds(np.zeros((3, 8)), level)
    with patch("os.urandom", side_effect=os.urandom) as coins:
        draw(limits, level, os.urandom)
    assert [call.args for call in coins.call_args_list] == [(2 * 3 * 8 * 15,)]
    assert draw.__defaults__ == (os.urandom,)


def test_the_same_coins_give_the_same_codes_and_others_others() -> None:
    level = Level(5, 2, 64)
    limits = thresholds(np.zeros((4, 64)), level)
    coins = os.urandom(2 * 4 * 64 * 3)
    assert (draw(limits, level, lambda count: coins[:count]) == draw(limits, level, lambda count: coins[:count])).all()
    assert (draw(limits, level) != draw(limits, level)).any()


@settings(max_examples=40)
@given(st.sampled_from(BITS), st.integers(1, 20), st.integers(1, 5), st.data())
def test_packed_codes_are_small_and_say_every_number(bits: int, dimensions: int, rows: int, data: st.DataObject) -> None:
    numbers = st.lists(st.integers(0, 2**bits - 1), min_size=rows * dimensions, max_size=rows * dimensions)
    counts = np.array(data.draw(numbers), dtype=np.uint8).reshape(rows, dimensions)
    bytes_ = packed(counts, bits)
    size = bytes_per_row(Level(1, bits, dimensions))
    assert len(bytes_) == rows * size
    for row in range(rows):
        whole = int.from_bytes(bytes_[row * size : (row + 1) * size], "little")
        assert [(whole >> (bits * place)) & (2**bits - 1) for place in range(dimensions)] == counts[row].tolist()
