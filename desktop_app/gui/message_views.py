"""One message on screen: a question in its bubble, an answer as prose and code that grow while it streams."""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QMargins, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop_app.chat.conversation import Message, MessageState
from desktop_app.chat.events import DocumentText, Progress
from desktop_app.gui.block_views import CodeView, CopyButton, ProseView
from desktop_app.gui.figures import document_detail, reply_figures, reply_layers, stage_sentence
from desktop_app.gui.icons import icon
from desktop_app.gui.markdown_stream import Block, MarkdownStream
from desktop_app.gui.theme import Theme, scale_font

SLICE = 0.012
"""Seconds after which drawing lets other events through."""

PIECE = 400
"""Characters that are drawn without looking at the clock."""

TICK = 30
"""Milliseconds between two updates of a streaming answer, at least; and never more than a third of the time is spent in them."""


class QuestionView(QWidget):
    """What the person asked, with the names of the documents that went with it."""

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        bubble = QFrame(self)
        bubble.setObjectName("bubble")
        inside = QVBoxLayout(bubble)
        inside.setContentsMargins(QMargins(16, 11, 16, 12))
        inside.setSpacing(6)
        for document in message.documents:
            inside.addWidget(self._document(document, theme, bubble))
        text = QLabel(message.text, bubble)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        text.setAccessibleName(self.tr("Your question"))
        text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        inside.addWidget(text)
        # A short question gets a short bubble, a long one wraps at four fifths of the column.
        longest = max((text.fontMetrics().horizontalAdvance(line[:400]) for line in message.text.splitlines()), default=0)
        bubble.setMinimumWidth(min(560, longest + 40))
        row = QHBoxLayout(self)
        row.setContentsMargins(QMargins())
        row.addStretch(1)
        row.addWidget(bubble, 0 if longest < 520 else 4)

    def _document(self, document: DocumentText, theme: Theme, parent: QWidget) -> QWidget:
        row = QWidget(parent)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(6)
        picture = QLabel(row)
        picture.setPixmap(icon("document", theme.tone.muted).pixmap(QSize(16, 16)))
        name = QLabel(document.name, row)
        name.setTextFormat(Qt.TextFormat.PlainText)
        detail = QLabel(document_detail(document), row)
        detail.setObjectName("muted")
        for widget in (picture, name, detail):
            layout.addWidget(widget)
        layout.addStretch()
        return row


