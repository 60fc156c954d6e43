"""The window: past chats, the one on screen, and the line that says who runs what. It knows the engine as a `Responder` only."""

from collections.abc import Callable
from itertools import pairwise

from msgspec.structs import replace
from PySide6.QtCore import QMargins, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import AgentState, ArchiveState, EngineNews, EngineState, ModelLoaded, Progress
from desktop_app.chat.responder import ArchiveUnavailable, Responder
from desktop_app.chat.stored import ConversationEntry
from desktop_app.gui.chat_actions import ChatActions
from desktop_app.gui.chat_page import ChatPage
from desktop_app.gui.chats import Chats
from desktop_app.gui.conversation_list import ConversationList
from desktop_app.gui.copying import CopyNotice
from desktop_app.gui.document_reading import DocumentReading
from desktop_app.gui.header import DropVeil, Header
from desktop_app.gui.links import ask_to_open
from desktop_app.gui.noise_actions import NoiseActions
from desktop_app.gui.noise_words import noise_of
from desktop_app.gui.questions import ask_first
from desktop_app.gui.reply_task import Tasks, asking_of
from desktop_app.gui.sending import Sending
from desktop_app.gui.settings_dialog import SettingsDialog
from desktop_app.gui.status_line import Banner, StatusLine
from desktop_app.gui.theme import Theme
from desktop_app.gui.unlock_page import UnlockPage
from desktop_app.settings.settings import Settings, SettingsError, SettingsStore

PATIENCE = 4000
"""Milliseconds that an archive which was open has to open again before its passphrase is asked for."""


