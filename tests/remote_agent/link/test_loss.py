"""Lost is what was sent well before something that arrived; nothing else is, and nothing is forgotten."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from remote_agent.link.loss import LEAST_REORDERING, Flight

LEAST = 0.08


def flight_of(count: int) -> tuple[Flight, list[SimpleNamespace]]:
    flight = Flight()
    chunks = [SimpleNamespace(tsn=number, _sent_time=0.0, _sent_count=0) for number in range(count)]
    for number, chunk in enumerate(chunks):
        flight.sent(chunk, number * 0.001)
    return flight, chunks


def test_the_last_of_a_step_is_not_lost_while_nothing_later_has_come() -> None:
    flight, chunks = flight_of(2)
    flight.arrived(chunks[0], 0.08, LEAST)
    assert flight.take_lost(10.0, LEAST) == ([], None)


def test_an_earlier_one_is_lost_a_quarter_of_a_round_trip_after_it_should_have_come() -> None:
    flight, chunks = flight_of(2)
    flight.arrived(chunks[1], 0.081, LEAST)
    lost, later = flight.take_lost(0.081, LEAST)
    assert lost == []
    assert later is not None
    assert abs(0.081 + later - (0.0 + 0.080 + LEAST / 4)) < 1e-9
    assert flight.take_lost(0.081 + later + 1e-6, LEAST) == ([chunks[0]], None)
    assert len(flight) == 0


def test_packets_may_overtake_each_other_by_a_little_on_the_shortest_path() -> None:
    flight, chunks = flight_of(2)
    flight.arrived(chunks[1], 0.0015, 0.0005)
    assert flight.take_lost(0.0015, 0.0005)[0] == []
    assert flight.take_lost(0.0015 + LEAST_REORDERING + 0.001, 0.0005)[0] == [chunks[0]]


def test_a_late_acknowledgement_of_the_first_copy_tells_nothing_of_the_time_of_the_second() -> None:
    flight, chunks = flight_of(3)
    flight.sent(chunks[2], 0.100)  # again
    flight.arrived(chunks[2], 0.101, LEAST)  # a millisecond later: it was the first copy
    assert flight.take_lost(1.0, LEAST) == ([], None)


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=40))
def test_each_chunk_is_on_its_way_lost_or_arrived_and_the_oldest_is_known(moves: list[tuple[int, bool]]) -> None:
    flight, chunks = flight_of(10)
    away, now = set(range(10)), 0.01
    for number, resend in moves:
        now += 0.03
        if resend:
            flight.sent(chunks[number], now)
            away.add(number)
        elif number in away:
            flight.arrived(chunks[number], now, LEAST)
            away.discard(number)
        lost = {chunk.tsn for chunk in flight.take_lost(now, LEAST)[0]}
        assert lost <= away
        away -= lost
        assert len(flight) == len(away)
        assert flight.earliest == (min(chunks[it]._sent_time for it in away) if away else None)
    oldest = sorted(away, key=lambda it: float(chunks[it]._sent_time))
    assert [chunk.tsn for chunk in flight.take_oldest(3)] == oldest[:3]
    assert [chunk.tsn for chunk in flight.take_oldest(10)] == oldest[3:]
    assert flight.earliest is None
