"""The way of a step's rows through the middle layers: to the agent and back, or, with all layers here, straight back.

A middle belongs to one session and outlives the reply, as the session does. Everything here runs in the torch thread, except
`RemoteMiddle.answered` and `lost`, which the link's thread calls and which only hand over.
"""

from collections.abc import Callable
from typing import Protocol

import torch

from desktop_app.decoding.step import Step
from desktop_app.engine.agent_client import LOST, AgentClient, sentence_of
from desktop_app.engine.errors import EngineError, RequestRefused
from remote_agent.segment.payload import BadRows, from_payload, to_payload
from remote_agent.wire import messages as wire
from remote_agent.wire.codec import encode_buffers
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


class Middle(Protocol):
    """The middle layers as the reply sees them."""

    receiver: Receiver | None
    bytes_sent: int  # of this session's frames, since it was opened
    bytes_received: int

    @property
    def alive(self) -> bool:
        """Whether the session can take more steps."""

    def send(self, step: Step, hidden: torch.Tensor) -> None:
        """Send the rows [rows, hidden size] of a step; the receiver is told when they come back."""

    def close(self) -> None:
        """Give the session up."""


class NoMiddle:
    """All layers run here: rows come back as they are, nothing is sent."""

    def __init__(self, submit: Submit) -> None:
        self._submit = submit
        self.receiver: Receiver | None = None
        self.alive = True
        self.bytes_sent = self.bytes_received = 0

    def send(self, step: Step, hidden: torch.Tensor) -> None:
        """Hand the rows back in a job of their own, so that other replies get their turn."""
        self._submit(lambda: self._back(step, hidden))

    def close(self) -> None:
        """Nothing is held elsewhere."""
        self.alive = False

    def _back(self, step: Step, hidden: torch.Tensor) -> None:
        if self.receiver is not None and step.tokens:
            self.receiver.answered(step.epoch, step.sequence, hidden)


class RemoteMiddle:
    """One session at an agent."""

    def __init__(self, client: AgentClient, number: int, rows: wire.RowFormat, submit: Submit) -> None:
        """`number` is a session that the agent has opened for rows in this format."""
        self._client = client
        self._number = number
        self._rows = rows
        self._submit = submit
        self._order = AnswerOrder()
        self._row_counts: dict[tuple[int, int], int] = {}
        self.receiver: Receiver | None = None
        self.bytes_sent = self.bytes_received = 0
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

    def send(self, step: Step, hidden: torch.Tensor) -> None:
        """Send a step to the agent."""
        if step.sequence == 0:
            self._row_counts.clear()
        self._order.sent(step.epoch, step.sequence)
        self._row_counts[step.epoch, step.sequence] = len(step.tokens)
        message = wire.Step(
            self._number, step.epoch, step.sequence, step.commit, step.first_row, list(step.parents), self._order.received
        )
        payload = to_payload(hidden, self._rows)
        self.bytes_sent += _size(message, payload)
        self._client.post(message, payload)

    def close(self) -> None:
        """Give the session up at the agent too."""
        self._dead = True
        self._client.close_session(self._number)

    def answered(self, message: wire.Answer | wire.Refused, payload: memoryview) -> None:
        """Take an answer or a refusal, in the link's thread."""
        if not self._dead:
            self._submit(lambda: self._take(message, payload))

    def lost(self) -> None:
        """The channel is gone; in the link's thread."""
        self._submit(lambda: self._fail(EngineError(LOST)))

    def _take(self, message: wire.Answer | wire.Refused, payload: memoryview) -> None:
        if self._dead:
            return
        self.bytes_received += _size(message, payload)
        if isinstance(message, wire.Refused):
            self._fail(RequestRefused(sentence_of(message.code)))
            return
        try:
            for reply in self._order.offer(Reply(message, payload)):
                self._hand_over(reply)
        except BrokenRule:
            self._break_off("The agent answered something it was never asked. Choose another agent, or restart it.")

    def _hand_over(self, reply: Reply) -> None:
        key = (reply.message.epoch, reply.message.sequence)
        rows = self._row_counts.pop(key)
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


def _size(message: wire.Step | wire.Answer | wire.Refused, payload: memoryview) -> int:
    """The bytes that a message takes in frames."""
    return framed_bytes(sum(map(len, encode_buffers(message, payload))))
