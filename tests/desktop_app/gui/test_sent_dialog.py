"""The page on screen can be saved and printed."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from desktop_app.gui.sent_dialog import SentDialog
from desktop_app.gui.theme import Theme
from tests.desktop_app.gui.test_sent_page import record


def test_what_is_read_is_what_is_saved(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    dialog = SentDialog("Leases", [record(person=2)])
    qtbot.addWidget(dialog)
    dialog.show()
    assert "Person: 2" in dialog.page.toPlainText()
    dialog.pdf.click()
    chooser = dialog.findChild(QFileDialog)
    assert chooser is not None
    chooser.fileSelected.emit(str(tmp_path / "page.pdf"))
    assert (tmp_path / "page.pdf").stat().st_size > 1000
    assert "page.pdf" in dialog.note.text()
