"""The conversation on screen: its messages, the composer below them, and what is said of how it is protected."""

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import (
    AgentState,
    Progress,
    QuestionProtected,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    StatisticsChanged,
    TextAdded,
)
from desktop_app.chat.message import Message
from desktop_app.chat.stored import NoiseSpent
from desktop_app.gui.answer_view import AnswerView
from desktop_app.gui.chats import Chats, Unsent
from desktop_app.gui.composer import Composer
from desktop_app.gui.figures import privacy_sentence
from desktop_app.gui.message_list import MessageList
from desktop_app.gui.noise_bar import NoiseBar
from desktop_app.gui.protection_bar import ProtectionBar
from desktop_app.gui.question_view import QuestionView
from desktop_app.gui.questions import ask_first
from desktop_app.gui.theme import COLUMN_WIDTH, Theme, scale_font


class ChatPage(QWidget):
    """`asked`: a question or an answer is being asked for. `ended`: an answer has ended, with what is to be announced.

    `figures`: the statistics of the answer on screen.
    """

    asked = Signal()
    ended = Signal(str)
    figures = Signal(object)

    def __init__(self, chats: Chats, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chats = chats
        self._agent: AgentState | None = None
        self._only_here = False
        self._unsent: dict[str, Unsent] = {}
        self._composing_for: Conversation = chats.current
        self.messages = MessageList(theme, self)
        self.composer = Composer(theme, self)
        self.protection = ProtectionBar(theme, self)
        self.noise = NoiseBar(self)
        self._spent: tuple[str, NoiseSpent | None] = ("", None)
        self.privacy = QLabel(self)
        self._lay_out()
        self.composer.send_asked.connect(self.ask)
        self.composer.stop_asked.connect(chats.stop)
        self.messages.again_asked.connect(self.ask_again)
        self.messages.edit_asked.connect(self.change_question)
        self.protection.switched.connect(self._switch)
        chats.shown.connect(self._show_current)
        chats.received.connect(self._receive)
        chats.withdrawn.connect(self._take_back)

    def _lay_out(self) -> None:
        self.privacy.setObjectName("privacy")
        self.privacy.setWordWrap(True)
        self.privacy.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        scale_font(self.privacy, 0.84)
        column = QWidget(self)
        column.setMaximumWidth(COLUMN_WIDTH)
        inside = QVBoxLayout(column)
        inside.setContentsMargins(QMargins(0, 4, 0, 12))
        inside.setSpacing(8)
        inside.addWidget(self.composer)
        inside.addWidget(self.protection)
        inside.addWidget(self.noise)
        inside.addWidget(self.privacy)
        row = QHBoxLayout()
        row.setContentsMargins(QMargins(28, 0, 28, 0))
        row.addStretch()
        row.addWidget(column, 100)
        row.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(0)
        layout.addWidget(self.messages, 1)
        layout.addLayout(row)

    # questions and answers

    def ask(self) -> None:
        """Ask what stands in the composer."""
        if self.composer.ready:
            question, answer = self._chats.ask(*self.composer.take())
            self.messages.add(question)
            self._await(answer)

    def ask_again(self) -> None:
        """Have the last question answered once more."""
        if self._may_go_back:
            self.messages.remove_last()
            self._await(self._chats.ask_again())

    def change_question(self) -> None:
        """Put the last question back into the composer."""
        if self._may_go_back:
            question = self._chats.current.take_back()
            self.messages.remove_last(2)
            self.composer.put(question.text, question.documents)
            self.show_protection()

    def show_progress(self, progress: Progress) -> None:
        """Say how far looking for names has come."""
        if self._chats.current.answer is not None:
            self._receive(self._chats.current, progress)

    @property
    def _may_go_back(self) -> bool:
        return self._chats.current.answer is None and bool(self._chats.current.messages)

    def _await(self, answer: Message) -> None:
        self.messages.add(answer)
        self.messages.follow()
        self.composer.set_answering(True)
        self.show_protection()
        self.asked.emit()

    def _receive(self, conversation: Conversation, event: ReplyEvent) -> None:
        views = self.messages.views if conversation is self._chats.current else []
        if not views or not isinstance(views[-1], AnswerView):
            return
        match event:
            case Progress():
                views[-1].show_progress(event)
            case QuestionProtected():
                for view in views[-2:-1]:
                    if isinstance(view, QuestionView):
                        view.show_marks()
            case TextAdded():
                views[-1].update_text()
            case StatisticsChanged(statistics=statistics):
                self.figures.emit(statistics)
            case ReplyFinished(statistics=statistics) | ReplyFailed(statistics=statistics):
                self.figures.emit(statistics)
                views[-1].finish()
                self.composer.set_answering(False)
                self.show_protection()
                self.ended.emit(event.sentence if isinstance(event, ReplyFailed) else self.tr("The answer is complete."))

    # one conversation after another

    def _show_current(self) -> None:
        self._put_away()
        conversation = self._composing_for = self._chats.current
        self.messages.load(conversation.messages)
        self.composer.set_answering(conversation.answer is not None)
        if (unsent := self._unsent.pop(_place(conversation), None)) is not None:
            self.composer.put(*unsent)
        self.show_protection()
        self.composer.edit.setFocus()

    def _put_away(self) -> None:
        """Keep what is being written for the return to its conversation; of an incognito one nothing stays."""
        text, documents = self.composer.take()
        self.composer.attachments.clear()
        self._keep(self._composing_for, (text, documents))

    def _take_back(self, conversation: Conversation, unsent: Unsent | None) -> None:
        """A question was not sent: it is in the composer again, now or on the return to its conversation.

        None: it was not sent once more, and the answer before stands again.
        """
        if conversation is not self._chats.current:
            if unsent is not None:
                self._keep(conversation, unsent)
            self.show_protection()
            return
        self.composer.set_answering(False)
        if unsent is None:
            self.messages.remove_last()
            self.messages.add(conversation.messages[-1])
        else:
            self.messages.remove_last(2)
            self.composer.put(*unsent)
        self.show_protection()

    def _keep(self, conversation: Conversation, unsent: Unsent) -> None:
        if any(unsent) and not conversation.incognito:
            text, documents = self._unsent.get(_place(conversation), ("", []))
            self._unsent[_place(conversation)] = ("\n".join(filter(None, (unsent[0], text))), unsent[1] + documents)

    # protection

    def show_agent(self, agent: AgentState | None, only_here: bool) -> None:
        """Who runs the middle layers, on which depends what protects."""
        self._agent, self._only_here = agent, only_here
        self.show_protection()

    def show_protection(self) -> None:
        """What is said below the composer, and in an empty conversation, is true of the conversation on screen."""
        conversation = self._chats.current
        self.messages.welcome.show_for(conversation.incognito)
        self.protection.show_protect(conversation.protect, strict=conversation.strict)
        self.protection.switch.setEnabled(conversation.answer is None and not conversation.strict)
        self.privacy.setText(
            privacy_sentence(self._agent, self._only_here, conversation.protect, conversation.incognito, conversation.noise)
        )
        self._show_noise(conversation)

    def show_spent(self, conversation: Conversation, spent: NoiseSpent | None) -> None:
        """What a conversation has spent of the budget of its noise."""
        self._spent = (conversation.identity, spent)
        if conversation is self._chats.current:
            self._show_noise(conversation)

    def _show_noise(self, conversation: Conversation) -> None:
        self.noise.mode.setEnabled(conversation.answer is None)
        self.noise.budget.setEnabled(conversation.answer is None)
        if conversation.noise is None:
            begun = conversation.has_sent_exact or conversation.told_exact
            self.noise.show_exact(begun=begun, only_here=self._only_here)
        else:
            spent = self._spent[1] if self._spent[0] == conversation.identity else None
            self.noise.show_noise(conversation.noise, spent, begun=conversation.begun, only_here=self._only_here)

    def _switch(self, wanted: bool) -> None:
        conversation = self._chats.current
        if conversation.answer is not None:
            return
        if not conversation.begun:
            self._protect(wanted)
        elif wanted:
            ask_first(
                self,
                (self.tr("Replace names and numbers"), self.tr("Replace names and numbers from the next question on?")),
                self.tr(
                    "The chat goes on in a new branch, whose history is sent again with stand-ins. What has already left as it "
                    "was written cannot be called back, and whoever got both can link them."
                ),
                (self.tr("Replace them"), self.tr("Leave it off")),
                lambda: self._protect(True),
                yes_protects=True,
            )
        else:
            ask_first(
                self,
                (self.tr("Stop replacing"), self.tr("Let names and numbers leave as they are written?")),
                self.tr(
                    "From the next question on, everything in this chat leaves as it is written. The chat goes on in a new "
                    "branch, whose history is sent again with the real names: whoever got the stand-ins before can then link "
                    "them to the real names."
                ),
                (self.tr("Stop replacing"), self.tr("Keep replacing")),
                lambda: self._protect(False),
            )

    def _protect(self, protect: bool) -> None:
        if self._chats.current.answer is None:
            self._chats.protect(protect)
            self.messages.load(self._chats.current.messages)
            self.show_protection()


def _place(conversation: Conversation) -> str:
    """Under what name an unsent question waits: all conversations that are not begun are the new one."""
    return conversation.identity if conversation.begun else ""
