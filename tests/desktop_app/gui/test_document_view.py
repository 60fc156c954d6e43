"""A document to be read: all of its text, its marks, and no event that takes long."""

import asyncio

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import DocumentText, Mark
from desktop_app.gui.document_view import DocumentView
from desktop_app.gui.theme import Theme
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.window_events import heart, until

TEXT = "😀 Ann Lee signed.\n" + "Nothing here.\n" * 300 + "Signed by Ann Lee."


def marks_of(text: str, value: str) -> list[Mark]:
    places = [at for at in range(len(text)) if text.startswith(value, at)]
    return [Mark(start=at, end=at + len(value), kind="person", stand_in="Eve Poe") for at in places]


def marked_on_screen(view: DocumentView) -> list[str]:
    return [selection.cursor.selectedText() for selection in view.text.extraSelections()]


def test_text_and_marks_are_shown_where_one_reads(qtbot: QtBot, theme: Theme) -> None:
    view = DocumentView(DocumentText(name="lease.pdf", text=TEXT, pages=9), marks_of(TEXT, "Ann Lee"), theme)
    qtbot.addWidget(view)
    view.show()
    qtbot.waitUntil(lambda: view.complete)
    assert view.text.toPlainText() == TEXT
    assert view.windowTitle() == "lease.pdf"
    assert marked_on_screen(view) == ["Ann Lee"]
    cursor = view.text.textCursor()
    cursor.setPosition(5)
    assert view.text.sentence_at(view.text.cursorRect(cursor).center()) == "Person: leaves as “Eve Poe”"
    assert view.text.sentence_at(QPoint(200, 200)) == ""
    view.text.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.waitUntil(lambda: view.text.firstVisibleBlock().blockNumber() > 10 and marked_on_screen(view) == ["Ann Lee"])


def test_selected_words_can_be_marked(qtbot: QtBot, theme: Theme) -> None:
    view = DocumentView(DocumentText(name="a.txt", text="Ann Lee"), [], theme)
    qtbot.addWidget(view)
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    view.text.setFocus()
    view.text.selectAll()
    with qtbot.waitSignal(view.marking.asked) as asked:
        view.marking.never.trigger()
    assert asked.args == ["Ann Lee", False]


def test_no_event_of_a_document_of_300_pages_takes_100_ms(qtbot: QtBot, theme: Theme, drive: Drive) -> None:
    text = ("word " * 12 + "Ann Lee\n") * 300 * 40
    marks = marks_of(text, "Ann Lee")

    async def scenario() -> None:
        view = DocumentView(DocumentText(name="long.pdf", text=text), marks, theme)
        qtbot.addWidget(view)
        view.open()
        await until(lambda: view.complete)
        for part in (0.3, 0.6, 1.0):
            bar = view.text.verticalScrollBar()
            asyncio.get_running_loop().call_soon(bar.setValue, round(part * bar.maximum()))
            await asyncio.sleep(0.02)
        assert marked_on_screen(view)
        assert heartbeat.longest < 0.1, f"{1000 * heartbeat.longest:.0f} ms"
        view.reject()

    with heart() as heartbeat:
        drive(scenario())
