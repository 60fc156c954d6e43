"""The conversation on screen: messages in a column of readable width that follows the answer until the reader scrolls away."""

from collections.abc import Sequence
from time import perf_counter

from PySide6.QtCore import QMargins, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_app.chat.message import Message
from desktop_app.gui.answer_view import AnswerView
from desktop_app.gui.icons import icon
from desktop_app.gui.question_view import QuestionView
from desktop_app.gui.theme import COLUMN_WIDTH, Theme, scale_font

NEAR_END = 32
"""Pixels from the end within which the reader counts as being there."""

SLICE = 0.01
"""Seconds after which filling in an opened conversation lets other events through."""

View = QuestionView | AnswerView


class MessageList(QScrollArea):
    """Shows messages; `following` says whether the view goes along with new text.

    `document_asked` gives a message and the number of a document of it, `report_asked` the answer whose traffic is asked about.
    """

    link_asked = Signal(str)
    again_asked = Signal()
    edit_asked = Signal()
    document_asked = Signal(object, int)
    report_asked = Signal(object)
    budget_asked = Signal()
    elsewhere_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.following = True
        self._earlier: list[Message] = []
        self._anchor: tuple[QWidget, int] | None = None
        self._holding = False
        self.setObjectName("messages")
        self.setAccessibleName(self.tr("Conversation"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        page = QWidget()
        page.setObjectName("messages_page")
        self._column = QWidget(page)
        self._column.setMaximumWidth(COLUMN_WIDTH)
        self._messages = QVBoxLayout(self._column)
        self._messages.setContentsMargins(QMargins(4, 28, 4, 24))
        self._messages.setSpacing(26)
        # With a factor of its own it takes all the room that a short conversation leaves; else answers would share in it.
        self._messages.addStretch(1)
        row = QHBoxLayout(page)
        row.setContentsMargins(QMargins(28, 0, 28, 0))
        row.addStretch()
        row.addWidget(self._column, 100)
        row.addStretch()
        self.setWidget(page)
        self.welcome = Welcome(self)
        self._jump = QPushButton(self.tr("Jump to latest"), self)
        self._jump.setObjectName("jump")
        self._jump.setToolTip(self.tr("Go to the end and follow the answer"))
        self._jump.clicked.connect(self.follow)
        self._jump.hide()
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._grown)
        bar.valueChanged.connect(self._moved)
        theme.changed.connect(self._draw_jump)
        self._draw_jump()

    @property
    def views(self) -> list[View]:
        """The messages' views in order."""
        items = (self._messages.itemAt(number) for number in range(self._messages.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, QuestionView | AnswerView)]

    def add(self, message: Message) -> View:
        """Show one more message at the end."""
        self.welcome.hide()
        if message.role == "assistant":
            for earlier in self.views:
                if isinstance(earlier, AnswerView):
                    earlier.set_last(False)
        view = self._view(message)
        self._messages.insertWidget(self._messages.count() - 1, view)
        return view

    def load(self, messages: Sequence[Message]) -> None:
        """Show another conversation from its end; what is earlier is filled in above, a slice of time at a time."""
        self.clear()
        self._earlier = list(messages)
        self.welcome.setVisible(not self._earlier)
        self._fill()
        self.follow()

    def remove_last(self, count: int = 1) -> None:
        """Take the last messages off the screen."""
        self._anchor = None
        for view in self.views[-count:]:
            self._messages.removeWidget(view)
            view.hide()
            view.deleteLater()
        remaining = self.views
        if remaining and isinstance(remaining[-1], AnswerView):
            remaining[-1].set_last(True)
        self.welcome.setVisible(not remaining and not self._earlier)

    def clear(self) -> None:
        """An empty conversation."""
        self._earlier = []
        self.remove_last(len(self.views) or 1)
        self.follow()

    def follow(self) -> None:
        """Go to the end and stay there."""
        self.following = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self._jump.hide()

    def _view(self, message: Message, is_last: bool = True) -> View:
        if message.role == "user":
            question = QuestionView(message, self._theme)
            question.document_asked.connect(lambda number: self.document_asked.emit(message, number))
            return question
        answer = AnswerView(message, self._theme, is_last=is_last)
        for given, passed in (
            (answer.link_asked, self.link_asked),
            (answer.again_asked, self.again_asked),
            (answer.edit_asked, self.edit_asked),
            (answer.report_asked, self.report_asked),
            (answer.budget_asked, self.budget_asked),
            (answer.elsewhere_asked, self.elsewhere_asked),
        ):
            given.connect(passed)
        return answer

    def _fill(self) -> None:
        until = perf_counter() + SLICE
        while self._earlier and perf_counter() < until:
            self._messages.insertWidget(0, self._view(self._earlier.pop(), is_last=self._messages.count() == 1))
        if self._earlier:
            QTimer.singleShot(0, self, self._fill)

    def _grown(self, _minimum: int, maximum: int) -> None:
        # As wide on the left as the bar on the right: the column stays in the middle, in line with the composer.
        self.setViewportMargins(self.verticalScrollBar().sizeHint().width() if maximum > 0 else 0, 0, 0, 0)
        if self.following:
            self.verticalScrollBar().setValue(maximum)
        else:
            if self._anchor is not None:
                # What is being read stays where it is when something above it grows.
                view, offset = self._anchor
                self._holding = True
                self.verticalScrollBar().setValue(view.y() + offset)
                self._holding = False
            self._jump.setVisible(maximum - self.verticalScrollBar().value() > NEAR_END)

    def _moved(self, value: int) -> None:
        self.following = value >= self.verticalScrollBar().maximum() - NEAR_END
        self._jump.setVisible(not self.following)
        if not self._holding:
            self._anchor = None if self.following else self._message_at(value)

    def _message_at(self, value: int) -> tuple[QWidget, int] | None:
        """The message at this height, and how far down in it that is."""
        for height in (value, value + self._messages.spacing() + 1):
            view = self._column.childAt(QPoint(self._column.width() // 2, height))
            while view is not None and view.parentWidget() is not self._column:
                view = view.parentWidget()
            if view is not None:
                return view, value - view.y()
        return None

    def _draw_jump(self) -> None:
        self._jump.setIcon(icon("down", self._theme.tone.accent))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button and the welcome keep their places; a reader at the end stays there."""
        # Read before the layout runs: narrower lines move the end away without the reader having moved.
        following = self.following
        super().resizeEvent(event)
        self._jump.adjustSize()
        self._jump.move((self.width() - self._jump.width()) // 2, self.height() - self._jump.height() - 14)
        self.welcome.setGeometry(0, 0, self.viewport().width(), self.viewport().height())
        if following:
            self.follow()


class Welcome(QWidget):
    """What an empty conversation says."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._title = QLabel(self)
        self._title.setObjectName("welcome")
        scale_font(self._title, 1.7)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text = QLabel(self)
        self._text.setObjectName("muted")
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addStretch(4)
        layout.addWidget(self._title)
        layout.addWidget(self._text, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(5)
        self.show_for(incognito=False)

    def show_for(self, incognito: bool) -> None:
        """What a new chat is, and that nothing is kept of an incognito one."""
        if incognito:
            self._title.setText(self.tr("Incognito chat"))
            text = self.tr("Nothing of it is written to disk, and it is gone when you leave it.")
        else:
            self._title.setText(self.tr("What would you like to know?"))
            text = self.tr("Type a question, or drop a document anywhere in this window.")
        self._text.setText(text)
        # A layout that centres a label does not ask how high it gets at its width.
        self._text.setFixedSize(480, self._text.heightForWidth(480))
