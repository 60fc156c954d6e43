"""The time-out follows the path, backs off, and never falls below what delayed acknowledgements need."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remote_agent.link.round_trip import INITIAL_SECONDS, LEAST_SECONDS, MINIMUM_SECONDS, MOST_SECONDS, RoundTrip


def after(samples: list[float], every: float = 0.1) -> RoundTrip:
    round_trip = RoundTrip()
    for number, sample in enumerate(samples):
        round_trip.add(sample, number * every)
    return round_trip


def test_before_the_first_sample_a_second_is_waited() -> None:
    assert RoundTrip().timeout == INITIAL_SECONDS
    assert RoundTrip().least is None


@pytest.mark.parametrize("path", [0.0005, 0.08, 0.2])
def test_on_a_steady_path_the_time_out_is_little_more_than_the_round_trip(path: float) -> None:
    assert max(LEAST_SECONDS, path) <= after([path] * 50).timeout <= max(LEAST_SECONDS, path + 0.021)


def test_it_doubles_while_nothing_comes_and_is_itself_again_when_something_does() -> None:
    round_trip = after([0.08] * 50)
    usual = round_trip.timeout
    round_trip.timed_out()
    assert round_trip.timeout == 2 * usual
    for _ in range(20):
        round_trip.timed_out()
    assert round_trip.timeout == MOST_SECONDS
    round_trip.add(0.08, 5.1)
    assert round_trip.timeout == pytest.approx(usual, rel=0.05)


@given(st.lists(st.floats(0.001, 1.0), min_size=1, max_size=100))
def test_the_shortest_of_ten_seconds_is_kept_and_the_time_out_is_in_bounds(samples: list[float]) -> None:
    round_trip = after(samples)
    recent = samples[-int(MINIMUM_SECONDS / 0.1) :]
    assert round_trip.least == pytest.approx(min(recent))
    assert LEAST_SECONDS <= round_trip.timeout <= MOST_SECONDS


def test_a_path_that_became_longer_is_believed_after_twenty_seconds() -> None:
    assert after([0.02] * 10 + [0.2] * 250).least == 0.2
