"""Estimates of loss and width come near what the path is, and say nothing before anything is known."""

import random

import pytest

from remote_agent.link.path import LossShare, PathFigures, TrainRate


def test_nothing_is_known_before_anything_has_crossed() -> None:
    assert LossShare().share is None
    assert TrainRate().rate is None
    assert PathFigures() == PathFigures(None, None, None, None, None, None, None)


@pytest.mark.parametrize("loss", [0.0, 0.01, 0.1])
def test_the_share_of_lost_packets_is_found(loss: float) -> None:
    share, chance = LossShare(), random.Random(2)
    for _ in range(20_000):
        share.add(int(chance.random() < loss), 1)
    assert share.share == pytest.approx(loss, rel=0.3, abs=0.002)


def test_losses_of_long_ago_count_less_and_less() -> None:
    share = LossShare()
    share.add(1000, 2000)
    share.add(0, 40_000)
    for _ in range(40):
        share.add(0, 1000)
    assert share.share is not None
    assert share.share < 0.001


@pytest.mark.parametrize("rate", [250_000.0, 12.5e6])
def test_the_width_is_found_from_trains_and_not_from_lone_steps(rate: float) -> None:
    found, now = TrainRate(), 0.0
    for _ in range(20):
        found.arrived(2000, now)
        now += 0.1
    assert found.rate is None
    for _ in range(5):
        for _ in range(60):
            found.arrived(1160, now)
            now += 1160 / rate
        now += 0.1
    found.arrived(1160, now)
    assert found.rate == pytest.approx(rate, rel=0.05)


def test_a_transfer_without_pauses_is_measured_while_it_lasts() -> None:
    found = TrainRate()
    for number in range(1000):
        found.arrived(1160, number * 0.0001)
    assert found.rate == pytest.approx(11.6e6, rel=0.05)
