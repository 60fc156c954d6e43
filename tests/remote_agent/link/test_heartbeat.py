"""Pings, silence and round trips, without a clock."""

import pytest

from remote_agent.link.heartbeat import IDLE_TICKS, PATIENCE_SECONDS, Heartbeat


def pings(heartbeat: Heartbeat, ticks: int, active: bool) -> int:
    sent = 0
    for tick in range(ticks):
        count = heartbeat.tick(float(tick), active)
        if count is not None:
            sent += 1
            heartbeat.heard()
            heartbeat.answered(count, tick + 0.05)
    return sent


def test_a_line_in_use_is_asked_every_tick_an_idle_one_seldom() -> None:
    assert pings(Heartbeat(0.0), 20, active=True) == 20
    assert pings(Heartbeat(0.0), 20, active=False) == 20 // IDLE_TICKS


def test_the_round_trip_is_the_median_so_that_one_pause_does_not_count() -> None:
    heartbeat = Heartbeat(0.0)
    assert heartbeat.round_trip is None
    pings(heartbeat, 6, active=True)
    count = heartbeat.tick(10.0, active=True)
    assert count is not None
    heartbeat.answered(count, 17.0)
    assert heartbeat.round_trip == pytest.approx(0.05)


def test_only_one_ping_waits_at_a_time() -> None:
    heartbeat = Heartbeat(0.0)
    assert heartbeat.tick(1.0, active=True) == 1
    assert heartbeat.tick(2.0, active=True) is None
    heartbeat.answered(99, 2.5)
    assert heartbeat.tick(3.0, active=True) is None


def test_silence_ends_it_only_after_patience() -> None:
    heartbeat = Heartbeat(0.0)
    for tick in range(1, int(PATIENCE_SECONDS)):
        heartbeat.tick(float(tick), active=True)
        assert not heartbeat.is_gone
    heartbeat.heard()
    heartbeat.tick(PATIENCE_SECONDS, active=True)
    assert not heartbeat.is_gone
    for tick in range(1, int(PATIENCE_SECONDS) + 1):
        heartbeat.tick(PATIENCE_SECONDS + tick, active=True)
    assert heartbeat.is_gone


def test_our_own_sleep_is_not_the_peers_silence() -> None:
    heartbeat = Heartbeat(0.0)
    heartbeat.tick(3600.0, active=True)
    assert not heartbeat.is_gone


def test_a_ping_without_an_answer_makes_the_path_suspect_in_two_ticks_and_anything_heard_clears_it() -> None:
    heartbeat = Heartbeat(0.0)
    pings(heartbeat, 3, active=True)
    assert heartbeat.tick(3.0, active=True) is not None
    assert not heartbeat.is_suspect(3.0)
    heartbeat.tick(4.0, active=True)
    assert not heartbeat.is_suspect(4.0)
    heartbeat.tick(5.0, active=True)
    assert heartbeat.is_suspect(5.0)
    heartbeat.heard()
    heartbeat.tick(6.0, active=True)
    assert not heartbeat.is_suspect(6.0)


def test_an_idle_path_is_not_suspect_for_being_silent() -> None:
    heartbeat = Heartbeat(0.0)
    for tick in range(4 * IDLE_TICKS):
        count = heartbeat.tick(float(tick), active=False)
        assert not heartbeat.is_suspect(float(tick))
        if count is not None:
            heartbeat.heard()
            heartbeat.answered(count, tick + 0.1)
