"""Whatever the responder does, the last event is an end; and no task outlives its window."""

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from desktop_app.chat.events import ReplyEvent, ReplyFailed, ReplyFinished, ReplyRequest, TextAdded, Turn
from desktop_app.gui.reply_task import Tasks, asking_of, follow_reply
from desktop_app.settings.settings import Settings
from tests.helpers.scripted_responder import ScriptedResponder, said
from tests.helpers.window_events import until

REQUEST = ReplyRequest(conversation="c", turns=[Turn(role="user", text="q")])


async def events_of(responder: ScriptedResponder) -> list[ReplyEvent]:
    events: list[ReplyEvent] = []
    await follow_reply(responder, REQUEST, events.append, lost="lost", cancelled="cancelled")
    return events


async def test_events_come_in_order() -> None:
    events = await events_of(ScriptedResponder(said("abcdef", 2)))
    assert [event.text for event in events if isinstance(event, TextAdded)] == ["ab", "cd", "ef"]
    assert isinstance(events[-1], ReplyFinished)


async def test_reply_without_an_end_is_given_one() -> None:
    events = await events_of(ScriptedResponder([TextAdded(text="a")]))
    assert events[-1] == ReplyFailed(sentence="lost", kind="interrupted")


async def test_unexpected_error_becomes_a_sentence_and_its_text_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(ScriptedResponder):
        async def reply(self, request: ReplyRequest) -> AsyncIterator[ReplyEvent]:
            yield TextAdded(text="a")
            raise RuntimeError("the patient's name")

    events = await events_of(Broken())
    assert events[-1] == ReplyFailed(sentence="lost", kind="interrupted")
    assert "RuntimeError" in caplog.text
    assert "patient" not in caplog.text


async def test_closing_ends_a_reply_and_waits_for_it() -> None:
    responder = ScriptedResponder(said("abc", 1), hold=True)
    events: list[ReplyEvent] = []
    tasks = Tasks()
    request = replace(REQUEST, protect=False)
    task = tasks.start(follow_reply(responder, request, events.append, lost="lost", cancelled="cancelled"))
    responder.release()
    await until(lambda: events)
    await tasks.close()
    assert task.cancelled()
    assert events == [TextAdded(text="a"), ReplyFailed(sentence="cancelled", kind="interrupted")]


def test_settings_become_a_request() -> None:
    asking = asking_of(Settings(head=3, tail=1, only_here=True, model="m", temperature=0.2, top_k=5, seed=7, drafting=False))
    assert (asking.split.head, asking.split.tail, asking.split.only_here) == (3, 1, True)
    assert (asking.sampling.temperature, asking.sampling.top_k, asking.sampling.seed) == (0.2, 5, 7)
    assert (asking.model, asking.drafting) == ("m", False)
