"""The window: the conversation, the composer, and the line that says who runs what. It knows the engine as a `Responder` only."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMargins, Qt, QUrl, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QMainWindow, QVBoxLayout, QWidget

from desktop_app.chat.conversation import Conversation, Message
from desktop_app.chat.events import (
    AgentState,
    EngineNews,
    EngineState,
    ModelLoaded,
    Progress,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    StatisticsChanged,
    TextAdded,
)
from desktop_app.chat.responder import DocumentRefused, Responder
from desktop_app.gui.attachments import Chip
from desktop_app.gui.composer import Composer, local_files
from desktop_app.gui.figures import privacy_sentence
from desktop_app.gui.header import DropVeil, Header
from desktop_app.gui.markdown_document import openable
from desktop_app.gui.message_list import MessageList
from desktop_app.gui.message_views import AnswerView
from desktop_app.gui.questions import ask_first
from desktop_app.gui.reply_task import Tasks, asking_of, follow_reply
from desktop_app.gui.settings_dialog import SettingsDialog
from desktop_app.gui.status_line import Banner, StatusLine
from desktop_app.gui.theme import COLUMN_WIDTH, Theme, scale_font
from desktop_app.settings.settings import Settings, SettingsError, SettingsStore


class MainWindow(QMainWindow):
    """One conversation at a time. `closed` is emitted once, when the person has closed the window."""

    closed = Signal()

    def __init__(self, responder: Responder, store: SettingsStore, theme: Theme) -> None:
        super().__init__()
        self._responder = responder
        self._store = store
        self._theme = theme
        self._model: ModelLoaded | None = None
        self._agent: AgentState | None = None
        self._engine_sentence = ""
        self._leaving = False
        self.conversation = Conversation()
        self.tasks = Tasks()
        self.setWindowTitle("Sotto")
        self.setAcceptDrops(True)
        self.messages = MessageList(theme, self)
        self.composer = Composer(theme, self)
        self.status = StatusLine(self)
        self.banner = Banner(self)
        self.privacy = QLabel(self)
        self.header = Header(theme, self)
        self._veil = DropVeil(self)
        self._lay_out()
        self._connect()
        self._show_settings()
        self.banner.show_sentence(store.warning)
        self.resize(1040, 780)
        self.composer.edit.setFocus()

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
        inside.addWidget(self.privacy)
        row = QHBoxLayout()
        row.setContentsMargins(QMargins(28, 0, 28, 0))
        row.addStretch()
        row.addWidget(column, 100)
        row.addStretch()
        page = QWidget(self)
        page.setObjectName("page")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.banner)
        layout.addWidget(self.messages, 1)
        layout.addLayout(row)
        layout.addWidget(self.status)
        self.setCentralWidget(page)
        self.setTabOrder(self.composer.send, self.header.new_chat)
        self.setTabOrder(self.header.new_chat, self.header.settings)
        self.setTabOrder(self.header.settings, self.messages)

    def _connect(self) -> None:
        self._responder.listen(self.hear)
        self.composer.send_asked.connect(self.ask)
        self.composer.stop_asked.connect(self.stop)
        self.composer.attach_asked.connect(self.attach)
        self.composer.files_given.connect(self.read_documents)
        self.messages.link_asked.connect(self.ask_to_open)
        self.messages.again_asked.connect(self.ask_again)
        self.messages.edit_asked.connect(self.change_question)
        self.header.new_chat.clicked.connect(self.new_chat)
        self.header.settings.clicked.connect(self.open_settings)
        for keys, action in (
            (QKeySequence.StandardKey.New, self.new_chat),
            (QKeySequence.StandardKey.Open, self.attach),
            (QKeySequence("Ctrl+,"), self.open_settings),
            (QKeySequence(Qt.Key.Key_Escape), self.stop),
            (QKeySequence.StandardKey.Quit, self.close),
        ):
            QShortcut(keys, self).activated.connect(action)

    # questions and answers

    def ask(self) -> None:
        """Ask what stands in the composer."""
        if not self.composer.ready:
            return
        text, documents = self.composer.take()
        question, answer = self.conversation.ask(text, documents)
        self.messages.add(question)
        self._answer(answer)

    def ask_again(self) -> None:
        """Have the last question answered once more."""
        if self.conversation.answer is None and self.conversation.messages:
            self.messages.remove_last()
            self._answer(self.conversation.ask_again())

    def change_question(self) -> None:
        """Put the last question back into the composer."""
        if self.conversation.answer is None and self.conversation.messages:
            question = self.conversation.take_back()
            self.messages.remove_last(2)
            self.composer.put(question.text, question.documents)

    def stop(self) -> None:
        """Stop the answer that comes."""
        if self.conversation.answer is not None:
            self.tasks.start(self._responder.stop(self.conversation.identity))

    def new_chat(self) -> None:
        """Begin a new conversation; asks first, because the old one is not kept anywhere yet."""
        if not self.conversation.messages:
            self.composer.edit.setFocus()
            return
        self._give_up((self.tr("New chat"), self.tr("Start a new chat?")), self.tr("Start new chat"), self._start_over)

    def _give_up(self, question: tuple[str, str], accept: str, then: Callable[[], None]) -> None:
        """Ask whether the present chat may go: title and text, the word for yes, and what yes does."""
        detail = self.tr("This version does not keep chats: the present one will be gone.")
        ask_first(self, question, detail, (accept, self.tr("Stay here")), then)

    def _start_over(self) -> None:
        old = self.conversation
        self.conversation = Conversation()
        self.messages.clear()
        self.composer.attachments.clear()
        self.composer.set_answering(False)
        self.composer.edit.setFocus()
        self.tasks.start(self._leave(old))

    async def _leave(self, conversation: Conversation) -> None:
        if conversation.answer is not None:
            await self._responder.stop(conversation.identity)
        await self._responder.forget(conversation.identity)

    def _answer(self, answer: Message) -> None:
        view = self.messages.add(answer)
        assert isinstance(view, AnswerView)
        self.messages.follow()
        self.composer.set_answering(True)
        self._show_banner("")
        conversation = self.conversation
        self.tasks.start(
            follow_reply(
                self._responder,
                conversation.request(asking_of(self._store.settings)),
                lambda event: self._receive(conversation, view, event),
                lost=self.tr("Something went wrong inside Sotto and the answer ended. Your text is kept; ask again."),
                cancelled=self.tr("The window was closed."),
            )
        )

    def _receive(self, conversation: Conversation, view: AnswerView, event: ReplyEvent) -> None:
        conversation.receive(event)
        if conversation is not self.conversation:
            return
        match event:
            case Progress():
                view.show_progress(event)
            case TextAdded():
                view.update_text()
            case StatisticsChanged(statistics=statistics):
                self.status.show_statistics(statistics)
            case ReplyFinished(statistics=statistics) | ReplyFailed(statistics=statistics):
                self.status.show_statistics(statistics)
                view.finish()
                self.composer.set_answering(False)
                self._announce(event.sentence if isinstance(event, ReplyFailed) else self.tr("The answer is complete."))

    def _announce(self, sentence: str) -> None:
        """Tell a screen reader, which does not see that the text has stopped growing."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    # documents

    def attach(self) -> None:
        """Let the person choose documents."""
        dialog = QFileDialog(self, self.tr("Attach documents"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([self.tr("Documents (*.txt *.md *.pdf *.docx)"), self.tr("All files (*)")])
        dialog.filesSelected.connect(lambda names: self.read_documents([Path(name) for name in names]))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def read_documents(self, paths: list[Path]) -> None:
        """Read documents, each at its own pace; those that fail say so on their chip."""
        for path in paths:
            self.tasks.start(self._read(path, self.composer.attachments.add(path)))
        self.composer.edit.setFocus()

    async def _read(self, path: Path, chip: Chip) -> None:
        try:
            document = await self._responder.read_document(path)
        except DocumentRefused as error:
            self.composer.attachments.failed(chip, str(error))
        except asyncio.CancelledError:
            raise
        except Exception:
            self.composer.attachments.failed(chip, self.tr("This document could not be read. Remove it, or try it again."))
        else:
            self.composer.attachments.ready(chip, document)

    # settings and news

    def open_settings(self) -> None:
        """Show the settings; they hold from the next question on."""
        dialog = SettingsDialog(self._store.settings, self._model, self._theme, self)
        dialog.saved.connect(self._save)
        dialog.open()

    def _save(self, settings: Settings) -> None:
        try:
            self._store.save(settings)
        except SettingsError as error:
            self._show_banner(str(error))
        self._show_settings()
        asking = asking_of(settings)
        self.tasks.start(self._responder.prepare(asking.model, asking.split))

    def _show_settings(self) -> None:
        only_here = self._store.settings.only_here
        self.status.set_only_here(only_here)
        self.privacy.setText(privacy_sentence(self._agent, only_here))

    def hear(self, news: EngineNews) -> None:
        """Take news of the engine."""
        match news:
            case ModelLoaded():
                self._model = news
                self.header.show_model(news)
                self.status.show_progress(None)
                if self.banner.sentence.text() == self._engine_sentence:
                    self._show_banner("")
            case AgentState():
                self._agent = news
                self.status.show_agent(news)
                if news.connected:
                    self.status.show_progress(None)
                self._show_settings()
            case EngineState():
                # Also an engine that is started again says that it runs: what was said before has yet to be read.
                if news.sentence:
                    self._show_banner(news.sentence)
                    self._engine_sentence = news.sentence
                    self.status.show_progress(None)
                if not news.running:
                    self.hear(AgentState(connected=False, embedded=True))
            case Progress():
                self.status.show_progress(news)

    def _show_banner(self, sentence: str) -> None:
        self.banner.show_sentence(sentence)
        if sentence:
            self._announce(sentence)

    # links

    def ask_to_open(self, target: str) -> None:
        """Show where a link leads and open it only when the person says so."""
        if not openable(target):
            return
        question = (self.tr("Open link"), self.tr("Open this link in your browser?"))
        answers = (self.tr("Open"), self.tr("Cancel"))
        ask_first(self, question, target, answers, lambda: QDesktopServices.openUrl(QUrl(target)))

    # Qt

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere."""
        if local_files(event.mimeData()):
            event.acceptProposedAction()
            self._veil.cover(self)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They went away again."""
        self._veil.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Read what was dropped."""
        self._veil.hide()
        if files := local_files(event.mimeData()):
            event.acceptProposedAction()
            self.read_documents(files)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Gone from the screen at once, after a question where a chat would be lost; who waits for `closed` ends what runs."""
        if self.conversation.messages and not self._leaving:
            event.ignore()
            self._give_up((self.tr("Close Sotto"), self.tr("Close Sotto?")), self.tr("Close"), self.leave)
            return
        event.accept()
        self.closed.emit()

    def leave(self) -> None:
        """Close without asking."""
        self._leaving = True
        self.close()
