"""The way through the middle: rows in sequence to the receiver, and an agent that misbehaves is a sentence."""

from collections.abc import Callable

import torch

from desktop_app.decoding.step import Step
from desktop_app.engine.errors import EngineError
from desktop_app.engine.middle import NoMiddle, RemoteMiddle
from remote_agent.segment.payload import to_payload
from remote_agent.wire import messages as wire
from remote_agent.wire.codec import encode_buffers
from remote_agent.wire.errors import ErrorCode
from remote_agent.wire.frames import Splitter

HIDDEN = 8


class Client:
    """An agent at the other end, played by the test."""

    welcome = wire.Welcome(1, b"\0" * 32, 0, 9, HIDDEN, wire.Device.CPU, wire.RowFormat.FLOAT32, 64, 64, 8)

    def __init__(self) -> None:
        self.lost = False
        self.sent: list[wire.Message] = []
        self.closed: list[int] = []

    def listen(self, number: int, listener: object) -> None:
        self.number = number

    def post(self, message: wire.Message, payload: object = b"") -> None:
        self.sent.append(message)

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


def test_bytes_are_those_of_the_frames_that_carry_the_sessions_messages() -> None:
    client, _, middle = _middle()
    _send(middle, _step(0, rows=40))
    _answer(middle, 0, rows=40)
    step = client.sent[0]
    payload = to_payload(torch.zeros(40, HIDDEN), wire.RowFormat.FLOAT32)
    frames = list(Splitter().split(*encode_buffers(step, payload)))
    assert len(frames) > 1
    assert middle.bytes_sent == sum(map(len, frames))
    assert 40 * HIDDEN * 4 < middle.bytes_received < middle.bytes_sent


def test_closing_gives_the_session_up_at_the_agent() -> None:
    client, _, middle = _middle()
    middle.close()
    assert client.closed == [5]
    assert not middle.alive


def test_with_all_layers_here_rows_come_straight_back() -> None:
    receiver, middle = Receiver(), NoMiddle(_at_once)
    middle.receiver = receiver
    middle.send(_step(0), torch.zeros(1, HIDDEN))
    middle.send(Step(5, 1, 0, 0, 1, (), (), ()), torch.zeros(0, HIDDEN))
    assert receiver.came == [(0, 0)]
    middle.close()
    assert not middle.alive
