"""The bar at the top names the model; the veil covers the window."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.header import DropVeil, Header
from desktop_app.gui.theme import Theme
from tests.helpers.scripted_responder import MODEL


def test_model_is_named_with_its_size(qtbot: QtBot, theme: Theme) -> None:
    header = Header(theme)
    qtbot.addWidget(header)
    assert header.model.text() == ""
    header.show_model(MODEL)
    assert header.model.text() == MODEL.name
    assert "30 layers" in header.model.toolTip()
    assert (header.new_chat.accessibleName(), header.settings.accessibleName()) == ("New chat", "Settings")


def test_veil_covers_the_window(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 300)
    veil = DropVeil(window)
    assert veil.isHidden()
    veil.cover(window)
    assert window.rect().contains(veil.geometry())
    assert veil.width() > 350
