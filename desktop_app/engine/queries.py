"""What the window asks the engine apart from replies: one struct a question, and who answers it.

A question travels as `Query(number, about)` and comes back as `Answered` or `Unanswered` under the same number. `ANSWERS` tells
what each answer is.
"""

from typing import Any

import msgspec
from msgspec import Struct

from desktop_app.chat import responder
from desktop_app.chat.events import DocumentText, Noise, ReplyRequest, Split
from desktop_app.chat.responder import ChatError
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


class DocumentAt(Struct, frozen=True, tag=True):
    """The text of the document at this path."""

    path: str


class ReviewOf(Struct, frozen=True, tag=True):
    """What would be replaced in this request."""

    request: ReplyRequest


class Decide(Struct, frozen=True, tag=True):
    """The person's words on values of a conversation."""

    conversation: str
    incognito: bool
    decisions: list[Decision]


class Lists(Struct, frozen=True, tag=True):
    """The person's lists."""


class KeepList(Struct, frozen=True, tag=True):
    """Keep this list."""

    names: NameList


class ImportList(Struct, frozen=True, tag=True):
    """Read a list from a file and keep it."""

    path: str
    name: str
    kind: str


class Conversations(Struct, frozen=True, tag=True):
    """The conversations that are kept."""


class OpenConversation(Struct, frozen=True, tag=True):
    """Everything of one conversation."""

    conversation: str


class KeepBranch(Struct, frozen=True, tag=True):
    """A conversation goes on in this branch, with stand-ins or without."""

    conversation: str
    protect: bool
    messages: list[StoredMessage]
    noise: Noise | None = None


class RenameConversation(Struct, frozen=True, tag=True):
    """Another title."""

    conversation: str
    title: str


class DeleteConversation(Struct, frozen=True, tag=True):
    """Delete for good."""

    conversation: str


class SentOf(Struct, frozen=True, tag=True):
    """What has left this computer in a conversation."""

    conversation: str
    incognito: bool


class RecoveredAt(Struct, frozen=True, tag=True):
    """What attackers get back at this setting."""

    model: str
    split: Split
    protect: bool
    mu: float = 0.0


class NoiseSpentIn(Struct, frozen=True, tag=True):
    """What the noisy codes of a conversation have given away."""

    conversation: str


class WorthOf(Struct, frozen=True, tag=True):
    """What a noise is worth by count, over the vocabulary of this model."""

    noise: Noise
    model: str


class SetNoiseBudget(Struct, frozen=True, tag=True):
    """Another budget for a conversation."""

    conversation: str
    epsilon: float
    delta: float


class Unlock(Struct, frozen=True, tag=True):
    """Make or open the archive with this passphrase."""

    passphrase: str


class GoOnWithoutLists(Struct, frozen=True, tag=True):
    """Protect without lists that cannot be read."""


About = (
    DocumentAt
    | ReviewOf
    | Decide
    | Lists
    | KeepList
    | ImportList
    | Conversations
    | OpenConversation
    | KeepBranch
    | RenameConversation
    | DeleteConversation
    | SentOf
    | RecoveredAt
    | NoiseSpentIn
    | WorthOf
    | SetNoiseBudget
    | Unlock
    | GoOnWithoutLists
)

ANSWERS: dict[type[Struct], Any] = {
    DocumentAt: DocumentText,
    ReviewOf: Review,
    Decide: list[Consequence],
    Lists: list[NameList],
    KeepList: None,
    ImportList: NameList,
    Conversations: list[ConversationEntry],
    OpenConversation: StoredConversation,
    KeepBranch: None,
    RenameConversation: None,
    DeleteConversation: None,
    SentOf: list[SentRecord],
    RecoveredAt: list[Recovered],
    NoiseSpentIn: NoiseSpent | None,
    WorthOf: NoiseWorth,
    SetNoiseBudget: None,
    Unlock: None,
    GoOnWithoutLists: None,
}


class Query(Struct, frozen=True, tag=True):
    """Window to engine: a question."""

    number: int
    about: About


class Answered(Struct, frozen=True, tag=True):
    """Engine to window: the answer, packed; its type follows from the question."""

    number: int
    value: msgspec.Raw


class Unanswered(Struct, frozen=True, tag=True):
    """Engine to window: there is no answer; `error` names a class of `chat.responder`, the sentence says why."""

    number: int
    error: str
    sentence: str


def answered(number: int, value: object) -> Answered:
    """Pack an answer."""
    return Answered(number, msgspec.Raw(msgspec.msgpack.encode(value)))


def value_of(about: About, answer: Answered) -> Any:
    """Unpack the answer to a question."""
    return msgspec.msgpack.decode(answer.value, type=ANSWERS[type(about)])


def error_of(answer: Unanswered) -> ChatError:
    """The error that is to be raised where the question was asked."""
    kind = getattr(responder, answer.error, ChatError)
    return kind(answer.sentence) if isinstance(kind, type) and issubclass(kind, ChatError) else ChatError(answer.sentence)
