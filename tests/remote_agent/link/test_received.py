"""What came is known exactly, in any order, over the wrap of numbers, at little cost."""

import time

from hypothesis import given
from hypothesis import strategies as st

from remote_agent.link.received import MODULO, MOST_AHEAD, MOST_RUNS_TOLD, OVERTAKING_SECONDS, Arrival, ReceivedNumbers

STARTS = st.sampled_from([0, 1, 2**31 - 3, MODULO - 5, MODULO - 1])
NEW = {Arrival.NEXT, Arrival.BEYOND, Arrival.CHANGE}


@given(STARTS, st.lists(st.integers(1, 60), max_size=120))
def test_in_any_order_with_copies_and_over_the_wrap_it_knows_what_a_set_knows(start: int, places: list[int]) -> None:
    numbers, model = ReceivedNumbers(start), set[int]()
    for place in places:
        arrival = numbers.add((start + place) % MODULO, 0.0)
        assert (arrival is Arrival.COPY) == (place in model)
        model.add(place)
        whole = next(end for end in range(61) if end + 1 not in model)
        assert numbers.cumulative == (start + whole) % MODULO
        beyond = {whole + offset for first, last in numbers.runs() for offset in range(first, last + 1)}
        assert beyond == {place for place in model if place > whole}
        assert all(first > 1 and first <= last for first, last in numbers.runs())


@given(STARTS, st.permutations(range(1, 40)))
def test_when_all_have_come_no_run_is_left_and_all_are_expected(start: int, places: list[int]) -> None:
    numbers = ReceivedNumbers(start)
    assert {numbers.add((start + place) % MODULO, 0.0) for place in places} <= NEW
    assert numbers.runs() == []
    assert numbers.expected == 39
    assert numbers.missing == 0  # all within the time that packets may overtake each other


def test_a_hole_that_stays_open_is_a_loss_and_the_sender_is_told_of_its_begin_and_end() -> None:
    numbers = ReceivedNumbers(100)
    assert numbers.add(101, 0.0) is Arrival.NEXT
    assert numbers.add(104, 0.0) is Arrival.CHANGE
    assert numbers.add(105, 0.0) is Arrival.BEYOND
    assert numbers.missing == 2
    assert numbers.add(103, OVERTAKING_SECONDS / 2) is Arrival.CHANGE
    assert numbers.missing == 1
    assert numbers.add(102, 2 * OVERTAKING_SECONDS) is Arrival.CHANGE
    assert (numbers.missing, numbers.cumulative) == (1, 105)


def test_what_is_too_far_ahead_or_behind_is_not_taken() -> None:
    numbers = ReceivedNumbers(0)
    assert numbers.add(MOST_AHEAD + 1, 0.0) is Arrival.TOO_FAR
    assert numbers.add(MODULO // 2, 0.0) is Arrival.COPY
    assert numbers.add(MODULO - 1, 0.0) is Arrival.COPY
    assert numbers.add(MOST_AHEAD, 0.0) is Arrival.CHANGE


def test_a_peer_that_leaves_every_second_out_costs_little_and_one_packet_tells_of_it() -> None:
    numbers = ReceivedNumbers(0)
    started = time.process_time()
    for place in range(2, MOST_AHEAD, 2):
        numbers.add(place, 0.0)
        numbers.runs()
    assert time.process_time() - started < 2  # sorting all at each packet takes over ten times as long
    assert len(numbers.runs()) == MOST_RUNS_TOLD
