"""A conversation keeps every word, and the model sees only what was answered."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.chat.conversation import AnswerRunning, Asking, Conversation, EmptyQuestion, MessageState
from desktop_app.chat.events import (
    DocumentText,
    Progress,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    Sampling,
    Split,
    Statistics,
    StatisticsChanged,
    TextAdded,
)

FIGURES = Statistics(reply_tokens=3)
DONE = ReplyFinished(reason="end", statistics=FIGURES)


def answered(conversation: Conversation, question: str, *events: ReplyEvent) -> None:
    conversation.ask(question)
    for event in events:
        conversation.receive(event)


def test_request_carries_turns_documents_and_settings() -> None:
    conversation = Conversation()
    answered(conversation, "one", TextAdded(text="first"), DONE)
    document = DocumentText(name="a.txt", text="content")
    conversation.ask("  two\n", [document])
    asking = Asking(sampling=Sampling(temperature=0.0), split=Split(head=1, tail=1), model="m", drafting=False)
    request = conversation.request(asking)
    assert [(turn.role, turn.text) for turn in request.turns] == [("user", "one"), ("assistant", "first"), ("user", "two")]
    assert request.turns[-1].documents == [document]
    assert request.conversation == conversation.identity
    assert (request.sampling, request.split, request.model, request.drafting) == (
        asking.sampling,
        asking.split,
        "m",
        False,
    )


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_empty_question_changes_nothing(text: str) -> None:
    conversation = Conversation()
    with pytest.raises(EmptyQuestion):
        conversation.ask(text)
    assert conversation.messages == []
    with pytest.raises(EmptyQuestion):
        conversation.request(Asking())


def test_second_question_waits_for_the_answer() -> None:
    conversation = Conversation()
    conversation.ask("one")
    for action in (lambda: conversation.ask("two"), conversation.ask_again, conversation.take_back):
        with pytest.raises(AnswerRunning):
            action()
    assert len(conversation.messages) == 2


def test_interrupted_answer_is_kept_marked_and_part_of_what_follows() -> None:
    conversation = Conversation()
    failure = ReplyFailed(sentence="The agent has gone.", kind="interrupted")
    answered(conversation, "one", TextAdded(text="half an ans"), failure)
    message = conversation.messages[-1]
    assert (message.text, message.state, message.sentence) == ("half an ans", MessageState.INTERRUPTED, "The agent has gone.")
    conversation.ask("two")
    assert [turn.text for turn in conversation.request(Asking()).turns] == ["one", "half an ans", "two"]


def test_refused_question_does_not_spoil_the_next() -> None:
    conversation = Conversation()
    answered(conversation, "far too long", ReplyFailed(sentence="Too long: 9000 of 8192 tokens."))
    assert conversation.messages[-1].state is MessageState.FAILED
    conversation.ask("short")
    assert [turn.text for turn in conversation.request(Asking()).turns] == ["short"]


def test_stopped_and_limited_answers_say_so() -> None:
    conversation = Conversation()
    answered(conversation, "one", TextAdded(text="a"), ReplyFinished(reason="stopped", statistics=FIGURES))
    assert conversation.messages[-1].state is MessageState.STOPPED
    answered(conversation, "two", TextAdded(text="b"), ReplyFinished(reason="length", statistics=FIGURES))
    assert conversation.messages[-1].state is MessageState.COMPLETE
    assert conversation.messages[-1].at_limit


def test_late_events_change_nothing() -> None:
    conversation = Conversation()
    conversation.receive(TextAdded(text="nobody asked"))
    answered(conversation, "one", TextAdded(text="a"), DONE, TextAdded(text="late"), ReplyFailed(sentence="late"))
    assert conversation.messages[-1].text == "a"
    assert conversation.messages[-1].state is MessageState.COMPLETE


def test_asking_again_replaces_the_answer() -> None:
    conversation = Conversation()
    answered(conversation, "one", TextAdded(text="bad"), DONE)
    assert conversation.ask_again() is conversation.answer
    assert [turn.text for turn in conversation.request(Asking()).turns] == ["one"]


def test_question_taken_back_leaves_nothing_behind() -> None:
    conversation = Conversation()
    document = DocumentText(name="a", text="b")
    conversation.ask("one", [document])
    conversation.receive(DONE)
    question = conversation.take_back()
    assert (question.text, question.documents) == ("one", [document])
    assert conversation.messages == []
    with pytest.raises(EmptyQuestion):
        conversation.take_back()
    with pytest.raises(EmptyQuestion):
        conversation.ask_again()


EVENTS = st.one_of(
    st.builds(TextAdded, text=st.text(max_size=5)),
    st.builds(Progress, stage=st.just("prompt")),
    st.builds(StatisticsChanged, statistics=st.just(FIGURES)),
    st.builds(ReplyFinished, reason=st.sampled_from(["end", "length", "stopped"]), statistics=st.just(FIGURES)),
    st.builds(ReplyFailed, sentence=st.just("s"), kind=st.sampled_from(["refused", "interrupted"])),
)


@given(replies=st.lists(st.lists(EVENTS, max_size=8), max_size=5))
def test_whatever_comes_text_is_kept_and_every_answer_follows_a_question(replies: list[list[ReplyEvent]]) -> None:
    conversation = Conversation()
    for events in replies:
        answered(conversation, "q", *events)
        answer = conversation.messages[-1]
        expected = ""
        for event in events:
            if isinstance(event, ReplyFinished | ReplyFailed):
                break
            expected += event.text if isinstance(event, TextAdded) else ""
        assert answer.text == expected
        if conversation.answer is not None:
            conversation.receive(DONE)
    conversation.ask("last")
    roles = [turn.role for turn in conversation.request(Asking()).turns]
    assert roles[-1] == "user"
    assert all(before == "user" for before, role in pairwise(roles) if role == "assistant")
    assert roles[:1] == ["user"]


@pytest.mark.parametrize(
    "end", [ReplyFinished(reason="stopped", statistics=FIGURES), ReplyFailed("Gone.", FIGURES, "interrupted")]
)
def test_a_question_stopped_before_the_first_word_keeps_its_documents(end: ReplyEvent) -> None:
    conversation = Conversation()
    conversation.ask("What does it say?", [DocumentText(name="lease.pdf", text="The rent is due.")])
    conversation.receive(end)
    conversation.ask("About rent?")
    turns = conversation.request(Asking()).turns
    assert [turn.text for turn in turns] == ["What does it say?", "About rent?"]
    assert turns[0].documents[0].name == "lease.pdf"
