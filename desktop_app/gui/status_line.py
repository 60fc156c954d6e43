"""The line at the foot of the window: who runs the middle layers, how far away that is, how fast it goes, what was sent."""

from PySide6.QtCore import QMargins, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from desktop_app.chat.events import AgentState, Progress, Statistics
from desktop_app.gui.figures import agent_text, round_trip_text, speed_text, stage_sentence, step_text, traffic_text
from desktop_app.gui.theme import scale_font

SHOWN = 8000
"""Milliseconds for which a quiet sentence stays."""


class StatusLine(QFrame):
    """Figures of the agent and of the reply that runs or ran last."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self._agent: AgentState | None = None
        self._only_here = False
        self.agent = self._label(self.tr("Who runs the middle layers"))
        self.progress = self._label(self.tr("What is being prepared"))
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(120)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._bar.hide()
        self.quiet = self._label(self.tr("What has just happened"))
        self._moment = QTimer(self, singleShot=True, interval=SHOWN)
        self._moment.timeout.connect(lambda: self.quiet.setText(""))
        self.round_trip = self._label(self.tr("Time of one round trip to the agent"))
        self.speed = self._label(self.tr("Tokens per second"))
        self.step = self._label(self.tr("Tokens for each step sent to the agent"))
        self.traffic = self._label(self.tr("Bytes sent and received for this answer"))
        row = QHBoxLayout(self)
        row.setContentsMargins(QMargins(18, 7, 18, 7))
        row.setSpacing(18)
        row.addWidget(self.agent)
        row.addWidget(self.progress)
        row.addWidget(self._bar)
        row.addWidget(self.quiet)
        row.addStretch()
        for label in (self.round_trip, self.speed, self.step, self.traffic):
            row.addWidget(label)
        self._draw_agent()

    def say(self, sentence: str) -> None:
        """Show a quiet sentence for a while."""
        self.quiet.setText(sentence)
        self._moment.start()

    def show_agent(self, agent: AgentState) -> None:
        """Another agent, or the same in another state."""
        self._agent = agent
        self._draw_agent()

    def set_only_here(self, only_here: bool) -> None:
        """Whether all layers run here."""
        self._only_here = only_here
        self._draw_agent()

    def show_progress(self, progress: Progress | None) -> None:
        """What is being prepared; None: nothing."""
        self.progress.setText(stage_sentence(progress) if progress is not None else "")
        known = progress is not None and progress.total > 0
        self._bar.setVisible(known)
        if progress is not None and known:
            self._bar.setRange(0, 1000)
            self._bar.setValue(min(1000, 1000 * progress.done // progress.total))

    def show_statistics(self, statistics: Statistics) -> None:
        """The figures of a reply, as far as it has come."""
        if statistics.round_trip > 0:
            self.round_trip.setText(round_trip_text(statistics.round_trip))
        self.speed.setText(speed_text(statistics) if statistics.reply_tokens else "")
        self.step.setText(step_text(statistics) if statistics.steps else "")
        self.traffic.setText(traffic_text(statistics) if statistics.bytes_up or statistics.bytes_down else "")

    def _draw_agent(self) -> None:
        self.agent.setText(agent_text(self._agent, self._only_here))
        if self._only_here:
            self.round_trip.setText("")
        elif self._agent is not None and self._agent.round_trip > 0:
            self.round_trip.setText(round_trip_text(self._agent.round_trip))

    def _label(self, meaning: str) -> QLabel:
        label = QLabel(self)
        label.setToolTip(meaning)
        label.setAccessibleDescription(meaning)
        scale_font(label, 0.88)
        return label


class Banner(QFrame):
    """A sentence across the window: something happened that concerns more than one answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.sentence = QLabel(self)
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setAccessibleName(self.tr("Notice"))
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.setObjectName("link")
        self.close_button.clicked.connect(lambda: self.show_sentence(""))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(QMargins(22, 8, 12, 8))
        layout.addWidget(self.sentence, 1)
        layout.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_sentence(self, sentence: str) -> None:
        """Show it; "" hides the banner."""
        self.sentence.setText(sentence)
        self.setVisible(bool(sentence))
