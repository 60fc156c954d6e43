"""The list follows the answer until the reader scrolls away, and comes back when asked."""

import asyncio

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import Progress
from desktop_app.chat.message import Message, MessageState
from desktop_app.gui.answer_view import AnswerView
from desktop_app.gui.message_list import MessageList
from desktop_app.gui.theme import COLUMN_WIDTH, Theme
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.window_events import heart, until


@pytest.fixture
def messages(qtbot: QtBot, theme: Theme) -> MessageList:
    made = MessageList(theme)
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show()
    return made


def stream(messages: MessageList) -> tuple[Message, AnswerView]:
    messages.add(Message("user", "question"))
    message = Message("assistant", state=MessageState.STREAMING)
    view = messages.add(message)
    assert isinstance(view, AnswerView)
    return message, view


def grow(qtbot: QtBot, messages: MessageList, message: Message, view: AnswerView) -> None:
    before = messages.verticalScrollBar().maximum()
    message.text += "A paragraph of some length.\n\n" * 12
    view.update_text()
    qtbot.waitUntil(lambda: messages.verticalScrollBar().maximum() > before)


def at_end(messages: MessageList) -> bool:
    return messages.verticalScrollBar().value() == messages.verticalScrollBar().maximum()


def test_view_follows_and_stops_following_when_the_reader_scrolls_up(qtbot: QtBot, messages: MessageList) -> None:
    message, view = stream(messages)
    for _ in range(3):
        grow(qtbot, messages, message, view)
        qtbot.waitUntil(lambda: at_end(messages))
    assert messages._jump.isHidden()
    messages.verticalScrollBar().setValue(40)
    assert not messages.following
    assert messages._jump.isVisible()
    grow(qtbot, messages, message, view)
    assert messages.verticalScrollBar().value() == 40
    messages._jump.click()
    assert messages.following
    assert at_end(messages)
    grow(qtbot, messages, message, view)
    qtbot.waitUntil(lambda: at_end(messages))
    assert messages._jump.isHidden()


def test_reader_who_scrolls_back_to_the_end_follows_again(qtbot: QtBot, messages: MessageList) -> None:
    message, view = stream(messages)
    grow(qtbot, messages, message, view)
    grow(qtbot, messages, message, view)
    messages.verticalScrollBar().setValue(0)
    messages.verticalScrollBar().setValue(messages.verticalScrollBar().maximum())
    assert messages.following


def test_narrower_window_keeps_a_reader_at_the_end(qtbot: QtBot, messages: MessageList) -> None:
    message, view = stream(messages)
    grow(qtbot, messages, message, view)
    grow(qtbot, messages, message, view)
    messages.resize(420, 300)
    qtbot.waitUntil(lambda: at_end(messages) and messages.following)


def test_column_is_never_wider_than_can_be_read(qtbot: QtBot, messages: MessageList) -> None:
    _message, view = stream(messages)
    messages.resize(2400, 600)
    qtbot.waitUntil(lambda: view.width() > 600)
    assert view.width() <= COLUMN_WIDTH


def test_welcome_is_shown_only_while_nothing_was_asked(messages: MessageList) -> None:
    assert messages.welcome.isVisible()
    stream(messages)
    assert not messages.welcome.isVisible()
    messages.clear()
    assert messages.welcome.isVisible()
    assert messages.views == []


def test_removing_the_last_makes_the_one_before_the_last(qtbot: QtBot, messages: MessageList) -> None:
    first = messages.add(Message("assistant", "one"))
    messages.add(Message("user", "q"))
    messages.add(Message("assistant", "two"))
    assert isinstance(first, AnswerView)
    assert not first._is_last
    messages.remove_last(2)
    assert first._is_last
    assert messages.views == [first]


@pytest.mark.parametrize("progress", [True, False])
def test_a_short_answer_stands_right_below_its_question(qtbot: QtBot, messages: MessageList, progress: bool) -> None:
    message, view = stream(messages)
    if progress:
        view.show_progress(Progress("agent"))
    else:
        message.text = "A short answer."
        view.update_text()
    question = messages.views[0]
    qtbot.waitUntil(lambda: 0 < view.y() - question.y() - question.height() <= 30)
    assert view.height() < 120


def long_conversation(pairs: int) -> list[Message]:
    messages: list[Message] = []
    for number in range(pairs):
        messages.append(Message("user", f"question {number}"))
        messages.append(Message("assistant", f"Answer {number} with **some** words.\n\n- one\n- two\n\n" * 3))
    return messages


def complete(messages: MessageList, count: int) -> bool:
    views = messages.views
    return len(views) == count and all(view._ended for view in views if isinstance(view, AnswerView))


def test_an_opened_conversation_shows_its_end_at_once_and_the_rest_in_order(qtbot: QtBot, messages: MessageList) -> None:
    stream(messages)
    loaded = long_conversation(20)
    messages.load(loaded)
    assert messages.views[-1].message is loaded[-1]
    qtbot.waitUntil(lambda: complete(messages, 40))
    assert [view.message for view in messages.views] == loaded
    last = [view for view in messages.views if isinstance(view, AnswerView) and view._is_last]
    assert last == [messages.views[-1]]
    qtbot.waitUntil(lambda: at_end(messages))
    assert not messages.welcome.isVisible()
    messages.load([])
    assert messages.welcome.isVisible()


def test_what_is_read_stays_in_place_while_earlier_messages_come(qtbot: QtBot, messages: MessageList) -> None:
    messages.load(long_conversation(8))
    qtbot.waitUntil(lambda: complete(messages, 16) and at_end(messages))
    view = messages.views[4]
    qtbot.waitUntil(lambda: view.y() > 200)
    messages.verticalScrollBar().setValue(view.y() + 10)
    assert not messages.following
    before = view.mapTo(messages, view.rect().topLeft()).y()
    for number in range(5):
        messages._earlier = [Message("user", "an earlier question\n" * 10 + str(number))]
        messages._fill()
        qtbot.waitUntil(lambda number=number: len(messages.views) == 17 + number)
    # The messages move an event before the bar follows.
    qtbot.waitUntil(lambda: view.y() > 1000 and abs(view.mapTo(messages, view.rect().topLeft()).y() - before) <= 2)


def test_no_event_of_opening_200_messages_takes_100_ms(qtbot: QtBot, messages: MessageList, drive: Drive) -> None:
    async def scenario() -> None:
        await asyncio.sleep(0.01)
        asyncio.get_running_loop().call_soon(messages.load, long_conversation(100))
        await until(lambda: complete(messages, 200))
        assert heartbeat.longest < 0.1, f"{1000 * heartbeat.longest:.0f} ms"

    with heart() as heartbeat:
        drive(scenario())
