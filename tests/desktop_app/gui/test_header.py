"""The bar at the top names the model; the veil covers the window."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
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


def test_veil_covers_the_window_while_files_hover_and_gives_them_when_they_are_dropped(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 300)
    veil = DropVeil(window)
    assert window.acceptDrops()
    assert veil.isHidden()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(9, 9), actions, data, buttons, keys))
    QApplication.sendEvent(window, QDragMoveEvent(QPoint(19, 9), actions, data, buttons, keys))
    assert not veil.isHidden()
    assert window.rect().contains(veil.geometry())
    assert veil.width() > 350
    with qtbot.waitSignal(veil.dropped) as dropped:
        QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), actions, data, buttons, keys))
    assert dropped.args == [[tmp_path / "a.txt"]]
    assert veil.isHidden()


def test_badge_says_whether_the_chat_is_kept(qtbot: QtBot, theme: Theme) -> None:
    header = Header(theme)
    qtbot.addWidget(header)
    for incognito, keeping, can_unlock, text in (
        (False, True, False, ""),
        (True, True, False, "Incognito"),
        (True, False, True, "Nothing is kept"),
        (False, False, False, "Nothing is kept"),
    ):
        header.show_keeping(incognito, keeping, can_unlock)
        assert ("" if header.badge.isHidden() else header.badge.text()) == text
        assert header.unlock.isHidden() != can_unlock
