"""From frames to what an observer of the network can tell apart: bursts up and what comes down after each."""

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.audit.recording import Frame
from desktop_app.audit.ticks import OVERHEAD, PAUSE, SMALL, ticks


def up(time: float, size: int = 1000) -> Frame:
    return Frame(True, time, bytes(size))


def down(time: float, size: int = 1000) -> Frame:
    return Frame(False, time, bytes(size))


def test_a_step_and_its_answer_are_one_tick() -> None:
    first, second = ticks([up(1.0), up(1.0001, 500), down(1.04), up(1.05, 200), down(1.09, 200)])
    assert (first.wait, first.up, first.down) == (0.0, 1500 + 2 * OVERHEAD, 1000 + OVERHEAD)
    assert (round(second.wait, 6), second.up, second.down) == (0.05, 200 + OVERHEAD, 200 + OVERHEAD)


def test_a_second_step_in_flight_is_a_tick_of_its_own() -> None:
    assert len(ticks([up(1.0), up(1.0 + 2 * PAUSE), down(1.1), down(1.2)])) == 2


def test_pings_and_what_comes_before_the_first_step_are_no_ticks() -> None:
    assert ticks([down(0.5), up(0.6, SMALL - 1), down(0.7, SMALL - 1)]) == []


@given(st.lists(st.tuples(st.booleans(), st.integers(SMALL, 1160), st.floats(0.0, 0.1)), max_size=60))
def test_no_byte_behind_the_first_step_is_lost(frames: list[tuple[bool, int, float]]) -> None:
    clock, line = 0.0, []
    for sent, size, wait in frames:
        clock += wait
        line.append(Frame(sent, clock, bytes(size)))
    while line and not line[0].sent:
        line.pop(0)
    found = ticks(line)
    assert sum(tick.up + tick.down for tick in found) == sum(len(frame.data) + OVERHEAD for frame in line)
    assert all(tick.wait >= 0 and tick.up for tick in found)
