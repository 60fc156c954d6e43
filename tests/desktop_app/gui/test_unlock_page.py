"""A passphrase is made twice, opened once, and a wrong one can be tried again at once."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import ArchiveState
from desktop_app.gui.theme import Theme
from desktop_app.gui.unlock_page import UnlockPage


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> UnlockPage:
    made = UnlockPage()
    qtbot.addWidget(made)
    made.show()
    return made


def words(page: UnlockPage) -> str:
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def test_a_new_passphrase_is_typed_twice_and_what_is_lost_with_it_is_said(qtbot: QtBot, page: UnlockPage) -> None:
    page.show_state(ArchiveState("new"))
    assert "lost for good" in words(page)
    QTest.keyClicks(page.first, "horse")
    assert not page.unlock.isEnabled()
    QTest.keyClicks(page.second, "hot")
    assert page.complaint.text() == "The two differ."
    page.second.clear()
    QTest.keyClicks(page.second, "hor")
    assert page.complaint.text() == ""
    assert not page.unlock.isEnabled()
    QTest.keyClicks(page.second, "se")
    with qtbot.waitSignal(page.unlock_asked) as asked:
        QTest.keyClick(page.second, Qt.Key.Key_Return)
    assert asked.args == ["horse"]
    page.show_state(ArchiveState("new"))
    page.show_complaint("A passphrase needs 8 letters or more. Choose a longer one.")
    assert "A passphrase needs 8 letters" in words(page)
    assert page.unlock.isEnabled()
    QTest.keyClicks(page.first, "a")
    assert "A passphrase needs 8 letters" not in words(page)


def test_a_locked_archive_asks_once_and_says_what_was_wrong(qtbot: QtBot, page: UnlockPage) -> None:
    page.show_state(ArchiveState("locked"))
    assert not page.second.isVisible()
    QTest.keyClicks(page.first, "horse")
    with qtbot.waitSignal(page.unlock_asked):
        QTest.keyClick(page.first, Qt.Key.Key_Return)
    assert not page.unlock.isEnabled()
    assert not page.first.isEnabled()
    page.show_complaint("This passphrase does not open the archive. Try again.")
    assert page.unlock.isEnabled()
    assert page.first.selectedText() == "•••••" or page.first.hasSelectedText()
    assert "does not open" in words(page)


def test_a_failed_archive_says_why_and_lets_one_go_on(qtbot: QtBot, page: UnlockPage) -> None:
    page.show_state(ArchiveState("failed", "The file is damaged. Restore a backup."))
    assert "The file is damaged. Restore a backup." in words(page)
    assert not page.first.isVisible()
    assert not page.unlock.isVisible()
    with qtbot.waitSignal(page.declined):
        page.decline.click()


def test_what_was_typed_is_not_kept_and_never_shown(page: UnlockPage) -> None:
    page.show_state(ArchiveState("locked"))
    QTest.keyClicks(page.first, "horse")
    assert page.first.echoMode() == page.first.EchoMode.Password
    page.show_state(ArchiveState("locked"))
    assert page.first.text() == "horse"
    page.hide()
    assert page.first.text() == ""
    page.show()
    QTest.keyClicks(page.first, "horse")
    page.show_state(ArchiveState("new"))
    assert page.first.text() == ""


@pytest.mark.parametrize("state", ["locked", "failed"])
def test_who_goes_on_without_keeping_anything_is_told_that_lists_are_not_used(page: UnlockPage, state: str) -> None:
    page.show_state(ArchiveState(state, "It is damaged."))  # type: ignore[arg-type]
    assert "Your lists of names are kept with your chats." in words(page)
    page.show_state(ArchiveState("new"))
    assert "Your lists" not in words(page)
