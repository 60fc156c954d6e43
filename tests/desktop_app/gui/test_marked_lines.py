"""Marks over lines of text: only those on screen are drawn."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import Mark
from desktop_app.gui.copying import REAL_WORDS
from desktop_app.gui.marked_lines import MarkedLines, MarkedPlace
from desktop_app.gui.theme import LIGHT, Theme


def place(start: int, end: int) -> MarkedPlace:
    return start, end, Mark(start=start, end=end, kind="person", stand_in=f"{start}")


def lines_of(qtbot: QtBot, text: str) -> MarkedLines:
    lines = MarkedLines(LIGHT, lambda mark: mark.stand_in)
    qtbot.addWidget(lines)
    lines.setPlainText(text)
    return lines


def test_marks_on_screen_are_drawn_and_tell_of_themselves(qtbot: QtBot, theme: Theme) -> None:
    lines = lines_of(qtbot, "Ann is here.\n" * 1000)
    lines.resize(300, 200)
    lines.show()
    lines.show_marks([place(13 * number, 13 * number + 3) for number in range(1000)])
    assert 5 < len(lines.extraSelections()) < 40
    cursor = lines.textCursor()
    cursor.setPosition(14)
    assert lines.sentence_at(lines.cursorRect(cursor).center()) == "13"
    assert lines.sentence_at(QPoint(250, 5)) == ""
    lines.verticalScrollBar().setValue(lines.verticalScrollBar().maximum())
    assert lines.extraSelections()[-1].cursor.selectedText() == "Ann"
    assert lines.extraSelections()[0].cursor.position() > 10_000
    lines.show_marks([])
    assert lines.extraSelections() == []


def test_a_copy_says_whether_a_mark_is_in_it(qtbot: QtBot, theme: Theme) -> None:
    lines = lines_of(qtbot, "to Ann now")
    lines.show_marks([place(3, 6)])
    cursor = lines.textCursor()
    for start, end, said in ((0, 3, False), (0, 4, True), (6, 10, False)):
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        lines.setTextCursor(cursor)
        lines.copy()
        assert QGuiApplication.clipboard().mimeData().hasFormat(REAL_WORDS) is said
