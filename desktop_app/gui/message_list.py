"""The conversation on screen: messages in a column of readable width that follows the answer until the reader scrolls away."""

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop_app.chat.conversation import Message
from desktop_app.gui.icons import icon
from desktop_app.gui.message_views import AnswerView, QuestionView
from desktop_app.gui.theme import COLUMN_WIDTH, Theme, scale_font

NEAR_END = 32
"""Pixels from the end within which the reader counts as being there."""


class MessageList(QScrollArea):
    """Shows messages; `following` says whether the view goes along with new text."""

    link_asked = Signal(str)
    again_asked = Signal()
    edit_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.following = True
        self.setObjectName("messages")
        self.setAccessibleName(self.tr("Conversation"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        page = QWidget()
        page.setObjectName("messages_page")
        column = QWidget(page)
        column.setMaximumWidth(COLUMN_WIDTH)
        self._messages = QVBoxLayout(column)
        self._messages.setContentsMargins(QMargins(4, 28, 4, 24))
        self._messages.setSpacing(26)
        # With a factor of its own it takes all the room that a short conversation leaves; else answers would share in it.
        self._messages.addStretch(1)
        row = QHBoxLayout(page)
        row.setContentsMargins(QMargins(28, 0, 28, 0))
        row.addStretch()
        row.addWidget(column, 100)
        row.addStretch()
        self.setWidget(page)
        self._welcome = _Welcome(self)
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
    def views(self) -> list[QuestionView | AnswerView]:
        """The messages' views in order."""
        items = (self._messages.itemAt(number) for number in range(self._messages.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, QuestionView | AnswerView)]

    def add(self, message: Message) -> QuestionView | AnswerView:
        """Show one more message at the end."""
        self._welcome.hide()
        view: QuestionView | AnswerView
        if message.role == "user":
            view = QuestionView(message, self._theme)
        else:
            for earlier in self.views:
                if isinstance(earlier, AnswerView):
                    earlier.set_last(False)
            view = AnswerView(message, self._theme)
            view.link_asked.connect(self.link_asked)
            view.again_asked.connect(self.again_asked)
            view.edit_asked.connect(self.edit_asked)
        self._messages.insertWidget(self._messages.count() - 1, view)
        return view

    def remove_last(self, count: int = 1) -> None:
        """Take the last messages off the screen."""
        for view in self.views[-count:]:
            self._messages.removeWidget(view)
            view.hide()
            view.deleteLater()
        remaining = self.views
        if remaining and isinstance(remaining[-1], AnswerView):
            remaining[-1].set_last(True)
        self._welcome.setVisible(not remaining)

    def clear(self) -> None:
        """An empty conversation."""
        self.remove_last(len(self.views) or 1)
        self.follow()

    def follow(self) -> None:
        """Go to the end and stay there."""
        self.following = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self._jump.hide()

    def _grown(self, _minimum: int, maximum: int) -> None:
        # As wide on the left as the bar on the right: the column stays in the middle, in line with the composer.
        self.setViewportMargins(self.verticalScrollBar().sizeHint().width() if maximum > 0 else 0, 0, 0, 0)
        if self.following:
            self.verticalScrollBar().setValue(maximum)
        else:
            self._jump.setVisible(maximum - self.verticalScrollBar().value() > NEAR_END)

    def _moved(self, value: int) -> None:
        self.following = value >= self.verticalScrollBar().maximum() - NEAR_END
        self._jump.setVisible(not self.following)

    def _draw_jump(self) -> None:
        self._jump.setIcon(icon("down", self._theme.tone.accent))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button and the welcome keep their places; a reader at the end stays there."""
        # Read before the layout runs: narrower lines move the end away without the reader having moved.
        following = self.following
        super().resizeEvent(event)
        self._jump.adjustSize()
        self._jump.move((self.width() - self._jump.width()) // 2, self.height() - self._jump.height() - 14)
        self._welcome.setGeometry(0, 0, self.viewport().width(), self.viewport().height())
        if following:
            self.follow()


class _Welcome(QWidget):
    """What an empty conversation says."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        title = QLabel(self.tr("What would you like to know?"), self)
        title.setObjectName("welcome")
        scale_font(title, 1.7)
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        text = QLabel(self.tr("Type a question, or drop a document anywhere in this window."), self)
        text.setObjectName("muted")
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        text.setWordWrap(True)
        # A layout that centres a label does not ask how high it gets at its width.
        text.setFixedSize(480, text.heightForWidth(480))
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addStretch(4)
        layout.addWidget(title)
        layout.addWidget(text, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(5)
