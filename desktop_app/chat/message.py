"""One message of a conversation, how far it has come, and how it is kept."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal
from uuid import uuid4

from desktop_app.chat.events import DocumentText, Mark, Statistics, Turn
from desktop_app.chat.stored import StoredMessage


class MessageState(Enum):
    """How far a message has come; see the top of `chat.conversation`."""

    COMPLETE = "complete"
    STREAMING = "streaming"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


def new_identity() -> str:
    """A name for a conversation or a message that no other one has."""
    return uuid4().hex


@dataclass(slots=True, eq=False)
class Message:
    """One message. `sentence` says what happened to an answer that did not end well; `at_limit`: it ended at its token limit.

    `identity` names this text and no other, `parent` the message before it ("": none). `marks` are the protected spans in `text`,
    `document_marks` those of each document. `over_budget`: it was refused because it would cost more than its noise may
    spend, an epsilon of `needed` (0: not known).
    """

    role: Literal["user", "assistant"]
    text: str = ""
    documents: list[DocumentText] = field(default_factory=list)
    state: MessageState = MessageState.COMPLETE
    sentence: str = ""
    at_limit: bool = False
    statistics: Statistics = field(default_factory=Statistics)
    marks: list[Mark] = field(default_factory=list)
    document_marks: list[list[Mark]] = field(default_factory=list)
    identity: str = field(default_factory=new_identity)
    parent: str = ""
    over_budget: bool = False
    needed: float = 0.0


def turn_of(message: Message) -> Turn:
    """What the model sees of a message, before anything is replaced in it."""
    return Turn(role=message.role, text=message.text, documents=message.documents, identity=message.identity)


def message_of(kept: StoredMessage) -> Message:
    """A message that was kept."""
    # What streamed when it was kept streams no more: whoever wrote it is gone.
    state = MessageState.INTERRUPTED if kept.state == "streaming" else MessageState(kept.state)
    return Message(
        "user" if kept.role == "user" else "assistant",
        kept.text,
        kept.documents,
        state,
        kept.sentence,
        kept.at_limit,
        kept.statistics,
        kept.marks,
        kept.document_marks,
        kept.identity,
        kept.parent,
    )


def stored(message: Message) -> StoredMessage:
    """A message as it is kept."""
    return StoredMessage(
        identity=message.identity,
        parent=message.parent,
        role=message.role,
        text=message.text,
        marks=message.marks,
        documents=message.documents,
        document_marks=message.document_marks,
        state=message.state.value,
        sentence=message.sentence,
        at_limit=message.at_limit,
        statistics=message.statistics,
    )


def may_have_left(answer: Message) -> bool:
    """Whether rows may have left for this answer: it has come some way, or there are figures of what was sent."""
    return bool(answer.text) or answer.statistics != Statistics()
