"""The two views that an answer is made of: prose (paragraphs, lists, tables, quotes) and code.

Both are as high as what they show, so that only the conversation scrolls. A wheel over them moves the conversation too.
"""

from collections.abc import Callable
from math import ceil

from PySide6.QtCore import QMargins, QRectF, QSize, Qt, QTimerEvent, QUrl, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QResizeEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QTextBrowser, QToolButton, QVBoxLayout, QWidget

from desktop_app.gui.highlighting import Highlighter
from desktop_app.gui.icons import icon
from desktop_app.gui.markdown_document import QUOTE_PROPERTY, MarkdownWriter
from desktop_app.gui.markdown_stream import Block
from desktop_app.gui.theme import Tone, code_font, scale_font

RUN_LENGTH = 5000
"""Characters after which prose goes on in a new view: what is laid out anew when a view grows stays small."""


class ProseView(QTextBrowser):
    """A run of finished blocks, or the tail. `link_asked` gives the target of a link that was clicked; none opens by itself."""

    link_asked = Signal(str)

    def __init__(self, tone: Tone, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prose")
        self._tone = tone
        self.setAccessibleName(self.tr("Text of the answer"))
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
        self.anchorClicked.connect(lambda target: self.link_asked.emit(target.toString()))
        self.highlighted.connect(lambda target: self.setToolTip(target.toString()))
        self._writer = MarkdownWriter(self.document(), tone)
        self.setFixedHeight(0)

    @property
    def full(self) -> bool:
        """Whether the next block should go into another view."""
        return self.document().characterCount() > RUN_LENGTH

    def add(self, block: Block) -> None:
        """Append a finished block."""
        self._writer.write(block)

    def replace(self, block: Block | None) -> None:
        """Show this block alone; None: nothing."""
        self._writer.clear()
        if block is not None:
            self._writer.write(block)
        self._fit()

    def _fit(self, *_size: object) -> None:
        height = 0 if self.document().isEmpty() else round(self.document().size().height() + 0.5)
        if height != self.height():
            self.setFixedHeight(height)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Nothing is ever loaded: no image, no sheet."""
        return None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Width decides height."""
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The conversation scrolls, not this view."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Text, and a bar beside each quote."""
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        layout = self.document().documentLayout()
        block = self.document().firstBlock()
        while block.isValid():
            depth = block.blockFormat().intProperty(QUOTE_PROPERTY)
            box = layout.blockBoundingRect(block) if depth else QRectF()
            if depth and box.bottom() >= event.rect().top() and box.top() <= event.rect().bottom():
                for level in range(depth):
                    painter.fillRect(QRectF(18.0 * level + 2, box.top(), 3, box.height()), QColor(self._tone.border))
            block = block.next()
        painter.end()


class _Source(QPlainTextEdit):
    """The text of a code block: fixed width, not wrapped, scrolled sideways."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("source")
        self.setReadOnly(True)
        self.setAcceptDrops(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFont(code_font())
        self.document().setDocumentMargin(0)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.horizontalScrollBar().rangeChanged.connect(self.fit)

    def fit(self, *_range: object) -> None:
        """As high as its lines, and its scroll bar where there is one."""
        lines = ceil(self.blockBoundingGeometry(self.document().lastBlock()).bottom() - self.contentOffset().y()) + 2
        bar = self.horizontalScrollBar().sizeHint().height() if self.horizontalScrollBar().maximum() > 0 else 0
        if lines + bar != self.height():
            self.setFixedHeight(lines + bar)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Sideways here, up and down for the conversation."""
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
        else:
            event.ignore()


class CodeView(QFrame):
    """A listing with its language and a copy button. It only grows while it streams; colours come when it is complete."""

    def __init__(self, block: Block, tone: Tone, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("code")
        self._tone = tone
        self._language = block.language
        self._shown = ""
        self._highlighter: Highlighter | None = None
        self._name = QLabel(block.language or self.tr("code"), self)
        self._name.setObjectName("language")
        scale_font(self._name, 0.88)
        self._copy = CopyButton(tone, lambda: self._shown, self)
        self._copy.setAccessibleName(self.tr("Copy this code"))
        self._source = _Source(self)
        self._source.setAccessibleName(self.tr("Code"))
        head = QHBoxLayout()
        head.setContentsMargins(QMargins(14, 6, 6, 0))
        head.addWidget(self._name)
        head.addStretch()
        head.addWidget(self._copy)
        body = QHBoxLayout()
        body.setContentsMargins(QMargins(14, 4, 14, 12))
        body.addWidget(self._source)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addLayout(body)
        self.grow(block)

    @property
    def code(self) -> str:
        """The listing as it stands."""
        return self._shown

    def grow(self, block: Block) -> None:
        """Show more of the same listing."""
        code = block.source.rstrip("\n")
        if block.language and block.language != self._language:
            self._language = block.language
            self._name.setText(block.language)
        if code.startswith(self._shown):
            cursor = QTextCursor(self._source.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(code[len(self._shown) :])
        else:
            self._source.setPlainText(code)
        self._shown = code
        self._source.fit()

    def finish(self, block: Block) -> None:
        """The listing is complete: colour it."""
        self.grow(block)
        self._highlighter = Highlighter(self._source.document(), self._language, self._tone)


class CopyButton(QToolButton):
    """Copies what `text` gives, and shows for a moment that it has."""

    SHOWN = 1500
    """Milliseconds for which the tick stays."""

    def __init__(self, tone: Tone, text: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("small")
        self._text = text
        self._tone = tone
        self.setIconSize(QSize(16, 16))
        self.setToolTip(self.tr("Copy"))
        self.setAccessibleName(self.tr("Copy"))
        self.setIcon(icon("copy", tone.muted))
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text())
        self.setIcon(icon("check", self._tone.accent))
        self.startTimer(self.SHOWN)

    def timerEvent(self, event: QTimerEvent) -> None:
        """The moment is over."""
        self.killTimer(event.timerId())
        self.setIcon(icon("copy", self._tone.muted))
