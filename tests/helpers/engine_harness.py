"""The real engine without its process: models, an agent in a child process, replies; for whoever needs token ids."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from desktop_app.chat.events import (
    OFF,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Sampling,
    Shape,
    Split,
    Statistics,
    TextAdded,
    Turn,
)
from desktop_app.engine.agents import Agents
from desktop_app.engine.models import Models
from desktop_app.engine.replies import Replies


def turns_of(*texts: str) -> list[Turn]:
    """Question and answer in turn."""
    return [Turn(role="assistant" if index % 2 else "user", text=text) for index, text in enumerate(texts)]


@dataclass(slots=True)
class Outcome:
    """What became of a request."""

    tokens: list[int]
    events: list[ReplyEvent] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text as it was shown."""
        return "".join(event.text for event in self.events if isinstance(event, TextAdded))

    @property
    def statistics(self) -> Statistics:
        """The figures at the end."""
        last = self.events[-1]
        assert isinstance(last, ReplyFinished | ReplyFailed)
        return last.statistics

    @property
    def sentence(self) -> str:
        """What was said of a failure; empty where there was none."""
        last = self.events[-1]
        return last.sentence if isinstance(last, ReplyFailed) else ""


class Harness:
    """Asks the engine's parts directly."""

    def __init__(self, models: Models, agents: Agents, replies: Replies, dtype: str) -> None:
        self.models = models
        self.agents = agents
        self.replies = replies
        self._dtype = dtype
        self._count = 0

    def lose_connection(self) -> None:
        """Have the connection to the agent fail, as if the path were gone; both processes stay."""
        client = self.agents._client
        assert client is not None
        client._link.post(lambda: client._channel._on_lost())

    async def ask(
        self,
        question: str | list[Turn],
        *,
        split: Split | None = None,
        sampling: Sampling | None = None,
        drafting: bool = True,
        conversation: str | None = None,
        model: str = "",
        shape: Shape = OFF,
    ) -> Outcome:
        """Answer a question, greedily unless told otherwise, in a conversation of its own unless one is named."""
        self._count += 1
        request = ReplyRequest(
            conversation=conversation or f"conversation {self._count}",
            turns=[Turn(role="user", text=question)] if isinstance(question, str) else question,
            sampling=sampling or Sampling(temperature=0.0, max_tokens=32),
            split=split or Split(),
            model=model,
            dtype=self._dtype,
            drafting=drafting,
            shape=shape,
        )
        outcome = Outcome([])
        outcome.tokens = await self.replies.make(request, outcome.events.append)
        if conversation is None:
            self.replies.forget(request.conversation)
        return outcome


@asynccontextmanager
async def engine_harness(models_directory: Path, dtype: str = "") -> AsyncIterator[Harness]:
    """A running engine whose models lie in this directory; its agent is started when first needed."""
    torch_thread = ThreadPoolExecutor(1, thread_name_prefix="torch")
    agents = Agents(lambda state: None, None)
    models = Models(models_directory, torch_thread)
    try:
        yield Harness(models, agents, Replies(models, agents, torch_thread), dtype)
    finally:
        await agents.close()
        torch_thread.shutdown()
