"""What is saved says where it went, and what cannot be saved why."""

from pathlib import Path

from PySide6.QtGui import QTextDocument
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.saving import print_document, save_pdf, save_text, write_pdf, write_text


def test_text_is_written_and_the_real_names_are_told(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "대화.md"
    assert write_text(path, "Ann 한국어") == f"Saved with the real names: {path}"
    assert path.read_text(encoding="utf-8") == "Ann 한국어"


def test_half_a_character_does_not_keep_the_rest_from_being_written(qtbot: QtBot, tmp_path: Path) -> None:
    assert write_text(tmp_path / "a.md", "x\ud83dy😀").startswith("Saved")
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "x\ufffdy😀"


def test_a_pdf_is_one(qtbot: QtBot, tmp_path: Path) -> None:
    document = QTextDocument()
    document.setPlainText("Ann")
    assert "Saved" in write_pdf(tmp_path / "a.pdf", document)
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_what_cannot_be_written_is_a_sentence(qtbot: QtBot, tmp_path: Path) -> None:
    missing = tmp_path / "none" / "a"
    for said in (write_text(missing, "x"), write_pdf(missing, QTextDocument())):
        assert "could not be written" in said
        assert said.endswith("Choose another place.")


def test_the_person_chooses_the_place(qtbot: QtBot, tmp_path: Path) -> None:
    parent, told = QWidget(), list[str]()
    qtbot.addWidget(parent)
    document = QTextDocument()
    document.setPlainText("x")
    save_text(parent, "a.json", "JSON (*.json)", "{}", told.append)
    save_pdf(parent, "a.pdf", document, told.append)
    for dialog, name in zip(parent.findChildren(QFileDialog), ("a.json", "a.pdf"), strict=True):
        assert dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave
        dialog.fileSelected.emit(str(tmp_path / name))
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["a.json", "a.pdf"]
    assert len(told) == 2


def test_printing_asks_for_a_printer_first(qtbot: QtBot) -> None:
    parent, told = QWidget(), list[str]()
    qtbot.addWidget(parent)
    print_document(parent, QTextDocument(), told.append)
    dialog = parent.findChild(QPrintDialog)
    assert dialog is not None
    dialog.reject()
    assert told == []
