"""A conversation as it stands: what was asked, what came back, and how each answer ended.

    STREAMING -> COMPLETE       the answer ended by itself or at its limit
              -> STOPPED        the person stopped it; its text stays
              -> INTERRUPTED    something went away in mid-answer; its text stays
              -> FAILED         it was refused; `sentence` says why

Text that has come is never taken away. An answer that ended in whatever way with some text is part of what the model sees next;
one without a word is left out together with its question, because a question that was refused once (too long, say) would
otherwise have every later question refused as well.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal
from uuid import uuid4

from desktop_app.chat.events import (
    DocumentText,
    Progress,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Sampling,
    Split,
    Statistics,
    StatisticsChanged,
    TextAdded,
    Turn,
)
from desktop_app.chat.responder import ChatError


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


@dataclass(slots=True, eq=False)
class Message:
    """One message. `sentence` says what happened to an answer that did not end well; `at_limit`: it ended at its token limit."""

    role: Literal["user", "assistant"]
    text: str = ""
    documents: list[DocumentText] = field(default_factory=list)
    state: MessageState = MessageState.COMPLETE
    sentence: str = ""
    at_limit: bool = False
    statistics: Statistics = field(default_factory=Statistics)


@dataclass(slots=True)
class Asking:
    """With what settings a question is asked."""

    sampling: Sampling = field(default_factory=Sampling)
    split: Split = field(default_factory=Split)
    model: str = ""
    drafting: bool = True


class Conversation:
    """Questions and answers in turn; `identity` names the session whose rows the engine may use again."""

    def __init__(self) -> None:
        self.identity = uuid4().hex
        self.messages: list[Message] = []

    @property
    def answer(self) -> Message | None:
        """The answer that is streaming now."""
        last = self.messages[-1] if self.messages else None
        return last if last is not None and last.state is MessageState.STREAMING else None

    def ask(self, text: str, documents: list[DocumentText] | None = None) -> tuple[Message, Message]:
        """Add a question and the answer that will come. Raises `EmptyQuestion` and `AnswerRunning`; nothing is changed then."""
        if not text.strip():
            raise EmptyQuestion("There is no question yet. Type one, then send it.")
        if self.answer is not None:
            raise AnswerRunning("An answer is still coming. Wait for its end or stop it, then ask again.")
        question = Message("user", text.strip(), list(documents or []))
        answer = Message("assistant", state=MessageState.STREAMING)
        self.messages += [question, answer]
        return question, answer

    def ask_again(self) -> Message:
        """Replace the last answer by a new one to come. Raises `EmptyQuestion` where nothing was asked, `AnswerRunning`."""
        if not self.messages:
            raise EmptyQuestion("Nothing has been asked yet. Type a question, then send it.")
        if self.answer is not None:
            raise AnswerRunning("An answer is still coming. Wait for its end or stop it, then ask again.")
        answer = Message("assistant", state=MessageState.STREAMING)
        self.messages[-1] = answer
        return answer

    def take_back(self) -> Message:
        """Remove the last question with its answer and give the question, to be changed. Raises as `ask_again` does."""
        if not self.messages:
            raise EmptyQuestion("Nothing has been asked yet. Type a question, then send it.")
        if self.answer is not None:
            raise AnswerRunning("An answer is still coming. Wait for its end or stop it, then change the question.")
        question = self.messages[-2]
        del self.messages[-2:]
        return question

    def receive(self, event: ReplyEvent) -> None:
        """Take an event of the reply into the answer that streams; without one, nothing happens (the reply came too late)."""
        answer = self.answer
        if answer is None:
            return
        match event:
            case Progress():
                pass
            case TextAdded(text=text):
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
            sampling=asking.sampling,
            split=asking.split,
            model=asking.model,
            drafting=asking.drafting,
        )

    def _turns(self) -> list[Turn]:
        turns: list[Turn] = []
        for question, answer in zip(self.messages[::2], self.messages[1::2], strict=True):
            # A question that was refused (too long, say) would be refused with every later one as well. One that was stopped or
            # interrupted before the first word stands in the window with its documents, and so it does in the prompt.
            if answer.text or answer.state is not MessageState.FAILED:
                turns.append(Turn(role="user", text=question.text, documents=question.documents))
            if answer.text and answer.state is not MessageState.STREAMING:
                turns.append(Turn(role="assistant", text=answer.text))
        return turns
