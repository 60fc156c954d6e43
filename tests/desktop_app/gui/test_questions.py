"""A question before what cannot be taken back: yes does it, no does not, and no is what Enter means."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.questions import accepted, agreed, ask_first
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.window_events import until


@pytest.mark.parametrize(("answer", "done"), [("Do it", ["done"]), ("Leave it", [])])
def test_only_yes_does_it(qtbot: QtBot, answer: str, done: list[str]) -> None:
    parent, did = QWidget(), list[str]()
    qtbot.addWidget(parent)
    ask_first(parent, ("Title", "Sure?"), "<b>It</b> is gone then.", ("Do it", "Leave it"), lambda: did.append("done"))
    box = parent.findChild(QMessageBox)
    assert box is not None
    assert box.informativeText() == "<b>It</b> is gone then."
    default = box.defaultButton()
    assert isinstance(default, QPushButton)
    assert default.text().replace("&", "") == "Leave it"
    next(button for button in box.buttons() if button.text().replace("&", "") == answer).click()
    assert did == done


def test_enter_means_yes_where_that_protects(qtbot: QtBot) -> None:
    parent, did = QWidget(), list[str]()
    qtbot.addWidget(parent)
    ask_first(parent, ("T", "Sure?"), "Why.", ("Protect", "Leave it"), lambda: did.append("done"), yes_protects=True)
    box = parent.findChild(QMessageBox)
    assert box is not None
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert did == ["done"]


@pytest.mark.parametrize(("answer", "agrees"), [("Do it", True), ("Leave it", False)])
def test_an_answer_can_be_waited_for(qtbot: QtBot, drive: Drive, answer: str, agrees: bool) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)

    async def scenario() -> None:
        asked = asyncio.ensure_future(agreed(parent, ("Title", "Sure?"), "Why.", ("Do it", "Leave it")))
        await until(lambda: parent.findChild(QMessageBox))
        box = parent.findChild(QMessageBox)
        assert box is not None
        next(button for button in box.buttons() if button.text().replace("&", "") == answer).click()
        assert await asked is agrees

    drive(scenario())


def test_a_question_that_is_not_waited_for_any_more_goes(qtbot: QtBot, drive: Drive) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = QDialog(parent)

    async def scenario() -> None:
        asked = asyncio.ensure_future(accepted(dialog))
        await until(dialog.isVisible)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert not dialog.isVisible()
        again = asyncio.ensure_future(accepted(dialog))
        await until(dialog.isVisible)
        dialog.accept()
        assert await again

    drive(scenario())
