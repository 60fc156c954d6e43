"""A conversation keeps every word, and the model sees only what was answered."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.chat.conversation import AnswerRunning, Asking, Conversation, EmptyQuestion
from desktop_app.chat.events import (
    DocumentText,
    Mark,
    Noise,
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
from desktop_app.chat.message import Message, MessageState
from desktop_app.chat.stored import ConversationEntry, State, StoredConversation, StoredMessage

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


def test_asking_again_puts_an_answer_beside_the_old_one() -> None:
    conversation = Conversation()
    answered(conversation, "one", TextAdded(text="bad"), DONE)
    question, old = conversation.messages
    again = conversation.ask_again()
    assert again is conversation.answer
    assert [turn.text for turn in conversation.request(Asking()).turns] == ["one"]
    assert conversation.messages == [question, again]
    assert again.parent == old.parent == question.identity
    assert conversation.tree[old.identity].text == "bad"


def test_question_taken_back_is_seen_no_more_and_stays_in_the_tree() -> None:
    conversation = Conversation()
    document = DocumentText(name="a", text="b")
    conversation.ask("one", [document])
    conversation.receive(DONE)
    question = conversation.take_back()
    assert (question.text, question.documents) == ("one", [document])
    assert conversation.messages == []
    assert conversation.tree[question.identity] is question
    changed, _ = conversation.ask("one and a half")
    assert (changed.parent, len(conversation.tree)) == (question.parent, 4)
    conversation.receive(DONE)
    conversation.take_back()
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


def test_a_request_names_question_answer_and_what_the_question_hangs_on() -> None:
    conversation = Conversation(protect=False, incognito=True)
    answered(conversation, "one", TextAdded(text="first"), DONE)
    answered(conversation, "refused", ReplyFailed(sentence="Too long."))
    refused = conversation.messages[-1]
    question, answer = conversation.ask("two")
    request = conversation.request(Asking())
    assert [turn.identity for turn in request.turns] == [message.identity for message in conversation.messages[:2]] + [
        question.identity
    ]
    assert (request.answer, request.parent) == (answer.identity, refused.identity)
    assert (request.protect, request.incognito) == (False, True)


def test_a_question_that_was_never_sent_leaves_nothing_behind() -> None:
    conversation = Conversation()
    answered(conversation, "one", TextAdded(text="first"), DONE)
    with pytest.raises(EmptyQuestion):
        conversation.withdraw()
    conversation.ask("two", [DocumentText(name="a", text="b")])
    question = conversation.withdraw()
    assert (question.text, [document.name for document in question.documents]) == ("two", ["a"])
    assert (len(conversation.messages), len(conversation.tree)) == (2, 2)
    again, _ = conversation.ask("three")
    assert again.parent == conversation.messages[1].identity


def test_an_answer_that_was_not_asked_for_after_all_leaves_the_one_before() -> None:
    conversation = Conversation()
    with pytest.raises(EmptyQuestion):
        conversation.stay_with(Message("assistant"))
    answered(conversation, "one", TextAdded(text="first"), DONE)
    before = conversation.messages[-1]
    conversation.ask_again()
    conversation.stay_with(before)
    assert conversation.messages[-1] is before
    assert list(conversation.tree.values()) == conversation.messages


@pytest.mark.parametrize(
    ("events", "left"),
    [
        ([ReplyFailed(sentence="Too long.")], False),
        ([ReplyFinished(reason="stopped", statistics=Statistics())], False),
        ([ReplyFailed(sentence="Gone.", statistics=Statistics(bytes_up=1), kind="interrupted")], True),
        ([TextAdded(text="a"), ReplyFailed(sentence="Gone.")], True),
        ([DONE], True),
    ],
)
def test_only_a_question_for_which_rows_went_has_left(events: list[ReplyEvent], left: bool) -> None:
    for marks, looked_over in (([Mark(start=0, end=3, kind="person", stand_in="Eve")], False), ([], True)):
        conversation = Conversation()
        question, _ = conversation.ask("Ann?")
        question.marks = marks
        seen = {question.identity} if looked_over else set()
        assert not conversation.has_left(seen)
        for event in events:
            conversation.receive(event)
        assert conversation.has_left(seen) == left
        assert not Conversation().has_left(seen)
    assert not conversation.has_left()


def test_a_branch_is_kept_with_how_each_answer_of_it_ended() -> None:
    conversation = Conversation()
    answered(conversation, "one", TextAdded(text="half"), ReplyFinished(reason="stopped", statistics=FIGURES))
    answered(conversation, "two", TextAdded(text="x"), ReplyFailed(sentence="Gone.", kind="interrupted", statistics=FIGURES))
    answered(conversation, "three", TextAdded(text="y"), ReplyFinished(reason="length", statistics=FIGURES))
    conversation.branch_off()
    entry = ConversationEntry(identity=conversation.identity, title="t", created=1.0, changed=1.0)
    again = Conversation.of(StoredConversation(entry=entry, messages=conversation.branch))
    assert [(it.state, it.sentence, it.at_limit, it.statistics) for it in again.messages[1::2]] == [
        (MessageState.STOPPED, "", False, FIGURES),
        (MessageState.INTERRUPTED, "Gone.", False, FIGURES),
        (MessageState.COMPLETE, "", True, FIGURES),
    ]
    assert [it.identity for it in again.messages] == [it.identity for it in conversation.messages]


def test_marks_of_streamed_pieces_lie_where_their_words_are() -> None:
    conversation = Conversation()
    conversation.ask("Who?")
    conversation.receive(TextAdded("It is ", []))
    conversation.receive(TextAdded("Ann ", [Mark(start=0, end=3, kind="person", stand_in="Eve")]))
    conversation.receive(TextAdded("and 지우.", [Mark(start=4, end=6, kind="person", stand_in="민서", doubtful=True)]))
    answer = conversation.messages[-1]
    assert [(answer.text[mark.start : mark.end], mark.stand_in) for mark in answer.marks] == [("Ann", "Eve"), ("지우", "민서")]


def test_a_branch_without_protection_has_the_same_words_and_other_identities() -> None:
    conversation = Conversation()
    question, _ = conversation.ask("Ann?")
    question.marks = [Mark(start=0, end=3, kind="person", stand_in="Eve")]
    with pytest.raises(AnswerRunning):
        conversation.branch_off()
    conversation.receive(TextAdded(text="Yes."))
    conversation.receive(DONE)
    old = list(conversation.messages)
    assert conversation.has_left()
    conversation.branch_off()
    assert conversation.has_left()
    assert [message.text for message in conversation.messages] == ["Ann?", "Yes."]
    assert not {message.identity for message in conversation.messages} & {message.identity for message in old}
    assert conversation.messages[0].marks == []
    assert conversation.messages[1].parent == conversation.messages[0].identity
    assert len(conversation.tree) == 4


def kept(identity: str, parent: str, role: str, text: str = "", state: State = "complete") -> StoredMessage:
    return StoredMessage(identity=identity, parent=parent, role=role, text=text, state=state)  # type: ignore[arg-type]


def opened(messages: list[StoredMessage], tip: str = "") -> Conversation:
    entry = ConversationEntry(identity="c", title="Leases", created=1.0, changed=2.0, protect=False, tip=tip)
    return Conversation.of(StoredConversation(entry=entry, messages=messages))


TREE = [
    kept("q1", "", "user", "one"),
    kept("a1", "q1", "assistant", "first"),
    kept("a2", "q1", "assistant", "second"),
    kept("q2", "a1", "user", "two"),
    kept("a3", "q2", "assistant", "half", "streaming"),
]


def test_a_kept_conversation_opens_on_the_branch_seen_last() -> None:
    conversation = opened(TREE, tip="a2")
    assert (conversation.identity, conversation.title, conversation.protect) == ("c", "Leases", False)
    assert [message.identity for message in conversation.messages] == ["q1", "a2"]
    assert len(conversation.tree) == 5
    latest = opened(TREE)
    assert [message.identity for message in latest.messages] == ["q1", "a1", "q2", "a3"]
    assert latest.messages[-1].state is MessageState.INTERRUPTED
    assert latest.answer is None


def test_a_question_kept_without_an_answer_can_be_asked_again_and_gone_on_from() -> None:
    conversation = opened([*TREE[:2], kept("q2", "a1", "user", "two")])
    assert [message.text for message in conversation.messages] == ["one", "first", "two", ""]
    assert conversation.messages[-1].state is MessageState.INTERRUPTED
    again = conversation.ask_again()
    assert (again.parent, len(conversation.messages)) == ("q2", 4)
    conversation.receive(DONE)
    other = opened([kept("q1", "", "user", "one")])
    assert other.ask("two")[0].parent == "q1"
    gone_on = opened([kept("q1", "", "user", "one"), kept("q2", "q1", "user", "two"), kept("a2", "q2", "assistant", "x")])
    assert [message.text for message in gone_on.messages] == ["one", "", "two", "x"]


def test_a_message_whose_parent_was_not_kept_follows_the_one_before() -> None:
    conversation = opened([*TREE[:2], kept("q9", "refused and not kept", "user", "nine"), kept("a9", "q9", "assistant", "ten")])
    assert [message.text for message in conversation.messages] == ["one", "first", "nine", "ten"]


def test_a_conversation_is_called_by_its_name_or_its_first_line() -> None:
    conversation = Conversation()
    assert conversation.title == ""
    conversation.ask("What is due?\nAnd when?")
    assert conversation.title == "What is due?"
    conversation.name = "Rent"
    assert conversation.title == "Rent"


NOISE = Noise(mu=40.0, epsilon=1e6)


def test_noise_goes_with_every_question_and_comes_back_with_the_conversation() -> None:
    conversation = Conversation(noise=NOISE)
    conversation.ask("Why?")
    assert conversation.request(Asking()).noise == NOISE
    entry = ConversationEntry(identity="c", title="", created=1.0, changed=1.0, noise=NOISE)
    assert Conversation.of(StoredConversation(entry=entry, messages=[])).noise == NOISE
    assert Conversation().noise is None


def test_noise_is_given_up_for_good_and_the_engine_hears_that_the_person_was_told() -> None:
    conversation = Conversation(noise=NOISE)
    conversation.give_up_noise()
    conversation.ask("Why?")
    request = conversation.request(Asking())
    assert (request.noise, request.told_exact) == (None, True)


@pytest.mark.parametrize(("mode", "sent"), [("exact", True), ("dp", False), ("only here", False)])
def test_exact_rows_may_have_left_where_an_answer_came_of_them(mode: str, sent: bool) -> None:
    conversation = Conversation(noise=NOISE)
    conversation.ask("Why?")
    assert not conversation.has_sent_exact
    conversation.receive(ReplyFinished("end", Statistics(mode=mode, rows=3)))
    assert conversation.has_sent_exact is sent


def test_a_question_that_costs_too_much_is_known_by_its_answer() -> None:
    conversation = Conversation(noise=NOISE)
    _, answer = conversation.ask("Why?")
    conversation.receive(ReplyFailed("Too dear.", kind="budget"))
    assert answer.over_budget
    assert (answer.state, answer.sentence) == (MessageState.FAILED, "Too dear.")
