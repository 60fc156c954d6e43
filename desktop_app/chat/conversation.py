"""A conversation as it stands: what was asked, what came back, and how each answer ended.

    STREAMING -> COMPLETE       the answer ended by itself or at its limit
              -> STOPPED        the person stopped it; its text stays
              -> INTERRUPTED    something went away in mid-answer; its text stays
              -> FAILED         it was refused; `sentence` says why

Messages form a tree: each names the one it follows. A question that is changed and an answer that is asked for again get
siblings; nothing is taken out of the tree. One branch of it is seen, question and answer in turn; only that reaches the model.

An answer that ended in whatever way with some text is part of what the model sees next; one without a word is left out together
with its question, because a question that was refused once (too long, say) would otherwise have every later one refused as well.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal
from uuid import uuid4

from msgspec.structs import replace

from desktop_app.chat.events import (
    OFF,
    DocumentText,
    Mark,
    Progress,
    QuestionProtected,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Sampling,
    Shape,
    Split,
    Statistics,
    StatisticsChanged,
    TextAdded,
    Turn,
)
from desktop_app.chat.responder import ChatError
from desktop_app.chat.stored import StoredConversation, StoredMessage


class EmptyQuestion(ChatError):
    """There is nothing to ask."""


class AnswerRunning(ChatError):
    """The answer before has not ended yet."""


class MessageState(Enum):
    """How far a message has come; see the top of the module."""

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
    `document_marks` those of each document.
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


@dataclass(slots=True)
class Asking:
    """With what settings a question is asked."""

    sampling: Sampling = field(default_factory=Sampling)
    split: Split = field(default_factory=Split)
    model: str = ""
    drafting: bool = True
    shape: Shape = OFF


class Conversation:
    """`messages` is the branch that is seen, `tree` every message by identity.

    `identity` names the session whose rows the engine may use again. `protect`: protected spans leave as stand-ins.
    `incognito`: nothing of it is kept.
    """

    def __init__(self, *, protect: bool = True, incognito: bool = False) -> None:
        self.identity = new_identity()
        self.protect = protect
        self.incognito = incognito
        self.name = ""
        self.messages: list[Message] = []
        self.tree: dict[str, Message] = {}

    @classmethod
    def of(cls, stored: StoredConversation) -> "Conversation":
        """A conversation that was kept, on the branch that was seen last."""
        entry = stored.entry
        conversation = cls(protect=entry.protect)
        conversation.identity, conversation.name = entry.identity, entry.title
        conversation.tree = _tree(stored.messages)
        last = entry.tip if entry.tip in conversation.tree else next(reversed(conversation.tree), "")
        conversation.messages = list(_paired(_branch(conversation.tree, last)))
        return conversation

    @property
    def title(self) -> str:
        """The name it was given, or how its first question begins."""
        if self.name or not self.messages:
            return self.name
        return self.messages[0].text.splitlines()[0][:80]

    @property
    def answer(self) -> Message | None:
        """The answer that is streaming now."""
        last = self.messages[-1] if self.messages else None
        return last if last is not None and last.state is MessageState.STREAMING else None

    @property
    def begun(self) -> bool:
        """Whether anything was ever asked in it, also if that is not seen any more."""
        return bool(self.tree)

    def has_left(self, looked_over: Container[str] = ()) -> bool:
        """Whether a question has left in which something was replaced, or that is one of those that were `looked_over`."""
        answers = [message for message in self.tree.values() if message.role == "assistant" and _may_have_left(message)]
        questions = [self.tree[answer.parent] for answer in answers if answer.parent in self.tree]
        return any(it.marks or any(it.document_marks) or it.identity in looked_over for it in questions)

    @property
    def branch(self) -> list[StoredMessage]:
        """The branch that is seen, as it is kept: with how each of its answers ended."""
        return [_stored(message) for message in self.messages if message.identity in self.tree]

    def ask(self, text: str, documents: list[DocumentText] | None = None) -> tuple[Message, Message]:
        """Add a question and the answer that will come. Raises `EmptyQuestion` and `AnswerRunning`; nothing is changed then."""
        if not text.strip():
            raise EmptyQuestion("There is no question yet. Type one, then send it.")
        if self.answer is not None:
            raise AnswerRunning("An answer is still coming. Wait for its end or stop it, then ask again.")
        question = self._add(Message("user", text.strip(), list(documents or []), parent=self._tip))
        return question, self._add(Message("assistant", state=MessageState.STREAMING, parent=question.identity))

    def withdraw(self) -> Message:
        """The last question was never sent: it is as if it had not been asked. Raises `EmptyQuestion` where none waits."""
        if self.answer is None:
            raise EmptyQuestion("No question waits to be sent. Type one, then send it.")
        question = self.messages[-2]
        for message in self.messages[-2:]:
            del self.tree[message.identity]
        del self.messages[-2:]
        return question

    def ask_again(self) -> Message:
        """A new answer to come beside the last one. Raises `EmptyQuestion` where nothing was asked, `AnswerRunning`."""
        self._expect_an_answer()
        self.messages.pop()
        return self._add(Message("assistant", state=MessageState.STREAMING, parent=self._tip))

    def stay_with(self, before: Message) -> None:
        """The other answer was not asked for after all: the one `before` it is the last again. Raises as `withdraw` does."""
        if self.answer is None:
            raise EmptyQuestion("No question waits to be sent. Type one, then send it.")
        del self.tree[self.messages.pop().identity]
        self.messages.append(before)

    def take_back(self) -> Message:
        """Go back to before the last question, and give it, to be changed. Raises as `ask_again` does."""
        self._expect_an_answer()
        question = self.messages[-2]
        del self.messages[-2:]
        return question

    def branch_off(self) -> None:
        """Go on in a new branch with the same words: what was sent of the old one stays told there. Raises `AnswerRunning`."""
        if self.answer is not None:
            raise AnswerRunning("An answer is still coming. Wait for its end or stop it, then change the protection.")
        seen, self.messages = self.messages, []
        for old in seen:
            self._add(
                Message(
                    old.role, old.text, old.documents, old.state, old.sentence, old.at_limit, old.statistics, parent=self._tip
                )
            )

    def receive(self, event: ReplyEvent) -> None:
        """Take an event of the reply into the answer that streams; without one, nothing happens (the reply came too late)."""
        answer = self.answer
        if answer is None:
            return
        match event:
            case Progress():
                pass
            case QuestionProtected(marks=marks, document_marks=document_marks):
                question = self.messages[-2]
                question.marks, question.document_marks = list(marks), list(document_marks)
            case TextAdded(text=text, marks=marks):
                before = len(answer.text)
                answer.marks += [replace(mark, start=before + mark.start, end=before + mark.end) for mark in marks]
                answer.text += text
            case StatisticsChanged(statistics=statistics):
                answer.statistics = statistics
            case ReplyFinished(reason=reason, statistics=statistics):
                answer.statistics = statistics
                answer.at_limit = reason == "length"
                answer.state = MessageState.STOPPED if reason == "stopped" else MessageState.COMPLETE
            case ReplyFailed(sentence=sentence, statistics=statistics, kind=kind):
                answer.statistics = statistics
                answer.sentence = sentence
                answer.state = MessageState.INTERRUPTED if kind == "interrupted" or answer.text else MessageState.FAILED

    def request(self, asking: Asking) -> ReplyRequest:
        """What is asked of the engine for the answer that streams. Raises `EmptyQuestion` when none does."""
        if self.answer is None:
            raise EmptyQuestion("There is no question yet. Type one, then send it.")
        return ReplyRequest(
            conversation=self.identity,
            turns=self._turns(),
            answer=self.answer.identity,
            parent=self.messages[-2].parent,
            protect=self.protect,
            incognito=self.incognito,
            sampling=asking.sampling,
            split=asking.split,
            model=asking.model,
            drafting=asking.drafting,
            shape=asking.shape,
        )

    @property
    def _tip(self) -> str:
        # What only stands for an answer that was never kept is nothing to hang a message on.
        return next((message.identity for message in reversed(self.messages) if message.identity in self.tree), "")

    def _add(self, message: Message) -> Message:
        self.messages.append(message)
        self.tree[message.identity] = message
        return message

    def _expect_an_answer(self) -> None:
        if not self.messages:
            raise EmptyQuestion("Nothing has been asked yet. Type a question, then send it.")
        if self.answer is not None:
            raise AnswerRunning("An answer is still coming. Wait for its end or stop it, then go on.")

    def _turns(self) -> list[Turn]:
        turns: list[Turn] = []
        for question, answer in zip(self.messages[::2], self.messages[1::2], strict=True):
            # A question that was refused (too long, say) would be refused with every later one as well. One that was stopped or
            # interrupted before the first word stands in the window with its documents, and so it does in the prompt.
            if answer.text or answer.state is not MessageState.FAILED:
                turns.append(_turn(question))
            if answer.text and answer.state is not MessageState.STREAMING:
                turns.append(_turn(answer))
        return turns


def _turn(message: Message) -> Turn:
    return Turn(role=message.role, text=message.text, documents=message.documents, identity=message.identity)


def _message(kept: StoredMessage) -> Message:
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


def _stored(message: Message) -> StoredMessage:
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


def _may_have_left(answer: Message) -> bool:
    """Whether rows may have left for this answer: it has come some way, or there are figures of what was sent."""
    return bool(answer.text) or answer.statistics != Statistics()


def _tree(kept: Iterable[StoredMessage]) -> dict[str, Message]:
    """Messages by identity, oldest first; one whose parent was not kept (a refused question, say) follows the one kept before."""
    tree: dict[str, Message] = {}
    for message in map(_message, (one for one in kept if one.role != "system")):
        if message.parent and message.parent not in tree:
            message.parent = next(reversed(tree), "")
        tree[message.identity] = message
    return tree


def _branch(tree: dict[str, Message], last: str) -> list[Message]:
    """From the first message to `last`."""
    branch: list[Message] = []
    while (message := tree.get(last)) is not None:
        branch.append(message)
        last = message.parent
    return branch[::-1]


def _paired(branch: Iterable[Message]) -> Iterable[Message]:
    """Question and answer in turn; a question that was kept without an answer (a power cut) gets an interrupted one."""
    asked: Message | None = None
    for message in branch:
        if asked is not None and message.role == "user":
            yield Message("assistant", state=MessageState.INTERRUPTED, parent=asked.identity)
        if asked is not None or message.role == "user":
            yield message
        asked = message if message.role == "user" else None
    if asked is not None:
        yield Message("assistant", state=MessageState.INTERRUPTED, parent=asked.identity)
