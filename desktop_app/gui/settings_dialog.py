"""The settings: protection in plain words, the split and its figures, the model, sampling. They hold from the next question."""

import asyncio

import msgspec
from PySide6.QtCore import QMargins, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_app.chat.events import ModelLoaded, Split
from desktop_app.chat.responder import ChatError, Responder
from desktop_app.gui.model_chooser import ModelChooser
from desktop_app.gui.noise_controls import NoiseControls
from desktop_app.gui.noise_words import limiting_mu, noise_of
from desktop_app.gui.protection_controls import ProtectionControls
from desktop_app.gui.recovered_panel import RecoveredPanel
from desktop_app.gui.reply_task import Tasks
from desktop_app.gui.split_controls import SplitControls
from desktop_app.gui.theme import Theme
from desktop_app.gui.traffic_shape import TrafficShapeControls
from desktop_app.gui.wheel import PageWheel
from desktop_app.settings.noise_numbers import MOST_TOKENS
from desktop_app.settings.settings import Settings

PAUSE = 150
"""Milliseconds for which a slider has to rest before figures for its setting are looked up."""


class SettingsDialog(QDialog):
    """Shown by `open()`; `saved` gives the new settings once they are accepted, `lists_asked`: the lists are to be shown."""

    saved = Signal(object)
    lists_asked = Signal()

    def __init__(self, settings: Settings, model: ModelLoaded | None, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setWindowTitle(self.tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page = QWidget()
        page.setObjectName("settings_page")
        self._page = QVBoxLayout(page)
        self._page.setContentsMargins(QMargins(26, 22, 26, 16))
        self._page.setSpacing(12)
        self._add_protection()
        self._add_noise(model)
        self._add_split(model, theme)
        self._add_model()
        self._add_sampling()
        self._page.addStretch()
        area = QScrollArea(self)
        area.setObjectName("settings_area")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        PageWheel(page)
        self.complaint = QLabel(self)
        self.complaint.setObjectName("muted")
        self.complaint.setContentsMargins(QMargins(26, 0, 26, 0))
        self._buttons = QDialogButtonBox(self)
        self._save = self._buttons.addButton(self.tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        self._buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        defaults = self._buttons.addButton(self.tr("Defaults"), QDialogButtonBox.ButtonRole.ResetRole)
        self._save.setDefault(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins(0, 0, 0, 16))
        layout.addWidget(area, 1)
        layout.addWidget(self.complaint)
        foot = QVBoxLayout()
        foot.setContentsMargins(QMargins(26, 0, 26, 0))
        foot.addWidget(self._buttons)
        layout.addLayout(foot)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        defaults.clicked.connect(lambda: self.show_settings(Settings()))
        self.model.changed.connect(self._settle)
        self.seed.textChanged.connect(self._settle)
        self._rest = QTimer(self, singleShot=True, interval=PAUSE)
        for changed in (self.model.changed, self.split.changed, self.protection.changed, self.noise.changed):
            changed.connect(self._setting_changed)
        self.noise.changed.connect(self._settle)
        self.show_settings(settings)
        # Small screens must reach the buttons: the page scrolls, the dialog does not grow with it.
        self.resize(680, min(760, round(self.screen().availableGeometry().height() * 0.9)))

    @property
    def values(self) -> Settings:
        """The settings as the controls show them."""
        return msgspec.structs.replace(
            self.noise.put_into(self._settings),
            head=self.split.head.value(),
            tail=self.split.tail.value(),
            only_here=self.split.only_here.isChecked(),
            model=self.model.model,
            temperature=round(self.temperature.value(), 2),
            top_k=self.top_k.value(),
            top_p=round(self.top_p.value(), 2),
            min_p=round(self.min_p.value(), 2),
            repetition_penalty=round(self.penalty.value(), 2),
            seed=int(self.seed.text()) if self.seed.text().strip() else None,
            max_tokens=self.max_tokens.value(),
            drafting=self.drafting.isChecked(),
            protect=self.protection.protect.isChecked(),
            review=self.protection.review.currentData(),
            shape=self.traffic.shape,
        )

    def show_settings(self, settings: Settings) -> None:
        """Set every control."""
        self.split.set_split(settings.head, settings.tail, settings.only_here)
        self.model.model = settings.model
        self.temperature.setValue(settings.temperature)
        self.top_k.setValue(settings.top_k)
        self.top_p.setValue(settings.top_p)
        self.min_p.setValue(settings.min_p)
        self.penalty.setValue(settings.repetition_penalty)
        self.seed.setText("" if settings.seed is None else str(settings.seed))
        self.max_tokens.setValue(settings.max_tokens)
        self.drafting.setChecked(settings.drafting)
        self.protection.protect.setChecked(settings.protect)
        self.protection.review.setCurrentIndex(self.protection.review.findData(settings.review))
        self.traffic.shape = settings.shape
        self.noise.show_settings(settings)
        self._settle()
        self._setting_changed()

    def measure(self, responder: Responder, tasks: Tasks) -> None:
        """Look up what attackers recover at the setting that is shown, now and whenever it changes."""
        looking: asyncio.Task[None] | None = None

        def look() -> None:
            nonlocal looking
            if looking is not None:
                looking.cancel()
            looking = tasks.start(self._look_up(responder))

        self._rest.timeout.connect(look)
        self.finished.connect(lambda _result: looking is not None and looking.cancel())
        look()

    async def _look_up(self, responder: Responder) -> None:
        values = self.values
        if values.only_here:
            self.recovered.show_sentence(self.tr("Nothing is sent, so there is nothing to recover."))
            return
        try:
            split, noise = Split(head=values.head, tail=values.tail), noise_of(values)
            mu = limiting_mu(noise) if noise is not None else 0.0
            self.recovered.show_recovered(await responder.recovered(values.model, split, values.protect, mu), mu)
        except ChatError as error:
            self.recovered.show_sentence(str(error))
        await self.noise.look_up(responder, values)

    def _setting_changed(self) -> None:
        self.protection.show_words(self.split.only_here.isChecked(), noise_of(self.noise.put_into(self._settings)))
        self._rest.start()

    def accept(self) -> None:
        """Hand the settings over and close."""
        if self._complaint():
            self._settle()
            return
        self.saved.emit(self.values)
        super().accept()

    def _complaint(self) -> str:
        seed = self.seed.text().strip()
        if seed and not (seed.isascii() and seed.isdigit() and int(seed) < 2**63):
            return self.tr("A seed is a whole number, or empty for a new one each time.")
        return self.noise.complaint or self.model.complaint

    def _settle(self) -> None:
        complaint = self._complaint()
        self.complaint.setText(complaint)
        self.complaint.setVisible(bool(complaint))
        self._save.setEnabled(not complaint)

    def _add_split(self, model: ModelLoaded | None, theme: Theme) -> None:
        self._add_section(self.tr("Split"))
        self.split = SplitControls(model, theme, self)
        self._page.addWidget(self.split)
        self.drafting = QCheckBox(self.tr("Drafting: guess ahead, which hides the distance"), self)
        self.drafting.setToolTip(self.tr("Changes how fast an answer comes, never what it says."))
        self._page.addWidget(self.drafting)
        self.traffic = TrafficShapeControls(self)
        self._page.addWidget(self.traffic)
        self.recovered = RecoveredPanel(theme, self)
        self._page.addWidget(self.recovered)

    def _add_protection(self) -> None:
        self._add_section(self.tr("Protection"))
        self.protection = ProtectionControls(self)
        self.protection.lists_asked.connect(self.lists_asked)
        self._page.addWidget(self.protection)

    def _add_noise(self, model: ModelLoaded | None) -> None:
        self._add_section(self.tr("Noise in new chats"))
        self.noise = NoiseControls(model.context if model is not None else MOST_TOKENS, self)
        self._page.addWidget(self.noise)

    def _add_model(self) -> None:
        self._add_section(self.tr("Model"))
        self.model = ModelChooser(self)
        self._page.addWidget(self.model)

    def _add_sampling(self) -> None:
        self._add_section(self.tr("Sampling"))
        form = QFormLayout()
        form.setHorizontalSpacing(18)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.temperature = self._decimal(0.0, 5.0, self.tr("0 always takes the likeliest token."))
        self.top_k = self._whole(0, 1_000_000, self.tr("Only the k likeliest tokens; 0 is off."), self.tr("off"))
        self.top_p = self._decimal(0.0, 1.0, self.tr("Only the likeliest tokens that make up this share; 1 is off."))
        self.min_p = self._decimal(0.0, 1.0, self.tr("Only tokens at least this likely beside the likeliest; 0 is off."))
        self.penalty = self._decimal(0.01, 10.0, self.tr("Above 1, words that were used get rarer; 1 is off."))
        self.seed = QLineEdit(self)
        self.seed.setPlaceholderText(self.tr("new each time"))
        self.seed.setToolTip(self.tr("The same seed gives the same answer."))
        self.max_tokens = self._whole(1, 1_000_000, self.tr("An answer ends here at the latest."))
        for name, control in (
            (self.tr("Temperature"), self.temperature),
            (self.tr("Top-k"), self.top_k),
            (self.tr("Top-p"), self.top_p),
            (self.tr("Min-p"), self.min_p),
            (self.tr("Repetition penalty"), self.penalty),
            (self.tr("Seed"), self.seed),
            (self.tr("Most tokens of an answer"), self.max_tokens),
        ):
            control.setAccessibleName(name)
            form.addRow(name, control)
        self._page.addLayout(form)

    def _add_section(self, title: str) -> None:
        label = QLabel(title, self)
        label.setObjectName("section")
        label.setContentsMargins(QMargins(0, 10 if self._page.count() else 0, 0, 0))
        self._page.addWidget(label)

    def _decimal(self, least: float, most: float, tip: str) -> QDoubleSpinBox:
        box = QDoubleSpinBox(self)
        box.lineEdit().setTextMargins(7, 0, 0, 0)
        box.setRange(least, most)
        box.setSingleStep(0.05)
        box.setToolTip(tip)
        return box

    def _whole(self, least: int, most: int, tip: str, at_least: str = "") -> QSpinBox:
        box = QSpinBox(self)
        box.lineEdit().setTextMargins(7, 0, 0, 0)
        box.setRange(least, most)
        box.setSpecialValueText(at_least)
        box.setToolTip(tip)
        return box
