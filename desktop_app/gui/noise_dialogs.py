"""Two small dialogs of a chat: how its words leave, before it begins, and another budget for its noise."""

import asyncio

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QMargins, Qt, QTimer
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from desktop_app.chat.events import Noise
from desktop_app.chat.responder import Responder
from desktop_app.chat.stored import NoiseSpent
from desktop_app.gui.noise_controls import NoiseControls, number_text
from desktop_app.gui.noise_words import fault_sentence, guess_sentence, noise_of, spent_sentence
from desktop_app.gui.reply_task import Tasks
from desktop_app.settings.noise_numbers import MOST_TOKENS, Fault, read_delta, read_epsilon
from desktop_app.settings.settings import Settings

PAUSE = 150
"""Milliseconds for which the choice has to rest before its worth is looked up."""


def settings_of(noise: Noise | None, settings: Settings) -> Settings:
    """The settings as if they held this noise."""
    if noise is None:
        return replace(settings, noise="off")
    return replace(
        settings,
        noise="words" if noise.rest == "exact" else "all",
        mu=noise.mu,
        strict_mu=noise.strict_mu,
        epsilon=noise.epsilon,
        delta=noise.delta,
        noisy_answers=noise.answers == "codes",
    )


class NoiseDialog(QDialog):
    """How the words of a chat leave that has not begun; accepted, `noise` is what was chosen."""

    def __init__(self, noise: Noise | None, settings: Settings, tokens: int = MOST_TOKENS, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setWindowTitle(self.tr("How words leave"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for_life = QLabel(self.tr("A chat keeps this for as long as it lives. The settings say what new chats begin with."), self)
        for_life.setWordWrap(True)
        self.controls = NoiseControls(tokens, self)
        self.complaint, self._buttons, self.accepting = _foot(self, self.tr("Use"))
        layout = _layout(self, for_life, self.controls, self.complaint)
        layout.addStretch()
        layout.addWidget(self._buttons)
        self._rest = QTimer(self, singleShot=True, interval=PAUSE)
        self.controls.changed.connect(self._settle)
        self.controls.show_settings(settings_of(noise, settings))
        self.resize(680, min(640, round(self.screen().availableGeometry().height() * 0.9)))

    @property
    def noise(self) -> Noise | None:
        """What is chosen; None: exact split."""
        return noise_of(self.controls.put_into(self._settings))

    def measure(self, responder: Responder, tasks: Tasks) -> None:
        """Look up what the choice is worth, now and whenever it changes."""
        looking: asyncio.Task[None] | None = None

        def look() -> None:
            nonlocal looking
            if looking is not None:
                looking.cancel()
            looking = tasks.start(self.controls.look_up(responder, self._settings))

        self._rest.timeout.connect(look)
        self.finished.connect(self._rest.stop)
        self.finished.connect(lambda _result: looking is not None and looking.cancel())
        look()

    def _settle(self) -> None:
        _complain(self.controls.complaint, self.complaint, self.accepting)
        self._rest.start()


class BudgetDialog(QDialog):
    """Another budget for the noise of a chat; accepted, `epsilon` and `delta` are the new ones."""

    def __init__(self, noise: Noise, spent: NoiseSpent, accept: tuple[str, float], parent: QWidget | None = None) -> None:
        """`accept`: the word for yes, and the epsilon that the last question would have come to, 0 where that is not known."""
        super().__init__(parent)
        self._spent = spent
        self.setWindowTitle(self.tr("Raise the budget"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        told = QLabel(f"{spent_sentence(spent, noise)} {guess_sentence(spent.success)}", self)
        told.setWordWrap(True)
        meaning = QLabel(
            self.tr(
                "What has left stays as it is. A larger budget lets more leave, and whoever gets it can guess better what the "
                "words were. It holds for this chat alone; the same text in another chat is drawn anew, and both add up."
            ),
            self,
        )
        meaning.setObjectName("muted")
        meaning.setWordWrap(True)
        self._epsilon, self._delta = QLineEdit(self), QLineEdit(number_text(spent.delta), self)
        self._epsilon.setText(number_text(_rounded(max(2 * spent.budget, 1.2 * accept[1]))))
        form = QFormLayout()
        form.setHorizontalSpacing(18)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        each = self.tr("New epsilon of each name or number") if spent.per == "value" else self.tr("New epsilon of this chat")
        for name, line in ((each, self._epsilon), (self.tr("at delta"), self._delta)):
            line.setAccessibleName(name)
            form.addRow(name, line)
            line.textChanged.connect(self._settle)
        self.complaint, buttons, self.accepting = _foot(self, accept[0])
        layout = _layout(self, told, meaning)
        layout.addLayout(form)
        layout.addWidget(self.complaint)
        layout.addStretch()
        layout.addWidget(buttons)
        self._settle()
        self.resize(560, 300)

    @property
    def epsilon(self) -> float:
        """The new epsilon."""
        value = read_epsilon(self._epsilon.text())
        return self._spent.budget if isinstance(value, Fault) else value

    @property
    def delta(self) -> float:
        """The new delta."""
        value = read_delta(self._delta.text(), self._spent.tokens)
        return self._spent.delta if isinstance(value, Fault) else value

    def _settle(self) -> None:
        epsilon, delta = read_epsilon(self._epsilon.text()), read_delta(self._delta.text(), self._spent.tokens)
        complaint = ""
        if isinstance(epsilon, Fault):
            complaint = fault_sentence(epsilon, self.tr("The budget's epsilon"))
        elif isinstance(delta, Fault):
            complaint = fault_sentence(delta, self.tr("The budget's delta"))
        elif epsilon <= self._spent.epsilon and delta <= self._spent.delta:
            complaint = self.tr("So much is spent already: nothing more could be sent. Write a larger number.")
        _complain(complaint, self.complaint, self.accepting)


def _rounded(value: float) -> float:
    """A number with two digits that mean something."""
    return float(f"{value:.2g}")


def _foot(dialog: QDialog, accept: str) -> tuple[QLabel, QDialogButtonBox, QWidget]:
    """What is wrong, and the two buttons, the accepting one apart."""
    complaint = QLabel(dialog)
    complaint.setObjectName("complaint")
    complaint.setWordWrap(True)
    buttons = QDialogButtonBox(dialog)
    use = buttons.addButton(accept, QDialogButtonBox.ButtonRole.AcceptRole)
    buttons.addButton(QCoreApplication.translate("NoiseDialogs", "Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
    use.setDefault(True)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return complaint, buttons, use


def _layout(dialog: QDialog, *parts: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(QMargins(24, 20, 24, 18))
    layout.setSpacing(12)
    for part in parts:
        layout.addWidget(part)
    return layout


def _complain(complaint: str, label: QLabel, accept: QWidget) -> None:
    label.setText(complaint)
    label.setVisible(bool(complaint))
    accept.setEnabled(not complaint)
