"""What left this computer, for one answer or for a whole chat: read it, save it, print it."""

from collections.abc import Sequence

from PySide6.QtCore import QMargins, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from desktop_app.chat.stored import SentRecord
from desktop_app.gui.saving import print_document, save_pdf, save_text
from desktop_app.gui.sent_page import sent_html, sent_json


class SentDialog(QDialog):
    """The page on screen is the one that is saved and printed; `answer` as in `sent_html`."""

    def __init__(
        self,
        title: str,
        records: Sequence[SentRecord],
        answer: tuple[int, int] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("What left this computer"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.page = QTextBrowser(self)
        self.page.setObjectName("report")
        self.page.setOpenLinks(False)
        self.page.setAccessibleName(self.tr("What left this computer"))
        self.page.document().setDocumentMargin(18)
        self.page.setHtml(sent_html(title, records, answer))
        self.note = QLabel(
            self.tr("Saved or printed, the page holds the title of the chat with its real names, and no other words."), self
        )
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        name = self.tr("what left this computer")
        self.json = self._button(
            self.tr("Save as JSON …"),
            lambda: save_text(self, f"{name}.json", "JSON (*.json)", sent_json(title, records, answer), self.note.setText),
        )
        self.pdf = self._button(
            self.tr("Save as PDF …"), lambda: save_pdf(self, f"{name}.pdf", self.page.document(), self.note.setText)
        )
        self.print = self._button(self.tr("Print …"), lambda: print_document(self, self.page.document(), self.note.setText))
        close = self._button(self.tr("Close"), self.accept)
        close.setDefault(True)
        row = QHBoxLayout()
        for button in (self.json, self.pdf, self.print):
            row.addWidget(button)
        row.addStretch()
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins(20, 18, 20, 16))
        layout.setSpacing(12)
        layout.addWidget(self.page, 1)
        layout.addWidget(self.note)
        layout.addLayout(row)
        self.resize(680, min(720, round(self.screen().availableGeometry().height() * 0.9)))

    def _button(self, text: str, action: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: action())  # type: ignore[operator]
        return button
