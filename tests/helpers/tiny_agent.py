"""An agent's middle layers on a tiny random model, and a sender that keeps what a peer posts."""

import threading
from pathlib import Path

import torch

from remote_agent.segment.payload import to_payload
from remote_agent.service.config import AgentConfig
from remote_agent.service.middle import Middle
from remote_agent.wire.messages import PROTOCOL_VERSION, Hello, Message, Open, RowFormat, Step
from tests.helpers.tiny_models import SIZES, tiny_model

HIDDEN = SIZES["hidden_size"]
LAYERS = SIZES["num_hidden_layers"]


def tiny_config(directory: Path, **changes: object) -> AgentConfig:
    """The configuration of an agent that holds a tiny llama, saved below `directory`."""
    folder = directory / "tiny"
    if not folder.exists():
        tiny_model("llama").save(folder)
    values: dict[str, object] = {"model": folder, "models_directory": directory / "models", "token": "0" * 64} | changes
    return AgentConfig(**values)  # type: ignore[arg-type]


class KeptMessages:
    """A sender that keeps messages; `wait(count)` waits until so many have come and returns them.

    It delays none: `held_until` are the times before which some were not to leave.
    """

    def __init__(self) -> None:
        self.held_until: list[float] = []
        self._messages: list[tuple[Message, bytes]] = []
        self._changed = threading.Condition()

    def post(self, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        with self._changed:
            self._messages.append((message, bytes(payload)))
            self._changed.notify_all()

    def post_at(self, when: float, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        self.held_until.append(when)
        self.post(message, payload)

    def wait(self, count: int) -> list[tuple[Message, bytes]]:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self._messages) >= count, timeout=30), self._messages
            return list(self._messages)

    def last(self, count: int) -> Message:
        """The last of `count` messages."""
        return self.wait(count)[count - 1][0]


def hello(middle: Middle) -> Hello:
    """The greeting of a desktop that holds the same model."""
    return Hello(PROTOCOL_VERSION, middle.manifest_digest)


def opening(session: int, first: int = 1, last: int = 4) -> Open:
    """A session on layers [first, last) in float32."""
    return Open(session, first, last, RowFormat.FLOAT32)


def chain(session: int, sequence: int, first_row: int, rows: int, epoch: int = 0) -> tuple[Step, memoryview]:
    """A step that continues the session's chain by so many rows, and its random payload."""
    parents = list(range(first_row - 1, first_row + rows - 1))
    hidden = torch.randn(rows, HIDDEN, generator=torch.Generator().manual_seed(first_row))
    step = Step(session, epoch, sequence, first_row - 1, first_row, parents, sequence - 1)
    return step, to_payload(hidden, RowFormat.FLOAT32)
