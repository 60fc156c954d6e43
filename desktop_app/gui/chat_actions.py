"""What can be done with a chat besides asking: rename, delete, save and print it, see what left, mark words, read a document."""

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import DocumentText, Mark
from desktop_app.chat.message import Message
from desktop_app.chat.responder import ChatError, Responder
from desktop_app.chat.stored import Decision, NameList, SentRecord
from desktop_app.gui.chats import Chats
from desktop_app.gui.document_view import DocumentView
from desktop_app.gui.kinds import kind_name
from desktop_app.gui.lists_dialog import ListsDialog
from desktop_app.gui.marking import MarkingActions, consequence_sentence, done_sentence
from desktop_app.gui.marking_dialog import MarkingDialog
from desktop_app.gui.name_parts import UsedNames
from desktop_app.gui.questions import ask_first
from desktop_app.gui.reply_task import Tasks
from desktop_app.gui.saving import print_document, save_text
from desktop_app.gui.sent_dialog import SentDialog
from desktop_app.gui.theme import Theme
from desktop_app.gui.transcript import transcript, transcript_document


class ChatActions(QObject):
    """The menu of the chat on screen and the dialogs behind it. `told`: a sentence to show. `rename_asked`: by the list.

    `marked`: what holds from now on for words that were marked.
    """

    told = Signal(str)
    marked = Signal(str)
    rename_asked = Signal()

    def __init__(self, responder: Responder, chats: Chats, tasks: Tasks, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._responder = responder
        self._chats = chats
        self._tasks = tasks
        self._theme = theme
        self._window = window
        self.marking = MarkingActions(window)
        self.marking.asked.connect(self.ask_how_to_mark)
        self.marked.connect(self.told)
        self.menu = QMenu(window)
        self._rename = self.menu.addAction(self.tr("Rename …"), self.rename_asked.emit)
        self._sent = self.menu.addAction(self.tr("What left this computer …"), self.show_sent)
        self._save = self.menu.addAction(self.tr("Save as text …"), self.save)
        self._print = self.menu.addAction(self.tr("Print …"), self.print)
        self.menu.addSeparator()
        self._delete = self.menu.addAction(self.tr("Delete …"), lambda: self.ask_to_delete(chats.current.identity))
        self.menu.aboutToShow.connect(self._settle)

    def _settle(self) -> None:
        conversation = self._chats.current
        begun = bool(conversation.messages)
        for action in (self._sent, self._save, self._print):
            action.setEnabled(begun)
        for action in (self._rename, self._delete):
            action.setEnabled(begun and not conversation.incognito)

    # the chat

    def ask_to_delete(self, identity: str) -> None:
        """Delete a chat for good, after a question."""
        ask_first(
            self._window,
            (self.tr("Delete chat"), self.tr("Delete this chat for good?")),
            self.tr("Its questions, answers, documents and stand-ins are deleted from this computer. That cannot be undone."),
            (self.tr("Delete"), self.tr("Cancel")),
            lambda: self._chats.delete(identity),
        )

    def save(self) -> None:
        """Save the chat as markdown."""
        conversation = self._chats.current
        name = self.tr("chat") + ".md"
        save_text(self._window, name, self.tr("Text (*.md *.txt)"), transcript(conversation), self.told.emit)

    def print(self) -> None:
        """Print the chat."""
        print_document(self._window, transcript_document(self._chats.current), self.told.emit)

    # what left

    def show_sent(self, answer: Message | None = None) -> None:
        """Show what left this computer for the chat on screen, or for one answer of it."""
        self._tasks.start(self._show_sent(self._chats.current, answer))

    async def _show_sent(self, conversation: Conversation, answer: Message | None) -> None:
        try:
            records = await self._responder.sent(conversation.identity, conversation.incognito)
        except ChatError as error:
            self.told.emit(str(error))
            return
        place: tuple[int, int] | None = None
        if answer is not None:
            records = _records_of(answer, conversation, records)
            answers = [message for message in conversation.messages if message.role == "assistant"]
            place = (answers.index(answer) + 1 if answer in answers else len(answers), len(answers))
        SentDialog(conversation.title, records, place, self._window).open()

    # what is replaced

    def show_lists(self, parent: QWidget | None = None) -> None:
        """Show the person's own lists."""
        ListsDialog(self._responder, self._tasks, parent or self._window).open()

    def show_document(self, message: Message, number: int) -> None:
        """Show a document of a question, with its marks."""
        marks = message.document_marks[number] if number < len(message.document_marks) else []
        self.read(message.documents[number], marks)

    def read(self, document: DocumentText, marks: Sequence[Mark] = ()) -> None:
        """Show a document as the model sees it."""
        view = DocumentView(document, marks, self._theme, self._window)
        view.marking.asked.connect(lambda words, replaced: self.ask_how_to_mark(words, replaced, view))
        self.marked.connect(view.show_notice)
        view.open()

    def ask_how_to_mark(self, words: str, replaced: bool, parent: QDialog | None = None) -> None:
        """Have words always replaced, or never, after asking as what and where."""
        used = not replaced and words in UsedNames(self._chats.current)
        dialog = MarkingDialog(words, replaced, used, parent or self._window)
        dialog.accepted.connect(lambda: self._tasks.start(self._mark(self._chats.current, dialog.decision, dialog.everywhere)))
        dialog.open()

    async def _mark(self, conversation: Conversation, decision: Decision, everywhere: bool) -> None:
        try:
            late = await self._responder.decide(conversation.identity, conversation.incognito, [decision])
            if everywhere:
                await self._put_on_list(decision)
        except ChatError as error:
            self.marked.emit(str(error))
            return
        done = done_sentence(decision, everywhere, conversation.protect or conversation.strict)
        self.marked.emit(f"{consequence_sentence(late)} {done}" if late else done)

    async def _put_on_list(self, decision: Decision) -> None:
        name = self.tr("Marked: {kind}").format(kind=kind_name(decision.kind)) if decision.replaced else self.tr("Never replace")
        lists = await self._responder.lists()
        new = NameList(name=name, kind=decision.kind, values=[], never=not decision.replaced)
        names = next((one for one in lists if one.name == name), new)
        await self._responder.keep_list(replace(names, values=list(dict.fromkeys([*names.values, decision.value]))))


def _records_of(answer: Message, conversation: Conversation, records: Sequence[SentRecord]) -> list[SentRecord]:
    """What left for an answer. One that a later branch repeats has left in the branch in which it was made."""
    found = [record for record in records if record.message == answer.identity]
    if found:
        return found
    same = {it.identity for it in conversation.tree.values() if it.text == answer.text and it.statistics == answer.statistics}
    return [record for record in records if record.message in same]
