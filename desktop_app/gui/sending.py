"""What happens between Enter and the first row that leaves: names are looked for, the person may look at them, and only then.

Nothing is sent while that has not come to an end, or where it failed: then the person is asked. The engine replaces names by
itself too, whatever a window does; here is only where a person sees it and has a say.
"""

import logging

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import ReplyRequest
from desktop_app.chat.responder import ChatError, Responder
from desktop_app.chat.stored import Review
from desktop_app.gui.marking import consequence_sentence
from desktop_app.gui.name_parts import UsedNames
from desktop_app.gui.questions import accepted, agreed
from desktop_app.gui.reply_task import asking_of
from desktop_app.gui.review_sheet import ReviewSheet
from desktop_app.gui.theme import Theme
from desktop_app.settings.settings import SettingsStore

_LOG = logging.getLogger(__name__)


class Sending(QObject):
    """Decides with the person whether a question may leave. `told`: a sentence to show."""

    told = Signal(str)

    def __init__(self, responder: Responder, store: SettingsStore, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._responder = responder
        self._store = store
        self._theme = theme
        self._window = window
        self._looked_over: set[str] = set()  # questions that the person has confirmed on the sheet

    async def may_leave(self, conversation: Conversation) -> bool:
        """Whether the last question may be sent."""
        if not (conversation.protect or conversation.strict):
            return True
        request = conversation.request(asking_of(self._store.settings))
        review = await self._review(request)
        if review is not None and self._is_due(conversation, request, review):
            review = await self._look_over(request, review, UsedNames(conversation))
            if review is not None:
                self._looked_over.add(request.turns[-1].identity)
        return review is not None

    async def _review(self, request: ReplyRequest) -> Review | None:
        """What would be replaced; None where that cannot be known and the person will not wait for it."""
        while True:
            try:
                return await self._responder.review(request)
            except ChatError as error:
                sentence = str(error)
            except Exception as error:
                # The text of an unexpected error could hold what the person wrote: only its kind goes to the log.
                _LOG.error("Looking for names ended in an unexpected %s.", type(error).__name__)
                sentence = self.tr("Something went wrong inside Sotto while names were looked for.")
            question = (self.tr("Nothing was sent"), self.tr("The names in this question could not be looked for."))
            detail = sentence + "\n\n" + self.tr("Nothing has left this computer. Your question is kept.")
            if not await agreed(self._window, question, detail, (self.tr("Try again"), self.tr("Don't send"))):
                return None

    def _is_due(self, conversation: Conversation, request: ReplyRequest, review: Review) -> bool:
        """Whether the person is to see the sheet: it comes again until it was confirmed and something has left."""
        if request.split.only_here or self._store.settings.review == "never":
            return False
        if request.turns[-1].identity in self._looked_over:  # the very same question once more
            return False
        if self._store.settings.review == "always":
            return True
        return bool(review.found or review.unread) and not conversation.has_left(self._looked_over)

    async def _look_over(self, request: ReplyRequest, review: Review, used: UsedNames) -> Review | None:
        """Let the person change what is replaced; None where it is not to be sent."""
        strict = request.noise is not None and request.noise.strict_mu > 0
        sheet = ReviewSheet(review, request.turns, used, self._theme, self._window, strict=strict)
        if not await accepted(sheet):
            return None
        if not sheet.decisions:
            return review
        try:
            late = await self._responder.decide(request.conversation, request.incognito, sheet.decisions)
        except ChatError as error:
            self.told.emit(str(error))
            return None
        if late:
            now = (
                self.tr("From now on it leaves under strict noise.")
                if strict
                else self.tr("From now on it leaves as a stand-in.")
            )
            self.told.emit(f"{consequence_sentence(late)} {now}")
        return await self._review(request)
