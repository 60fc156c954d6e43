"""A step is sent again when its answer is late, a few times, and never once it wants no answer any more."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from remote_agent.link.resending import LEAST_WAIT, MOST_KEPT_BYTES, SHARE_OF_ROUND_TRIP, TRIES, Resending, ResendTimer
from remote_agent.wire.errors import ErrorCode
from remote_agent.wire.messages import Answer, Refused, Step
from tests.helpers.wire_messages import step

ROUND_TRIP = 0.08


def used_to(seconds: float, times: int = 30) -> Resending:
    """After as many answers that took so long."""
    resending = Resending()
    for sequence in range(times):
        resending.sent(step(sequence), b"rows", sequence * 10.0, ROUND_TRIP)
        resending.came(Answer(1, 0, sequence, 0), sequence * 10.0 + seconds)
    return resending


def times_of(resending: Resending, sent: Step, until: float) -> list[float]:
    """When this step, sent at 1000, is sent again."""
    resending.sent(sent, b"rows", 1000.0, ROUND_TRIP)
    found = []
    while (due := resending.next) is not None and due < 1000 + until:
        found += [due - 1000 for _ in resending.due(due, ROUND_TRIP)]
    return found


def test_a_step_without_an_answer_is_sent_again_soon_then_later_and_then_no_more() -> None:
    first, second, third = times_of(used_to(ROUND_TRIP), step(30), 100.0)
    assert SHARE_OF_ROUND_TRIP * ROUND_TRIP + LEAST_WAIT - 1e-6 <= first < 0.15
    assert second - first < third - second
    assert TRIES == 3


def test_an_agent_that_always_takes_long_is_given_the_time() -> None:
    assert times_of(used_to(1.0), step(30), 1.0) == []
    assert times_of(used_to(ROUND_TRIP), step(30), 1.0) != []


def test_a_step_that_asks_for_its_answer_to_be_held_back_waits_so_much_longer() -> None:
    held = Step(1, 0, 30, -1, 0, [-1], -1, hold=500_000)
    first = times_of(used_to(ROUND_TRIP), held, 100.0)[0]
    assert 0.6 < first < 0.65


def test_what_is_answered_refused_closed_or_of_an_older_epoch_is_not_sent_again() -> None:
    for end in (
        lambda it: it.came(Answer(1, 0, 0, 0), 0.1),
        lambda it: it.came(Refused(ErrorCode.BAD_ROWS, 1, 0, 0), 0.1),
        lambda it: it.closed(1),
        lambda it: it.sent(step(0, epoch=1, session=1), b"", 0.1, ROUND_TRIP),
    ):
        resending = Resending()
        resending.sent(step(0), b"rows", 0.0, ROUND_TRIP)
        end(resending)
        assert step(0) not in [again for again, _ in resending.due(10.0, ROUND_TRIP)]
        assert resending.kept_bytes == 0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 400_000)), max_size=60))
def test_what_is_kept_is_bounded_and_counted(sent: list[tuple[int, int]]) -> None:
    resending = Resending()
    for sequence, (session, size) in enumerate(sent):
        resending.sent(step(sequence, session=session), bytes(size), 0.0, None)
        assert resending.kept_bytes <= MOST_KEPT_BYTES
    for session in range(6):
        resending.closed(session)
    assert resending.kept_bytes == 0
    assert resending.next is None


async def test_the_timer_sends_what_is_late_until_it_is_stopped() -> None:
    sent: asyncio.Queue[tuple[Step, bytes]] = asyncio.Queue()
    timer = ResendTimer(lambda step, payload: sent.put_nowait((step, payload)))
    timer.sent(step(0), memoryview(b"rows"))
    timer.sent(step(0, session=2), memoryview(b"others"))
    timer.came(Answer(2, 0, 0, 0))
    assert await asyncio.wait_for(sent.get(), 5) == (step(0), b"rows")
    assert sent.empty()
    timer.stop()
    assert timer._timer is None
