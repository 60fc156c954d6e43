"""A question as it was asked, in its bubble, with the documents that went with it; what left as something else is marked."""

from PySide6.QtCore import QMargins, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.chat.events import DocumentText
from desktop_app.chat.message import Message
from desktop_app.gui.document_button import DocumentButton
from desktop_app.gui.figures import document_detail
from desktop_app.gui.marked_text import MarkedText
from desktop_app.gui.theme import Theme

WIDEST = 560
"""Pixels: a short question gets a short bubble, a longer one wraps at four fifths of the column."""


class QuestionView(QWidget):
    """What the person asked. `document_asked` gives the number of a document that is to be read."""

    document_asked = Signal(int)

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._theme = theme
        bubble = QFrame(self)
        bubble.setObjectName("bubble")
        inside = QVBoxLayout(bubble)
        inside.setContentsMargins(QMargins(16, 11, 16, 12))
        inside.setSpacing(6)
        for number, document in enumerate(message.documents):
            inside.addWidget(self._document(number, document, bubble))
        self.text = MarkedText(theme.tone, bubble)
        self.text.setAccessibleName(self.tr("Your question"))
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        inside.addWidget(self.text)
        longest = max((self.fontMetrics().horizontalAdvance(line[:400]) for line in message.text.splitlines()), default=0)
        bubble.setMinimumWidth(min(WIDEST, longest + 40))
        row = QHBoxLayout(self)
        row.setContentsMargins(QMargins())
        row.addStretch(1)
        row.addWidget(bubble, 0 if longest < WIDEST - 40 else 4)
        theme.changed.connect(self._tone_changed)
        self.show_marks()

    def show_marks(self) -> None:
        """Show the text with the marks that it has now."""
        self.text.use_tone(self._theme.tone)
        self.text.show_plain(self.message.text, self.message.marks)

    def _tone_changed(self) -> None:
        # One message an event, so that a long conversation changes tone without holding the window up.
        QTimer.singleShot(0, self, self.show_marks)

    def _document(self, number: int, document: DocumentText, parent: QWidget) -> QWidget:
        row = QWidget(parent)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(6)
        name = DocumentButton(document.name, self._theme, row)
        name.clicked.connect(lambda: self.document_asked.emit(number))
        detail = QLabel(document_detail(document), row)
        detail.setObjectName("muted")
        layout.addWidget(name)
        layout.addWidget(detail)
        layout.addStretch()
        return row
