"""The switch under the composer: whether names and numbers leave as stand-ins in this chat, and the way to the person's lists."""

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from desktop_app.gui.theme import scale_font


class ProtectionBar(QWidget):
    """`switched` tells what the person asks for; what is shown changes only by `show_protect`."""

    switched = Signal(bool)
    lists_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switch = QCheckBox(self.tr("Replace names and numbers"), self)
        self.sentence = QLabel(self)
        self.sentence.setObjectName("muted")
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.lists = QPushButton(self.tr("My lists …"), self)
        self.lists.setObjectName("link")
        self.lists.setToolTip(self.tr("Names, projects and customers that are always replaced, and words that never are"))
        for widget in (self.switch, self.sentence, self.lists):
            scale_font(widget, 0.92)
        row = QHBoxLayout(self)
        row.setContentsMargins(QMargins(6, 0, 2, 0))
        row.setSpacing(10)
        row.addWidget(self.switch)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.lists)
        self.switch.clicked.connect(self._ask)
        self.lists.clicked.connect(self.lists_asked)
        self._protect = True
        self.show_protect(True)

    def show_protect(self, protect: bool) -> None:
        """Whether names are replaced in the chat on screen."""
        self._protect = protect
        self.switch.setChecked(protect)
        sentence = (
            self.tr("What is found leaves as a stand-in and comes back in the answer.")
            if protect
            else self.tr("Off: everything leaves as it is written.")
        )
        self.sentence.setText(sentence)
        self.sentence.setToolTip(sentence)
        self.switch.setAccessibleDescription(sentence)

    def _ask(self, wanted: bool) -> None:
        # The box follows the chat, which may have to ask first.
        self.switch.setChecked(self._protect)
        self.switched.emit(wanted)
