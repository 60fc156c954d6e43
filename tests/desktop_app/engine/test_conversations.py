"""Rows held between turns: used again by the same segments, freed when something else takes their place."""

import pytest

from desktop_app.engine.conversations import Conversations


class Segment:
    """Counts open sessions, as head and tail would hold them."""

    def __init__(self) -> None:
        self.open_sessions: set[int] = set()

    def open(self, session: int, max_rows: int) -> None:
        self.open_sessions.add(session)

    def close(self, session: int) -> None:
        self.open_sessions.discard(session)


class Middle:
    def __init__(self) -> None:
        self.alive = True
        self.receiver = None

    def close(self) -> None:
        self.alive = False


class World:
    def __init__(self) -> None:
        self.head, self.tail, self.conversations = Segment(), Segment(), Conversations(limit=2)

    def open(self, name: str):  # type: ignore[no-untyped-def]
        held = self.conversations.open(name, self.head, self.tail, Middle(), 64)  # type: ignore[arg-type]
        held.busy = False
        return held

    def find(self, name: str):  # type: ignore[no-untyped-def]
        return self.conversations.find(name, self.head, self.tail)  # type: ignore[arg-type]


@pytest.fixture
def world() -> World:
    return World()


def test_a_conversation_is_found_again_by_the_segments_that_made_it(world: World) -> None:
    held = world.open("a")
    assert world.find("a") is held
    assert world.conversations.find("a", Segment(), world.tail) is None  # type: ignore[arg-type]
    assert world.head.open_sessions == world.tail.open_sessions == set()


def test_a_conversation_whose_agent_dropped_it_is_not_found(world: World) -> None:
    world.open("a").middle.close()
    assert world.find("a") is None


def test_the_one_used_longest_ago_makes_room_but_never_a_busy_one(world: World) -> None:
    first, second = world.open("a"), world.open("b")
    first.busy = True
    world.open("c")
    assert world.find("a") is first
    assert not second.middle.alive
    assert world.head.open_sessions == {first.session, world.find("c").session}


def test_forgetting_frees_both_caches_and_the_agents(world: World) -> None:
    held = world.open("a")
    world.conversations.forget("a")
    world.conversations.forget("never there")
    assert world.find("a") is None
    assert not held.middle.alive
    assert world.head.open_sessions == set()


def test_what_is_idle_can_be_let_go_of_at_once(world: World) -> None:
    busy, idle = world.open("a"), world.open("b")
    busy.busy = True
    world.conversations.forget_idle()
    assert world.find("a") is busy
    assert not idle.middle.alive
