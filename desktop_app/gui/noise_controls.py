"""The choice of noise: what of a chat leaves under it, how strong it is, its budget, and what that is worth."""

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from desktop_app.chat.events import Split
from desktop_app.chat.responder import ChatError, Responder
from desktop_app.gui.noise_words import (
    advice,
    answers_sentence,
    choice_name,
    choice_sentence,
    delta_text,
    fault_sentence,
    level_name,
    limiting_mu,
    measured_sentence,
    noise_of,
    worth_sentence,
)
from desktop_app.settings.noise_numbers import MOST_TOKENS, Fault, read_delta, read_epsilon
from desktop_app.settings.settings import Settings

LEVELS = (10.0, 15.0, 20.0, 30.0, 40.0)
STRICT_LEVELS = (0.5, 0.75, 1.5)
USUAL_EPSILON = {"words": 20.0, "all": 1e5}
"""What pays for a name or number of some twenty tokens at the strict level, and for some pages at the middling one."""


def number_text(value: float) -> str:
    """A number as it is written into a field, read back as the same."""
    short = f"{value:,.0f}" if value >= 1000 else delta_text(value)
    return short if read_epsilon(short) == value else repr(value)


class NoiseControls(QWidget):
    """`changed`: something else is chosen. While `complaint` is not empty, the numbers are none."""

    changed = Signal()

    def __init__(self, tokens: int = MOST_TOKENS, parent: QWidget | None = None) -> None:
        """`tokens`: the most that a chat can have."""
        super().__init__(parent)
        self._tokens = tokens
        self._showing = False
        self.choice = self._box(self.tr("Words leave"), [(choice_name(name), name) for name in ("off", "words", "all")])
        self.mu = self._box(self.tr("Noise of a word"), [(level_name(mu), mu) for mu in LEVELS])
        strict = [(level_name(mu, strict=True), mu) for mu in (*STRICT_LEVELS, 0.0)]
        self.strict = self._box(self.tr("Noise of names and numbers"), strict)
        self.answers = self._box(
            self.tr("Answers go back"),
            [(self.tr("exact: free, and the agent can read them"), False), (self.tr("as codes: every word is charged"), True)],
        )
        self.epsilon, self.delta = self._line(self.tr("Epsilon")), self._line(self.tr("Delta"))
        self.meaning, self.worth = self._words(), self._words()
        self._lay_out()
        self._was = "off"
        self.choice.currentIndexChanged.connect(self._choose)
        for box in (self.mu, self.strict, self.answers):
            box.currentIndexChanged.connect(self._settle)
        for line in (self.epsilon, self.delta):
            line.textChanged.connect(self._settle)
        self.show_settings(Settings())

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.setHorizontalSpacing(18)
        self._form.setVerticalSpacing(8)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for control in (self.choice, self.mu, self.strict, self.answers):
            self._form.addRow(control.accessibleName(), control)
        self._epsilon_name = QLabel(self)
        self._form.addRow(self._epsilon_name, self.epsilon)
        self._form.addRow(self.tr("at delta"), self.delta)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(8)
        for part in (self._form, self.meaning, self.worth):
            layout.addLayout(part) if isinstance(part, QFormLayout) else layout.addWidget(part)

    @property
    def complaint(self) -> str:
        """What is wrong with the numbers, or ""."""
        if self.choice.currentData() == "off":
            return ""
        numbers = (
            (self.tr("The budget's epsilon"), read_epsilon(self.epsilon.text())),
            (self.tr("The budget's delta"), read_delta(self.delta.text(), self._tokens)),
        )
        return next((fault_sentence(value, name) for name, value in numbers if isinstance(value, Fault)), "")

    def put_into(self, settings: Settings) -> Settings:
        """The settings with what is chosen here; numbers that are none leave those that were there."""
        epsilon, delta = read_epsilon(self.epsilon.text()), read_delta(self.delta.text(), self._tokens)
        return replace(
            settings,
            noise=self.choice.currentData(),
            mu=self.mu.currentData(),
            strict_mu=self.strict.currentData(),
            epsilon=settings.epsilon if isinstance(epsilon, Fault) else epsilon,
            delta=settings.delta if isinstance(delta, Fault) else delta,
            noisy_answers=self.answers.currentData(),
        )

    def show_settings(self, settings: Settings) -> None:
        """Set every control."""
        self._showing = True
        self._was = settings.noise
        _choose_in(self.mu, settings.mu, level_name(settings.mu))
        _choose_in(self.strict, settings.strict_mu, level_name(settings.strict_mu, strict=True))
        self.answers.setCurrentIndex(int(settings.noisy_answers))
        self.epsilon.setText(number_text(settings.epsilon))
        self.delta.setText(number_text(settings.delta))
        self.choice.setCurrentIndex(self.choice.findData(settings.noise))
        self._showing = False
        self._settle()

    async def look_up(self, responder: Responder, settings: Settings) -> None:
        """Say what is chosen is worth: by count, and as the audit has measured it for the model and split of these settings."""
        noise = noise_of(self.put_into(settings))
        if noise is None or self.complaint:
            return
        try:
            worth = await responder.noise_worth(noise, settings.model)
            split = Split(head=settings.head, tail=settings.tail)
            rows = await responder.recovered(settings.model, split, settings.protect, limiting_mu(noise))
        except ChatError as error:
            self.worth.setText(str(error))
            return
        self.worth.setText(f"{measured_sentence(rows, noise)}\n{worth_sentence(worth, noise)}")

    def _choose(self) -> None:
        """What pays for one choice pays for nothing, or everything, of the other."""
        before, now = self._was, self.choice.currentData()
        self._was = now
        self.strict.view().setRowHidden(self.strict.findData(0.0), now == "words")  # type: ignore[attr-defined]
        if not self._showing and now == "words" and not self.strict.currentData():
            self.strict.setCurrentIndex(self.strict.findData(Settings().strict_mu))
        if not self._showing and now != "off":
            written = read_epsilon(self.epsilon.text())
            if before == "off" or written == USUAL_EPSILON[before]:
                usual = written in USUAL_EPSILON.values() or isinstance(written, Fault)
                self.epsilon.setText(number_text(USUAL_EPSILON[now]) if usual else self.epsilon.text())
        self._settle()

    def _settle(self) -> None:
        if self._showing:
            return
        choice = self.choice.currentData()
        for control in (self.mu, self.strict, self.answers, self.epsilon, self.delta):
            self._form.setRowVisible(control, choice == "all" or (choice == "words" and control not in (self.mu, self.answers)))
        self._epsilon_name.setText(
            self.tr("Budget of each name or number, epsilon") if choice == "words" else self.tr("Budget of a chat, epsilon")
        )
        noise = noise_of(self.put_into(Settings()))
        sentences = [choice_sentence(choice), *([answers_sentence(noise)] if noise and choice == "all" else [])]
        self.meaning.setText("\n".join([" ".join(sentences), advice()]))
        self.worth.setVisible(choice != "off")
        self.worth.setText(self.tr("Looking it up …"))
        self.changed.emit()

    def _box(self, name: str, items: Sequence[tuple[str, object]]) -> QComboBox:
        box = QComboBox(self)
        box.setAccessibleName(name)
        for text, value in items:
            box.addItem(text, value)
        return box

    def _line(self, name: str) -> QLineEdit:
        line = QLineEdit(self)
        line.setAccessibleName(name)
        return line

    def _words(self) -> QLabel:
        label = QLabel(self)
        label.setObjectName("muted")
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        return label


def _choose_in(box: QComboBox, value: float, name: str) -> None:
    """Choose a level; one that is not among the usual ones is added."""
    if box.findData(value) < 0:
        box.addItem(name, value)
    box.setCurrentIndex(box.findData(value))
