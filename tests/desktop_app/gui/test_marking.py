"""Words that are selected somewhere are asked about by key and menu, and what comes too late is said plainly."""

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.chat.stored import Consequence, Decision
from desktop_app.gui.marking import MarkingActions, consequence_sentence, done_sentence, link_sentence, selected_text, show_menu
from desktop_app.gui.theme import Theme


@pytest.mark.parametrize("kind", [QPlainTextEdit, QTextEdit])
def test_selected_words_are_taken_with_their_line_breaks(
    qtbot: QtBot, theme: Theme, kind: type[QPlainTextEdit] | type[QTextEdit]
) -> None:
    edit = kind()
    qtbot.addWidget(edit)
    edit.setPlainText("Ann\nLee ")
    assert selected_text(edit) == ""
    edit.selectAll()
    assert selected_text(edit) == "Ann\nLee"
    assert selected_text(None) == selected_text(QLineEdit("Ann", edit)) == ""


def test_keys_ask_for_what_is_selected_where_the_keyboard_is(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    edit = QPlainTextEdit("Ann Lee", window)
    QVBoxLayout(window).addWidget(edit)
    actions = MarkingActions(window)
    asked: list[tuple[str, bool]] = []
    actions.asked.connect(lambda words, replaced: asked.append((words, replaced)))
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    edit.setFocus()
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(edit, Qt.Key.Key_R, keys)
    assert asked == []
    edit.selectAll()
    QTest.keyClick(edit, Qt.Key.Key_R, keys)
    QTest.keyClick(edit, Qt.Key.Key_K, keys)
    assert asked == [("Ann Lee", True), ("Ann Lee", False)]


@pytest.mark.parametrize("selected", [True, False])
def test_the_menu_offers_it_only_where_something_is_selected(qtbot: QtBot, theme: Theme, selected: bool) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    edit = QPlainTextEdit("Ann Lee", window)
    MarkingActions(window)
    if selected:
        edit.selectAll()
    texts: list[str] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        texts.extend(action.text() for action in menu.actions())
        menu.close()

    QTimer.singleShot(0, look)
    show_menu(edit, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1)))
    assert ("Always replace this …" in texts) is selected


def test_what_comes_too_late_names_messages_and_who_got_them() -> None:
    one = Consequence(value="Ann", messages=1, peer="203.0.113.7")
    assert consequence_sentence([one]) == ("“Ann” has already left in one message, to 203.0.113.7, and cannot be called back.")
    many = [Consequence(value=f"v{number}", messages=2, peer="") for number in range(5)]
    sentence = consequence_sentence(many)
    assert sentence.count("in 2 messages; it went no further.") == 3
    assert "So have 2 other words." in sentence


def test_what_will_be_linked_names_three_at_most() -> None:
    assert "“Ann Lee”, “b”, “c” …" in link_sentence(["Ann\nLee", "b", "c", "d"])
    assert "“b” have" in link_sentence(["b"])


@pytest.mark.parametrize("replaced", [True, False])
@pytest.mark.parametrize("everywhere", [True, False])
@pytest.mark.parametrize("protect", [True, False])
def test_what_was_done_names_the_words_the_chats_and_where_it_does_not_help(
    replaced: bool, everywhere: bool, protect: bool
) -> None:
    said = done_sentence(Decision(value="Ann\nLee", kind="person", replaced=replaced), everywhere, protect)
    assert "“Ann Lee”" in said
    assert ("In all chats" in said, "In this chat" in said) == (everywhere, not everywhere)
    assert ("is replaced" in said) == replaced
    assert ("replacing is off in this chat" in said) == (replaced and not protect)
