"""Only web and mail links can be opened, and only after a question that shows where they lead."""

import pytest
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.links import ask_to_open, hidden_host, openable


def test_only_web_and_mail_can_be_opened() -> None:
    assert openable("https://a.example")
    assert openable("MAILTO:a@b.example")
    assert not any(
        openable(target) for target in ("file:///etc/passwd", "javascript:x", "smb://host", "relative", "http://[broken")
    )


def test_a_link_that_hides_its_host_is_told() -> None:
    assert hidden_host("https://evil.example/login", "your bank") == "evil.example"
    assert hidden_host("https://plain.example/", "https://plain.example/") == ""
    assert hidden_host("mailto:a@b.example", "a@b.example") == ""


def test_a_link_is_shown_before_it_is_opened(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("desktop_app.gui.links.QDesktopServices.openUrl", lambda url: opened.append(url.toString()))
    parent = QWidget()
    qtbot.addWidget(parent)
    ask_to_open(parent, "file:///etc/passwd")
    assert parent.findChildren(QMessageBox) == []
    for target, answer in (("https://evil.example/login", "Cancel"), ("https://good.example", "Open")):
        ask_to_open(parent, target)
        box = next(box for box in parent.findChildren(QMessageBox) if box.isVisible())
        assert box.informativeText() == target
        next(button for button in box.buttons() if button.text().replace("&", "") == answer).click()
    assert opened == ["https://good.example"]
