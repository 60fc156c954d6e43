"""A responder that says what a test wrote down: no engine, no process, no network."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from desktop_app.chat.events import (
    AgentState,
    DocumentText,
    EngineNews,
    EngineState,
    ModelLoaded,
    ReplyEvent,
    ReplyFinished,
    ReplyRequest,
    Split,
    Statistics,
    TextAdded,
)
from desktop_app.chat.responder import DocumentRefused

MODEL = ModelLoaded(name="SmolLM2 135M Instruct", layers=30, context=8192, first_layer=1, last_layer=29)
EMBEDDED = AgentState(connected=True, embedded=True, round_trip=0.0042, device="cpu")
FIGURES = Statistics(
    prompt_tokens=212,
    reply_tokens=180,
    steps=82,
    seconds=4.1,
    tokens_per_second=43.9,
    tokens_per_step=2.2,
    time_to_first_token=0.3,
    round_trip=0.0042,
    bytes_up=421_000,
    bytes_down=1_310_000,
    head_layers=4,
    middle_layers=24,
    tail_layers=2,
    device="cpu",
    dtype="float32",
)


class ScriptedResponder:
    """Every reply plays `script`. With `hold` it waits before each event for `release`; `stop` ends it at once."""

    def __init__(self, script: list[ReplyEvent] | None = None, hold: bool = False, pause: float = 0.0) -> None:
        self.script: list[ReplyEvent] = script if script is not None else said("Hello.")
        self.hold = hold
        self.pause = pause
        self.requests: list[ReplyRequest] = []
        self.stopped: list[str] = []
        self.forgotten: list[str] = []
        self.prepared: list[tuple[str, Split]] = []
        self.documents: dict[str, DocumentText | str] = {}
        self.started = self.closed = False
        self._listeners: list[Callable[[EngineNews], None]] = []
        self._permits = asyncio.Semaphore(0)
        self._stop = asyncio.Event()

    def release(self, events: int = 1) -> None:
        """Let this many more events out."""
        for _ in range(events):
            self._permits.release()

    def tell(self, news: EngineNews) -> None:
        """Give news to every listener."""
        for listener in self._listeners:
            listener(news)

    async def start(self) -> None:
        self.started = True
        for news in (EngineState(running=True), MODEL, EMBEDDED):
            self.tell(news)

    async def prepare(self, model: str, split: Split) -> None:
        self.prepared.append((model, split))

    async def close(self) -> None:
        self.closed = True

    async def reply(self, request: ReplyRequest) -> AsyncIterator[ReplyEvent]:
        self.requests.append(request)
        self._stop.clear()
        for event in list(self.script):
            if not await self._may_go_on():
                yield ReplyFinished(reason="stopped", statistics=FIGURES)
                return
            yield event

    async def _may_go_on(self) -> bool:
        if self.hold:
            permit, stop = asyncio.ensure_future(self._permits.acquire()), asyncio.ensure_future(self._stop.wait())
            try:
                await asyncio.wait({permit, stop}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (permit, stop):
                    task.cancel()
        else:
            await asyncio.sleep(self.pause)
        return not self._stop.is_set()

    async def stop(self, conversation: str) -> None:
        self.stopped.append(conversation)
        self._stop.set()

    async def read_document(self, path: Path) -> DocumentText:
        await asyncio.sleep(0)
        known = self.documents.get(path.name)
        if isinstance(known, DocumentText):
            return known
        raise DocumentRefused(known or f"{path.name} could not be read. Choose another document.")

    async def forget(self, conversation: str) -> None:
        self.forgotten.append(conversation)

    def listen(self, listener: Callable[[EngineNews], None]) -> None:
        self._listeners.append(listener)


def said(text: str, size: int = 4) -> list[ReplyEvent]:
    """The script of a reply that says `text` in pieces of `size` characters and ends well."""
    pieces: list[ReplyEvent] = [TextAdded(text=text[start : start + size]) for start in range(0, len(text), size)]
    return [*pieces, ReplyFinished(reason="end", statistics=FIGURES)]
