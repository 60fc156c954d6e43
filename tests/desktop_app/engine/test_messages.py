"""What crosses the pipes: every message and every event inside one comes back equal."""

from typing import Any, get_args

import msgspec
import pytest

from desktop_app.chat.events import (
    AgentState,
    DocumentText,
    EngineState,
    ModelLoaded,
    Progress,
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
from desktop_app.engine.messages import FromEngine, ToEngine

EVENTS: list[Any] = [
    Progress("prompt", 3, 9),
    TextAdded("é"),
    StatisticsChanged(Statistics(steps=3)),
    ReplyFinished("end", Statistics()),
    ReplyFailed("No."),
]
NEWS: list[Any] = [ModelLoaded("m", 30, 8192, 1, 29), AgentState(True, True), EngineState(True), Progress("agent")]
OUT: list[Any] = [
    *(messages.Event(1, event) for event in EVENTS),
    *(messages.News(news) for news in NEWS),
    messages.DocumentRead(1, DocumentText(name="a", text="b")),
    messages.DocumentUnreadable(2, "No."),
]
IN: list[Any] = [
    messages.Prepare("", Split()),
    messages.Ask(1, ReplyRequest(conversation="c", turns=[])),
    messages.Stop("c"),
    messages.Forget("c"),
    messages.Read(1, "p"),
]


@pytest.mark.parametrize(("message", "kind"), [(m, FromEngine) for m in OUT] + [(m, ToEngine) for m in IN])
def test_a_message_comes_back_equal(message: Any, kind: Any) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=kind) == message


def test_every_kind_of_event_and_message_is_tried() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(ReplyEvent))
    assert {type(message) for message in OUT} == set(get_args(FromEngine))
    assert {type(message) for message in IN} == set(get_args(ToEngine))
