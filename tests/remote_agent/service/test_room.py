"""Who must make room: a peer for its own bound itself, for the common one the peer whose caches take most."""

from pathlib import Path

import pytest

from remote_agent.segment.errors import OutOfMemory
from remote_agent.service.middle import Middle
from remote_agent.service.room import Room
from remote_agent.service.sessions import Session, Sessions
from remote_agent.wire.messages import RowFormat
from remote_agent.wire.session import StepQueue
from tests.helpers.tiny_agent import LAYERS, tiny_config

SESSION = 2 * (LAYERS - 1) * 2 * 12 * 4 * 256  # keys and values, two heads of twelve float32; a session begins with 256 slots


class Held:
    """Open sessions by peer, and whose went."""

    def __init__(self, middle: Middle) -> None:
        self.middle, self.sessions, self.gone = middle, Sessions(99), list[str]()

    def open(self, owner: str) -> Session:
        number = len(self.sessions)
        steps = StepQueue(192)
        gone = f"{owner}{number}"
        session = Session(self.sessions.new_key(), 1, LAYERS, RowFormat.FLOAT32, steps, lambda: self.gone.append(gone))
        self.sessions.add(owner, number, session)
        self.middle.open(session)
        return session


def test_for_its_own_bound_a_peer_drops_its_own_oldest(tmp_path: Path) -> None:
    held = Held(Middle(tiny_config(tmp_path)))
    for owner in ("other", "mine", "mine"):
        held.open(owner)
    running = held.open("mine")
    Room(held.middle, held.sessions, 2 * SESSION).make("mine", running)
    assert held.gone == ["mine1"]
    assert held.middle.bytes_of(held.sessions.of("mine")) == 2 * SESSION


def test_for_the_common_bound_the_peer_that_holds_most_makes_room(tmp_path: Path) -> None:
    held = Held(Middle(tiny_config(tmp_path, max_cache_bytes=4 * SESSION)))
    for owner in ("small", "large", "large", "large"):
        held.open(owner)
    running = held.open("new")
    Room(held.middle, held.sessions).make("new", running)
    assert held.gone == ["large1"]


def test_one_session_that_is_too_much_alone_is_out_of_memory(tmp_path: Path) -> None:
    held = Held(Middle(tiny_config(tmp_path)))
    running = held.open("mine")
    with pytest.raises(OutOfMemory):
        Room(held.middle, held.sessions, SESSION - 1).make("mine", running)


def test_memory_that_forks_share_counts_once(tmp_path: Path) -> None:
    held = Held(Middle(tiny_config(tmp_path)))
    source = held.open("mine")
    fork = Session(held.sessions.new_key(), 1, LAYERS, RowFormat.FLOAT32, StepQueue(192), lambda: None)
    held.sessions.add("mine", 9, fork)
    held.middle.fork(fork, source, -1)
    assert held.middle.bytes_of([source, fork]) == SESSION
