"""Where questions are written: Enter sends, Shift+Enter breaks the line, an input method keeps its own Enter."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMargins, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QGuiApplication, QInputMethodEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget

from desktop_app.chat.events import DocumentText
from desktop_app.gui.attachments import Attachments
from desktop_app.gui.icons import icon
from desktop_app.gui.marking import show_menu
from desktop_app.gui.theme import Theme, scale_font

LINES = 9
"""Lines that are seen at once; more are scrolled."""


def local_files(data: QMimeData) -> list[Path]:
    """The files of this computer among what is dropped or pasted."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()] if data.hasUrls() else []


class QuestionEdit(QPlainTextEdit):
    """The text of the question. `submitted`: Enter was pressed; `files_pasted`: files came by the clipboard."""

    submitted = Signal()
    files_pasted = Signal(list)
    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("question")
        self._composing = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setPlaceholderText(self.tr("Ask something …"))
        self.setAccessibleName(self.tr("Question"))
        self.setAccessibleDescription(self.tr("Enter sends, Shift and Enter begin a new line."))
        self.document().setDocumentMargin(2)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends unless Shift is held or an input method is composing."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif self._composing:
            # The syllable is not finished: this Enter belongs to the input method.
            QGuiApplication.inputMethod().commit()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.insertPlainText("\n")
            self.ensureCursorVisible()
        else:
            self.submitted.emit()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember whether a composition is open."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text is for here; files are for the window."""
        return not local_files(source) and source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste plain text, or hand pasted files over."""
        if files := local_files(source):
            self.files_pasted.emit(files)
        else:
            self.insertPlainText(source.text())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Cut, copy, paste, and what can be done with selected words."""
        show_menu(self, event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell the frame."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell the frame."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def changeEvent(self, event: QEvent) -> None:
        """Another font, another height."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self, *_size: object) -> None:
        # QPlainTextEdit measures its document in lines.
        lines = min(LINES, max(1, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 10)


class _Frame(QFrame):
    """What surrounds the text and looks like a part of it: a click anywhere on it goes to the text."""

    def __init__(self, edit: QuestionEdit, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self._edit = edit

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The caret goes to the letter that is nearest."""
        place = self._edit.viewport().mapFromGlobal(event.globalPosition().toPoint())
        place.setY(max(4, min(place.y(), self._edit.viewport().height() - 4)))
        self._edit.setTextCursor(self._edit.cursorForPosition(place))
        self._edit.setFocus(Qt.FocusReason.MouseFocusReason)


class Composer(QWidget):
    """Question, documents, and the button that sends or stops."""

    send_asked = Signal()
    stop_asked = Signal()
    attach_asked = Signal()
    files_given = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._answering = False
        self.attachments = Attachments(theme, self)
        self.edit = QuestionEdit(self)
        self._frame = _Frame(self.edit, self)
        self.attach = self._button("attach_button", self.tr("Attach documents (Ctrl+O)"), self.tr("Attach documents"))
        self.send = self._button("send", self.tr("Send (Enter)"), self.tr("Send"))
        self.hint = QLabel(self)
        self.hint.setObjectName("hint")
        scale_font(self.hint, 0.88)
        row = QHBoxLayout()
        row.addWidget(self.attach)
        row.addWidget(self.hint, 1)
        row.addWidget(self.send)
        inside = QVBoxLayout(self._frame)
        inside.setContentsMargins(QMargins(14, 10, 10, 8))
        inside.setSpacing(4)
        inside.addWidget(self.edit)
        inside.addLayout(row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(8)
        layout.addWidget(self.attachments)
        layout.addWidget(self._frame)
        self.setTabOrder(self.edit, self.attach)
        self.setTabOrder(self.attach, self.send)
        self._connect()
        self._draw()
        self._settle()

    def _connect(self) -> None:
        self.edit.textChanged.connect(self._settle)
        self.edit.submitted.connect(self.submit)
        self.edit.files_pasted.connect(self.files_given)
        self.edit.focus_changed.connect(self._show_focus)
        self.attachments.changed.connect(self._settle)
        self.attach.clicked.connect(self.attach_asked)
        self.send.clicked.connect(self._pressed)
        self._theme.changed.connect(self._draw)

    @property
    def ready(self) -> bool:
        """Whether there is a question that may be sent now."""
        return bool(self.edit.toPlainText().strip()) and not self.attachments.reading and not self._answering

    def set_answering(self, answering: bool) -> None:
        """While an answer comes the button stops it; the next question may be written meanwhile."""
        self._answering = answering
        self._draw()
        self._settle()

    def submit(self) -> None:
        """Ask for sending, if there is something to send."""
        if self.ready:
            self.send_asked.emit()
        else:
            self._settle()

    def take(self) -> tuple[str, list[DocumentText]]:
        """The question and its documents; the composer is empty afterwards."""
        text = self.edit.toPlainText().strip()
        self.edit.clear()
        return text, self.attachments.take()

    def put(self, text: str, documents: list[DocumentText]) -> None:
        """Put a question back, to be changed; what is being written already comes behind it."""
        written = self.edit.toPlainText().strip()
        self.edit.setPlainText(f"{text}\n{written}" if written else text)
        self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)
        for document in documents:
            self.attachments.add_ready(document)
        self.edit.setFocus()

    def _pressed(self) -> None:
        if self._answering:
            self.stop_asked.emit()
        else:
            self.submit()

    def _settle(self) -> None:
        self.send.setEnabled(self._answering or self.ready)
        empty = not self.edit.toPlainText().strip()
        if self._answering:
            hint = self.tr("Esc stops the answer")
        elif self.attachments.reading:
            hint = self.tr("A document is still being read")
        elif empty and self.attachments.documents:
            hint = self.tr("Type a question about the document")
        elif empty:
            hint = self.tr("Type a question to send")
        else:
            hint = self.tr("Enter sends · Shift+Enter new line")
        self.hint.setText(hint)

    def _draw(self) -> None:
        tone = self._theme.tone
        self.attach.setIcon(icon("attach", tone.muted))
        self.send.setIcon(icon("stop" if self._answering else "send", tone.on_accent, tone.muted))
        name = self.tr("Stop") if self._answering else self.tr("Send")
        self.send.setAccessibleName(name)
        self.send.setToolTip(self.tr("Stop (Esc)") if self._answering else self.tr("Send (Enter)"))

    def _show_focus(self, active: bool) -> None:
        self._frame.setProperty("active", active)
        self._frame.style().unpolish(self._frame)
        self._frame.style().polish(self._frame)

    def _button(self, name: str, tip: str, accessible: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setIconSize(QSize(20, 20))
        button.setCursor(Qt.CursorShape.ArrowCursor)
        button.setToolTip(tip)
        button.setAccessibleName(accessible)
        return button
