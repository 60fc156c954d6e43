"""A question before what cannot be taken back: yes does it, no does not, and no is what Enter means."""

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.questions import ask_first


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
