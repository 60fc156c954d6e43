"""A document's name is shown as it is."""

from pytestqt.qtbot import QtBot

from desktop_app.gui.document_button import DocumentButton
from desktop_app.gui.theme import Theme


def test_a_name_keeps_its_ampersand_and_is_a_name_for_screen_readers(qtbot: QtBot, theme: Theme) -> None:
    button = DocumentButton("R&D 보고서.pdf", theme)
    qtbot.addWidget(button)
    assert button.text() == "R&&D 보고서.pdf"
    assert button.accessibleName() == "Read R&D 보고서.pdf"
    assert not button.icon().isNull()
