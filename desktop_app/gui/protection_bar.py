"""The switch under the composer: whether names and numbers leave as stand-ins in this chat, and the way to the person's lists."""

from PySide6.QtCore import QMargins, QSize, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from desktop_app.gui.icons import icon
from desktop_app.gui.theme import Theme, scale_font


class ProtectionBar(QFrame):
    """`switched` tells what the person asks for; what is shown changes only by `show_protect`: that it is off, as a warning."""

    switched = Signal(bool)
    lists_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("protection")
        self._theme = theme
        self.warning = QLabel(self)
        self.warning.setAccessibleName(self.tr("Warning"))
        self.switch = QCheckBox(self.tr("Replace names and numbers"), self)
        self.sentence = QLabel(self)
        self.sentence.setObjectName("protection_sentence")
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.lists = QPushButton(self.tr("My lists …"), self)
        self.lists.setObjectName("link")
        self.lists.setToolTip(self.tr("Names, projects and customers that are always replaced, and words that never are"))
        for widget in (self.switch, self.sentence, self.lists):
            scale_font(widget, 0.92)
        row = QHBoxLayout(self)
        row.setContentsMargins(QMargins(6, 2, 2, 2))
        row.setSpacing(10)
        row.addWidget(self.warning)
        row.addWidget(self.switch)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.lists)
        self.switch.clicked.connect(self._ask)
        self.lists.clicked.connect(self.lists_asked)
        theme.changed.connect(self._draw)
        self._protect = True
        self.show_protect(True)

    def show_protect(self, protect: bool, *, strict: bool = False) -> None:
        """Whether names are replaced in the chat on screen; `strict`: they are drawn anew under noise, come what may."""
        protect = protect or strict
        self._protect = protect
        self.switch.setChecked(protect)
        if strict:
            sentence = self.tr("What is found leaves under strict noise and comes back in the answer.")
        elif protect:
            sentence = self.tr("What is found leaves as a stand-in and comes back in the answer.")
        else:
            sentence = self.tr("Off: everything leaves as it is written.")
        self.sentence.setText(sentence)
        self.sentence.setToolTip(sentence)
        self.switch.setAccessibleDescription(sentence)
        self.warning.setVisible(not protect)
        self.setProperty("off", not protect)
        for widget in (self, self.sentence):
            widget.style().unpolish(widget)
            widget.style().polish(widget)
        self._draw()

    def _draw(self) -> None:
        self.warning.setPixmap(icon("warning", self._theme.tone.warning).pixmap(QSize(18, 18)))

    def _ask(self, wanted: bool) -> None:
        # The box follows the chat, which may have to ask first.
        self.switch.setChecked(self._protect)
        self.switched.emit(wanted)
