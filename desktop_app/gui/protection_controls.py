"""Protection in the settings: the switch, what it is worth, when the sheet is shown, and the lists."""

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_app.chat.events import Noise
from desktop_app.gui.protection_words import protected_sentences, unprotected_sentences


class ProtectionControls(QWidget):
    """`changed`: the switch was turned. `lists_asked`: the person's own lists are to be shown."""

    changed = Signal()
    lists_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.protect = QCheckBox(self.tr("Replace names and numbers in new chats"), self)
        self.review = QComboBox(self)
        self.review.setAccessibleName(self.tr("Show what is replaced before sending"))
        for name, value in (
            (self.tr("before the first question of a chat"), "first"),
            (self.tr("before every question"), "always"),
            (self.tr("never"), "never"),
        ):
            self.review.addItem(name, value)
        self.lists = QPushButton(self.tr("My lists …"), self)
        self.lists.setAutoDefault(False)
        self.words = QLabel(self)
        self.words.setObjectName("words")
        self.words.setWordWrap(True)
        form = QFormLayout()
        form.setHorizontalSpacing(18)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("Show what is replaced"), self.review)
        form.addRow(self.tr("Always and never replaced"), self.lists)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(10)
        layout.addWidget(self.protect)
        layout.addWidget(self.words)
        layout.addLayout(form)
        self.protect.toggled.connect(self.changed)
        self.lists.clicked.connect(self.lists_asked)

    def show_words(self, only_here: bool, noise: Noise | None = None) -> None:
        """Say what is protected, and what is not, at this setting."""
        protect = self.protect.isChecked()
        open_ = _listed(self.tr("Not protected"), unprotected_sentences(only_here, protect, noise))
        self.words.setText(open_ + _listed(self.tr("Protected"), protected_sentences(only_here, protect, noise)))


def _listed(title: str, sentences: list[str]) -> str:
    items = "".join(f"<li style='margin-bottom: 3px'>{sentence}</li>" for sentence in sentences)
    return f"<b>{title}</b><ul style='margin-top: 3px; margin-bottom: 9px; -qt-list-indent: 0; margin-left: 16px'>{items}</ul>"
