"""Text to be read, as high as it is, so that only the conversation scrolls: marked words say what left instead of them."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QResizeEvent, QTextCursor, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from desktop_app.chat.events import Mark
from desktop_app.gui.copying import has_real_words
from desktop_app.gui.marking import show_menu
from desktop_app.gui.marks import MARK_PROPERTY, asked_sentence, mark_format, tell_of_mark
from desktop_app.gui.positions import Positions
from desktop_app.gui.theme import Tone


class MarkedText(QTextBrowser):
    """Text of its own height. Nothing is loaded, no link opens by itself, and a wheel over it moves the conversation."""

    def __init__(self, tone: Tone, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prose")
        self._tone = tone
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(24)
        self.document().setUndoRedoEnabled(False)
        self.document().setDefaultFont(self.font())
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.setFixedHeight(0)

    def use_tone(self, tone: Tone) -> None:
        """What is shown next is in this tone."""
        self._tone = tone

    def show_plain(self, text: str, marks: Sequence[Mark]) -> None:
        """Show a text as it was written, with its marks."""
        self.setPlainText(text)
        positions = Positions(text)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for mark in marks:
            cursor.setPosition(positions[mark.start])
            cursor.setPosition(positions[mark.end], QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(mark_format(mark, self._tone, asked_sentence(mark)))
        cursor.endEditBlock()

    def sentence_at(self, place: QPoint) -> str:
        """What is said of the marked word there; "" where none is."""
        position = self.document().documentLayout().hitTest(place.toPointF(), Qt.HitTestAccuracy.ExactHit)
        if position < 0:
            return ""
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position + 1, self.document().characterCount() - 1))
        return cursor.charFormat().stringProperty(MARK_PROPERTY)

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
        marked = _holds_a_mark(self.document(), cursor.selectionStart(), cursor.selectionEnd())
        return has_real_words(data) if marked else data

    def loadResource(self, kind: int, name: object) -> object:
        """Nothing is ever loaded: no image, no sheet."""
        return None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Width decides height."""
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The conversation scrolls, not this view."""
        event.ignore()

    def _fit(self, *_size: object) -> None:
        height = 0 if self.document().isEmpty() else round(self.document().size().height() + 0.5)
        if height != self.height():
            self.setFixedHeight(height)


def _holds_a_mark(document: QTextDocument, start: int, end: int) -> bool:
    block = document.findBlock(start)
    while block.isValid() and block.position() < end:
        for part in block.textFormats():
            first = block.position() + part.start
            if first < end and first + part.length > start and part.format.hasProperty(MARK_PROPERTY):
                return True
        block = block.next()
    return False
