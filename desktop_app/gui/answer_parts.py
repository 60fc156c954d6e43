"""What stands around the text of an answer: what is going on before it comes, how it ended, and what can be done with it."""

from collections.abc import Callable

from PySide6.QtCore import QMargins, QSize, Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.chat.events import Progress
from desktop_app.chat.message import Message, MessageState
from desktop_app.gui.block_views import CopyButton
from desktop_app.gui.figures import reply_figures, reply_layers, shape_cost, stage_sentence
from desktop_app.gui.icons import icon
from desktop_app.gui.theme import Theme, scale_font


class ProgressLine(QWidget):
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
        """Say what is going on."""
        self.label.setText(stage_sentence(progress))
        self._bar.setVisible(progress.total > 0)
        if progress.total > 0:
            self._bar.setRange(0, 1000)
            self._bar.setValue(min(1000, 1000 * progress.done // progress.total))
        self.show()


class Notice(QFrame):
    """How an answer ended, where it did not end by itself, and what can be done where it cost more than its noise may spend."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._label = QLabel(self)
        self._label.setWordWrap(True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.again = QPushButton(self.tr("Ask again"), self)
        self._choices = QWidget(self)
        self.edit = QPushButton(self.tr("Shorten it, or drop documents"), self._choices)
        self.elsewhere = QPushButton(self.tr("Ask in a new chat"), self._choices)
        self.budget = QPushButton(self.tr("Raise the budget …"), self._choices)
        choices = QHBoxLayout(self._choices)
        choices.setContentsMargins(QMargins(0, 8, 0, 0))
        for button in (self.edit, self.elsewhere, self.budget):
            choices.addWidget(button)
        choices.addStretch()
        self._row = QGridLayout(self)
        self._row.addWidget(self._label, 0, 0)
        self._row.addWidget(self.again, 0, 1, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self._choices, 1, 0, 1, 2)
        self._row.setColumnStretch(0, 1)
        self.hide()

    def show_for(self, message: Message, is_last: bool) -> None:
        """Say how this message ended; the last one, if it ended badly, can be asked again here."""
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
        self.again.setVisible(is_last and not calm and not message.over_budget)
        self._choices.setVisible(is_last and message.over_budget)
        self._label.setText(sentence)
        self.setVisible(bool(sentence))


class Foot(QWidget):
    """Below a finished answer: copy, ask again, its figures, and what shaping its traffic has cost."""

    def __init__(self, message: Message, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins(0, 6, 0, 0))
        layout.setSpacing(2)
        self._row = QHBoxLayout()
        self._row.setSpacing(2)
        layout.addLayout(self._row)
        if message.text:
            copy = CopyButton(theme.tone, lambda: (message.text, bool(message.marks)), self)
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
        if cost := shape_cost(message.statistics):
            layout.addWidget(self._cost_line(cost))

    def _cost_line(self, cost: str) -> QLabel:
        line = QLabel(cost, self)
        line.setObjectName("muted")
        line.setWordWrap(True)
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        scale_font(line, 0.88)
        return line

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
