"""What can be done about noise in the chat on screen: choose it, give it up, raise its budget, begin elsewhere.

A chat has one mode for life. Exact rows after noise give away all that the noise hid, so that is asked about first; noise after
exact rows protects nothing, so it begins in a new chat, and the question comes along.
"""

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import DocumentText, Noise, ReplyEvent, ReplyFailed, ReplyFinished
from desktop_app.chat.message import Message
from desktop_app.chat.responder import ChatError, Responder
from desktop_app.chat.stored import NoiseSpent
from desktop_app.gui.chat_page import ChatPage
from desktop_app.gui.chats import Chats
from desktop_app.gui.noise_dialogs import BudgetDialog, NoiseDialog
from desktop_app.gui.noise_words import noise_of
from desktop_app.gui.questions import ask_first
from desktop_app.gui.reply_task import Tasks
from desktop_app.settings.settings import Settings, SettingsStore


class NoiseActions(QObject):
    """Belongs to the page of the chats. `told`: a sentence to show."""

    told = Signal(str)

    def __init__(self, responder: Responder, store: SettingsStore, chats: Chats, tasks: Tasks, page: ChatPage) -> None:
        super().__init__(page)
        self._responder = responder
        self._store = store
        self._chats = chats
        self._tasks = tasks
        self._page = page
        page.noise.mode_asked.connect(self.choose)
        page.noise.budget_asked.connect(self.raise_budget)
        page.messages.budget_asked.connect(lambda: self.raise_budget(ask_again=True))
        page.messages.elsewhere_asked.connect(self.begin_elsewhere)
        chats.shown.connect(self.look_up)
        chats.received.connect(self._hear)

    def look_up(self) -> None:
        """Find out what the chat on screen has spent."""
        if self._chats.current.noise is not None and self._chats.current.begun:
            self._tasks.start(self._show_spent(self._chats.current))

    def choose(self) -> None:
        """The mode of the chat on screen: chosen while it is open, else left, as far as it can be."""
        conversation = self._chats.current
        if conversation.answer is not None:
            return
        if conversation.begun and conversation.noise is not None:
            self._ask_to_give_up()
        elif conversation.has_sent_exact or (conversation.begun and conversation.told_exact):
            self._ask_to_begin_with_noise()
        else:
            self._open_choice(conversation.noise)

    def raise_budget(self, *, ask_again: bool = False) -> None:
        """Another budget for the chat on screen, after which its last question may be asked once more."""
        self._tasks.start(self._raise_budget(self._chats.current, ask_again))

    def begin_elsewhere(self) -> None:
        """A new chat with the noise of this one, in which its question waits to be sent."""
        noise = self._chats.current.noise
        self._leave_with_question(lambda: self._use(noise))

    # one mode for life

    def _ask_to_give_up(self) -> None:
        ask_first(
            self._page,
            (self.tr("Give up the noise"), self.tr("Send exact numbers in this chat from now on?")),
            self.tr(
                "That gives away everything that noise has hidden in this chat, for ever: its history is sent again as exact "
                "numbers, and its epsilon becomes infinite. To ask something without noise, begin a new chat instead."
            ),
            (self.tr("Send exact numbers"), self.tr("Keep the noise")),
            self._give_up,
        )

    def _give_up(self) -> None:
        if self._chats.current.answer is None:
            self._chats.current.give_up_noise()
            self._page.show_protection()

    def _ask_to_begin_with_noise(self) -> None:
        detail = self.tr(
            "This chat has sent exact numbers, from which its words can be worked out; no noise protects it any more. Your "
            "question comes along into the new chat, the history does not."
        )
        ask_first(
            self._page,
            (self.tr("Noise"), self.tr("Begin a new chat with noise?")),
            detail,
            (self.tr("New chat with my question"), self.tr("Stay here")),
            lambda: self._leave_with_question(lambda: self._open_choice(noise_of(_noisy(self._store.settings)))),
            yes_protects=True,
        )

    def _leave_with_question(self, then: Callable[[], None]) -> None:
        """Go to a new chat with what stands in the composer, or with the last question."""
        conversation = self._chats.current

        def go() -> None:
            text, documents = self._question_of(conversation)
            self._chats.begin(conversation.incognito)
            self._page.composer.put(text, documents)
            then()

        if not self._chats.would_be_lost:
            go()
            return
        ask_first(
            self._page,
            (self.tr("Incognito chat"), self.tr("Leave this chat?")),
            self.tr("Nothing of it has been kept: it will be gone."),
            (self.tr("Start new chat"), self.tr("Stay here")),
            go,
        )

    def _question_of(self, conversation: Conversation) -> tuple[str, list[DocumentText]]:
        text, documents = self._page.composer.take()
        asked: Message | None = next((it for it in reversed(conversation.messages) if it.role == "user"), None)
        if text or documents or asked is None:
            return text, documents
        return asked.text, list(asked.documents)

    def _open_choice(self, noise: Noise | None) -> None:
        dialog = NoiseDialog(noise, self._store.settings, parent=self._page.window())
        dialog.accepted.connect(lambda: self._use(dialog.noise))
        dialog.measure(self._responder, self._tasks)
        dialog.open()

    def _use(self, noise: Noise | None) -> None:
        conversation = self._chats.current
        if conversation.answer is None and not (conversation.begun and (conversation.noise or conversation.has_sent_exact)):
            conversation.noise = noise
            self._page.show_protection()

    # what was spent

    def _hear(self, conversation: Conversation, event: ReplyEvent) -> None:
        if conversation is self._chats.current and isinstance(event, ReplyFinished | ReplyFailed):
            self.look_up()

    async def _show_spent(self, conversation: Conversation) -> None:
        await self._look_up(conversation)

    async def _look_up(self, conversation: Conversation) -> NoiseSpent | None:
        try:
            spent = await self._responder.noise_spent(conversation.identity)
        except ChatError as error:
            self.told.emit(str(error))
            return None
        self._page.show_spent(conversation, spent)
        return spent

    async def _raise_budget(self, conversation: Conversation, ask_again: bool) -> None:
        spent = await self._look_up(conversation)
        if spent is None or conversation.noise is None or conversation is not self._chats.current:
            return
        accept = self.tr("Raise, and ask again") if ask_again else self.tr("Raise")
        needed = conversation.messages[-1].needed if conversation.messages else 0.0
        dialog = BudgetDialog(conversation.noise, spent, (accept, needed), self._page.window())
        dialog.accepted.connect(
            lambda: self._tasks.start(self._set_budget(conversation, (dialog.epsilon, dialog.delta), ask_again))
        )
        dialog.open()

    async def _set_budget(self, conversation: Conversation, budget: tuple[float, float], ask_again: bool) -> None:
        try:
            await self._responder.set_noise_budget(conversation.identity, *budget)
        except ChatError as error:
            self.told.emit(str(error))
            return
        conversation.set_budget(*budget)
        await self._look_up(conversation)
        if ask_again and conversation is self._chats.current:
            self._page.ask_again()


def _noisy(settings: Settings) -> Settings:
    """The settings with noise: as they say, or with the choice that is worth most where they have none."""
    return settings if settings.noise != "off" else replace(settings, noise="words")
