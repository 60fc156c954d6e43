"""The line that says how words leave in the chat on screen, and under noise how much of its budget is spent."""

import math

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.chat.events import Noise
from desktop_app.chat.stored import NoiseSpent
from desktop_app.gui.noise_words import CERTAIN, guess_sentence, mode_name, spent_sentence
from desktop_app.gui.theme import scale_font

PARTS = 1000
"""Into which the meter is divided."""


class NoiseBar(QFrame):
    """`mode_asked`: the mode is to be chosen or left. `budget_asked`: the budget is to be raised."""

    mode_asked = Signal()
    budget_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Looks as the bar above it: one ground for what protects, another where nothing does.
        self.setObjectName("protection")
        self.mode = QPushButton(self)
        self.mode.setObjectName("link")
        self.mode.setAccessibleName(self.tr("How words leave in this chat"))
        self.meter = QProgressBar(self)
        self.meter.setTextVisible(False)
        self.meter.setFixedWidth(90)
        self.meter.setRange(0, PARTS)
        self.meter.setAccessibleName(self.tr("Spent of the budget"))
        self.sentence = QLabel(self)
        self.sentence.setObjectName("protection_sentence")
        self.sentence.setWordWrap(True)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.budget = QPushButton(self.tr("Raise the budget …"), self)
        self.budget.setObjectName("link")
        self.guess = QLabel(self)
        self.guess.setObjectName("protection_sentence")
        self.guess.setWordWrap(True)
        self.guess.setContentsMargins(QMargins(9, 0, 9, 4))
        for widget in (self.mode, self.sentence, self.budget, self.guess):
            scale_font(widget, 0.92)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.mode)
        row.addWidget(self.meter)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.budget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins(0, 0, 2, 0))
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.guess)
        self.mode.clicked.connect(self.mode_asked)
        self.budget.clicked.connect(self.budget_asked)
        self.show_exact(begun=False)

    def show_exact(self, *, begun: bool, only_here: bool = False) -> None:
        """The chat sends exact rows; one that has begun does so for life."""
        self.mode.setText(f"{mode_name(None)} …")
        self.mode.setToolTip(
            self.tr("Noise begins in a new chat") if begun else self.tr("Choose noise, before the first question of this chat")
        )
        if only_here:
            sentence = self.tr("Nothing is sent.")
        elif begun:
            sentence = self.tr("Words leave as exact numbers, for as long as this chat lives.")
        else:
            sentence = self.tr("Words leave as exact numbers. Noise can be chosen before the first question.")
        self._show(sentence, warns=False, noisy=False)

    def show_noise(self, noise: Noise, spent: NoiseSpent | None, *, begun: bool, only_here: bool = False) -> None:
        """The chat sends noisy codes, and has spent so much; None: nothing, as far as is known."""
        self.mode.setText(f"{mode_name(noise)} …")
        self.mode.setToolTip(
            self.tr("This chat keeps its noise for life; it can only be given up")
            if begun
            else self.tr("Choose other noise, before the first question of this chat")
        )
        if only_here:
            self._show(self.tr("Nothing is sent, so nothing is spent."), warns=False, noisy=False)
            return
        share = 0.0 if spent is None else 1.0 if not math.isfinite(spent.epsilon) else spent.epsilon / spent.budget
        self.meter.setValue(round(PARTS * min(1.0, share)))
        warns = spent is not None and bool(spent.tokens) and spent.success >= CERTAIN
        self._show(spent_sentence(spent, noise), warns=warns or (spent is not None and spent.exact), noisy=True)
        told = spent is not None and bool(spent.tokens) and not spent.exact
        self.guess.setText(guess_sentence(spent.success) if spent is not None and told else "")
        self.guess.setVisible(told)
        self.budget.setVisible(begun and spent is not None and not spent.exact)

    def _show(self, sentence: str, *, warns: bool, noisy: bool) -> None:
        self.sentence.setText(sentence)
        self.mode.setAccessibleDescription(sentence)
        self.meter.setVisible(noisy)
        self.budget.setVisible(False)
        self.guess.setVisible(False)
        self.setProperty("off", warns)
        for widget in (self, self.sentence, self.guess):
            widget.style().unpolish(widget)
            widget.style().polish(widget)
