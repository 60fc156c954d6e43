"""Files and paper: where a page or a chat leaves the application, by the person's own hand."""

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QTextDocument
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from desktop_app.gui.file_dialog import FileDialog

translate = QCoreApplication.translate
_HALF = re.compile("[\ud800-\udfff]")
Told = Callable[[str], object]
"""Takes the sentence that says how it went."""


def save_text(parent: QWidget, name: str, kind: str, text: str, told: Told) -> None:
    """Let the person choose a file and write the text into it; `kind` is a filter as file dialogs have them."""
    _choose(parent, name, kind, lambda path: told(write_text(path, text)))


def write_text(path: Path, text: str) -> str:
    """Write a file, and the sentence that says how it went. Half a character (a lone surrogate) becomes U+FFFD."""
    try:
        path.write_text(_HALF.sub("\ufffd", text), encoding="utf-8")
    except OSError as error:
        return _not_written(path, error)
    return _written(path)


def save_pdf(parent: QWidget, name: str, document: QTextDocument, told: Told) -> None:
    """Let the person choose a file and write the document into it as PDF."""
    _choose(parent, name, translate("Saving", "PDF (*.pdf)"), lambda path: told(write_pdf(path, document)))


def write_pdf(path: Path, document: QTextDocument) -> str:
    """Write a document as PDF, and the sentence that says how it went."""
    try:
        # The printer would fail without a word where it may not write.
        path.touch()
    except OSError as error:
        return _not_written(path, error)
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(path))
    document.print_(printer)
    return _written(path)


def print_document(parent: QWidget, document: QTextDocument, told: Told) -> None:
    """Let the person choose a printer and print."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    dialog = QPrintDialog(printer, parent)

    def print_it() -> None:
        document.print_(printer)
        told(translate("Saving", "Handed to the printer, with the real names."))

    dialog.accepted.connect(print_it)
    dialog.finished.connect(dialog.deleteLater)
    QDialog.open(dialog)


def _written(path: Path) -> str:
    return translate("Saving", "Saved with the real names: {path}").format(path=path)


def _not_written(path: Path, error: OSError) -> str:
    return translate("Saving", "{path} could not be written ({reason}). Choose another place.").format(
        path=path, reason=error.strerror or error
    )


def _choose(parent: QWidget, name: str, kind: str, write: Callable[[Path], object]) -> None:
    dialog = FileDialog(parent, translate("Saving", "Save"), name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([kind, translate("Saving", "All files (*)")])
    dialog.setDefaultSuffix(Path(name).suffix.lstrip("."))
    dialog.fileSelected.connect(lambda chosen: write(Path(chosen)))
    dialog.open()
