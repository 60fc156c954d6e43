"""The conversations of a window: the one on screen, those whose answers still come, and those that are kept.

Leaving a conversation ends nothing: its answer goes on and is there on return. An incognito one is gone when it is left.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, Signal

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import DocumentText, Noise, Progress, ReplyEvent, ReplyFailed, ReplyFinished
from desktop_app.chat.message import Message
from desktop_app.chat.responder import ChatError, Responder
from desktop_app.gui.noise_words import noise_of
from desktop_app.gui.reply_task import Tasks, asking_of, follow_reply
from desktop_app.settings.settings import SettingsStore

_LOG = logging.getLogger(__name__)

Unsent = tuple[str, list[DocumentText]]
"""A question that has not been sent: its text and its documents."""


class Chats(QObject):
    """Asks the engine on behalf of conversations and hands its answers to them.

    `shown`: another conversation is on screen. `received`: an event has been taken into a conversation. `withdrawn`: its last
    question (text and documents) was not sent, or (None) not once more. `listed`: the kept conversations, the latest first.
    `told`: a sentence to show.
    """

    shown = Signal()
    received = Signal(object, object)
    withdrawn = Signal(object, object)
    listed = Signal(object)
    told = Signal(str)

    def __init__(
        self, responder: Responder, store: SettingsStore, tasks: Tasks, may_leave: Callable[[Conversation], Awaitable[bool]]
    ) -> None:
        super().__init__()
        self._responder = responder
        self._store = store
        self._tasks = tasks
        self._may_leave = may_leave
        self._running: dict[str, Conversation] = {}
        self._waiting: dict[str, asyncio.Future[bool]] = {}
        self._opening = ""
        self.keeping = True
        self.current = self._new(incognito=False)
        self._waiting_new: Conversation | None = None

    @property
    def running(self) -> set[str]:
        """The conversations whose answers still come."""
        return set(self._running)

    @property
    def would_be_lost(self) -> bool:
        """Whether leaving the present conversation loses words."""
        return self.current.incognito and self.current.begun

    # one conversation after another

    def begin(self, incognito: bool = False) -> None:
        """Show a new conversation, or the one that was left before it was begun; one that nothing is kept of is incognito."""
        self._opening = ""
        self._show(self._new(incognito) if incognito else self._next())

    def open(self, identity: str) -> None:
        """Show a conversation that is kept."""
        self._opening = identity
        if identity == self.current.identity:
            return
        if identity in self._running:
            self._show(self._running[identity])
        else:
            self._tasks.start(self._open(identity))

    def keep(self, keeping: bool) -> None:
        """Whether conversations can be kept from now on; where that changes, one that is not begun yet changes with it."""
        if keeping != self.keeping:
            for conversation in self._not_begun:
                conversation.incognito = not keeping
        self.keeping = keeping
        self.refresh()

    def rename(self, identity: str, title: str) -> None:
        """Give a conversation another title."""
        if identity == self.current.identity:
            self.current.name = title
        if not (identity == self.current.identity and self.current.incognito):
            self._tasks.start(self._then_refresh(self._responder.rename_conversation(identity, title)))

    def delete(self, identity: str) -> None:
        """Delete a conversation for good; its answer stops."""
        running = self._running.pop(identity, None)
        if (waiting := self._waiting.get(identity)) is not None:
            waiting.cancel()
        if identity == self.current.identity:
            self.current = self._next()
            self.shown.emit()
        self._tasks.start(self._then_refresh(self._delete(identity, running is not None)))

    def refresh(self) -> None:
        """Tell again what is kept."""
        self._tasks.start(self._list())

    # questions and answers

    def ask(self, text: str, documents: list[DocumentText]) -> tuple[Message, Message]:
        """Ask in the present conversation: the question, and the answer to come. Raises as `Conversation.ask` does."""
        asked = self.current.ask(text, documents)
        self._tasks.start(self._answer(self.current))
        return asked

    def ask_again(self) -> Message:
        """Have the last question answered once more. Raises as `Conversation.ask_again` does."""
        before = self.current.messages[-1:]
        answer = self.current.ask_again()
        self._tasks.start(self._answer(self.current, *before))
        return answer

    def stop(self) -> None:
        """Stop the answer that comes, or take the question back that has not been sent."""
        conversation = self.current
        if (waiting := self._waiting.get(conversation.identity)) is not None:
            waiting.cancel()
        elif conversation.answer is not None:
            self._tasks.start(self._responder.stop(conversation.identity))

    def protect(self, protect: bool) -> None:
        """Replace names in the present conversation from now on, or not: in a new branch of it, which is kept at once."""
        conversation = self.current
        if protect == conversation.protect:
            return
        conversation.branch_off()
        conversation.protect = protect
        if conversation.begun and not conversation.incognito:
            # The engine takes it before a question that is asked after it.
            branch = self._responder.keep_branch(conversation.identity, protect, conversation.branch, conversation.noise)
            self._tasks.start(self._tell_trouble(branch))

    def protect_new(self, protect: bool) -> None:
        """Replace names, or not, in every conversation that is not begun yet."""
        for conversation in self._not_begun:
            conversation.protect = protect

    def make_new_noisy(self, noise: Noise | None) -> None:
        """Send noisy codes, or exact rows, in every conversation that is not begun yet."""
        for conversation in self._not_begun:
            conversation.noise = noise

    @property
    def _not_begun(self) -> list[Conversation]:
        shown = [] if self.current.begun else [self.current]
        return shown if self._waiting_new is None else [*shown, self._waiting_new]

    def _new(self, incognito: bool) -> Conversation:
        settings = self._store.settings
        return Conversation(protect=settings.protect, incognito=incognito or not self.keeping, noise=noise_of(settings))

    def _next(self) -> Conversation:
        """The conversation that was left before it was begun, with all that was decided for it, or a new one."""
        waiting, self._waiting_new = self._waiting_new, None
        return waiting or self._new(incognito=False)

    def _show(self, conversation: Conversation) -> None:
        old = self.current
        if (waiting := self._waiting.get(old.identity)) is not None:
            # Nothing has left yet: the question waits in the composer for the return.
            waiting.cancel()
        if old.incognito and old is not conversation:
            self._tasks.start(self._leave(old))
        elif not old.begun:
            self._waiting_new = old
        self.current = conversation
        self.shown.emit()

    async def _leave(self, conversation: Conversation) -> None:
        if self._running.pop(conversation.identity, None) is not None:
            await self._responder.stop(conversation.identity)
        await self._responder.forget(conversation.identity)

    async def _open(self, identity: str) -> None:
        try:
            stored = await self._responder.open_conversation(identity)
        except ChatError as error:
            self.told.emit(str(error))
            return
        # Another one may have been asked for meanwhile.
        if self._opening == identity:
            self._show(Conversation.of(stored))

    async def _delete(self, identity: str, running: bool) -> None:
        if running:
            await self._responder.stop(identity)
        await self._responder.forget(identity)
        await self._responder.delete_conversation(identity)

    async def _then_refresh(self, work: Awaitable[None]) -> None:
        await self._tell_trouble(work)
        await self._list()

    async def _tell_trouble(self, work: Awaitable[None]) -> None:
        try:
            await work
        except ChatError as error:
            self.told.emit(str(error))

    async def _list(self) -> None:
        try:
            entries = await self._responder.conversations()
        except ChatError:
            # The page that unlocks the archive says why; here is nothing to list.
            entries = []
        titles = {entry.identity: entry.title for entry in entries}
        self.current.name = titles.get(self.current.identity, self.current.name)
        self.listed.emit(entries)

    async def _answer(self, conversation: Conversation, before: Message | None = None) -> None:
        """Have the last question answered; `before` is the answer that stands again if it may not leave once more."""
        if not await self._cleared(conversation):
            self._withdraw(conversation, before)
            return
        self._running[conversation.identity] = conversation
        await follow_reply(
            self._responder,
            conversation.request(asking_of(self._store.settings)),
            self._receiver(conversation),
            lost=self.tr("Something went wrong inside Sotto and the answer ended. Your text is kept; ask again."),
            cancelled=self.tr("The window was closed."),
        )

    def _withdraw(self, conversation: Conversation, before: Message | None) -> None:
        if before is not None:
            conversation.stay_with(before)
            self.withdrawn.emit(conversation, None)
        else:
            question = conversation.withdraw()
            self._set_aside(conversation)
            self.withdrawn.emit(conversation, (question.text, question.documents))

    def _set_aside(self, conversation: Conversation) -> None:
        """A conversation that was left and is not begun any more goes on as the new one: what was decided for it holds there."""
        if conversation is self.current or conversation.begun or conversation.incognito:
            return
        if self.current.begun or self.current.incognito:
            self._waiting_new = conversation
        else:
            self.current.identity, self.current.protect = conversation.identity, conversation.protect
            self.current.noise = conversation.noise

    async def _cleared(self, conversation: Conversation) -> bool:
        """Whether the question may leave; stopped meanwhile, or in doubt, it may not."""
        self.received.emit(conversation, Progress(stage="protect"))
        waiting = self._waiting[conversation.identity] = asyncio.ensure_future(self._may_leave(conversation))
        try:
            await asyncio.wait({waiting})
            if waiting.cancelled():
                return False
            if (error := waiting.exception()) is not None:
                _LOG.error("Before sending there was an unexpected %s.", type(error).__name__)
                self.told.emit(self.tr("Something went wrong inside Sotto, so nothing was sent. Send the question once more."))
                return False
            return waiting.result()
        finally:
            waiting.cancel()
            del self._waiting[conversation.identity]

    def _receiver(self, conversation: Conversation) -> Callable[[ReplyEvent], None]:
        heard = False

        def receive(event: ReplyEvent) -> None:
            nonlocal heard
            ended = isinstance(event, ReplyFinished | ReplyFailed)
            conversation.receive(event)
            if ended:
                self._running.pop(conversation.identity, None)
            self.received.emit(conversation, event)
            # With the first event the question is kept, with the last one the answer.
            if not conversation.incognito and (ended or not heard):
                self.refresh()
            heard = True

        return receive
