"""A document as the model sees it, to be read, with what leaves as something else marked; a long one comes a slice at a time."""

from collections.abc import Sequence

from PySide6.QtCore import QMargins, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QTextCursor
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from desktop_app.chat.events import DocumentText, Mark
from desktop_app.gui.figures import document_detail
from desktop_app.gui.marked_lines import MarkedLines
from desktop_app.gui.marking import MarkingActions
from desktop_app.gui.marks import asked_sentence
from desktop_app.gui.positions import Positions
from desktop_app.gui.theme import Theme

PIECE = 40_000
"""Characters that are put on screen at once."""


class DocumentView(QDialog):
    """`marking` tells of words that the person selects to have them replaced, or never."""

    def __init__(self, document: DocumentText, marks: Sequence[Mark], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(document.name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._rest = document.text
        self._marks = marks
        self.marking = MarkingActions(self)
        detail = QLabel(document_detail(document), self)
        detail.setObjectName("muted")
        detail.setWordWrap(True)
        self.text = MarkedLines(theme.tone, asked_sentence, self)
        self.text.setObjectName("reading")
        self.text.setAccessibleName(document.name)
        self.text.document().setDocumentMargin(12)
        hint = QLabel(self.tr("Select words and press Ctrl+Shift+R to have them always replaced, Ctrl+Shift+K never."), self)
        hint.setObjectName("muted")
        hint.setWordWrap(True)
        self.notice = QLabel(self)
        self.notice.setObjectName("told")
        self.notice.setTextFormat(Qt.TextFormat.PlainText)
        self.notice.setWordWrap(True)
        self.notice.hide()
        buttons = QDialogButtonBox(self)
        buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins(20, 16, 20, 16))
        layout.setSpacing(10)
        for widget in (detail, self.text, self.notice, hint, buttons):
            layout.addWidget(widget, 1 if widget is self.text else 0)
        self.resize(720, min(760, round(self.screen().availableGeometry().height() * 0.9)))
        self._places = Positions(document.text)
        self._fill()

    @property
    def complete(self) -> bool:
        """Whether all of the text is there."""
        return not self._rest

    def show_notice(self, sentence: str) -> None:
        """What has just been done with words of the document: the window behind, which says it too, is covered by this one."""
        self.notice.setText(sentence)
        self.notice.show()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, sentence))

    def _fill(self) -> None:
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(self._rest[:PIECE])
        self._rest = self._rest[PIECE:]
        if self._rest:
            QTimer.singleShot(0, self, self._fill)
        else:
            self.text.show_marks([(self._places[mark.start], self._places[mark.end], mark) for mark in self._marks])
