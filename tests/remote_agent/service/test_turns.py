"""Peers that work at the same time get what each would get alone, and a bad one harms only itself."""

import threading
from collections.abc import Iterator

import pytest
import torch

from remote_agent.segment.payload import from_payload, to_payload
from remote_agent.service.doorkeeper import Doorkeeper
from remote_agent.service.middle import Middle
from remote_agent.service.pace import Cost, Pace
from remote_agent.service.peer import Peer
from remote_agent.service.scheduler import Passed, Scheduler
from remote_agent.service.sessions import Sessions
from remote_agent.service.turns import run_together
from remote_agent.wire.errors import ErrorCode
from remote_agent.wire.messages import Answer, Refused, RowFormat, Step
from tests.helpers.tiny_agent import HIDDEN, KeptMessages, chain, hello, opening, tiny_config


class House:
    """An agent without a link; `hold` has its thread wait, so that what is asked meanwhile comes together."""

    def __init__(self, middle: Middle, doorkeeper: Doorkeeper | None = None) -> None:
        self.middle, self.passes = middle, list[Passed]()
        self.scheduler = Scheduler(run_together, Pace(Cost(middle.cost_of_context)), self.passes.append)
        self.sessions, self._doorkeeper = Sessions(64), doorkeeper
        self._peers: list[Peer] = []

    def peer(self, *openings: int) -> tuple[KeptMessages, Peer]:
        sent = KeptMessages()
        peer = Peer(sent, self.middle, self.sessions, self.scheduler, self._doorkeeper)
        peer.received(hello(self.middle), memoryview(b""))
        for number in openings:
            peer.received(opening(number), memoryview(b""))
        sent.wait(1 + len(openings))
        self._peers.append(peer)
        return sent, peer

    def hold(self) -> threading.Event:
        begun, release = threading.Event(), threading.Event()
        self.scheduler.submit("hold", lambda: (begun.set(), release.wait())[0])
        begun.wait()
        return release

    def close(self) -> None:
        for peer in self._peers:
            peer.closed()
        self.scheduler.close()


@pytest.fixture(scope="module")
def middle(tmp_path_factory: pytest.TempPathFactory) -> Middle:
    return Middle(tiny_config(tmp_path_factory.mktemp("agent"), max_context=512, device="cpu", dtype="float32"))


@pytest.fixture
def house(middle: Middle) -> Iterator[House]:
    house = House(middle)
    yield house
    house.close()


def rows_of(payload: bytes) -> torch.Tensor:
    return from_payload(payload, RowFormat.FLOAT32, len(payload) // (4 * HIDDEN), HIDDEN)


def test_what_peers_ask_at_the_same_time_runs_in_one_pass_and_is_what_each_would_get_alone(house: House, middle: Middle) -> None:
    peers = [house.peer(1) for _ in range(6)]
    counts = [1, 3, 8, 1, 2, 30]
    release = house.hold()
    for (_, peer), count in zip(peers, counts, strict=True):
        peer.received(*chain(1, 0, 0, count))
    release.set()
    for (sent, _), count in zip(peers, counts, strict=True):
        answer, payload = sent.wait(3)[2]
        assert isinstance(answer, Answer)
        reference = middle._segment.part(1, 4)
        reference.open(0, 100)
        step, rows = chain(1, 0, 0, count)
        expected = reference.run(0, 0, -1, 0, step.parents, rows_of(bytes(rows)))
        assert torch.allclose(rows_of(payload), expected, atol=1e-5)
    assert (house.passes[0].steps, house.passes[0].rows) == (6, 45)


def test_a_document_goes_in_slices_and_its_answer_is_whole(house: House, middle: Middle) -> None:
    (sent, peer), (other_sent, other) = house.peer(1), house.peer(1)
    release = house.hold()
    other.received(*chain(1, 0, 0, 1))
    step, rows = chain(1, 0, 0, 200)
    peer.received(step, rows)
    release.set()
    answer, payload = sent.wait(3)[2]
    assert isinstance(answer, Answer)
    reference = middle._segment.part(1, 4)
    reference.open(0, 512)
    assert torch.allclose(rows_of(payload), reference.run(0, 0, -1, 0, step.parents, rows_of(bytes(rows))), atol=1e-4)
    assert isinstance(other_sent.last(3), Answer)
    assert len(house.passes) > 2


def test_a_document_that_is_stopped_between_slices_leaves_its_session_whole(house: House) -> None:
    (sent, peer), (_, other) = house.peer(1), house.peer(1)
    peer.received(*chain(1, 0, 0, 2))
    sent.wait(3)
    release = house.hold()
    other.received(*chain(1, 0, 0, 1))
    peer.received(*chain(1, 1, 2, 200))
    release.set()
    peer.received(Step(1, 1, 0, 1, 202, [], -1), memoryview(b""))  # Stop: an empty step of a new epoch
    peer.received(Step(1, 1, 1, 1, 202, [1], -1), to_payload(torch.ones(1, HIDDEN), RowFormat.FLOAT32))
    answers = [(m.epoch, m.sequence) for m, _ in sent.wait(5) if isinstance(m, Answer)]
    assert answers[-2:] == [(1, 0), (1, 1)]


def test_numbers_that_are_not_finite_are_refused_and_the_others_in_their_pass_are_answered(house: House) -> None:
    (bad_sent, bad), (sent, peer) = house.peer(1), house.peer(1)
    release = house.hold()
    step, rows = chain(1, 0, 0, 2)
    bad.received(step, to_payload(torch.full((2, HIDDEN), float("nan")), RowFormat.FLOAT32))
    peer.received(step, rows)
    release.set()
    assert bad_sent.last(3) == Refused(ErrorCode.BAD_ROWS, 1, 0, 0)
    assert isinstance(sent.last(3), Answer)


def test_a_peer_that_never_says_that_it_read_an_answer_is_bounded(house: House) -> None:
    """It sends steps and acknowledges none: what is kept for it ends at the window, and others are served."""
    (sent, peer), (other_sent, other) = house.peer(1), house.peer(1)
    for sequence in range(70):
        step, rows = chain(1, sequence, sequence, 1)
        peer.received(Step(1, 0, sequence, sequence - 1, sequence, step.parents, -1), rows)
    kinds = [type(message) for message, _ in sent.wait(72)[2:]]
    assert (kinds.count(Answer), kinds.count(Refused)) == (64, 6)
    assert house.sessions.held_bytes(peer) == 64 * 4 * HIDDEN
    other.received(*chain(1, 0, 0, 1))
    assert isinstance(other_sent.last(3), Answer)


def test_who_sends_too_many_rows_is_told_and_others_have_a_rate_of_their_own(middle: Middle) -> None:
    house = House(middle, Doorkeeper(rows_per_second=1.0))
    (sent, peer), (other_sent, other) = house.peer(1), house.peer(1)
    peer.received(*chain(1, 0, 0, 10))
    assert isinstance(sent.last(3), Answer)
    peer.received(*chain(1, 1, 10, 10))
    assert sent.last(4) == Refused(ErrorCode.TOO_FAST, 1, 0, 1)
    other.received(*chain(1, 0, 0, 10))
    assert isinstance(other_sent.last(3), Answer)
    house.close()
