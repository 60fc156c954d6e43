"""An answer as it comes and however it ends, with what was restored in it marked."""

import pytest
from PySide6.QtGui import QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import Mark, Progress
from desktop_app.chat.message import Message, MessageState
from desktop_app.gui.answer_view import PIECE, AnswerView
from desktop_app.gui.block_views import CodeView, ProseView
from desktop_app.gui.copying import REAL_WORDS
from desktop_app.gui.marks import MARK_PROPERTY
from desktop_app.gui.theme import DARK, LIGHT, Theme

MARKDOWN = "# Title\n\nSome **text**.\n\n```py\nx = 1\n```\n\n- one\n- two\n\nlast words"
PLAIN = "Title\nSome text.\nx = 1\none\ntwo\nlast words"


def ended(qtbot: QtBot, message: Message, theme: Theme) -> AnswerView:
    view = AnswerView(message, theme)
    qtbot.addWidget(view)
    view.show()
    qtbot.waitUntil(lambda: view._ended)
    return view


def notice(view: AnswerView) -> str:
    return view._notice._label.text() if not view._notice.isHidden() else ""


def test_streamed_answer_ends_as_a_whole_one_does(qtbot: QtBot, theme: Theme) -> None:
    message = Message("assistant", state=MessageState.STREAMING)
    view = AnswerView(message, theme)
    qtbot.addWidget(view)
    view.show()
    view.show_progress(Progress(stage="model", done=1, total=2))
    assert view._progress.label.text() == "Preparing the model … 50 %"
    for letter in MARKDOWN:
        message.text += letter
        view.update_text()
    qtbot.waitUntil(lambda: "last words" in view.plain_text)
    assert view._progress.isHidden()
    message.state = MessageState.COMPLETE
    with qtbot.waitSignal(view.settled):
        view.finish()
    assert view.plain_text == PLAIN
    assert ended(qtbot, Message("assistant", MARKDOWN), theme).plain_text == PLAIN
    assert notice(view) == ""


def test_progress_does_not_come_back_once_there_is_text(qtbot: QtBot, theme: Theme) -> None:
    message = Message("assistant", "words", state=MessageState.STREAMING)
    view = AnswerView(message, theme)
    qtbot.addWidget(view)
    view._progress.hide()
    view.show_progress(Progress(stage="agent"))
    assert view._progress.isHidden()


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (Message("assistant", "a", state=MessageState.STOPPED), "Stopped. What had come is kept."),
        (Message("assistant", "", state=MessageState.STOPPED), "Stopped."),
        (
            Message("assistant", "a", state=MessageState.INTERRUPTED, sentence="The agent has gone."),
            "Interrupted. What had come is kept. The agent has gone.",
        ),
        (Message("assistant", "", state=MessageState.INTERRUPTED, sentence="The agent has gone."), "The agent has gone."),
        (Message("assistant", "", state=MessageState.FAILED, sentence="Too long."), "Too long."),
        (Message("assistant", "a", at_limit=True), "Ended at the limit for the length of an answer; the settings can raise it."),
    ],
)
def test_every_end_is_said(qtbot: QtBot, theme: Theme, message: Message, expected: str) -> None:
    view = ended(qtbot, message, theme)
    assert notice(view) == expected
    assert view.plain_text == message.text


def buttons(view: AnswerView) -> list[str]:
    return [button.accessibleName() for button in view._foot.findChildren(QToolButton)]


def test_only_the_last_answer_can_be_asked_again(qtbot: QtBot, theme: Theme) -> None:
    view = ended(qtbot, Message("assistant", "text"), theme)
    assert set(buttons(view)) == {"Copy the answer", "Ask again", "Change the question", "What left this computer"}
    view.set_last(False)
    assert buttons(view) == ["Copy the answer", "What left this computer"]
    view.set_last(True)
    with qtbot.waitSignal(view.again_asked):
        next(b for b in view._foot.findChildren(QToolButton) if b.accessibleName() == "Ask again").click()


def test_other_tone_redraws_the_same_text(qtbot: QtBot, theme: Theme) -> None:
    view = ended(qtbot, Message("assistant", MARKDOWN), theme)
    theme.use(DARK)
    qtbot.waitUntil(lambda: view._ended and view._tail._tone is DARK)
    assert view.plain_text == PLAIN


