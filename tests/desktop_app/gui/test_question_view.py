"""A question as it was asked, with its documents and with what left as something else."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import DocumentText, Mark
from desktop_app.chat.message import Message
from desktop_app.gui.document_button import DocumentButton
from desktop_app.gui.question_view import QuestionView
from desktop_app.gui.theme import DARK, Theme


def test_question_shows_text_and_documents_unformatted(qtbot: QtBot, theme: Theme) -> None:
    message = Message("user", "<b>not bold</b> **nor this**", [DocumentText(name="<i>a</i>.pdf", text="xy", pages=3)])
    view = QuestionView(message, theme)
    qtbot.addWidget(view)
    assert view.text.toPlainText() == "<b>not bold</b> **nor this**"
    assert [button.text() for button in view.findChildren(DocumentButton)] == ["<i>a</i>.pdf"]
    assert "3 pages · 2 characters" in [label.text() for label in view.findChildren(QLabel)]


def test_marks_are_shown_when_they_are_known_and_stay_in_another_tone(qtbot: QtBot, theme: Theme) -> None:
    message = Message("user", "😀 Is Ann here?")
    view = QuestionView(message, theme)
    qtbot.addWidget(view)
    view.show()
    message.marks = [Mark(start=5, end=8, kind="person", stand_in="Eve")]
    view.show_marks()
    for _ in range(2):
        cursor = view.text.textCursor()
        cursor.setPosition(8)
        place = view.text.cursorRect(cursor).center()
        assert view.text.sentence_at(place) == "Person: leaves as “Eve”"
        cursor.setPosition(2)
        assert view.text.sentence_at(view.text.cursorRect(cursor).center()) == ""
        theme.use(DARK)
        qtbot.waitUntil(lambda: view.text._tone is DARK)


def test_a_document_can_be_asked_for(qtbot: QtBot, theme: Theme) -> None:
    documents = [DocumentText(name="a", text="x"), DocumentText(name="b & c", text="y")]
    view = QuestionView(Message("user", "q", documents), theme)
    qtbot.addWidget(view)
    with qtbot.waitSignal(view.document_asked) as asked:
        view.findChildren(DocumentButton)[1].click()
    assert asked.args == [1]


def test_a_long_question_wraps_and_is_shown_whole(qtbot: QtBot, theme: Theme) -> None:
    view = QuestionView(Message("user", "many words " * 200), theme)
    qtbot.addWidget(view)
    view.resize(700, 100)
    view.show()
    qtbot.waitUntil(lambda: view.text.height() > 200)
    assert view.text.verticalScrollBar().maximum() == 0
