"""Shown where the archive needs a passphrase: to be made, or to be opened. One can go on without keeping anything."""

from PySide6.QtCore import QMargins, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_app.chat.events import ArchiveState
from desktop_app.gui.theme import scale_font

WIDTH = 460
"""Pixels of the column in the middle."""

FEWEST_LETTERS = 8
"""Of a passphrase that is chosen; the archive refuses shorter ones. One that was chosen before may be any."""


class UnlockPage(QWidget):
    """`unlock_asked` gives a passphrase; `declined`: go on without keeping anything."""

    unlock_asked = Signal(str)
    declined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._state = "locked"
        self._title = QLabel(self)
        self._title.setObjectName("welcome")
        self._title.setWordWrap(True)
        scale_font(self._title, 1.5)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self.first = self._field(self.tr("Passphrase"))
        self.second = self._field(self.tr("The same once more"))
        self._first_name = QLabel(self.tr("Passphrase"), self)
        self._second_name = QLabel(self.tr("Once more"), self)
        self._advice = QLabel(
            self.tr(
                "At least {count} letters, best four words or more that do not belong together: whoever gets hold of the file "
                "can have a machine try short ones until one fits."
            ).format(count=FEWEST_LETTERS),
            self,
        )
        self._advice.setObjectName("muted")
        self._advice.setWordWrap(True)
        self.complaint = QLabel(self)
        self.complaint.setObjectName("complaint")
        self.complaint.setWordWrap(True)
        self.unlock = QPushButton(self)
        self.unlock.setObjectName("primary")
        self.decline = QPushButton(self.tr("Go on without keeping anything"), self)
        self.decline.setToolTip(self.tr("Every chat is then gone when you leave it."))
        self._lay_out()
        self.first.textChanged.connect(self._typed)
        self.second.textChanged.connect(self._typed)
        self.first.returnPressed.connect(self._entered)
        self.second.returnPressed.connect(self._ask)
        self.unlock.clicked.connect(self._ask)
        self.decline.clicked.connect(self.declined)
        self.show_state(ArchiveState("locked"))

    def _lay_out(self) -> None:
        # As high as its sentences need at its width; a window that is not so high scrolls.
        column = QWidget(self)
        column.setFixedWidth(WIDTH)
        fields = QGridLayout()
        fields.setVerticalSpacing(12)
        fields.setHorizontalSpacing(16)
        fields.setColumnStretch(1, 1)
        for row, (name, field) in enumerate(((self._first_name, self.first), (self._second_name, self.second))):
            name.setBuddy(field)
            fields.addWidget(name, row, 0)
            fields.addWidget(field, row, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.unlock)
        buttons.addWidget(self.decline)
        buttons.addStretch()
        inside = QVBoxLayout(column)
        inside.setContentsMargins(QMargins())
        inside.setSpacing(14)
        inside.addWidget(self._title)
        inside.addWidget(self._text)
        inside.addLayout(fields)
        inside.addWidget(self._advice)
        inside.addWidget(self.complaint)
        inside.addSpacing(4)
        inside.addLayout(buttons)
        page = QWidget()
        page.setObjectName("settings_page")
        row_of_column = QHBoxLayout()
        row_of_column.addStretch()
        row_of_column.addWidget(column)
        row_of_column.addStretch()
        middle = QVBoxLayout(page)
        middle.setContentsMargins(QMargins(28, 28, 28, 28))
        middle.addStretch(3)
        middle.addLayout(row_of_column)
        middle.addStretch(4)
        area = QScrollArea(self)
        area.setObjectName("settings_area")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins())
        layout.addWidget(area)

    def show_state(self, archive: ArchiveState) -> None:
        """Ask for what this state needs. What is typed stays where the same is asked for once more."""
        asked_before, self._state = self._state, archive.state
        titles = {
            "new": self.tr("Choose a passphrase for your chats"),
            "locked": self.tr("Your chats are locked"),
            "failed": self.tr("Your chats cannot be opened"),
        }
        texts = {
            "new": self.tr(
                "This computer offers no keyring to keep a key in, so a passphrase protects what Sotto keeps. It is written down "
                "nowhere. If you forget it, all chats are lost for good: nobody can open them."
            ),
            "locked": self.tr("Enter the passphrase that you chose for them."),
            "failed": self.tr("Nothing can be kept until that is mended. You can chat meanwhile."),
        }
        without = self.tr(
            "Your lists of names are kept with your chats. If you go on without keeping anything, they are not used: a name that "
            "only a list tells leaves as it is written."
        )
        without = "" if archive.state == "new" else without
        self._title.setText(titles.get(archive.state, ""))
        reason = archive.sentence if archive.state == "failed" else ""
        self._text.setText("\n\n".join(part for part in (reason, texts.get(archive.state, ""), without) if part))
        self.unlock.setText(self.tr("Use this passphrase") if archive.state == "new" else self.tr("Unlock"))
        for widget in (self._first_name, self.first, self.unlock):
            widget.setVisible(archive.state != "failed")
        for widget in (self._second_name, self.second, self._advice):
            widget.setVisible(archive.state == "new")
        if archive.state != asked_before:
            self._forget()
        self.show_complaint("")

    def show_complaint(self, sentence: str) -> None:
        """Why the passphrase was not taken; it can be entered again at once."""
        self._complain(sentence)
        self._set_waiting(False)
        if sentence:
            self.first.selectAll()
            self.first.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """One can type at once."""
        super().showEvent(event)
        (self.decline if self._state == "failed" else self.first).setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        """No passphrase stays behind."""
        super().hideEvent(event)
        self._forget()

    def _forget(self) -> None:
        self.first.clear()
        self.second.clear()

    def _entered(self) -> None:
        if self._state == "new":
            self._complain(self._doubt(typed_all=True))
            self.second.setFocus()
        else:
            self._ask()

    def _ask(self) -> None:
        if self.unlock.isEnabled():
            self._set_waiting(True)
            self.unlock_asked.emit(self.first.text())

    def _set_waiting(self, waiting: bool) -> None:
        for field in (self.first, self.second):
            field.setEnabled(not waiting)
        self._settle()
        if waiting:
            self.unlock.setEnabled(False)

    def _typed(self) -> None:
        self._complain(self._doubt(typed_all=bool(self.second.text())))
        self._settle()

    def _doubt(self, typed_all: bool) -> str:
        """What speaks against a passphrase that is being chosen; that it is short only once all of it is typed."""
        first, second = self.first.text(), self.second.text()
        if self._state != "new" or not first:
            return ""
        if typed_all and len(first.strip()) < FEWEST_LETTERS:
            return self.tr(
                "Too short: a machine that tries can guess it. Choose one of {count} letters or more, best four words."
            ).format(count=FEWEST_LETTERS)
        return "" if first.startswith(second) else self.tr("The two differ.")

    def _complain(self, sentence: str) -> None:
        self.complaint.setText(sentence)
        self.complaint.setVisible(bool(sentence))

    def _settle(self) -> None:
        first, second = self.first.text(), self.second.text()
        fits = first == second and len(first.strip()) >= FEWEST_LETTERS
        self.unlock.setEnabled(fits if self._state == "new" else bool(first))

    def _field(self, name: str) -> QLineEdit:
        field = QLineEdit(self)
        field.setEchoMode(QLineEdit.EchoMode.Password)
        field.setAccessibleName(name)
        return field
