"""Copying takes the real words out of the application; what is copied says of itself that it has some, and the window says so."""

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication

REAL_WORDS = "application/x-sotto-real-words"
"""A clipboard format without content: words that had left this computer as stand-ins only are among what was copied."""


def has_real_words(data: QMimeData) -> QMimeData:
    """The same text, saying of itself that real words are in it."""
    # What a text makes of its selection lists fixed formats, whatever else is put into it.
    told = QMimeData()
    told.setText(data.text())
    if data.hasHtml():
        told.setHtml(data.html())
    told.setData(REAL_WORDS, b"1")
    return told


def copy_text(text: str, real_words: bool) -> None:
    """Put text on the clipboard."""
    data = QMimeData()
    data.setText(text)
    QGuiApplication.clipboard().setMimeData(has_real_words(data) if real_words else data)


class CopyNotice(QObject):
    """`copied` is emitted the first time in this session that real words are copied."""

    copied = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._said = False
        QGuiApplication.clipboard().dataChanged.connect(self._look)

    def _look(self) -> None:
        data: QMimeData | None = QGuiApplication.clipboard().mimeData()  # none on a clipboard that was cleared
        if not self._said and data is not None and data.hasFormat(REAL_WORDS):
            self._said = True
            self.copied.emit()
