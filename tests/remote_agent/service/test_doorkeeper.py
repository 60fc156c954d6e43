"""Rates hold over any time, a burst is allowed, and an agent that is being stopped takes no new session."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remote_agent.service.doorkeeper import BURST_SECONDS, Doorkeeper, Rate
from remote_agent.wire.errors import BrokenRule, ErrorCode


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(1, 60)), max_size=60))
def test_no_more_passes_than_the_rate_and_one_burst(asks: list[tuple[float, int]]) -> None:
    now, passed = 0.0, 0
    rate = Rate(10.0, lambda: now)
    for pause, amount in asks:
        now += pause
        passed += amount if rate.take(amount) else 0
        assert passed <= 10.0 * (now + BURST_SECONDS) + 1e-6


def test_after_a_rest_there_is_room_again_and_without_a_rate_always() -> None:
    now = 0.0
    rate = Rate(10.0, lambda: now)
    assert rate.take(100)
    assert not rate.take(1)
    now = 0.2
    assert rate.take(2)
    assert all(Rate(None).take(10**9) for _ in range(100))


def test_who_asks_too_fast_is_told_so_and_counted() -> None:
    keeper = Doorkeeper(messages_per_second=0.1, rows_per_second=1.0)
    visitor = keeper.visitor()
    visitor.message()
    with pytest.raises(BrokenRule) as broken:
        visitor.message()
    assert broken.value.code == ErrorCode.TOO_FAST
    visitor.rows(10)
    with pytest.raises(BrokenRule):
        visitor.rows(1)
    visitor.refused(ErrorCode.TOO_FAST)
    assert keeper.refused == {ErrorCode.TOO_FAST: 1}
    keeper.visitor().message()  # another peer has a rate of its own


def test_an_agent_that_stops_opens_no_session() -> None:
    keeper = Doorkeeper()
    visitor = keeper.visitor()
    visitor.session()
    keeper.stopping = True
    with pytest.raises(BrokenRule) as broken:
        visitor.session()
    assert broken.value.code == ErrorCode.AGENT_STOPPING
