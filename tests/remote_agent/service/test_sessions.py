"""Sessions of all peers: apart by owner, bounded in number, the one used longest ago out first."""

from remote_agent.service.sessions import Session, Sessions
from remote_agent.wire.messages import RowFormat
from remote_agent.wire.session import StepQueue
from tests.helpers.wire_messages import step


def _session(sessions: Sessions) -> Session:
    return Session(sessions.new_key(), 1, 4, RowFormat.FLOAT32, StepQueue(16), lambda: None)


def test_the_same_number_of_two_owners_is_two_sessions() -> None:
    sessions = Sessions(8)
    mine, theirs = _session(sessions), _session(sessions)
    sessions.add("a", 1, mine)
    sessions.add("b", 1, theirs)
    assert (sessions.use("a", 1), sessions.use("b", 1)) == (mine, theirs)
    assert mine.key != theirs.key


def test_the_session_used_longest_ago_is_evicted_and_marked() -> None:
    sessions = Sessions(2)
    first, second = _session(sessions), _session(sessions)
    sessions.add("a", 1, first)
    sessions.add("a", 2, second)
    sessions.use("a", 1)
    assert sessions.add("b", 1, _session(sessions)) is second
    assert second.evicted
    assert sessions.use("a", 2) is None
    assert sessions.use("a", 1) is first


def test_all_sessions_of_an_owner_go_together() -> None:
    sessions = Sessions(8)
    held = [_session(sessions) for _ in range(3)]
    for number, session in enumerate(held):
        sessions.add("a", number, session)
    sessions.add("b", 0, _session(sessions))
    assert sessions.remove_all("a") == held
    assert all(session.evicted for session in held)
    assert sessions.use("b", 0) is not None


def test_removing_what_is_not_there_is_nothing() -> None:
    assert Sessions(1).remove("a", 1) is None


def test_a_peer_with_many_sessions_pushes_out_its_own_and_not_anothers() -> None:
    sessions = Sessions(4)
    theirs = _session(sessions)
    sessions.add("quiet", 0, theirs)
    greedy = [_session(sessions) for _ in range(9)]
    gone = [sessions.add("greedy", number, session) for number, session in enumerate(greedy)]
    assert gone == [None, None, None, *greedy[:6]]
    assert sessions.use("quiet", 0) is theirs


def test_for_memory_the_session_used_longest_ago_goes_but_never_the_running_one() -> None:
    sessions = Sessions(4)
    running, other = _session(sessions), _session(sessions)
    sessions.add("a", 0, running)
    sessions.add("b", 0, other)
    assert sessions.evict_another(running) is other
    assert sessions.evict_another(running) is None
    assert other.evicted
    assert not running.evicted


def test_what_waits_is_counted_for_each_peer() -> None:
    sessions = Sessions(4)
    session = _session(sessions)
    sessions.add("a", 0, session)
    session.steps.offer(step(sequence=1, rows=2), b"\0" * 32)
    assert (sessions.held_bytes("a"), sessions.held_bytes("b")) == (32, 0)
