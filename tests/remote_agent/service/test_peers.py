"""A desktop that comes back in time finds its sessions as it left them; nobody else does, and nothing is kept for ever."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from remote_agent.service.middle import Middle
from remote_agent.service.peer import Peer
from remote_agent.service.peers import Peers, Seat
from remote_agent.service.scheduler import Scheduler
from remote_agent.service.sessions import Sessions
from remote_agent.service.turns import run_together
from remote_agent.wire.errors import ErrorCode
from remote_agent.wire.messages import NO_RESUME, Answer, Close, Message, Ready, Refused, Welcome
from tests.helpers.tiny_agent import KeptMessages, chain, hello, opening, tiny_config

NOTHING = memoryview(b"")
TOKEN, OTHER = b"\1" * 32, b"\2" * 32
KEEP = 60.0


class Timers:
    """A clock whose time the test passes."""

    def __init__(self) -> None:
        self._now = 0.0
        self._due: list[tuple[float, Callable[[], object]]] = []

    def call_later(self, delay: float, callback: Callable[[], object]) -> Any:
        entry = (self._now + delay, callback)
        self._due.append(entry)

        class Handle:
            def cancel(handle) -> None:
                if entry in self._due:
                    self._due.remove(entry)

        return Handle()

    def wait(self, seconds: float) -> None:
        self._now += seconds
        for entry in [it for it in self._due if it[0] <= self._now]:
            self._due.remove(entry)
            entry[1]()


@pytest.fixture(scope="module")
def middle(tmp_path_factory: pytest.TempPathFactory) -> Middle:
    return Middle(tiny_config(tmp_path_factory.mktemp("agent"), max_context=64, max_sessions=8))


class World:
    """An agent's peers over real layers, and desktops that knock."""

    def __init__(self, middle: Middle) -> None:
        self.middle, self.scheduler, self.sessions, self.clock = middle, Scheduler(run_together), Sessions(8), Timers()
        self.peers = Peers(self._peer, self.clock, limit=2, keep_seconds=KEEP)
        self.hung_up: list[KeptMessages] = []

    def _peer(self, sender: Any) -> Peer:
        return Peer(sender, self.middle, self.sessions, self.scheduler)

    def knock(self, token: bytes = TOKEN) -> tuple[KeptMessages, Seat]:
        """A channel that greets with this token, and the agent's answer to it."""
        sent = KeptMessages()
        seat = self.peers.seat(sent, lambda: self.hung_up.append(sent))
        assert seat is not None
        seat.received(msgspec.structs.replace(hello(self.middle), resume=token), NOTHING)
        return sent, seat

    def begun(self, token: bytes = TOKEN) -> Seat:
        """A desktop with a session of five rows, whose connection is then lost."""
        sent, seat = self.knock(token)
        seat.received(opening(1), NOTHING)
        sent.wait(2)
        seat.received(*chain(1, 0, 0, 5))
        sent.wait(3)
        return seat


@pytest.fixture
def world(middle: Middle) -> Iterator[World]:
    world = World(middle)
    yield world
    world.peers.close()
    world.scheduler.close()


def resumed(sent: KeptMessages) -> bool:
    welcome = sent.last(1)
    assert isinstance(welcome, Welcome)
    return bool(welcome.resumed)


def test_a_desktop_that_comes_back_in_time_goes_on_and_asks_again_what_it_missed(world: World) -> None:
    seat = world.begun()
    seat.closed()
    world.clock.wait(KEEP - 1)
    sent, seat = world.knock()
    assert resumed(sent)
    step, payload = chain(1, 0, 0, 5)
    seat.received(step, payload)
    again, rows = sent.wait(2)[1]
    assert isinstance(again, Answer)
    assert rows, "the answer that it missed was kept"
    seat.received(*chain(1, 1, 5, 1))
    assert isinstance(sent.last(3), Answer)


def test_an_answer_that_comes_while_the_desktop_is_away_is_kept_for_it(world: World) -> None:
    sent, seat = world.knock()
    seat.received(opening(1), NOTHING)
    sent.wait(2)
    seat.received(*chain(1, 0, 0, 5))
    seat.closed()
    sent, seat = world.knock()
    seat.received(*chain(1, 0, 0, 5))
    assert isinstance(sent.last(2), Answer)


def test_an_opening_whose_answer_was_missed_is_answered_again_and_another_one_of_that_number_is_not(world: World) -> None:
    world.begun().closed()
    sent, seat = world.knock()
    seat.received(opening(1), NOTHING)
    assert sent.last(2) == Ready(1)
    seat.received(opening(1, 1, 3), NOTHING)
    assert sent.last(3) == Refused(ErrorCode.MALFORMED, 1, 0, 0)
    seat.received(*chain(1, 1, 5, 1))
    assert isinstance(sent.last(4), Answer)


def test_after_its_time_everything_is_freed(world: World) -> None:
    world.begun().closed()
    world.clock.wait(KEEP)
    sent, seat = world.knock()
    assert not resumed(sent)
    seat.received(*chain(1, 1, 5, 1))
    assert sent.last(2) == Refused(ErrorCode.SESSION_GONE, 1, 0, 1)


@pytest.mark.parametrize("token", [OTHER, NO_RESUME])
def test_whoever_does_not_know_the_token_finds_nothing(world: World, token: bytes) -> None:
    world.begun().closed()
    sent, seat = world.knock(token)
    assert not resumed(sent)
    seat.received(*chain(1, 1, 5, 1))
    assert sent.last(2) == Refused(ErrorCode.SESSION_GONE, 1, 0, 1)


def test_without_a_token_nothing_is_kept(world: World) -> None:
    world.begun(NO_RESUME).closed()
    sent, _ = world.knock(NO_RESUME)
    assert not resumed(sent)


def test_a_second_channel_takes_over_and_the_first_is_heard_no_more(world: World) -> None:
    first = world.begun()
    sent, second = world.knock()
    assert resumed(sent)
    assert len(world.hung_up) == 1
    first.received(Close(1), NOTHING)
    first.closed()
    second.received(*chain(1, 1, 5, 1))
    assert isinstance(sent.last(2), Answer)


def test_no_more_desktops_are_kept_or_connected_than_allowed(world: World) -> None:
    tokens = [bytes([number]) * 32 for number in (1, 2, 3)]
    for token in tokens:
        world.begun(token).closed()
    assert [resumed(world.knock(token)[0]) for token in (tokens[2], tokens[1])] == [True, True]
    assert world.peers.connected == 2
    assert world.peers.seat(KeptMessages(), lambda: None) is None


def test_one_who_never_greets_leaves_nothing_behind(world: World) -> None:
    sent = KeptMessages()
    seat = world.peers.seat(sent, lambda: None)
    assert seat is not None
    message: Message = opening(1)
    seat.received(message, NOTHING)
    assert sent.last(1) == Refused(ErrorCode.MALFORMED, 1, 0, 0)
    seat.closed()
    assert world.peers.connected == 0
