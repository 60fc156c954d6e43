"""The Responder: all that a window knows of the engine. Tests give it a scripted one."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Protocol

from desktop_app.chat.events import DocumentText, EngineNews, ReplyEvent, ReplyRequest, Split


class ChatError(Exception):
    """Base of this room's errors; its text is a sentence with a next step, fit to be shown."""


class DocumentRefused(ChatError):
    """A document could not be read; the text says why and what to do."""


class Responder(Protocol):
    """Answers requests, reads documents and tells news; every method may be called from the window's event loop."""

    async def start(self) -> None:
        """Start the engine process; returns at once, news tell how it goes."""

    async def close(self) -> None:
        """Stop everything that runs on behalf of this window."""

    async def prepare(self, model: str, split: Split) -> None:
        """Get another model or split ready before it is asked for; news tell how it goes."""

    def reply(self, request: ReplyRequest) -> AsyncIterator[ReplyEvent]:
        """Answer; the last event is a `ReplyFinished` or a `ReplyFailed`, whatever happens to the engine meanwhile."""

    async def stop(self, conversation: str) -> None:
        """Stop the reply of this conversation; its iterator ends with reason "stopped". No reply: nothing happens."""

    async def read_document(self, path: Path) -> DocumentText:
        """Read a document in the readers' process. Raises `DocumentRefused`."""

    async def forget(self, conversation: str) -> None:
        """The conversation is gone; its rows may be dropped here and at the agent."""

    def listen(self, listener: Callable[[EngineNews], None]) -> None:
        """Call `listener` with all news from now on, in the event loop of the caller."""
