"""The Responder: all that a window knows of the engine. Tests give it a scripted one."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Protocol

from desktop_app.chat.events import DocumentText, EngineNews, Noise, ReplyEvent, ReplyRequest, Split
from desktop_app.chat.stored import (
    Consequence,
    ConversationEntry,
    Decision,
    NameList,
    NoiseSpent,
    NoiseWorth,
    Recovered,
    Review,
    SentRecord,
    StoredConversation,
    StoredMessage,
)


class ChatError(Exception):
    """Base of this room's errors; its text is a sentence with a next step, fit to be shown."""


class DocumentRefused(ChatError):
    """A document could not be read; the text says why and what to do."""


class ArchiveUnavailable(ChatError):
    """The archive is locked, or cannot be read or written; the text says what to do."""


class ProtectionFailed(ChatError):
    """What identifies a person could not be looked for, so nothing was sent; the text says why and what to do."""


class Responder(Protocol):
    """Answers requests, reads documents and tells news; every method may be called from the window's event loop.

    All that is asked of the archive raises `ArchiveUnavailable`.
    """

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

    # what is replaced

    async def review(self, request: ReplyRequest) -> Review:
        """What would be replaced if this were asked, without asking it. Raises `ProtectionFailed`."""

    async def decide(self, conversation: str, incognito: bool, decisions: list[Decision]) -> list[Consequence]:
        """Replace these values from now on, or never, in this conversation; tells for which it is too late, and how far."""

    async def lists(self) -> list[NameList]:
        """The person's own lists."""

    async def keep_list(self, names: NameList) -> None:
        """Keep a list, in place of the one of this name; without values it is deleted."""

    async def import_list(self, path: Path, name: str, kind: str) -> NameList:
        """Add what a text or CSV file holds to the list of this name, and keep it. Raises `DocumentRefused` with a sentence."""

    # what is kept

    async def conversations(self) -> list[ConversationEntry]:
        """The conversations that are kept, the latest first."""

    async def open_conversation(self, conversation: str) -> StoredConversation:
        """Everything of one conversation."""

    async def keep_branch(self, conversation: str, protect: bool, messages: list[StoredMessage], noise: Noise | None) -> None:
        """The conversation goes on in this branch, with stand-ins or without: kept at once, before a question is asked in it."""

    async def rename_conversation(self, conversation: str, title: str) -> None:
        """Give a conversation another title; it stays where it is in the list."""

    async def delete_conversation(self, conversation: str) -> None:
        """Delete a conversation with its stand-ins, documents and records, for good."""

    async def sent(self, conversation: str, incognito: bool) -> list[SentRecord]:
        """What has left this computer, answer by answer."""

    async def recovered(self, model: str, split: Split, protect: bool, mu: float = 0.0) -> list[Recovered]:
        """What attackers get back at this setting, the worst first, as the audit has measured it.

        With `mu` that of noisy codes, and what is left of the answer, at the measured level that is nearest to it.
        """

    # what noise costs

    async def noise_spent(self, conversation: str) -> NoiseSpent | None:
        """What the noisy codes of a conversation have given away; None where none have left."""

    async def noise_worth(self, noise: Noise, model: str) -> NoiseWorth:
        """What this noise is worth by count with this model, before anything is sent."""

    async def set_noise_budget(self, conversation: str, epsilon: float, delta: float) -> None:
        """Give a conversation another budget. Raises `ChatError` for one that is none."""

    async def unlock(self, passphrase: str) -> None:
        """Make or open the archive with a passphrase. Raises `ArchiveUnavailable` for a wrong one."""

    async def go_on_without_lists(self) -> None:
        """Protect questions although the person's lists cannot be read, until the archive opens; else none is sent."""

    def listen(self, listener: Callable[[EngineNews], None]) -> None:
        """Call `listener` with all news from now on, in the event loop of the caller."""
