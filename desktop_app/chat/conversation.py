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

from msgspec.structs import replace

from desktop_app.chat.events import (
    OFF,
    DocumentText,
    Noise,
    Progress,
    QuestionProtected,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Sampling,
    Shape,
    Split,
    StatisticsChanged,
    TextAdded,
    Turn,
)
from desktop_app.chat.message import Message, MessageState, may_have_left, message_of, new_identity, stored, turn_of
from desktop_app.chat.responder import ChatError
from desktop_app.chat.stored import StoredConversation, StoredMessage


class EmptyQuestion(ChatError):
    """There is nothing to ask."""


class AnswerRunning(ChatError):
    """The answer before has not ended yet."""


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
    `incognito`: nothing of it is kept. `noise` holds for life once something has left; None: exact split. `told_exact`: the
    person has given it up, and knows what that means.
    """

    def __init__(self, *, protect: bool = True, incognito: bool = False, noise: Noise | None = None) -> None:
        self.identity = new_identity()
        self.protect = protect
        self.incognito = incognito
        self.noise = noise
        self.told_exact = False
        self.name = ""
        self.messages: list[Message] = []
        self.tree: dict[str, Message] = {}

    @classmethod
    def of(cls, stored: StoredConversation) -> "Conversation":
        """A conversation that was kept, on the branch that was seen last."""
        entry = stored.entry
        conversation = cls(protect=entry.protect, noise=entry.noise)
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
        answers = [message for message in self.tree.values() if message.role == "assistant" and may_have_left(message)]
        questions = [self.tree[answer.parent] for answer in answers if answer.parent in self.tree]
        return any(it.marks or any(it.document_marks) or it.identity in looked_over for it in questions)

    @property
    def strict(self) -> bool:
        """Whether names and numbers leave under a noise of their own, and so not as stand-ins."""
        return self.noise is not None and self.noise.strict_mu > 0

    @property
    def has_sent_exact(self) -> bool:
        """Whether exact rows may have left, in any of its branches: no noise protects anything in it then."""
        answers = (message for message in self.tree.values() if message.role == "assistant" and may_have_left(message))
        return any(answer.statistics.mode == "exact" for answer in answers)

    def give_up_noise(self) -> None:
        """Send exact rows from the next question on; the person was told that this gives everything away."""
        self.told_exact, self.noise = True, None

    def set_budget(self, epsilon: float, delta: float) -> None:
        """Its noise may spend so much from now on; nothing happens where it has none."""
        if self.noise is not None:
            self.noise = replace(self.noise, epsilon=epsilon, delta=delta)

    @property
    def branch(self) -> list[StoredMessage]:
        """The branch that is seen, as it is kept: with how each of its answers ended."""
        return [stored(message) for message in self.messages if message.identity in self.tree]

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
            case ReplyFailed(sentence=sentence, statistics=statistics, kind=kind, needed=needed):
                answer.statistics = statistics
                answer.sentence, answer.over_budget, answer.needed = sentence, kind == "budget", needed
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
            noise=self.noise,
            told_exact=self.told_exact,
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
                turns.append(turn_of(question))
            if answer.text and answer.state is not MessageState.STREAMING:
                turns.append(turn_of(answer))
        return turns


def _tree(kept: Iterable[StoredMessage]) -> dict[str, Message]:
    """Messages by identity, oldest first; one whose parent was not kept (a refused question, say) follows the one kept before."""
    tree: dict[str, Message] = {}
    for message in map(message_of, (one for one in kept if one.role != "system")):
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
