"""What crosses the pipes: every message and every event inside one comes back equal."""

from typing import Any, get_args

import msgspec
import pytest

from desktop_app.chat.events import (
    AgentState,
    ArchiveState,
    DocumentText,
    EngineNews,
    EngineState,
    Mark,
    ModelLoaded,
    Progress,
    QuestionProtected,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Split,
    Statistics,
    StatisticsChanged,
    TextAdded,
)
from desktop_app.engine import messages
from desktop_app.engine.messages import FromEngine, FromReaders, ToEngine, ToReaders
from desktop_app.engine.queries import Lists, Query, Unanswered, answered
from desktop_app.privacy.spans import Kind, Source, Span

EVENTS: list[Any] = [
    Progress("prompt", 3, 9),
    QuestionProtected([Mark(start=0, end=2, kind="person")], [[]]),
    TextAdded("é", [Mark(start=0, end=1, kind="person", stand_in="x", doubtful=True)]),
    StatisticsChanged(Statistics(steps=3)),
    ReplyFinished("end", Statistics()),
    ReplyFailed("No."),
]
NEWS: list[Any] = [
    ModelLoaded("m", 30, 8192, 1, 29),
    AgentState(True, True),
    EngineState(True),
    ArchiveState("new"),
    Progress("agent"),
]
OUT: list[Any] = [
    *(messages.Event(1, event) for event in EVENTS),
    *(messages.News(news) for news in NEWS),
    answered(1, [3]),
    Unanswered(2, "ChatError", "No."),
]
IN: list[Any] = [
    messages.Prepare("", Split()),
    messages.Ask(1, ReplyRequest(conversation="c", turns=[])),
    messages.Stop("c"),
    messages.Forget("c"),
    Query(1, Lists()),
]
TO_READERS: list[Any] = [
    messages.Read(1, "p"),
    messages.UseLists({"Jane": Kind.PERSON}, ["Will"]),
    messages.Recognise(1, "text", {"Jane": Kind.PERSON}),
]
FROM_READERS: list[Any] = [
    messages.DocumentRead(1, DocumentText(name="a", text="b")),
    messages.DocumentUnreadable(2, "No."),
    messages.Recognised(1, [Span(0, 2, Kind.PERSON, Source.RULE)]),
    messages.Unrecognised(1, "No."),
]
ALL = [(OUT, FromEngine), (IN, ToEngine), (TO_READERS, ToReaders), (FROM_READERS, FromReaders)]


@pytest.mark.parametrize(("message", "kind"), [(message, kind) for tried, kind in ALL for message in tried])
def test_a_message_comes_back_equal(message: Any, kind: Any) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=kind) == message


def test_every_kind_of_event_and_message_is_tried() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(ReplyEvent))
    assert {type(news) for news in NEWS} == set(get_args(EngineNews))
    for tried, kind in ALL:
        assert {type(message) for message in tried} == set(get_args(kind))
