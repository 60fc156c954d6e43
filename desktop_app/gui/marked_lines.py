"""Lines of text to be read whose marks are drawn over them: for code, and for documents of any length.

Only marks that are on screen are drawn: a document of 300 pages with thousands of them scrolls as one without.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from desktop_app.chat.events import Mark
from desktop_app.gui.copying import has_real_words
from desktop_app.gui.marking import show_menu
from desktop_app.gui.marks import mark_format, tell_of_mark
from desktop_app.gui.theme import Tone

MarkedPlace = tuple[int, int, Mark]
"""[start, end) in Qt's positions, and the mark there."""


class MarkedLines(QPlainTextEdit):
    """Text that can be read, selected and copied; marks lie in order, none within another. `sentence` says what left."""

    def __init__(self, tone: Tone, sentence: Callable[[Mark], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = tone
        self._sentence = sentence
        self._places: list[MarkedPlace] = []
        self.setReadOnly(True)
        self.setAcceptDrops(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.verticalScrollBar().valueChanged.connect(self._draw_marks)

    def show_marks(self, places: list[MarkedPlace]) -> None:
        """Mark these places and no others."""
        self._places = places
        self._draw_marks()

    def sentence_at(self, place: QPoint) -> str:
        """What is said of the marked word there; "" where none is."""
        position = self.cursorForPosition(place).position()
        number = bisect_right(self._places, position, key=lambda marked: marked[0]) - 1
        if number < 0 or position > self._places[number][1]:
            return ""
        return self._sentence(self._places[number][2])

    def viewportEvent(self, event: QEvent) -> bool:
        """A tooltip over a marked word is the word's."""
        return tell_of_mark(self, event, self.sentence_at) or super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy, and what can be done with selected words."""
        show_menu(self, event)

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied says whether real words are in it."""
        data = super().createMimeDataFromSelection()
        cursor = self.textCursor()
        return has_real_words(data) if self._between(cursor.selectionStart(), cursor.selectionEnd()) else data

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other lines are on screen."""
        super().resizeEvent(event)
        self._draw_marks()

    def _between(self, start: int, end: int) -> list[MarkedPlace]:
        first = bisect_right(self._places, start, key=lambda marked: marked[1])
        return self._places[first : bisect_left(self._places, end, key=lambda marked: marked[0])]

    def _draw_marks(self, *_value: object) -> None:
        if not self._places and not self.extraSelections():
            return
        first = self.firstVisibleBlock()
        last = self.cursorForPosition(QPoint(self.viewport().width(), self.viewport().height())).block()
        selections = []
        for start, end, mark in self._between(first.position(), last.position() + last.length()):
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            selection.cursor, selection.format = cursor, mark_format(mark, self._tone, "")
            selections.append(selection)
        self.setExtraSelections(selections)
