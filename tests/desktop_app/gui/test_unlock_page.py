"""A passphrase is made twice, opened once, and a wrong one can be tried again at once."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.archive import passphrase
from desktop_app.chat.events import ArchiveState
from desktop_app.gui.theme import Theme
from desktop_app.gui.unlock_page import FEWEST_LETTERS, UnlockPage

LEAVES = (QLabel, QLineEdit, QPushButton)


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
    QTest.keyClicks(page.first, "horse mill")
    assert not page.unlock.isEnabled()
    QTest.keyClicks(page.second, "hot")
    assert page.complaint.text() == "The two differ."
    page.second.clear()
    QTest.keyClicks(page.second, "horse ")
    assert page.complaint.text() == ""
    assert not page.unlock.isEnabled()
    QTest.keyClicks(page.second, "mill")
    with qtbot.waitSignal(page.unlock_asked) as asked:
        QTest.keyClick(page.second, Qt.Key.Key_Return)
    assert asked.args == ["horse mill"]
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


def test_a_short_new_passphrase_is_refused_with_the_reason_and_an_old_one_is_not(qtbot: QtBot, page: UnlockPage) -> None:
    assert FEWEST_LETTERS == passphrase.FEWEST_LETTERS
    asked: list[str] = []
    page.unlock_asked.connect(asked.append)
    page.show_state(ArchiveState("new"))
    assert "a machine try short ones" in words(page)
    for short in ("abc", "1234567", "  abc      "):
        page.first.clear()
        page.second.clear()
        QTest.keyClicks(page.first, short)
        assert page.complaint.text() == ""
        QTest.keyClick(page.first, Qt.Key.Key_Return)
        assert "a machine that tries can guess it" in page.complaint.text()
        QTest.keyClicks(page.second, short)
        assert "a machine that tries can guess it" in page.complaint.text()
        assert not page.unlock.isEnabled()
        QTest.keyClick(page.second, Qt.Key.Key_Return)
    assert asked == []
    for typed in (page.first, page.second):
        typed.clear()
        QTest.keyClicks(typed, "12345678")
    assert page.complaint.text() == ""
    assert page.unlock.isEnabled()
    page.show_state(ArchiveState("locked"))
    assert "letters" not in words(page)
    QTest.keyClicks(page.first, "abc")
    assert page.unlock.isEnabled()


WRONG = "This passphrase does not open your conversations. Check the keyboard, then type it again."
FAILED = "The file of your chats is damaged. Restore a backup from the folder “backups” beside it, then start Sotto again."


@pytest.mark.parametrize("size", [(1160, 800), (640, 480), (560, 300)])
@pytest.mark.parametrize(("state", "complaint"), [("new", WRONG), ("new", ""), ("locked", WRONG), ("locked", ""), ("failed", "")])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_nothing_on_the_page_is_cut_off_or_touches(
    request: pytest.FixtureRequest, qtbot: QtBot, theme: Theme, size: tuple[int, int], state: str, complaint: str, language: str
) -> None:
    if language == "ko":
        request.getfixturevalue("korean")
    page = UnlockPage()
    qtbot.addWidget(page)
    page.resize(*size)
    page.show_state(ArchiveState(state, FAILED if state == "failed" else ""))  # type: ignore[arg-type]
    page.show()
    page.show_complaint(complaint)
    QApplication.processEvents()
    seen = [child for child in page.findChildren(QWidget) if isinstance(child, LEAVES) and child.isVisible()]
    boxes = {child: QRect(child.mapTo(page, QPoint()), child.size()) for child in seen}
    for child, box in boxes.items():
        assert box.height() >= (child.heightForWidth(box.width()) if child.hasHeightForWidth() else child.sizeHint().height())
        for other, around in boxes.items():
            assert other is child or not box.adjusted(-5, -5, 5, 5).intersects(around)
    for name, field in ((page._first_name, page.first), (page._second_name, page.second)):
        assert not field.isVisible() or abs(boxes[name].center().y() - boxes[field].center().y()) <= 2
