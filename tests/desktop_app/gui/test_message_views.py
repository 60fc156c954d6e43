"""A question as it was asked, an answer as it comes and however it ends."""

import pytest
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from desktop_app.chat.conversation import Message, MessageState
from desktop_app.chat.events import DocumentText, Progress
from desktop_app.gui.message_views import AnswerView, QuestionView
from desktop_app.gui.theme import DARK, Theme

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


def test_question_shows_text_and_documents_unformatted(qtbot: QtBot, theme: Theme) -> None:
    message = Message("user", "<b>not bold</b> **nor this**", [DocumentText(name="<i>a</i>.pdf", text="xy", pages=3)])
    view = QuestionView(message, theme)
    qtbot.addWidget(view)
    texts = [label.text() for label in view.findChildren(QLabel)]
    assert "<b>not bold</b> **nor this**" in texts
    assert "<i>a</i>.pdf" in texts
    assert "3 pages · 2 characters" in texts


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
    assert set(buttons(view)) == {"Copy the answer", "Ask again", "Change the question"}
    view.set_last(False)
    assert buttons(view) == ["Copy the answer"]
    view.set_last(True)
    with qtbot.waitSignal(view.again_asked):
        next(b for b in view._foot.findChildren(QToolButton) if b.accessibleName() == "Ask again").click()


def test_other_tone_redraws_the_same_text(qtbot: QtBot, theme: Theme) -> None:
    view = ended(qtbot, Message("assistant", MARKDOWN), theme)
    theme.use(DARK)
    qtbot.waitUntil(lambda: view._ended and view._tail._tone is DARK)
    assert view.plain_text == PLAIN
