"""What a peer answers: real layers of a tiny model, greetings, refusals by code, and nothing that ends the agent."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.payload import from_payload, to_payload
from remote_agent.service.middle import Middle
from remote_agent.service.peer import Peer
from remote_agent.service.scheduler import Scheduler
from remote_agent.service.sessions import Sessions
from remote_agent.service.turns import run_together
from remote_agent.wire.errors import ErrorCode
from remote_agent.wire.messages import (
    NO_ARTEFACT,
    PROTOCOL_VERSION,
    Answer,
    Bits,
    Close,
    Codes,
    Decoder,
    Fork,
    Hello,
    Open,
    Pong,
    Ready,
    Refused,
    RowFormat,
    Step,
    Welcome,
)
from tests.helpers.tiny_agent import HIDDEN, LAYERS, KeptMessages, chain, hello, opening, tiny_config
from tests.helpers.tiny_codes import DIMENSIONS, drawn, packed, save_projection, tiny_projection
from tests.helpers.wire_messages import messages

NOTHING = memoryview(b"")


@pytest.fixture(scope="module")
def middle(tmp_path_factory: pytest.TempPathFactory) -> Middle:
    return Middle(tiny_config(tmp_path_factory.mktemp("agent"), max_context=64, max_sessions=3))


class World:
    """A peer, its sender, and what stands behind it."""

    def __init__(self, middle: Middle) -> None:
        self.middle, self.scheduler, self.sessions = middle, Scheduler(run_together), Sessions(3)
        self.sent, self.peer = self.new_peer()

    def new_peer(self) -> tuple[KeptMessages, Peer]:
        sent = KeptMessages()
        return sent, Peer(sent, self.middle, self.sessions, self.scheduler)

    def greeted(self) -> "World":
        self.peer.received(hello(self.middle), NOTHING)
        self.sent.wait(1)
        return self


@pytest.fixture
def world(middle: Middle) -> Iterator[World]:
    world = World(middle)
    yield world
    world.peer.closed()
    world.scheduler.close()


def test_a_greeting_is_answered_with_what_the_agent_offers(world: World) -> None:
    world.peer.received(hello(world.middle), NOTHING)
    welcome = world.sent.last(1)
    assert isinstance(welcome, Welcome)
    assert (welcome.first_layer, welcome.last_layer, welcome.hidden_size) == (1, LAYERS, HIDDEN)


@pytest.mark.parametrize(
    ("greeting", "code"),
    [(Hello(PROTOCOL_VERSION, b"\1" * 32), ErrorCode.OTHER_MODEL), (Hello(999, b"\1" * 32), ErrorCode.PROTOCOL_VERSION)],
)
def test_another_model_or_version_is_refused(world: World, greeting: Hello, code: ErrorCode) -> None:
    world.peer.received(greeting, NOTHING)
    assert world.sent.last(1) == Refused(code, 0, 0, 0)


def test_before_the_greeting_nothing_is_done(world: World) -> None:
    world.peer.received(opening(1), NOTHING)
    assert world.sent.last(1) == Refused(ErrorCode.MALFORMED, 1, 0, 0)


@pytest.mark.parametrize(("first", "last"), [(0, 4), (1, 6), (3, 3), (4, 2)])
def test_layers_that_are_not_offered_are_refused(world: World, first: int, last: int) -> None:
    world.greeted().peer.received(opening(1, first, last), NOTHING)
    assert world.sent.last(2) == Refused(ErrorCode.LAYERS_NOT_AVAILABLE, 1, 0, 0)


def test_a_step_is_run_through_the_sessions_layers(world: World, middle: Middle) -> None:
    world.greeted().peer.received(opening(1, 1, 3), NOTHING)
    world.sent.wait(2)
    step, payload = chain(1, 0, 0, 5)
    world.peer.received(step, payload)
    answer, rows = world.sent.wait(3)[2]
    assert isinstance(answer, Answer)
    assert (answer.session, answer.epoch, answer.sequence) == (1, 0, 0)
    reference = middle._segment.part(1, 3)
    reference.open(1, 64)
    hidden = from_payload(payload, RowFormat.FLOAT32, 5, HIDDEN)
    expected = reference.run(1, 0, -1, 0, step.parents, hidden)
    assert torch.allclose(from_payload(rows, RowFormat.FLOAT32, 5, HIDDEN), expected, atol=1e-5)


def test_steps_that_come_out_of_order_are_run_in_order_and_repeats_are_answered_again(world: World) -> None:
    world.greeted().peer.received(opening(1), NOTHING)
    world.sent.wait(2)
    first, second = chain(1, 0, 0, 2), chain(1, 1, 2, 1)
    late = Step(second[0].session, 0, 1, 1, 2, [1], -1)
    world.peer.received(late, second[1])
    world.peer.received(*first)
    sent = world.sent.wait(4)
    assert [message.sequence for message, _ in sent[2:] if isinstance(message, Answer)] == [0, 1]
    world.peer.received(*first)
    assert world.sent.wait(5)[4] == sent[2]


def test_an_answer_is_held_back_for_as_long_as_its_step_asks(world: World) -> None:
    world.greeted().peer.received(opening(1), NOTHING)
    world.sent.wait(2)
    step, payload = chain(1, 0, 0, 2)
    asked = time.perf_counter()
    world.peer.received(msgspec.structs.replace(step, hold=500_000), payload)
    world.sent.wait(3)
    assert asked + 0.5 <= world.sent.held_until[0] <= time.perf_counter() + 0.5
    world.peer.received(*chain(1, 1, 2, 1))
    world.sent.wait(4)
    assert len(world.sent.held_until) == 1


def test_a_session_with_too_many_rows_is_told_that_its_context_is_full(world: World) -> None:
    world.greeted().peer.received(opening(1), NOTHING)
    world.sent.wait(2)
    world.peer.received(*chain(1, 0, 0, 60))
    world.sent.wait(3)
    world.peer.received(*chain(1, 1, 60, 60))
    assert world.sent.last(4) == Refused(ErrorCode.CONTEXT_FULL, 1, 0, 1)


def test_rows_that_are_not_finite_and_unknown_rows_are_refused(world: World) -> None:
    world.greeted().peer.received(opening(1), NOTHING)
    world.sent.wait(2)
    step, payload = chain(1, 0, 0, 1)
    world.peer.received(step, memoryview(b"\xff" * len(payload)))
    assert world.sent.last(3) == Refused(ErrorCode.BAD_ROWS, 1, 0, 0)
    world.peer.received(Step(1, 1, 0, 77, 78, [77], -1), payload)
    assert world.sent.last(4) == Refused(ErrorCode.ROW_UNKNOWN, 1, 1, 0)


def test_a_fork_runs_as_its_source_would(world: World) -> None:
    world.greeted().peer.received(opening(1), NOTHING)
    world.sent.wait(2)
    world.peer.received(*chain(1, 0, 0, 4))
    world.sent.wait(3)
    world.peer.received(Fork(2, 1, 3), NOTHING)
    assert world.sent.last(4) == Ready(2)
    step, payload = chain(1, 1, 4, 1)
    world.peer.received(step, payload)
    world.peer.received(Step(2, 0, 0, 3, 4, [3], -1), payload)
    sent = world.sent.wait(6)
    assert sent[4][1] == sent[5][1]


def test_the_session_used_longest_ago_makes_room_and_its_peer_is_told(world: World) -> None:
    world.greeted()
    for number in (1, 2, 3):
        world.peer.received(opening(number), NOTHING)
    world.sent.wait(4)
    world.peer.received(*chain(1, 0, 0, 1))
    world.sent.wait(5)
    world.peer.received(opening(4), NOTHING)
    assert {message for message, _ in world.sent.wait(7)[5:]} == {Ready(4), Refused(ErrorCode.SESSION_GONE, 2, 0, 0)}
    world.peer.received(*chain(2, 0, 0, 1))
    assert world.sent.last(8) == Refused(ErrorCode.SESSION_GONE, 2, 0, 0)


@pytest.mark.parametrize("rows", [400, 100])
def test_caches_that_take_too_much_are_made_room_for_and_one_alone_is_told(tmp_path: Path, rows: int) -> None:
    row = 2 * 3 * 2 * 12 * 4  # keys and values, three layers, two heads of twelve numbers in float32; a session takes 256
    world = World(Middle(tiny_config(tmp_path, max_context=256, max_cache_bytes=rows * row))).greeted()
    for number in (1, 2):
        world.peer.received(opening(number), NOTHING)
    world.sent.wait(3)
    world.peer.received(*chain(2, 0, 0, 100))
    gone, came = (message for message, _ in world.sent.wait(5)[3:])
    assert gone == Refused(ErrorCode.SESSION_GONE, 1, 0, 0)
    if rows > 256:
        assert isinstance(came, Answer)
    else:
        assert came == Refused(ErrorCode.OUT_OF_MEMORY, 2, 0, 0)
    world.peer.closed()
    world.scheduler.close()


def test_a_session_given_up_before_it_was_opened_leaves_no_cache(world: World) -> None:
    world.greeted()
    begun, release = threading.Event(), threading.Event()
    world.scheduler.submit("another", lambda: (begun.set(), release.wait())[0])
    begun.wait()
    for number in (1, 2, 3):
        world.peer.received(opening(number), NOTHING)
    for number in (3, 2, 1):
        world.peer.received(Close(number), NOTHING)
    done = threading.Event()
    world.scheduler.submit(world.peer, lambda: world.scheduler.submit(world.middle, done.set))
    held = {key for part in world.middle._parts.values() for key in part.sessions}
    release.set()
    assert done.wait(10)
    assert {key for part in world.middle._parts.values() for key in part.sessions} <= held


def test_a_fork_that_fails_late_does_not_take_the_session_that_has_its_number_now(world: World) -> None:
    world.greeted().peer.received(opening(1), NOTHING)
    world.sent.wait(2)
    begun, release = threading.Event(), threading.Event()
    inner = world.middle.fork

    def late(*arguments: object) -> None:
        begun.set()
        release.wait()
        inner(*arguments)  # type: ignore[arg-type]

    world.middle.fork = late  # type: ignore[method-assign, assignment]
    try:
        world.peer.received(Fork(7, 1, 99), NOTHING)
        begun.wait()
        world.peer.received(Close(7), NOTHING)
        world.peer.received(opening(7), NOTHING)
        release.set()
        assert world.sent.last(4) == Ready(7)
        assert world.sessions.use(world.peer, 7) is not None
    finally:
        world.middle.fork = inner  # type: ignore[method-assign]


def test_rows_that_wait_for_ever_are_bounded_for_a_peer(tmp_path: Path) -> None:
    step, payload = chain(1, 1, 0, 4)
    world = World(Middle(tiny_config(tmp_path, max_held_bytes=2 * len(payload)))).greeted()
    world.peer.received(opening(1), NOTHING)
    world.sent.wait(2)
    for sequence in (1, 2, 3):
        world.peer.received(Step(1, 0, sequence, -1, 0, step.parents, -1), payload)
    assert world.sent.last(3) == Refused(ErrorCode.STEP_TOO_LARGE, 1, 0, 3)
    world.peer.closed()
    world.scheduler.close()


def test_a_peer_that_goes_leaves_nothing_behind(world: World) -> None:
    world.greeted().peer.received(opening(1), NOTHING)
    world.sent.wait(2)
    world.peer.received(*chain(1, 0, 0, 3))
    world.sent.wait(3)
    session = world.sessions.use(world.peer, 1)
    assert session is not None
    segment = world.middle._part(session)
    assert session.key in segment.sessions
    world.peer.closed()
    other, peer = world.new_peer()
    peer.received(hello(world.middle), NOTHING)
    peer.received(opening(1), NOTHING)
    other.wait(2)
    assert session.key not in segment.sessions
    peer.closed()


def test_sessions_of_two_peers_with_the_same_number_do_not_meet(world: World) -> None:
    world.greeted().peer.received(opening(1), NOTHING)
    _, peer = world.new_peer()
    peer.received(hello(world.middle), NOTHING)
    peer.received(Close(1), NOTHING)
    world.peer.received(*chain(1, 0, 0, 1))
    assert isinstance(world.sent.last(3), Answer)
    peer.closed()


LEVELS = [320, 0, 48, 320, 0]
TEXT = [5, 9, 198, 7, 44]


class CodesWorld(World):
    """A world whose agent has all layers and a table of codes."""

    def __init__(self, directory: Path) -> None:
        middle = Middle(tiny_config(directory, max_context=64, first_layer=0, device="cpu"))
        self.digest = save_projection(directory / "codes" / "p.safetensors", tiny_projection(HIDDEN), middle.manifest_digest)
        super().__init__(middle)
        self.greeted()

    def codes(self, decoder: Decoder = Decoder.MAP, table: bytes | None = None) -> Codes:
        return Codes(table or self.digest, Bits.FOUR, DIMENSIONS, decoder, NO_ARTEFACT)

    def opened(self, number: int, codes: Codes | None, last: int = 4) -> None:
        before = len(self.sent.wait(1))
        self.peer.received(Open(number, 0, last, RowFormat.FLOAT32, codes), NOTHING)
        assert self.sent.last(before + 1) == Ready(number)

    def text(self) -> tuple[list[int], memoryview]:
        """Parents and payload of `TEXT`, as it travels at `LEVELS`."""
        assert self.middle._readers is not None
        table = CodeTable(tiny_projection(HIDDEN), self.middle._readers._embeddings, 4)
        rows = []
        for place, (token, level) in enumerate(zip(TEXT, LEVELS, strict=True)):
            exact = bytes(to_payload(table.rows_of(torch.tensor([token])), RowFormat.FLOAT32))
            rows.append(packed(drawn(table, [token], level, place), 4) if level else exact)
        return list(range(-1, len(TEXT) - 1)), memoryview(b"".join(rows))


@pytest.fixture
def codes_world(tmp_path: Path) -> Iterator[CodesWorld]:
    world = CodesWorld(tmp_path)
    yield world
    world.peer.closed()
    world.scheduler.close()


def test_what_codes_need_is_loaded_with_the_first_session_that_has_some(codes_world: CodesWorld) -> None:
    codes_world.opened(1, None)
    assert codes_world.middle._readers is None
    codes_world.opened(2, codes_world.codes())
    assert codes_world.middle._readers is not None


@pytest.mark.parametrize("decoder", list(Decoder))
def test_a_session_with_codes_answers_as_one_that_is_sent_the_decoded_rows(codes_world: CodesWorld, decoder: Decoder) -> None:
    world = codes_world
    world.opened(1, world.codes(decoder))
    world.opened(2, None)
    parents, payload = world.text()
    decoded: list[torch.Tensor] = []
    readers = world.middle._readers
    assert readers is not None
    inner = readers.decoded
    readers.decoded = lambda *given: decoded.append(inner(*given)) or decoded[-1]  # type: ignore[method-assign, func-returns-value]
    world.peer.received(Step(1, 0, 0, -1, 0, parents, -1, 0, LEVELS), payload)
    mine = world.sent.wait(4)[3]
    world.peer.received(Step(2, 0, 0, -1, 0, parents, -1), to_payload(decoded[0], RowFormat.FLOAT32))
    theirs = world.sent.wait(5)[4]
    assert isinstance(mine[0], Answer)
    assert isinstance(theirs[0], Answer)
    assert mine[1] == theirs[1]
    # And on: a fork has the codes of its source, an exact row goes as ever, a row of codes is decoded behind it.
    world.peer.received(Fork(3, 1, 4), NOTHING)
    world.sent.wait(6)
    exact = to_payload(decoded[0][:1], RowFormat.FLOAT32)
    world.peer.received(Step(3, 0, 0, 4, 5, [4], -1), exact)
    assert isinstance(world.sent.last(7), Answer)
    world.peer.received(Step(3, 0, 1, 5, 6, [5], 0, 0, [320]), payload[: DIMENSIONS // 2])
    assert isinstance(world.sent.last(8), Answer)
    world.peer.received(Step(2, 0, 1, 4, 5, [4, 5], 0), to_payload(torch.cat((decoded[0][:1], decoded[1])), RowFormat.FLOAT32))
    rows = [
        from_payload(payload, RowFormat.FLOAT32, len(payload) // (4 * HIDDEN), HIDDEN) for _, payload in world.sent.wait(9)[6:]
    ]
    assert torch.allclose(torch.cat(rows[:2]), rows[2], atol=1e-4)


def test_a_table_that_is_not_here_is_refused_and_leaves_nothing(codes_world: CodesWorld) -> None:
    codes_world.peer.received(Open(1, 0, 4, RowFormat.FLOAT32, codes_world.codes(table=b"\7" * 32)), NOTHING)
    assert codes_world.sent.last(2) == Refused(ErrorCode.CODES_UNKNOWN, 1, 0, 0)
    assert codes_world.sessions.use(codes_world.peer, 1) is None
    assert not any(part.sessions for part in codes_world.middle._parts.values())
    codes_world.opened(1, codes_world.codes())


def test_codes_are_for_sessions_that_begin_at_the_first_layer(codes_world: CodesWorld) -> None:
    codes_world.peer.received(Open(1, 1, 4, RowFormat.FLOAT32, codes_world.codes()), NOTHING)
    assert codes_world.sent.last(2) == Refused(ErrorCode.LAYERS_NOT_AVAILABLE, 1, 0, 0)


def test_rows_of_codes_that_break_a_rule_are_refused(codes_world: CodesWorld) -> None:
    world = codes_world
    world.opened(1, world.codes())
    world.opened(2, None)
    _, payload = world.text()
    row = payload[: DIMENSIONS // 2]
    bad = [
        (Step(2, 0, 0, -1, 0, [-1], -1, 0, [320]), row),
        (Step(1, 0, 0, -1, 0, [-1], -1, 0, [320]), bytes(row) + b"\0"),
        (Step(1, 0, 0, -1, 0, [-1], -1, 0, [0]), row),
        (Step(1, 0, 0, -1, 0, [-1, -1], -1, 0, [320, 320]), bytes(row) * 2),
        (Step(1, 0, 0, -1, 0, [-1, 0], -1, 0, [320]), bytes(row) * 2),
    ]
    for place, (step, rows) in enumerate(bad, 4):
        world.peer.received(step, memoryview(rows))
        assert world.sent.last(place) == Refused(ErrorCode.BAD_ROWS, step.session, 0, 0)
    world.peer.received(Step(1, 0, 0, -1, 0, [-1], -1, 0, [320]), row)
    assert isinstance(world.sent.last(len(bad) + 4), Answer)


def test_answers_to_small_codes_are_counted_as_they_weigh(codes_world: CodesWorld) -> None:
    codes_world.opened(1, codes_world.codes())
    codes_world.peer._max_held_bytes = 8 * HIDDEN * 4
    _, payload = codes_world.text()
    row = bytes(payload[: DIMENSIONS // 2])
    codes_world.peer.received(Step(1, 0, 1, -1, 0, list(range(-1, 8)), -1, 0, [320] * 9), memoryview(row * 9))
    assert codes_world.sent.last(3) == Refused(ErrorCode.STEP_TOO_LARGE, 1, 0, 1)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(messages(5), max_size=6), st.binary(max_size=400))
def test_no_message_whatsoever_ends_the_peer(world: World, odd: list[object], payload: bytes) -> None:
    _, peer = world.new_peer()
    peer.received(hello(world.middle), NOTHING)
    for message in odd:
        peer.received(message, memoryview(payload))  # type: ignore[arg-type]
    peer.received(Pong(1), NOTHING)
    peer.closed()
    still, fresh = world.new_peer()
    fresh.received(hello(world.middle), NOTHING)
    fresh.received(opening(2**31 - 1), NOTHING)
    assert still.last(2) == Ready(2**31 - 1)
    fresh.closed()
