"""The emulated path does to packets what it says, and the relay carries them both ways, also behind another address."""

import itertools
import socket
import statistics
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.wan_path import Conditions, WanPath
from tests.helpers.wan_relay import INSIDE, OUTSIDE, WanRelay

PACKETS = 4_000


def arrivals(conditions: Conditions, count: int = PACKETS, size: int = 1_000, every: float = 0.01) -> list[tuple[int, float]]:
    """Number and time of each packet that arrives, in order of arrival."""
    path, found = WanPath(conditions, seed=3), []
    for number in range(count):
        path.take(lambda number=number: number, size, number * every)
    while (due := path.next) is not None:
        found += [(int(str(deliver())), due) for deliver in path.due(due)]
    return found


@given(st.floats(0, 0.5), st.floats(0, 0.05))
def test_every_packet_takes_the_delay_give_or_take_the_jitter_in_order(delay: float, jitter: float) -> None:
    found = arrivals(Conditions(delay=delay, jitter=jitter), 50, every=0.2)
    assert [number for number, _ in found] == list(range(50))
    assert all(delay - jitter - 1e-9 <= when - 0.2 * number <= delay + jitter + 1e-9 for number, when in found)


@pytest.mark.parametrize("loss", [0.01, 0.2])
def test_loss_is_as_often_as_said(loss: float) -> None:
    assert 1 - len(arrivals(Conditions(loss=loss))) / PACKETS == pytest.approx(loss, rel=0.35)


def test_bursts_lose_many_in_a_row_and_as_many_as_said() -> None:
    there = {number for number, _ in arrivals(Conditions(burst=0.05, burst_packets=10), 40_000)}
    lost = [number for number in range(40_000) if number not in there]
    runs = sum(1 for number in lost if number - 1 in there or number == 0)
    assert len(lost) / 40_000 == pytest.approx(0.05, rel=0.3)
    assert len(lost) / runs == pytest.approx(10, rel=0.3)


def test_a_bottleneck_sends_no_faster_than_its_rate_and_drops_what_its_queue_does_not_hold() -> None:
    found = arrivals(Conditions(rate=8e6, queue=20_000), 200, every=0.0)
    assert len(found) in (19, 20)  # the last one fits up to rounding
    assert [when for _, when in found] == pytest.approx([0.001 * (place + 1) for place in range(len(found))])


def test_reordering_and_duplicates_happen_as_often_as_said() -> None:
    numbers = [number for number, _ in arrivals(Conditions(delay=0.1, jitter=0.03, reorder=0.2, duplicate=0.1))]
    assert len(numbers) / PACKETS == pytest.approx(1.1, abs=0.03)
    assert 0.02 < sum(later < earlier for earlier, later in itertools.pairwise(numbers)) / PACKETS < 0.4


def test_a_path_that_is_cut_lets_nothing_through() -> None:
    assert arrivals(Conditions(cut=True)) == []


def test_the_relay_carries_both_ways_with_its_delay_and_a_changed_address_is_another_one() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as agent, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as desktop:
        agent.bind((INSIDE, 0))
        for it in (agent, desktop):
            it.settimeout(5)
        port = agent.getsockname()[1]
        with WanRelay([port], 0, Conditions(delay=0.02)) as relay:
            sources, times = set(), []
            for number in range(6):
                if number == 3:
                    relay.change_address()
                    agent_sees_before = set(sources)
                started = time.perf_counter()
                desktop.sendto(b"%d" % number, (OUTSIDE, port))
                data, source = agent.recvfrom(100)
                sources.add(source)
                agent.sendto(data, source)
                assert desktop.recvfrom(100) == (b"%d" % number, (OUTSIDE, port))
                times.append(time.perf_counter() - started)
            assert len(agent_sees_before) == 1
            assert len(sources) == 2
            assert min(times) >= 0.04
            assert statistics.median(times) < 0.2
