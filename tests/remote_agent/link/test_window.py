"""The window against a bottleneck made of a rate, a shortest round trip and a queue: it fills the first and spares the last."""

import random

import pytest

from remote_agent.link.window import QUEUE_SECONDS, Window

CHUNK, FIRST, LARGEST = 1160, 96 * 1160, 4096 * 1160


def settled(
    rate: float, least: float, loss: float = 0.0, queue: float = 1e6, jitter: float = 0.0, rounds: int = 200
) -> tuple[float, float, Window]:
    """Share of the rate used and seconds of queue, means of the last half, of a sender that always has more to send."""
    window, chance, now, used, waits = Window(FIRST, CHUNK, LARGEST), random.Random(1), 0.0, [], []
    for number in range(rounds):
        capacity = rate * least
        waiting = max(0.0, window.size - capacity)
        overflow, waiting = max(0.0, waiting - queue), min(waiting, queue)
        round_trip = least + waiting / rate
        sent = min(window.size, capacity + waiting)
        lost = overflow + loss * sent
        window.lost(int(lost))
        for part in range(10):
            window.acknowledged(int((sent - loss * sent) / 10), in_use=True)
            sample = round_trip + abs(chance.gauss(0, jitter))
            window.sampled(sample, least, round_trip, now + (part + 1) * round_trip / 10)
        now += round_trip
        if number >= rounds // 2:
            used.append(min(1.0, window.size / capacity))
            waits.append(waiting / rate)
    return sum(used) / len(used), sum(waits) / len(waits), window


@pytest.mark.parametrize("rate", [1.2e6, 12.5e6])
@pytest.mark.parametrize("least", [0.02, 0.08, 0.2])
@pytest.mark.parametrize("loss", [0.0, 0.01, 0.03])
def test_it_uses_the_path_whole_and_keeps_the_queue_short_whatever_is_lost_by_chance(
    rate: float, least: float, loss: float
) -> None:
    used, waited, _ = settled(rate, least, loss)
    assert used > 0.9
    assert waited < 2 * QUEUE_SECONDS


def test_jitter_is_not_taken_for_a_queue() -> None:
    used, _, _ = settled(12.5e6, 0.08, loss=0.01, jitter=0.02)
    assert used > 0.8


def test_it_does_not_overflow_a_queue_that_is_shorter_than_it_waits_for() -> None:
    used, _, window = settled(12.5e6, 0.08, queue=40_000)
    assert used > 0.8
    assert window.size < 1.5 * (12.5e6 * 0.08 + 40_000)


def test_doubling_ends_where_the_width_of_the_path_says_so_and_not_for_one_who_does_not_fill_it() -> None:
    for in_use in (True, False):
        window = Window(FIRST, CHUNK, LARGEST)
        for number in range(100):
            window.acknowledged(CHUNK, in_use)
            window.is_wide(2e6, 0.08)
            window.sampled(0.08, 0.08, 0.08, number * 0.0001)
        assert window.in_slow_start != in_use
        assert abs(window.size - (2e6 * (0.08 + QUEUE_SECONDS) if in_use else FIRST)) < 2 * CHUNK


def test_it_grows_for_no_one_who_does_not_use_it() -> None:
    window = Window(FIRST, CHUNK, LARGEST)
    for number in range(100):
        window.acknowledged(2000, in_use=False)
        window.sampled(0.2 if number % 2 else 0.08, 0.08, 0.08, number * 0.1)
    assert window.size == FIRST


def test_a_time_out_leaves_a_whole_step_the_first_time_and_less_each_time_after() -> None:
    window = Window(FIRST, CHUNK, LARGEST)
    window.timed_out(again=False)
    assert window.size == FIRST
    for _ in range(20):
        window.timed_out(again=True)
    assert 0 < window.size < 10 * CHUNK


def test_it_never_exceeds_the_largest() -> None:
    window = Window(FIRST, CHUNK, 128 * CHUNK)
    for number in range(100):
        window.acknowledged(100_000, in_use=True)
        window.sampled(0.001, 0.001, 0.001, float(number))
    assert window.size == 128 * CHUNK
