"""What a scripted engine keeps, in memory: conversations with their messages, what was sent, and the person's lists."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from msgspec.structs import replace

from desktop_app.chat.events import Noise, ReplyRequest, Turn
from desktop_app.chat.responder import ArchiveUnavailable
from desktop_app.chat.stored import (
    ConversationEntry,
    NameList,
    SentRecord,
    StoredConversation,
    StoredMessage,
)


class ScriptedArchive:
    """Opens and shuts as a test says; `passphrase` is what opens it while it is locked."""

    def __init__(self) -> None:
        self.state = "open"
        self.sentence = ""
        self.passphrase = "correct horse"
        self.entries: dict[str, ConversationEntry] = {}
        self.messages: dict[str, dict[str, StoredMessage]] = {}
        self.records: dict[str, list[SentRecord]] = {}
        self.lists: dict[str, NameList] = {}
        self._clock = count(1_780_000_000, 60)

    def now(self) -> float:
        """A time that is a minute later each time."""
        return float(next(self._clock))

    def check(self) -> None:
        """Raise `ArchiveUnavailable` unless the archive is open."""
        if self.state != "open":
            raise ArchiveUnavailable("The archive is locked. Unlock it, then try again.")

    def keep(self, conversation: StoredConversation) -> None:
        """Have a conversation that was kept before."""
        identity = conversation.entry.identity
        self.entries[identity] = conversation.entry
        self.messages[identity] = {message.identity: message for message in conversation.messages}

    def listed(self) -> list[ConversationEntry]:
        """The conversations, the latest first."""
        self.check()
        return sorted(self.entries.values(), key=lambda entry: -entry.changed)

    def opened(self, identity: str) -> StoredConversation:
        """Everything of one conversation."""
        self.check()
        if identity not in self.entries:
            raise ArchiveUnavailable("This conversation is no longer here. Choose another one.")
        return StoredConversation(entry=self.entries[identity], messages=list(self.messages[identity].values()))

    def branch(self, identity: str, protect: bool, messages: list[StoredMessage], noise: Noise | None = None) -> None:
        """Go on in a branch of a conversation."""
        self.check()
        kept = self.messages.setdefault(identity, {})
        for message in messages:
            kept.setdefault(message.identity, message)
        entry = self.entries.get(identity) or ConversationEntry(identity=identity, title="", created=self.now(), changed=0.0)
        self.entries[identity] = replace(
            entry, protect=protect, noise=noise, tip=messages[-1].identity if messages else entry.tip
        )

    def delete(self, identity: str) -> None:
        """Delete a conversation."""
        self.check()
        for kept in (self.entries, self.messages, self.records):
            kept.pop(identity, None)

    def rename(self, identity: str, title: str) -> None:
        """Give a conversation another title."""
        self.check()
        self.entries[identity] = replace(self.entries[identity], title=title)

    @contextmanager
    def answer(self, request: ReplyRequest, question: StoredMessage) -> Iterator["KeptAnswer"]:
        """Keep the question of a request and the answer while it comes; nothing of an incognito one."""
        kept = KeptAnswer(self, request, question.identity)
        if not request.incognito:
            self.check()
            self._begin(request, question)
        yield kept
        if kept.state == "streaming":
            kept.end("interrupted")

    def _begin(self, request: ReplyRequest, question: StoredMessage) -> None:
        now = self.now()
        entry = self.entries.get(request.conversation) or ConversationEntry(
            identity=request.conversation, title=question.text[:60], created=now, changed=now
        )
        self.entries[request.conversation] = replace(
            entry, changed=now, protect=request.protect, noise=request.noise, tip=request.answer
        )
        messages = self.messages.setdefault(request.conversation, {})
        before = ""
        for turn in request.turns[:-1]:
            messages.setdefault(turn.identity, stored_turn(turn, before))
            before = turn.identity
        parent = request.parent if request.parent in messages else before
        messages.setdefault(question.identity, replace(question, parent=parent, created=now))


class KeptAnswer:
    """An answer as far as it has come."""

    def __init__(self, archive: ScriptedArchive, request: ReplyRequest, question: str) -> None:
        self._archive = archive
        self._request = request
        self.state = "streaming"
        self.message = StoredMessage(identity=request.answer, parent=question, role="assistant", text="", state="streaming")

    def grow(self, **changes: object) -> None:
        """Keep what has come."""
        self.message = replace(self.message, **changes)
        if not self._request.incognito:
            messages = self._archive.messages.get(self._request.conversation)
            if messages is not None:
                messages[self.message.identity] = self.message

    def end(self, state: str, **changes: object) -> None:
        """Keep how it ended."""
        self.state = state
        self.grow(state=state, **changes)


def stored_turn(turn: Turn, parent: str) -> StoredMessage:
    """A turn as it is kept."""
    return StoredMessage(identity=turn.identity, parent=parent, role=turn.role, text=turn.text, documents=turn.documents)
