"""The two views that an answer is made of: prose (paragraphs, lists, tables, quotes) and code.

Both are as high as what they show, so that only the conversation scrolls. A wheel over them moves the conversation too.
"""

from collections.abc import Callable, Sequence
from math import ceil

from PySide6.QtCore import QMargins, QRectF, QSize, Qt, QTimerEvent, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget

from desktop_app.chat.events import Mark
from desktop_app.gui.copying import copy_text
from desktop_app.gui.highlighting import Highlighter
from desktop_app.gui.icons import icon
from desktop_app.gui.markdown_document import QUOTE_PROPERTY, MarkdownWriter
from desktop_app.gui.markdown_stream import Block
from desktop_app.gui.marked_lines import MarkedLines
from desktop_app.gui.marked_source import Piece, unmarked
from desktop_app.gui.marked_text import MarkedText
from desktop_app.gui.marks import answered_sentence
from desktop_app.gui.positions import Positions
from desktop_app.gui.theme import Tone, code_font, scale_font

RUN_LENGTH = 5000
"""Characters after which prose goes on in a new view: what is laid out anew when a view grows stays small."""


class ProseView(MarkedText):
    """A run of finished blocks, or the tail. `link_asked` gives the target of a link that was clicked; none opens by itself."""

    link_asked = Signal(str)

    def __init__(self, tone: Tone, marks: Sequence[Mark] = (), parent: QWidget | None = None) -> None:
        super().__init__(tone, parent)
        self.setAccessibleName(self.tr("Text of the answer"))
        self.anchorClicked.connect(lambda target: self.link_asked.emit(target.toString()))
        self.highlighted.connect(lambda target: self.setToolTip(target.toString()))
        self._writer = MarkdownWriter(self.document(), tone, marks)

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


class _Source(MarkedLines):
    """The text of a code block: fixed width, not wrapped, scrolled sideways."""

    def __init__(self, tone: Tone, parent: QWidget) -> None:
        super().__init__(tone, answered_sentence, parent)
        self.setObjectName("source")
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
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

    def __init__(self, block: Block, tone: Tone, marks: Sequence[Mark] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("code")
        self._tone = tone
        self._marks = marks
        self._pieces: list[Piece] = []
        self._language = block.language
        self._shown = ""
        self._highlighter: Highlighter | None = None
        self._name = QLabel(block.language or self.tr("code"), self)
        self._name.setObjectName("language")
        scale_font(self._name, 0.88)
        self._copy = CopyButton(tone, lambda: (self._shown, bool(self._pieces)), self)
        self._copy.setAccessibleName(self.tr("Copy this code"))
        self._source = _Source(tone, self)
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
        code, self._pieces = unmarked(block.source.rstrip("\n"))
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
        self._show_marks()

    def _show_marks(self) -> None:
        if not self._pieces:
            return
        positions = Positions(self._shown)
        known = [piece for piece in self._pieces if piece[2] < len(self._marks)]
        self._source.show_marks([(positions[start], positions[end], self._marks[number]) for start, end, number in known])

    def finish(self, block: Block) -> None:
        """The listing is complete: colour it."""
        self.grow(block)
        self._highlighter = Highlighter(self._source.document(), self._language, self._tone)


class CopyButton(QToolButton):
    """Copies what `text` gives (with whether real words are in it), and shows for a moment that it has."""

    SHOWN = 1500
    """Milliseconds for which the tick stays."""

    def __init__(self, tone: Tone, text: Callable[[], tuple[str, bool]], parent: QWidget | None = None) -> None:
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
        copy_text(*self._text())
        self.setIcon(icon("check", self._tone.accent))
        self.startTimer(self.SHOWN)

    def timerEvent(self, event: QTimerEvent) -> None:
        """The moment is over."""
        self.killTimer(event.timerId())
        self.setIcon(icon("copy", self._tone.muted))