class MainWindow(QMainWindow):
    """One chat on screen, many open. `closed` is emitted once, when the person has closed the window."""

    closed = Signal()

    def __init__(self, responder: Responder, store: SettingsStore, theme: Theme) -> None:
        super().__init__()
        self._responder = responder
        self._store = store
        self._theme = theme
        self._model: ModelLoaded | None = None
        self._agent: AgentState | None = None
        self._archive = ArchiveState("open")
        self._was_open = False
        self._engine_sentence = ""
        self._leaving = False
        self.tasks = Tasks()
        self.sending = Sending(responder, store, theme, self)
        self.chats = Chats(responder, store, self.tasks, self.sending.may_leave)
        self.header = Header(theme, self)
        self.banner = Banner(self)
        self.past = ConversationList(theme, self)
        self.page = ChatPage(self.chats, theme, self)
        self.messages, self.composer, self.privacy = self.page.messages, self.page.composer, self.page.privacy
        self.unlock_page = UnlockPage(self)
        self.status = StatusLine(self)
        self.actions_of_chat = ChatActions(responder, self.chats, self.tasks, theme, self)
        self.noise = NoiseActions(responder, store, self.chats, self.tasks, self.page)
        self.documents = DocumentReading(responder, self.tasks, self.composer.attachments, self)
        self._copy_notice = CopyNotice(self)
        self._veil = DropVeil(self)
        self._veil.dropped.connect(self.documents.read)
        self._lay_out()
        self._connect()
        self._add_keys()
        self._show_settings()
        self._show_chat()
        self.banner.show_sentence(store.warning)
        self.setWindowTitle("Sotto")
        self.resize(1160, 800)
        self.composer.edit.setFocus()

    @property
    def conversation(self) -> Conversation:
        """The conversation on screen."""
        return self.chats.current

    def _lay_out(self) -> None:
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.page)
        self._pages.addWidget(self.unlock_page)
        self._sides = QSplitter(Qt.Orientation.Horizontal, self)
        self._sides.addWidget(self.past)
        self._sides.addWidget(self._pages)
        self._sides.setStretchFactor(1, 1)
        self._sides.setCollapsible(1, False)
        self._sides.setHandleWidth(1)
        page = QWidget(self)
        page.setObjectName("page")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self.banner)
        layout.addWidget(self._sides, 1)
        layout.addWidget(self.status)
        self.setCentralWidget(page)
        order = (
            self.composer.send,
            self.page.protection.switch,
            self.page.protection.lists,
            self.page.noise.mode,
            self.page.noise.budget,
            self.header.side,
            self.header.new_chat,
            self.header.incognito,
            self.header.more,
            self.header.settings,
            self.past.view,
            self.messages,
        )
        for one, following in pairwise(order):
            self.setTabOrder(one, following)

    def _connect(self) -> None:
        self._responder.listen(self.hear)
        self.composer.attach_asked.connect(self.documents.choose)
        self.composer.files_given.connect(self.documents.read)
        self.messages.link_asked.connect(lambda target: ask_to_open(self, target))
        self.messages.document_asked.connect(self.actions_of_chat.show_document)
        self.composer.attachments.read_asked.connect(self.actions_of_chat.read)
        self.messages.report_asked.connect(self.actions_of_chat.show_sent)
        self.page.protection.lists_asked.connect(self.actions_of_chat.show_lists)
        self.page.asked.connect(lambda: self._tell(""))
        self.page.ended.connect(self._answer_ended)
        self.page.figures.connect(self.status.show_statistics)
        for teller in (self.sending, self.chats, self.actions_of_chat, self.noise):
            teller.told.connect(self._tell)
        self.chats.shown.connect(self._show_chat)
        self.chats.listed.connect(self._show_entries)
        self.past.opened.connect(self.open_chat)
        self.past.renamed.connect(self.chats.rename)
        self.past.deletion_asked.connect(self.actions_of_chat.ask_to_delete)
        self.actions_of_chat.rename_asked.connect(self._rename_current)
        self.header.side.clicked.connect(self._show_side)
        self.header.new_chat.clicked.connect(self.new_chat)
        self.header.incognito.clicked.connect(lambda: self.new_chat(incognito=True))
        self.header.more.setMenu(self.actions_of_chat.menu)
        self.header.settings.clicked.connect(self.open_settings)
        self.header.unlock.clicked.connect(self._show_unlock_page)
        self.unlock_page.unlock_asked.connect(lambda passphrase: self.tasks.start(self._unlock(passphrase)))
        self.unlock_page.declined.connect(lambda: self.tasks.start(self._responder.go_on_without_lists()))
        self.unlock_page.declined.connect(lambda: self._go_on(keeping=False))
        self._copy_notice.copied.connect(lambda: self.status.say(self.tr("Copied with the real names.")))

    def _add_keys(self) -> None:
        for keys, action in (
            (QKeySequence(QKeySequence.StandardKey.New), self.new_chat),
            (QKeySequence("Ctrl+Shift+N"), lambda: self.new_chat(incognito=True)),
            (QKeySequence("Ctrl+B"), lambda: self._show_side(self.past.isHidden())),
            (QKeySequence(QKeySequence.StandardKey.Open), self.documents.choose),
            (QKeySequence("Ctrl+,"), self.open_settings),
            (QKeySequence(Qt.Key.Key_Escape), self.chats.stop),
            (QKeySequence(QKeySequence.StandardKey.Quit), self.close),
        ):
            QShortcut(keys, self).activated.connect(action)

    # chats

    def ask(self) -> None:
        """Ask what stands in the composer."""
        self.page.ask()

    def new_chat(self, *, incognito: bool = False) -> None:
        """Begin a new chat; an incognito one that would be lost by it is asked about first."""
        if self._pages.currentWidget() is not self.page:
            return
        if not self.conversation.begun and self.conversation.incognito == (incognito or not self.chats.keeping):
            self.composer.edit.setFocus()
            return
        self._leave_chat(self.tr("Start new chat"), lambda: self.chats.begin(incognito))

    def open_chat(self, identity: str) -> None:
        """Show a chat that is kept."""
        if identity != self.conversation.identity:
            self._leave_chat(self.tr("Open the other chat"), lambda: self.chats.open(identity))

    def _leave_chat(self, accept: str, then: Callable[[], None]) -> None:
        """Leave the chat on screen, after a question where that loses it; `accept` is the word for yes."""
        if not self.chats.would_be_lost:
            then()
            return
        question = (self.tr("Incognito chat"), self.tr("Leave this chat?"))
        detail = self.tr("Nothing of it has been kept: it will be gone.")
        ask_first(self, question, detail, (accept, self.tr("Stay here")), then)

    def _rename_current(self) -> None:
        self._show_side(True)
        self.past.edit(self.conversation.identity)

    def _show_chat(self) -> None:
        self.header.show_keeping(
            self.conversation.incognito, self.chats.keeping, not self.chats.keeping and self._archive.state in ("new", "locked")
        )
        self._show_entries(self.past.model.entries)

    def _show_entries(self, entries: list[ConversationEntry]) -> None:
        self.past.show_entries(entries, self.chats.running, self.conversation.identity, self.chats.keeping)

    def _answer_ended(self, sentence: str) -> None:
        self._announce(sentence)
        if not self.isActiveWindow():
            # Tells by a sign alone: words of a chat have no place in a system's notifications.
            QApplication.alert(self)

    # the archive

    def _hear_archive(self, archive: ArchiveState) -> None:
        self._archive = archive
        self.unlock_page.show_state(archive)
        if archive.state == "open":
            self._was_open = True
            self._go_on(keeping=True)
        elif archive.state == "failed" and self.conversation.begun:
            self._tell(archive.sentence)
            self._go_on(keeping=False)
        elif self._was_open:
            # An engine that was started again opens the archive by itself in a moment; nobody is to be torn from the chat for it.
            QTimer.singleShot(PATIENCE, self, self._show_unlock_page)
        else:
            self._show_unlock_page()

    async def _unlock(self, passphrase: str) -> None:
        try:
            await self._responder.unlock(passphrase)
        except ArchiveUnavailable as error:
            self.unlock_page.show_complaint(str(error))

    def _show_unlock_page(self) -> None:
        if self._archive.state == "open":
            return
        self.unlock_page.show_state(self._archive)
        self._pages.setCurrentWidget(self.unlock_page)
        self.header.set_chatting(False)

    def _go_on(self, keeping: bool) -> None:
        self.chats.keep(keeping)
        self._show_chat()
        self.page.show_protection()
        if self._pages.currentWidget() is not self.page:
            self._pages.setCurrentWidget(self.page)
            self.header.set_chatting(True)
            self.composer.edit.setFocus()

    # settings and news

    def open_settings(self) -> None:
        """Show the settings; they hold from the next question on."""
        dialog = SettingsDialog(self._store.settings, self._model, self._theme, self)
        dialog.saved.connect(self._save)
        dialog.lists_asked.connect(lambda: self.actions_of_chat.show_lists(dialog))
        dialog.measure(self._responder, self.tasks)
        dialog.open()

    def _save(self, settings: Settings) -> None:
        before = self._store.settings
        self._keep_settings(settings)
        if settings.protect != before.protect:
            self.chats.protect_new(settings.protect)
        if noise_of(settings) != noise_of(before):
            self.chats.make_new_noisy(noise_of(settings))
        self._show_settings()
        asking = asking_of(settings)
        self.tasks.start(self._responder.prepare(asking.model, asking.split))

    def _keep_settings(self, settings: Settings) -> None:
        try:
            self._store.save(settings)
        except SettingsError as error:
            self._tell(str(error))

    def _show_settings(self) -> None:
        settings = self._store.settings
        self.status.set_only_here(settings.only_here)
        self.page.show_agent(self._agent, settings.only_here)
        self.past.setVisible(settings.side_list)
        self.header.side.setChecked(settings.side_list)
        self._sides.setSizes([settings.side_width, max(1, self.width() - settings.side_width)])

    def _show_side(self, shown: bool) -> None:
        if shown != self._store.settings.side_list:
            width = self.past.width() if self.past.isVisible() else self._store.settings.side_width
            self._keep_settings(replace(self._store.settings, side_list=shown, side_width=max(160, width)))
            self._show_settings()

    def hear(self, news: EngineNews) -> None:
        """Take news of the engine."""
        match news:
            case ModelLoaded():
                self._model = news
                self.header.show_model(news)
                self.status.show_progress(None)
                if self.banner.sentence.text() == self._engine_sentence:
                    self._tell("")
            case AgentState():
                self._agent = news
                self.status.show_agent(news)
                if news.connected:
                    self.status.show_progress(None)
                self._show_settings()
            case EngineState():
                # Also an engine that is started again says that it runs: what was said before has yet to be read.
                if news.sentence:
                    self._tell(news.sentence)
                    self._engine_sentence = news.sentence
                    self.status.show_progress(None)
                if not news.running:
                    self.hear(AgentState(connected=False, embedded=True))
            case ArchiveState():
                self._hear_archive(news)
            case Progress(stage="protect"):
                self.page.show_progress(news)
            case Progress():
                self.status.show_progress(news)

    def _tell(self, sentence: str) -> None:
        self.banner.show_sentence(sentence)
        if sentence:
            self._announce(sentence)

    def _announce(self, sentence: str) -> None:
        """Tell a screen reader, which does not see that the text has stopped growing."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    # Qt

    def closeEvent(self, event: QCloseEvent) -> None:
        """Gone from the screen at once, after a question where a chat would be lost; who waits for `closed` ends what runs."""
        if self.chats.would_be_lost and not self._leaving:
            event.ignore()
            question = (self.tr("Close Sotto"), self.tr("Close Sotto?"))
            detail = self.tr("Nothing of this chat has been kept: it will be gone.")
            ask_first(self, question, detail, (self.tr("Close"), self.tr("Stay here")), self.leave)
            return
        if self.past.isVisible() and self.past.width() != self._store.settings.side_width:
            self._keep_settings(replace(self._store.settings, side_width=self.past.width()))
        event.accept()
        self.closed.emit()

    def leave(self) -> None:
        """Close without asking."""
        self._leaving = True
        self.close()
