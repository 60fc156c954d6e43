"""The way of a step's rows through the middle layers: to the agent and back, or, with all layers here, straight back.

A middle belongs to one session and outlives the reply, as the session does. Everything here runs in the torch thread, except
`RemoteMiddle.answered` and `lost`, which the link's thread calls and which only hand over.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import msgspec
import torch

from desktop_app.decoding.step import Step
from desktop_app.engine.agent_client import LOST, AgentClient
from desktop_app.engine.errors import AgentLost, EngineError
from desktop_app.engine.noisy_rows import NoisyRows
from desktop_app.engine.refusals import refusal_of
from remote_agent.segment.payload import BadRows, from_payload, to_payload
from remote_agent.wire import messages as wire
from remote_agent.wire.codec import encode_buffers, largest_size, row_bytes
from remote_agent.wire.errors import BrokenRule
from remote_agent.wire.frames import framed_bytes
from remote_agent.wire.session import AnswerOrder, Reply

Submit = Callable[[Callable[[], None]], None]


class Receiver(Protocol):
    """Who gets the rows that come back; in the torch thread."""

    def answered(self, epoch: int, sequence: int, hidden: torch.Tensor) -> None:
        """The rows [rows, hidden size] of a step after the last middle layer; steps of an epoch come in sequence."""

    def failed(self, error: EngineError) -> None:
        """The session cannot go on."""


@dataclass(frozen=True, slots=True)
class Beat:
    """A step leaves at `when`, in seconds of `time.perf_counter`; its answer no earlier than `hold` seconds after it came."""

    when: float
    hold: float


class Middle(Protocol):
    """The middle layers as the reply sees them."""

    receiver: Receiver | None
    bytes_sent: int  # of this session's frames, since it was opened
    bytes_received: int
    padding_bytes: int  # of both: what would not have crossed without a shape
    rows_sent: int

    @property
    def alive(self) -> bool:
        """Whether the session can take more steps."""

    def send(self, step: Step, hidden: torch.Tensor, beat: Beat | None = None) -> None:
        """Send the rows [rows, hidden size] of a step, on a beat of the clock; the receiver is told when they come back."""

    def call_at(self, when: float, job: Callable[[], None]) -> None:
        """Have a job run in the torch thread at this time of `time.perf_counter`; maybe never, once the session has ended."""

    def step_bytes(self, rows: int) -> tuple[int, int]:
        """Bytes up and down of a padded step of so many rows."""

    def close(self) -> None:
        """Give the session up."""


class NoMiddle:
    """All layers run here: rows come back as they are, nothing is sent."""

    def __init__(self, submit: Submit) -> None:
        self._submit = submit
        self.receiver: Receiver | None = None
        self.alive = True
        self.bytes_sent = self.bytes_received = self.padding_bytes = self.rows_sent = 0

    def send(self, step: Step, hidden: torch.Tensor, beat: Beat | None = None) -> None:
        """Hand the rows back in a job of their own, so that other replies get their turn; there is no traffic to be shaped."""
        self._submit(lambda: self._back(step, hidden))

    def call_at(self, when: float, job: Callable[[], None]) -> None:
        """Run it now: with nothing to be sent there is no beat to keep."""
        self._submit(job)

    def step_bytes(self, rows: int) -> tuple[int, int]:
        """Nothing crosses a line."""
        return 0, 0

    def close(self) -> None:
        """Nothing is held elsewhere."""
        self.alive = False

    def _back(self, step: Step, hidden: torch.Tensor) -> None:
        if self.receiver is not None and step.tokens:
            self.receiver.answered(step.epoch, step.sequence, hidden)


class RemoteMiddle:
    """One session at an agent."""

    def __init__(
        self, client: AgentClient, number: int, rows: wire.RowFormat, submit: Submit, noisy: NoisyRows | None = None
    ) -> None:
        """`number` is a session that the agent has opened for rows in this format, and for the codes of `noisy`."""
        self._client = client
        self._number = number
        self._rows = rows
        self._submit = submit
        self._noisy = noisy
        self._order = AnswerOrder()
        self._row_counts: dict[tuple[int, int], tuple[int, int]] = {}  # of each step's rows, and of its padding
        self._unanswered: dict[tuple[int, int], tuple[wire.Step, memoryview]] = {}
        self.receiver: Receiver | None = None
        self.bytes_sent = self.bytes_received = self.padding_bytes = self.rows_sent = 0
        self._dead = False
        client.listen(number, self)

    @property
    def alive(self) -> bool:
        """Whether the agent still holds the session, as far as is known."""
        return not (self._dead or self._client.lost)

    @property
    def number(self) -> int:
        """The session's number at the agent."""
        return self._number

    def send(self, step: Step, hidden: torch.Tensor, beat: Beat | None = None) -> None:
        """Send a step to the agent. Raises `RowUncharged`, and nothing leaves then."""
        levels, payload = self._payload(step, hidden)
        if step.sequence == 0:
            self._row_counts.clear()
            self._unanswered.clear()
        self._order.sent(step.epoch, step.sequence)
        self.rows_sent += len(step.tokens)
        self._row_counts[step.epoch, step.sequence] = len(step.tokens), step.padding
        hold = 0 if beat is None else int(beat.hold * 1e6)
        rule = (step.epoch, step.sequence, step.commit, step.first_row, list(step.parents), self._order.received)
        message = wire.Step(self._number, *rule, hold, levels)
        self._unanswered[step.epoch, step.sequence] = message, payload
        self.bytes_sent += self._count(message, payload, step.padding)
        if beat is None:
            self._client.post(message, payload)
        else:
            self._client.post_at(beat.when, message, payload)

    def _payload(self, step: Step, hidden: torch.Tensor) -> tuple[list[int], memoryview]:
        """The levels of a step's rows and what travels of them: `hidden`, or, where the ledger says so, codes."""
        exact = to_payload(hidden, self._rows)
        if self._noisy is None:
            return [], exact
        draws = self._noisy.codes(step.tokens, step.padding)
        if not any(draws):
            return [], exact
        size = row_bytes(self._rows, self._client.welcome.hidden_size)
        rows = [exact[row * size : (row + 1) * size] if draw is None else draw.codes for row, draw in enumerate(draws)]
        return [0 if draw is None else draw.mu16 for draw in draws], memoryview(b"".join(rows))

    def call_at(self, when: float, job: Callable[[], None]) -> None:
        """Have a job run in the torch thread at this time of `time.perf_counter`; the link keeps the time."""
        self._client.call_at(when, lambda: self._submit(job))

    def step_bytes(self, rows: int) -> tuple[int, int]:
        """Bytes up and down of a padded step of so many rows."""
        payload = rows * row_bytes(self._rows, self._client.welcome.hidden_size)
        step = wire.Step(self._number, 0, 0, -1, 0, [0] * rows, -1)
        answer = wire.Answer(self._number, 0, 0, 0)
        spare = self._client.spare(step, payload)
        return framed_bytes(0, largest_size(step, payload), spare), framed_bytes(0, largest_size(answer, payload), spare)

    def close(self) -> None:
        """Give the session up at the agent too; whoever still waits for an answer is told that none will come."""
        self._dead = True
        self._client.close_session(self._number)
        if self.receiver is not None:
            self.receiver.failed(EngineError(LOST))

    def answered(self, message: wire.Answer | wire.Refused, payload: memoryview) -> None:
        """Take an answer or a refusal, in the link's thread."""
        if not self._dead:
            self._submit(lambda: self._take(message, payload))

    def resumed(self) -> None:
        """The agent is reached another way; in the link's thread."""
        self._submit(self._send_again)

    def lost(self) -> None:
        """The agent is gone; in the link's thread."""
        self._submit(lambda: self._fail(AgentLost(LOST)))

    def _send_again(self) -> None:
        """The same steps, byte for byte: the agent runs none of them twice, and has kept the answers that we missed."""
        if self._dead:
            return
        for key, (message, payload) in self._unanswered.items():
            _, padding = self._row_counts.get(key, (0, 0))
            self.bytes_sent += self._count(message, payload, padding)
            self._client.post(message, payload)

    def _take(self, message: wire.Answer | wire.Refused, payload: memoryview) -> None:
        if self._dead:
            return
        _, padding = self._row_counts.get((message.epoch, message.sequence), (0, 0))
        self.bytes_received += self._count(message, payload, padding)
        if isinstance(message, wire.Refused):
            self._fail(refusal_of(message.code))
            return
        try:
            for reply in self._order.offer(Reply(message, payload)):
                self._hand_over(reply)
        except BrokenRule:
            self._break_off("The agent answered something it was never asked. Choose another agent, or restart it.")

    def _hand_over(self, reply: Reply) -> None:
        key = (reply.message.epoch, reply.message.sequence)
        self._unanswered.pop(key, None)
        rows, _ = self._row_counts.pop(key)
        if not rows:
            return
        try:
            hidden = from_payload(memoryview(reply.payload), self._rows, rows, self._client.welcome.hidden_size)
        except BadRows:
            self._break_off("The agent sent numbers that cannot be right. Ask again, or choose another agent.")
            return
        if self.receiver is not None:
            self.receiver.answered(*key, hidden)

    def _break_off(self, sentence: str) -> None:
        """End the session, and the channel with it: an agent that breaks the rules once is not believed any more."""
        self._fail(EngineError(sentence))
        self._client.hang_up()

    def _fail(self, error: EngineError) -> None:
        self._dead = True
        if self.receiver is not None:
            self.receiver.failed(error)

    def _count(self, message: wire.Step | wire.Answer | wire.Refused, payload: memoryview, padding: int) -> int:
        """The bytes that a message takes in frames; those that only a shape asks for are added to `padding_bytes`."""
        size, spare = _size(message, payload), self._client.spare(message, len(payload))
        if not (padding or self._client.padded):
            return framed_bytes(size, 0, spare)
        whole = framed_bytes(size, largest_size(message, len(payload)) if self._client.padded else 0, spare)
        own = payload[: len(payload) - padding * row_bytes(self._rows, self._client.welcome.hidden_size)]
        if isinstance(message, wire.Step):
            message = msgspec.structs.replace(message, parents=message.parents[: len(message.parents) - padding])
        is_dummy = padding and not len(own)
        self.padding_bytes += whole - (0 if is_dummy else framed_bytes(_size(message, own), 0, spare))
        return whole


def _size(message: wire.Step | wire.Answer | wire.Refused, payload: memoryview) -> int:
    return sum(map(len, encode_buffers(message, payload)))
