"""Documents that wait to be asked about: one chip each, above the composer."""

from enum import Enum
from pathlib import Path

from PySide6.QtCore import QMargins, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop_app.chat.events import DocumentText
from desktop_app.gui.document_button import DocumentButton
from desktop_app.gui.figures import document_detail
from desktop_app.gui.icons import icon
from desktop_app.gui.theme import Theme


class ChipState(Enum):
    """How far the reading of a document has come."""

    READING = "reading"
    READY = "ready"
    FAILED = "failed"


class Chip(QFrame):
    """One document: its name, what is known of it or why it could not be read, and a button that removes it."""

    removed = Signal(object)
    read_asked = Signal(object)

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chip")
        self._theme = theme
        self.state = ChipState.READING
        self.document: DocumentText | None = None
        self.outlived = False  # whether a question was asked since it failed
        self._warning = QLabel(self)
        self.name = DocumentButton(name, theme, self)
        self.name.setEnabled(False)
        self.name.clicked.connect(lambda: self.read_asked.emit(self.document))
        self.detail = QLabel(self.tr("Reading …"), self)
        self.detail.setObjectName("chip_detail")
        self.detail.setTextFormat(Qt.TextFormat.PlainText)
        self.detail.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.detail.setWordWrap(True)
        self._remove = QToolButton(self)
        self._remove.setObjectName("small")
        self._remove.setIconSize(QSize(14, 14))
        self._remove.setToolTip(self.tr("Remove this document"))
        self._name = name
        self._remove.setAccessibleName(self.tr("Remove {name}").format(name=name))
        self._remove.clicked.connect(lambda: self.removed.emit(self))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(QMargins(10, 5, 5, 5))
        layout.setSpacing(8)
        for widget in (self._warning, self.name, self.detail, self._remove):
            layout.addWidget(widget, 1 if widget is self.detail else 0)
        theme.changed.connect(self._draw)
        self._draw()

    def show_ready(self, document: DocumentText) -> None:
        """It has been read."""
        self.state, self.document = ChipState.READY, document
        self.name.setEnabled(True)
        self.detail.setText(document_detail(document))
        self._draw()

    def show_failed(self, sentence: str) -> None:
        """It could not be read; the sentence says why and what to do."""
        self.state = ChipState.FAILED
        self.name.setVisible(self._name not in sentence)
        self.detail.setText(sentence)
        self._draw()

    def _draw(self) -> None:
        tone = self._theme.tone
        failed = self.state is ChipState.FAILED
        self._warning.setPixmap(icon("warning", tone.warning).pixmap(QSize(16, 16)))
        self._warning.setVisible(failed)
        self._remove.setIcon(icon("remove", tone.muted))
        self.setAccessibleName(f"{self._name}: {self.detail.text()}")
        self.setProperty("failed", failed)
        for widget in (self, self.detail):
            widget.style().unpolish(widget)
            widget.style().polish(widget)


class Attachments(QScrollArea):
    """The chips, one below the other; scrolls when there are many. `changed` tells when one comes, is read, fails or goes.

    `read_asked` gives a document that is to be shown.
    """

    changed = Signal()
    read_asked = Signal(object)

    SHOWN = 4
    """Chips that are seen at once."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("messages")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Documents"))
        page = QWidget()
        page.setObjectName("messages_page")
        self._rows = QVBoxLayout(page)
        self._rows.setContentsMargins(QMargins())
        self._rows.setSpacing(6)
        self.setWidget(page)
        self.chips: list[Chip] = []
        self.hide()

    @property
    def reading(self) -> bool:
        """Whether a document is still being read."""
        return any(chip.state is ChipState.READING for chip in self.chips)

    @property
    def documents(self) -> list[DocumentText]:
        """The documents that have been read."""
        return [chip.document for chip in self.chips if chip.document is not None]

    def add(self, path: Path) -> Chip:
        """A chip for a document that is about to be read."""
        return self._insert(Chip(path.name, self._theme))

    def add_ready(self, document: DocumentText) -> None:
        """A chip for a document that was read before."""
        chip = self._insert(Chip(document.name, self._theme))
        chip.show_ready(document)
        self._settle()

    def ready(self, chip: Chip, document: DocumentText) -> None:
        """The chip's document has been read."""
        if chip in self.chips:
            chip.show_ready(document)
            self._settle()

    def failed(self, chip: Chip, sentence: str) -> None:
        """The chip's document could not be read."""
        if chip in self.chips:
            chip.show_failed(sentence)
            self._settle()

    def take(self) -> list[DocumentText]:
        """The documents that have been read, whose chips go; those of failed ones stay for one question more."""
        documents = self.documents
        for chip in list(self.chips):
            if chip.document is not None or chip.outlived:
                self.remove(chip)
            chip.outlived = chip.state is ChipState.FAILED
        return documents

    def remove(self, chip: Chip) -> None:
        """Forget a document."""
        self.chips.remove(chip)
        self._rows.removeWidget(chip)
        chip.hide()
        chip.deleteLater()
        self._settle()

    def clear(self) -> None:
        """Forget all documents."""
        for chip in list(self.chips):
            self.remove(chip)

    def _insert(self, chip: Chip) -> Chip:
        chip.removed.connect(self.remove)
        chip.read_asked.connect(self.read_asked)
        self.chips.append(chip)
        self._rows.addWidget(chip)
        self._settle()
        # The newest is the one that is waited for: with many of them it would be hidden below.
        QTimer.singleShot(0, self, lambda: self.verticalScrollBar().setValue(self.verticalScrollBar().maximum()))
        return chip

    def _settle(self) -> None:
        self.setVisible(bool(self.chips))
        self._fit()
        self.changed.emit()

    def _fit(self) -> None:
        width = max(200, self.viewport().width())
        heights = [chip.heightForWidth(width) if chip.hasHeightForWidth() else chip.sizeHint().height() for chip in self.chips]
        shown = heights[: self.SHOWN]
        self.setFixedHeight(sum(shown) + self._rows.spacing() * max(0, len(shown) - 1) + (12 if len(heights) > self.SHOWN else 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Sentences wrap by the width there is."""
        super().resizeEvent(event)
        self._fit()
