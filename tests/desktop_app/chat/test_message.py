"""A message is kept as it is, and what streamed when it was kept streams no more."""

import pytest

from desktop_app.chat.events import DocumentText, Mark, Statistics
from desktop_app.chat.message import Message, MessageState, may_have_left, message_of, stored, turn_of


def message(state: MessageState = MessageState.COMPLETE) -> Message:
    return Message(
        "assistant",
        "Ann agrees.",
        state=state,
        sentence="Stopped.",
        at_limit=True,
        statistics=Statistics(steps=3),
        marks=[Mark(start=0, end=3, kind="person", stand_in="Eve")],
        parent="q",
    )


@pytest.mark.parametrize("state", [state for state in MessageState if state is not MessageState.STREAMING])
def test_a_message_goes_round_through_what_is_kept(state: MessageState) -> None:
    made = message(state)
    back = message_of(stored(made))
    assert {name: getattr(back, name) for name in Message.__slots__} == {name: getattr(made, name) for name in Message.__slots__}


def test_what_streamed_when_it_was_kept_was_interrupted() -> None:
    assert message_of(stored(message(MessageState.STREAMING))).state is MessageState.INTERRUPTED


def test_a_message_may_have_left_once_there_is_text_or_a_figure_of_it() -> None:
    assert not may_have_left(Message("assistant"))
    assert may_have_left(Message("assistant", "Y"))
    assert may_have_left(Message("assistant", statistics=Statistics(rows=1)))


def test_the_model_is_told_text_and_documents_under_the_name_of_the_message() -> None:
    document = DocumentText(name="a.txt", text="words")
    asked = Message("user", "Why?", [document])
    turn = turn_of(asked)
    assert (turn.role, turn.text, turn.documents, turn.identity) == ("user", "Why?", [document], asked.identity)
