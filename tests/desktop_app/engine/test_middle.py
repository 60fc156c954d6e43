"""The way through the middle: rows in sequence to the receiver, and an agent that misbehaves is a sentence."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from desktop_app.decoding.step import Step
from desktop_app.engine.errors import EngineError
from desktop_app.engine.middle import Beat, NoMiddle, RemoteMiddle
from remote_agent.segment.payload import to_payload
from remote_agent.wire import messages as wire
from remote_agent.wire.codec import encode_buffers, largest_size
from remote_agent.wire.errors import ErrorCode
from remote_agent.wire.frames import Spare, Splitter

HIDDEN = 8


class Client:
    """An agent at the other end, played by the test."""

    welcome = wire.Welcome(1, b"\0" * 32, 0, 9, HIDDEN, wire.Device.CPU, wire.RowFormat.FLOAT32, 64, 64, 8)

    def __init__(self) -> None:
        self.lost = self.padded = False
        self.spare_frames = Spare.NONE
        self.sent: list[wire.Message] = []
        self.times: list[float] = []
        self.closed: list[int] = []

    def spare(self, message: wire.Message, payload_bytes: int) -> Spare:
        return self.spare_frames

    def listen(self, number: int, listener: object) -> None:
        self.number = number

    def post(self, message: wire.Message, payload: object = b"") -> None:
        self.sent.append(message)

    def post_at(self, when: float, message: wire.Message, payload: object = b"") -> None:
        self.times.append(when)
        self.post(message, payload)

    def call_at(self, when: float, job: Callable[[], None]) -> None:
        self.times.append(when)
        job()

    def close_session(self, number: int) -> None:
        self.closed.append(number)

    def hang_up(self) -> None:
        self.lost = True


class Receiver:
    def __init__(self) -> None:
        self.came: list[tuple[int, int]] = []
        self.errors: list[str] = []

    def answered(self, epoch: int, sequence: int, hidden: torch.Tensor) -> None:
        self.came.append((epoch, sequence))

    def failed(self, error: EngineError) -> None:
        self.errors.append(str(error))


def _at_once(job: Callable[[], None]) -> None:
    job()


def _middle() -> tuple[Client, Receiver, RemoteMiddle]:
    client, receiver = Client(), Receiver()
    middle = RemoteMiddle(client, 5, wire.RowFormat.FLOAT32, _at_once)  # type: ignore[arg-type]
    middle.receiver = receiver
    return client, receiver, middle


def _step(sequence: int, epoch: int = 0, rows: int = 1) -> Step:
    first = 10 * epoch + sequence
    return Step(5, epoch, sequence, first - 1, first, (1,) * rows, (first - 1,) * rows, ())


def _send(middle: RemoteMiddle, step: Step) -> None:
    middle.send(step, torch.zeros(len(step.tokens), HIDDEN))


def _answer(middle: RemoteMiddle, sequence: int, epoch: int = 0, rows: int = 1) -> None:
    payload = to_payload(torch.ones(rows, HIDDEN), wire.RowFormat.FLOAT32)
    middle.answered(wire.Answer(5, epoch, sequence, 9), payload)


def test_answers_reach_the_receiver_in_sequence_and_once() -> None:
    client, receiver, middle = _middle()
    for sequence in range(3):
        _send(middle, _step(sequence))
    for sequence in (1, 0, 0, 2):
        _answer(middle, sequence)
    assert receiver.came == [(0, 0), (0, 1), (0, 2)]
    _send(middle, _step(3))
    assert isinstance(client.sent[-1], wire.Step)
    assert client.sent[-1].received == 2


def test_answers_of_an_older_epoch_are_dropped() -> None:
    _, receiver, middle = _middle()
    _send(middle, _step(0))
    _send(middle, _step(0, epoch=1))
    _answer(middle, 0)
    _answer(middle, 0, epoch=1)
    assert receiver.came == [(1, 0)]
    assert receiver.errors == []


def test_rows_of_another_number_or_not_finite_are_a_sentence_and_end_the_session() -> None:
    for payload in (b"\0" * 4, b"\xff" * 4 * HIDDEN):
        client, receiver, middle = _middle()
        _send(middle, _step(0))
        middle.answered(wire.Answer(5, 0, 0, 9), memoryview(payload))
        assert ["cannot be right" in error for error in receiver.errors] == [True]
        assert not middle.alive
        assert client.lost


def test_an_answer_that_was_never_asked_for_is_a_sentence() -> None:
    _, receiver, middle = _middle()
    for sequence in (4, 5, 6):
        _answer(middle, sequence)
    assert len(receiver.errors) == 1


def test_a_refusal_and_a_lost_channel_are_sentences() -> None:
    _, receiver, middle = _middle()
    middle.answered(wire.Refused(ErrorCode.OUT_OF_MEMORY, 5, 0, 0), memoryview(b""))
    assert "memory" in receiver.errors[0]
    _, receiver, middle = _middle()
    middle.lost()
    assert "Ask again" in receiver.errors[0]
    assert not middle.alive


@pytest.mark.parametrize("spare", Spare)
def test_bytes_are_those_of_the_frames_that_carry_the_sessions_messages(spare: Spare) -> None:
    client, _, middle = _middle()
    client.spare_frames = spare
    _send(middle, _step(0, rows=40))
    _answer(middle, 0, rows=40)
    step = client.sent[0]
    payload = to_payload(torch.zeros(40, HIDDEN), wire.RowFormat.FLOAT32)
    frames = list(Splitter().split(*encode_buffers(step, payload), 0, spare))
    assert len(frames) > 1
    assert middle.bytes_sent == sum(map(len, frames))
    assert 40 * HIDDEN * 4 < middle.bytes_received < middle.bytes_sent


@pytest.mark.parametrize("spare", Spare)
def test_padding_is_counted_apart_and_its_bytes_are_those_of_padded_frames(spare: Spare) -> None:
    client, _, middle = _middle()
    client.spare_frames = spare
    _send(middle, _step(0, rows=30))
    _answer(middle, 0, rows=30)
    plain = middle.bytes_sent, middle.bytes_received
    assert middle.padding_bytes == 0
    client.padded = True
    for sequence, padding in ((1, 10), (2, 40)):
        _send(middle, replace(_step(sequence, rows=40), padding=padding))
        _answer(middle, sequence, rows=40)
    message, payload = client.sent[-1], to_payload(torch.zeros(40, HIDDEN), wire.RowFormat.FLOAT32)
    frames = list(Splitter().split(*encode_buffers(message, payload), largest_size(message, len(payload)), spare))
    whole = middle.step_bytes(40)
    assert whole[0] == sum(map(len, frames))
    assert (middle.bytes_sent - plain[0], middle.bytes_received - plain[1]) == (2 * whole[0], 2 * whole[1])
    own = 2 * sum(whole) - middle.padding_bytes
    assert own == pytest.approx(sum(plain), rel=0.01), "thirty rows of one step; the other is a dummy"


def test_a_step_leaves_on_its_beat_and_asks_for_its_answer_to_be_held_back() -> None:
    client, _, middle = _middle()
    middle.send(_step(0), torch.zeros(1, HIDDEN), Beat(12.5, 0.25))
    step = client.sent[-1]
    assert isinstance(step, wire.Step)
    assert (step.hold, client.times) == (250_000, [12.5])
    _send(middle, _step(1))
    assert client.times == [12.5]
    called: list[bool] = []
    middle.call_at(13.5, lambda: called.append(True))
    assert (client.times, called) == ([12.5, 13.5], [True])


def test_closing_gives_the_session_up_at_the_agent_and_tells_whoever_waits() -> None:
    client, receiver, middle = _middle()
    middle.close()
    assert client.closed == [5]
    assert not middle.alive
    assert len(receiver.errors) == 1


def test_with_all_layers_here_rows_come_straight_back() -> None:
    receiver, middle = Receiver(), NoMiddle(_at_once)
    middle.receiver = receiver
    middle.send(_step(0), torch.zeros(1, HIDDEN))
    middle.send(Step(5, 1, 0, 0, 1, (), (), ()), torch.zeros(0, HIDDEN))
    assert receiver.came == [(0, 0)]
    middle.close()
    assert not middle.alive
