"""An answer as prose and code that grow while it streams."""

from time import perf_counter

from PySide6.QtCore import QMargins, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.chat.events import Progress
from desktop_app.chat.message import Message, MessageState
from desktop_app.gui.answer_parts import Foot, Notice, ProgressLine
from desktop_app.gui.block_views import CodeView, ProseView
from desktop_app.gui.markdown_stream import Block, MarkdownStream
from desktop_app.gui.marked_source import marked_source
from desktop_app.gui.theme import Theme

SLICE = 0.012
"""Seconds after which drawing lets other events through."""

PIECE = 400
"""Characters that are drawn without looking at the clock."""

TICK = 30
"""Milliseconds between two updates of a streaming answer, at least; and never more than a third of the time is spent in them."""


class AnswerView(QWidget):
    """An answer. `add_text` may be called for every token; the screen follows at most every `TICK` milliseconds."""

    link_asked = Signal(str)
    again_asked = Signal()
    edit_asked = Signal()
    report_asked = Signal(object)
    budget_asked = Signal()
    elsewhere_asked = Signal()
    settled = Signal()

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None, *, is_last: bool = True) -> None:
        super().__init__(parent)
        self.message = message
        self._theme = theme
        self._is_last = is_last
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._draw)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(QMargins())
        self._layout.setSpacing(0)
        self._progress = ProgressLine(self)
        self._body = QVBoxLayout()
        self._body.setSpacing(0)
        self._notice = Notice(self)
        for button, asked in (
            (self._notice.again, self.again_asked),
            (self._notice.edit, self.edit_asked),
            (self._notice.elsewhere, self.elsewhere_asked),
            (self._notice.budget, self.budget_asked),
        ):
            button.clicked.connect(asked)
        self._foot = QWidget(self)
        self._foot.hide()
        self._layout.addWidget(self._progress)
        self._layout.addLayout(self._body)
        self._layout.addWidget(self._notice)
        self._layout.addWidget(self._foot)
        self._reset()
        theme.changed.connect(self._tone_changed)
        if message.state is MessageState.STREAMING:
            self._progress.show_stage(Progress(stage="prompt"))
        else:
            # At once, as far as it goes: a view that grows after it was placed has all others placed anew.
            self._draw()

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
                self._notice.show_for(self.message, is_last)
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
        view = ProseView(self._theme.tone, self.message.marks, self)
        # Laid out at the width it will have, not at that of a widget nobody has placed yet.
        view.document().setTextWidth(self.width())
        view.link_asked.connect(self.link_asked)
        return view

    def _draw(self) -> None:
        started = perf_counter()
        text = self.message.text
        while self._drawn < len(text) and perf_counter() - started < SLICE:
            self._progress.hide()
            end = min(len(text), self._drawn + PIECE)
            piece = marked_source(text, self.message.marks, self._drawn, end)
            self._drawn = end
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
            self._notice.show_for(self.message, self._is_last)
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
        view = CodeView(block, self._theme.tone, self.message.marks, self)
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
        self._foot = Foot(self.message, self._theme, self)
        if self._is_last:
            self._foot.add_button("again", self.tr("Ask again"), self.again_asked.emit)
            self._foot.add_button("edit", self.tr("Change the question"), self.edit_asked.emit)
        self._foot.add_button("left", self.tr("What left this computer"), lambda: self.report_asked.emit(self.message))
        self._layout.replaceWidget(old, self._foot)
        old.hide()
        old.deleteLater()
