"""Words that the person wants always replaced, or never: as what, and whether in this chat only or in all."""

from PySide6.QtCore import QMargins, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from desktop_app.chat.stored import Decision
from desktop_app.gui.kinds import kind_names
from desktop_app.gui.marking import link_sentence

SHOWN = 200
"""Characters of the words that are shown."""


class MarkingDialog(QDialog):
    """Shown by `open()`; accepted, `decision` and `everywhere` hold what was chosen.

    `used`: the words have left as a stand-in in this chat, which "never" would link to them.
    """

    def __init__(self, words: str, replaced: bool, used: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._replaced = replaced
        self.setWindowTitle(self.tr("Always replace") if replaced else self.tr("Never replace"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown = QLabel(f"“{words if len(words) <= SHOWN else words[:SHOWN] + ' …'}”", self)
        shown.setTextFormat(Qt.TextFormat.PlainText)
        shown.setWordWrap(True)
        shown.setObjectName("section")
        explanation = QLabel(
            self.tr("From the next question on it leaves as a stand-in and comes back where the answer uses it.")
            if replaced
            else self.tr("From the next question on it leaves as it is written."),
            self,
        )
        explanation.setWordWrap(True)
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(self.tr("Kind"))
        for kind, name in kind_names().items():
            self.kind.addItem(name, kind)
        form = QFormLayout()
        form.addRow(self.tr("Kind"), self.kind)
        form.setRowVisible(self.kind, replaced)
        self.all_chats = QCheckBox(self.tr("In all chats: put it on my list"), self)
        self.where = QLabel(self)
        self.where.setObjectName("muted")
        self.where.setWordWrap(True)
        self.warning = QLabel(self)
        self.warning.setObjectName("complaint")
        self.warning.setTextFormat(Qt.TextFormat.PlainText)
        self.warning.setWordWrap(True)
        self._used = used
        self.all_chats.toggled.connect(self._warn)
        self._warn()
        buttons = QDialogButtonBox(self)
        self.accept_button = buttons.addButton(self.windowTitle(), QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel = buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        # Enter means what protects.
        (self.accept_button if replaced else self.cancel).setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins(24, 20, 24, 16))
        layout.setSpacing(12)
        layout.addWidget(shown)
        layout.addWidget(explanation)
        layout.addLayout(form)
        layout.addWidget(self.all_chats)
        layout.addWidget(self.where)
        layout.addWidget(self.warning)
        layout.addWidget(buttons)
        self.setMinimumWidth(440)

    def _where(self) -> str:
        """In which chats it will hold, as the box stands."""
        if self.all_chats.isChecked():
            return self.tr("Holds in this chat and in all others, until you take it off your list.")
        if self._replaced:
            return self.tr(
                "Without the tick it holds in this chat only. In any other chat it is replaced only if Sotto finds it there by "
                "itself."
            )
        return self.tr("Without the tick it holds in this chat only. In any other chat it is replaced as before.")

    def _warn(self) -> None:
        self.where.setText(self._where())
        sentences = []
        if self._used and not self._replaced:
            sentences.append(link_sentence([self._words]))
        if self.all_chats.isChecked() and not self._replaced:
            sentences.append(
                self.tr(
                    "In any other chat in which a stand-in for it has been sent, the history is sent again with the real words, "
                    "too."
                )
            )
        self.warning.setText(" ".join(sentences))
        self.warning.setVisible(bool(sentences))
        self._grow()

    def _grow(self) -> None:
        """A dialog that is shown does not grow by itself with what is said in it."""
        if (layout := self.layout()) is not None:
            layout.activate()
            self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))

    @property
    def decision(self) -> Decision:
        """What is to be done with the words in this chat."""
        return Decision(value=self._words, kind=str(self.kind.currentData()), replaced=self._replaced)

    @property
    def everywhere(self) -> bool:
        """Whether that holds in all chats."""
        return self.all_chats.isChecked()