class AnswerView(QWidget):
    """An answer. `add_text` may be called for every token; the screen follows at most every `TICK` milliseconds."""

    link_asked = Signal(str)
    again_asked = Signal()
    edit_asked = Signal()
    settled = Signal()

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._theme = theme
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._draw)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(QMargins())
        self._layout.setSpacing(0)
        self._progress = _ProgressLine(self)
        self._body = QVBoxLayout()
        self._body.setSpacing(0)
        self._notice = _Notice(self)
        self._foot = QWidget(self)
        self._foot.hide()
        self._layout.addWidget(self._progress)
        self._layout.addLayout(self._body)
        self._layout.addWidget(self._notice)
        self._layout.addWidget(self._foot)
        self._is_last = True
        self._reset()
        theme.changed.connect(self._tone_changed)
        if message.state is MessageState.STREAMING:
            self._progress.show_stage(Progress(stage="prompt"))
        else:
            self.finish()

    def show_progress(self, progress: Progress) -> None:
        """Say what is going on as long as no text has come."""
        if self.message.state is MessageState.STREAMING and not self.message.text:
            self._progress.show_stage(progress)

    def update_text(self) -> None:
        """The message's text has grown; show it soon."""
        if not self._timer.isActive():
            self._timer.start(self._pause)

    def finish(self) -> None:
        """The answer has ended, however it did; `settled` tells when all of it is on screen."""
        self._progress.hide()
        self._timer.start(0)

    def set_last(self, is_last: bool) -> None:
        """Only the last answer can be asked for again."""
        if is_last != self._is_last:
            self._is_last = is_last
            if self._ended:
                self._show_foot()

    @property
    def plain_text(self) -> str:
        """All text on screen, for tests and screen readers: prose and code in order."""
        texts: list[str] = []
        for number in range(self._body.count()):
            item = self._body.itemAt(number)
            view = item.widget() if item is not None else None
            if isinstance(view, CodeView):
                texts.append(view.code)
            elif isinstance(view, ProseView):
                texts.append(view.toPlainText())
        return "\n".join(text for text in texts if text)

    def _reset(self) -> None:
        while (item := self._body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._stream = MarkdownStream()
        self._drawn = 0
        self._ended = False
        self._pause = TICK
        self._prose: ProseView | None = None
        self._code: CodeView | None = None
        self._tail = self._new_prose()
        self._body.addWidget(self._tail)

    def _new_prose(self) -> ProseView:
        view = ProseView(self._theme.tone, self)
        # Laid out at the width it will have, not at that of a widget nobody has placed yet.
        view.document().setTextWidth(self.width())
        view.link_asked.connect(self.link_asked)
        return view

    def _draw(self) -> None:
        started = perf_counter()
        text = self.message.text
        while self._drawn < len(text) and perf_counter() - started < SLICE:
            self._progress.hide()
            piece = text[self._drawn : self._drawn + PIECE]
            self._drawn += len(piece)
            self._show_blocks(self._stream.feed(piece))
        ended = self.message.state is not MessageState.STREAMING
        if self._drawn < len(text):
            # Much came at once: the rest follows behind the events that wait.
            self._timer.start(0)
        elif ended:
            self._end()
        else:
            self._show_tail(self._stream.tail)
        self._pause = max(TICK, round(2000 * (perf_counter() - started)))

    def _end(self) -> None:
        self._show_blocks(self._stream.finish())
        self._tail.replace(None)
        if not self._ended:
            self._ended = True
            self._notice.show_for(self.message)
            self._show_foot()
            self.settled.emit()

    def _show_blocks(self, blocks: list[Block]) -> None:
        for block in blocks:
            if block.kind == "code":
                view = self._code or self._new_code(block)
                view.finish(block)
                self._body.insertSpacing(self._body.count() - 1, 8)
                self._code = self._prose = None
            else:
                if self._prose is None or self._prose.full:
                    self._prose = self._new_prose()
                    self._insert(self._prose)
                self._prose.add(block)

    def _show_tail(self, tail: Block | None) -> None:
        if tail is not None and tail.kind == "code":
            self._tail.replace(None)
            if self._code is None:
                self._code = self._new_code(tail)
            else:
                self._code.grow(tail)
        else:
            self._tail.replace(tail)

    def _new_code(self, block: Block) -> CodeView:
        view = CodeView(block, self._theme.tone, self)
        if self._body.count() > 1:
            self._body.insertSpacing(self._body.count() - 1, 10)
        self._insert(view)
        return view

    def _insert(self, view: QWidget) -> None:
        # The tail always stays the last view.
        self._body.insertWidget(self._body.count() - 1, view)

    def _tone_changed(self) -> None:
        # One message an event, so that a long conversation changes tone without holding the window up.
        QTimer.singleShot(0, self, self._redraw)

    def _redraw(self) -> None:
        self._reset()
        self._timer.start(0)

    def _show_foot(self) -> None:
        old = self._foot
        self._foot = _Foot(self.message, self._theme, self)
        if self._is_last:
            self._foot.add_button("again", self.tr("Ask again"), self.again_asked.emit)
            self._foot.add_button("edit", self.tr("Change the question"), self.edit_asked.emit)
        self._layout.replaceWidget(old, self._foot)
        old.hide()
        old.deleteLater()


class _ProgressLine(QWidget):
    """What is going on before text comes; a bar where its end is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.label = QLabel(self)
        self.label.setObjectName("muted")
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(220)
        self._bar.setAccessibleName(self.tr("Progress"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins(0, 4, 0, 4))
        layout.setSpacing(8)
        layout.addWidget(self.label)
        layout.addWidget(self._bar)
        self.hide()

    def show_stage(self, progress: Progress) -> None:
        self.label.setText(stage_sentence(progress))
        self._bar.setVisible(progress.total > 0)
        if progress.total > 0:
            self._bar.setRange(0, 1000)
            self._bar.setValue(min(1000, 1000 * progress.done // progress.total))
        self.show()


class _Notice(QFrame):
    """How an answer ended, where it did not end by itself."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._label = QLabel(self)
        self._label.setWordWrap(True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._row = QVBoxLayout(self)
        self._row.addWidget(self._label)
        self.hide()

    def show_for(self, message: Message) -> None:
        sentences = {
            MessageState.STOPPED: self.tr("Stopped.") if not message.text else self.tr("Stopped. What had come is kept."),
            MessageState.INTERRUPTED: self.tr("Interrupted. What had come is kept.") + f" {message.sentence}".rstrip(),
            MessageState.FAILED: message.sentence,
        }
        sentence = sentences.get(message.state, "") if message.text else message.sentence or sentences.get(message.state, "")
        if message.at_limit and not sentence:
            sentence = self.tr("Ended at the limit for the length of an answer; the settings can raise it.")
        calm = message.state in (MessageState.STOPPED, MessageState.COMPLETE)
        self.setProperty("calm", calm)
        self._row.setContentsMargins(QMargins(0, 6, 0, 0) if calm else QMargins(14, 10, 14, 10))
        self.style().unpolish(self)
        self.style().polish(self)
        self._label.setText(sentence)
        self.setVisible(bool(sentence))


class _Foot(QWidget):
    """Below a finished answer: copy, ask again, and its figures."""

    def __init__(self, message: Message, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(QMargins(0, 6, 0, 0))
        self._row.setSpacing(2)
        if message.text:
            copy = CopyButton(theme.tone, lambda: message.text, self)
            copy.setToolTip(self.tr("Copy the answer"))
            copy.setAccessibleName(self.tr("Copy the answer"))
            self._row.addWidget(copy)
        self._row.addStretch()
        figures = QLabel(reply_figures(message.statistics), self)
        figures.setObjectName("muted")
        figures.setToolTip(reply_layers(message.statistics))
        scale_font(figures, 0.88)
        figures.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        figures.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._row.addWidget(figures, 1)

    def add_button(self, picture: str, name: str, action: Callable[[], None]) -> None:
        """One more button with an icon and a name for pointer and screen reader."""
        button = QToolButton(self)
        button.setObjectName("small")
        button.setIcon(icon(picture, self._theme.tone.muted))
        button.setIconSize(QSize(16, 16))
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.clicked.connect(lambda: action())
        self._row.insertWidget(self._row.count() - 2, button)
