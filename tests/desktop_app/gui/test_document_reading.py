"""Documents are read side by side, and one that fails says so on its chip."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import DocumentText
from desktop_app.gui.attachments import Attachments, ChipState
from desktop_app.gui.document_reading import DocumentReading
from desktop_app.gui.reply_task import Tasks
from desktop_app.gui.theme import Theme
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.scripted_responder import ScriptedResponder
from tests.helpers.window_events import until


def test_good_and_bad_documents_end_as_chips(qtbot: QtBot, theme: Theme, drive: Drive, responder: ScriptedResponder) -> None:
    window, attachments = QWidget(), Attachments(theme)
    qtbot.addWidget(window)
    qtbot.addWidget(attachments)
    reading = DocumentReading(responder, Tasks(), attachments, window)
    responder.documents = {"good.txt": DocumentText(name="good.txt", text="x"), "scan.pdf": "It holds no text."}

    async def scenario() -> None:
        reading.read([Path("good.txt"), Path("scan.pdf"), Path("none.txt")])
        await until(lambda: not attachments.reading)
        assert [chip.state for chip in attachments.chips] == [ChipState.READY, ChipState.FAILED, ChipState.FAILED]
        reading.choose()
        dialog = window.findChild(QFileDialog)
        assert dialog is not None
        dialog.filesSelected.emit(["/somewhere/good.txt"])
        await until(lambda: len(attachments.documents) == 2)

    drive(scenario())


def test_an_error_of_the_program_is_a_failed_chip(qtbot: QtBot, theme: Theme, drive: Drive, responder: ScriptedResponder) -> None:
    window, attachments = QWidget(), Attachments(theme)
    qtbot.addWidget(window)
    qtbot.addWidget(attachments)

    async def broken(path: Path) -> DocumentText:
        raise RuntimeError("inside")

    responder.read_document = broken  # type: ignore[method-assign]

    async def scenario() -> None:
        DocumentReading(responder, Tasks(), attachments, window).read([Path("a.txt")])
        await until(lambda: not attachments.reading)
        assert "inside" not in attachments.chips[0].detail.text()
        assert attachments.chips[0].state is ChipState.FAILED

    drive(scenario())
