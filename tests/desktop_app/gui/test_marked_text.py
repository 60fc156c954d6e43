"""Text as high as it is, whose marked words tell what left and are told when they are copied."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import Mark
from desktop_app.gui.copying import REAL_WORDS
from desktop_app.gui.marked_text import MarkedText
from desktop_app.gui.theme import LIGHT, Theme

MARK = Mark(start=5, end=8, kind="person", stand_in="Eve")


def view_of(qtbot: QtBot, text: str) -> MarkedText:
    view = MarkedText(LIGHT)
    qtbot.addWidget(view)
    view.resize(400, 10)
    view.show_plain(text, [MARK])
    view.show()
    return view


def test_only_the_marked_word_has_a_sentence(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, "𝒳 to Ann now")
    cursor = view.textCursor()
    cursor.setPosition(7)
    assert view.sentence_at(view.cursorRect(cursor).center()) == "Person: leaves as “Eve”"
    cursor.setPosition(12)
    assert view.sentence_at(view.cursorRect(cursor).center()) == ""
    assert view.sentence_at(QPoint(390, 5)) == ""


def test_a_copy_with_a_marked_word_says_so_and_one_without_does_not(qtbot: QtBot, theme: Theme) -> None:
    view = view_of(qtbot, "𝒳 to Ann now")
    cursor = view.textCursor()
    for start, end, said in ((0, 5, False), (3, 7, True), (9, 13, False)):
        cursor.setPosition(start)
        cursor.setPosition(end, cursor.MoveMode.KeepAnchor)
        view.setTextCursor(cursor)
        view.copy()
        assert QGuiApplication.clipboard().mimeData().hasFormat(REAL_WORDS) is said