def test_an_interrupted_answer_offers_to_ask_again_where_it_says_so(qtbot: QtBot, theme: Theme) -> None:
    view = ended(qtbot, Message("assistant", "half", state=MessageState.INTERRUPTED, sentence="The agent has gone."), theme)
    assert view._notice.again.isVisible()
    with qtbot.waitSignal(view.again_asked):
        view._notice.again.click()
    view.set_last(False)
    assert not view._notice.again.isVisible()


def marked_parts(view: AnswerView) -> list[tuple[str, QTextCharFormat]]:
    found = []
    for prose in view.findChildren(ProseView):
        block = prose.document().begin()
        while block.isValid():
            for part in block.textFormats():
                if part.format.hasProperty(MARK_PROPERTY):
                    cursor = QTextCursor(block)
                    cursor.setPosition(block.position() + part.start)
                    cursor.setPosition(block.position() + part.start + part.length, QTextCursor.MoveMode.KeepAnchor)
                    found.append((cursor.selectedText(), QTextCharFormat(part.format)))
            block = block.next()
    return found


REPLY = "Ask **Ann Lee** or\n\n| who | when |\n|--|--|\n| 지우 | x |\n\n```py\nname = 'Ann Lee'\n```\n\n- `Ann Lee` 😀 Ann Lee\n"


def marks_of(text: str, *values: str) -> list[Mark]:
    found = [
        Mark(start=at, end=at + len(value), kind="person", stand_in=f"Eve {value}", doubtful=value == "지우")
        for value in values
        for at in range(len(text))
        if text.startswith(value, at)
    ]
    return sorted(found, key=lambda mark: mark.start)


def test_restored_words_are_marked_in_text_tables_and_code_while_they_stream(qtbot: QtBot, theme: Theme) -> None:
    marks = marks_of(REPLY, "Ann Lee", "지우")
    message = Message("assistant", state=MessageState.STREAMING)
    view = AnswerView(message, theme)
    qtbot.addWidget(view)
    view.show()
    for number, letter in enumerate(REPLY):
        message.text += letter
        message.marks += [mark for mark in marks if mark.end == number + 1]
        view.update_text()
    message.state = MessageState.COMPLETE
    with qtbot.waitSignal(view.settled):
        view.finish()
    parts = marked_parts(view)
    assert [text for text, _ in parts] == ["Ann Lee", "지우", "Ann Lee", "Ann Lee"]
    assert {format_.stringProperty(MARK_PROPERTY) for text, format_ in parts if text == "Ann Lee"} == {
        "Person: the model wrote “Eve Ann Lee”"
    }
    doubtful = dict(parts)["지우"]
    assert "Doubtful" in doubtful.stringProperty(MARK_PROPERTY)
    assert doubtful.underlineColor().name() == LIGHT.warning
    code = view.findChild(CodeView)
    assert code is not None
    assert code.code == "name = 'Ann Lee'"
    assert [selection.cursor.selectedText() for selection in code._source.extraSelections()] == ["Ann Lee"]
    assert " ".join(view.plain_text.split()) == "Ask Ann Lee or who when 지우 x name = 'Ann Lee' Ann Lee 😀 Ann Lee"


def test_a_mark_over_the_border_of_two_pieces_is_one_word(qtbot: QtBot, theme: Theme) -> None:
    text = "x" * (PIECE - 3) + " Ann Lee is here."
    view = ended(qtbot, Message("assistant", text, marks=marks_of(text, "Ann Lee")), theme)
    assert [part for part, _ in marked_parts(view)] == ["Ann Lee"]


def test_copying_a_marked_answer_says_that_real_words_are_in_it(qtbot: QtBot, theme: Theme) -> None:
    view = ended(qtbot, Message("assistant", "Ann Lee", marks=marks_of("Ann Lee", "Ann Lee")), theme)
    copy = next(button for button in view._foot.findChildren(QToolButton) if button.accessibleName() == "Copy the answer")
    copy.click()
    assert QGuiApplication.clipboard().text() == "Ann Lee"
    assert QGuiApplication.clipboard().mimeData().hasFormat(REAL_WORDS)
