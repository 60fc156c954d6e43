"""Words that the person selects, anywhere: "always replace this" and "never replace this", by menu and by key.

The two actions belong to a window; every text in it offers them in its menu, and the keys take what is selected where the
keyboard is.
"""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTextEdit, QWidget

from desktop_app.chat.stored import Consequence, Decision
from desktop_app.gui.figures import HERE

translate = QCoreApplication.translate


def selected_text(widget: QWidget | None) -> str:
    """What is selected in a text, as it was written; "" where nothing is, or where it is no text."""
    if not isinstance(widget, QPlainTextEdit | QTextEdit):
        return ""
    return widget.textCursor().selectedText().replace("\u2029", "\n").replace("\u2028", "\n").strip()


def show_menu(text: QPlainTextEdit | QTextEdit, event: QContextMenuEvent) -> None:
    """The menu of a text: Qt's own, and the actions of its window where something is selected."""
    text.setFocus()
    menu = text.createStandardContextMenu()
    if selected_text(text):
        menu.addSeparator()
        menu.addActions(text.window().actions())
    menu.exec(event.globalPos())
    menu.deleteLater()


class MarkingActions(QObject):
    """The two actions of a window; `asked` gives the selected words, and whether they are to be replaced."""

    asked = Signal(str, bool)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.always = self._action(window, self.tr("Always replace this …"), "Ctrl+Shift+R", replaced=True)
        self.never = self._action(window, self.tr("Never replace this …"), "Ctrl+Shift+K", replaced=False)

    def _action(self, window: QWidget, name: str, keys: str, replaced: bool) -> QAction:
        action = QAction(name, window)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: self._ask(replaced))
        window.addAction(action)
        return action

    def _ask(self, replaced: bool) -> None:
        if words := selected_text(QApplication.focusWidget()):
            self.asked.emit(words, replaced)


def done_sentence(decision: Decision, everywhere: bool, protect: bool) -> str:
    """What holds from now on for words that were marked, and in which chats. `protect`: the chat they stand in replaces names."""
    if decision.replaced and everywhere:
        said = translate("Marking", "In all chats in which replacing is on, “{words}” is replaced from the next question on.")
    elif decision.replaced:
        said = translate("Marking", "In this chat “{words}” is replaced from the next question on.")
    elif everywhere:
        said = translate("Marking", "In all chats “{words}” leaves as it is written from the next question on.")
    else:
        said = translate("Marking", "In this chat “{words}” leaves as it is written from the next question on.")
    sentences = [said.format(words=" ".join(decision.value.split())[:80])]
    if decision.replaced and not protect:
        sentences.append(
            translate("Marking", "But replacing is off in this chat: until you switch it on, everything leaves as it is written.")
        )
    return " ".join(sentences)


def consequence_sentence(late: list[Consequence]) -> str:
    """What decisions come too late for: which words, in how many messages, to whom. Three words have a sentence each."""
    sentences = [
        _told_of(one).format(value=" ".join(one.value.split())[:80], count=one.messages, peer=one.peer) for one in late[:3]
    ]
    if len(late) > 3:
        sentences.append(translate("Marking", "So have {count} other words.").format(count=len(late) - 3))
    return " ".join(sentences)


def link_sentence(values: Sequence[str]) -> str:
    """What it means that values which have left as stand-ins are to leave as they are; three are named."""
    named = ", ".join(f"“{' '.join(value.split())[:80]}”" for value in values[:3]) + (" …" if len(values) > 3 else "")
    return translate(
        "Marking",
        "In this chat stand-ins for {values} have been sent already. With the next question the history is sent again with the "
        "real words: whoever got both can link them.",
    ).format(values=named)


def _told_of(late: Consequence) -> str:
    if late.peer in ("", HERE):
        if late.messages == 1:
            return translate("Marking", "The agent on this computer already got “{value}” in one message; it went no further.")
        return translate("Marking", "The agent on this computer already got “{value}” in {count} messages; it went no further.")
    if late.messages == 1:
        return translate("Marking", "“{value}” has already left in one message, to {peer}, and cannot be called back.")
    return translate("Marking", "“{value}” has already left in {count} messages, to {peer}, and cannot be called back.")
