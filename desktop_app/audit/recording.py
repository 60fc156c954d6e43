"""Records what crosses the line while the engine's own pipeline answers: every frame, both ways, with its time.

This is all that an agent or an observer of the network ever gets. Whatever an attack knows it takes from these frames (see
`held_rows`) and from what is public; the truth it is held against (`prompt`, `reply`) stands beside them.
"""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from desktop_app.audit.errors import AuditError
from desktop_app.chat.events import ReplyEvent, ReplyFailed, ReplyFinished, ReplyRequest, Statistics, TextAdded, Turn
from desktop_app.chat.stored import Decision
from desktop_app.engine import prompt
from desktop_app.engine.agent_client import AgentClient
from desktop_app.engine.agents import Agents
from desktop_app.engine.exchange import KeptExchange
from desktop_app.engine.keeper import Keeper
from desktop_app.engine.models import Loaded, Models
from desktop_app.engine.protection import Protection
from desktop_app.engine.recognition import Recognition
from desktop_app.engine.replies import Replies
from desktop_app.privacy.keeping import KeptList
from desktop_app.privacy.spans import Kind


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame as it crossed the line: `sent` by the desktop or received by it, at `time` in seconds of a running clock."""

    sent: bool
    time: float
    data: bytes


@dataclass(frozen=True, slots=True)
class Recorded:
    """One answer: the token ids of prompt and reply (the truth), and the frames that made it, dummy steps included."""

    prompt: list[int]
    reply: list[int]
    text: str
    statistics: Statistics
    frames: list[Frame]


class Recorder:
    """Asks the engine's parts directly, and keeps the frames of each answer. One question at a time."""

    def __init__(self, replies: Replies, keeper: Keeper, protection: Protection) -> None:
        self._replies = replies
        self._keeper = keeper
        self._protection = protection
        self._watched: AgentClient | None = None
        self._frames: list[Frame] = []

    async def prepare(self, request: ReplyRequest) -> Loaded:
        """Load what the request needs, and watch the channel to its agent. Raises `AuditError` where there is none."""
        loaded, client = await self._replies.prepare(request.model, request.split, request.dtype, lambda progress: None)
        if client is None:
            raise AuditError("With all layers on this computer nothing is sent, so there is nothing to attack. Choose a split.")
        if client is not self._watched:
            client.watch(self._crossed)
            self._watched = client
        return loaded

    async def ask(self, request: ReplyRequest, tell: Callable[[ReplyEvent], None] = lambda event: None) -> Recorded:
        """Answer a request, telling its events as they come, and return what crossed the line.

        Raises `AuditError` with the engine's sentence where it fails.
        """
        loaded = await self.prepare(request)
        frames: list[Frame] = []
        self._frames = frames
        events: list[ReplyEvent] = []

        def emit(event: ReplyEvent) -> None:
            events.append(event)
            tell(event)

        reply = await self._replies.make(request, emit)
        self._frames = []
        last = events[-1]
        if not isinstance(last, ReplyFinished):
            raise AuditError(last.sentence if isinstance(last, ReplyFailed) else "An answer had no end. Start the audit again.")
        text = "".join(event.text for event in events if isinstance(event, TextAdded))
        return Recorded(prompt_ids(loaded, request.turns), reply, text, last.statistics, frames)

    async def use_names(self, names: Sequence[str]) -> None:
        """Put these names on the person's list, in place of those given before."""
        kept = KeptList(name="audit", kind=Kind.PERSON, values=list(names))
        await self._keeper.run(lambda archive: archive.keeping.keep_list(kept))

    async def mark(self, request: ReplyRequest, value: str) -> None:
        """Have a word replaced from now on in this request's conversation, as the window does when somebody marks one."""
        decision = Decision(value=value, kind=Kind.OTHER, replaced=True)
        await self._protection.decide(request.conversation, request.incognito, [decision])

    def forget(self, conversation: str) -> None:
        """Free the rows of a conversation that is over."""
        self._replies.forget(conversation)

    async def leave(self, conversation: str) -> None:
        """Forget all of a conversation: its rows, its stand-ins and, where it is incognito, its messages."""
        self.forget(conversation)
        self._protection.left(conversation)
        await self._keeper.left(conversation)

    def _crossed(self, sent: bool, data: bytes) -> None:
        self._frames.append(Frame(sent, time.perf_counter(), data))


@asynccontextmanager
async def recorder(models_directory: Path) -> AsyncIterator[Recorder]:
    """A running engine of one's own, without its process; its agent is a child on loopback, as in the application.

    What surrounds a reply there (protected spans, if the request wants them) does so here, but nothing is kept on disk.
    """
    torch_thread = ThreadPoolExecutor(1, thread_name_prefix="torch")
    agents = Agents(lambda state: None, None)
    models = Models(models_directory, torch_thread)
    keeper = Keeper(None, lambda state: None)
    protection = Protection(keeper, Recognition())
    try:
        exchange = partial(KeptExchange, keeper=keeper, protection=protection)
        yield Recorder(Replies(models, agents, torch_thread, exchange), keeper, protection)
    finally:
        protection.close()
        await keeper.close()
        await agents.close()
        torch_thread.shutdown()


def prompt_ids(loaded: Loaded, turns: Sequence[Turn]) -> list[int]:
    """The token ids of these turns as the engine makes them for a new conversation."""
    return loaded.model.tokenizer.prompt(prompt.messages(turns))


def content_span(loaded: Loaded, turns: Sequence[Turn]) -> tuple[int, int]:
    """Where in `prompt_ids` the last turn's own tokens stand: what comes before and after is the model's public template."""
    made = prompt_ids(loaded, turns)
    others = [prompt_ids(loaded, [*turns[:-1], msgspec.structs.replace(turns[-1], text=text)]) for text in ("a", "7", "(")]
    start = min(_shared(made, other) for other in others)
    end = len(made) - min(_shared(made[::-1], other[::-1]) for other in others)
    return start, max(start, end)


def _shared(left: Sequence[int], right: Sequence[int]) -> int:
    both = min(len(left), len(right))
    return next((index for index in range(both) if left[index] != right[index]), both)
