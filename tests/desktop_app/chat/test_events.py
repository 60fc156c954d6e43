"""The values that cross the pipe between window and engine come out as they went in."""

import msgspec
import pytest

from desktop_app.chat import events
from desktop_app.chat.events import EngineNews, ReplyEvent, ReplyRequest, Statistics, Turn

SAMPLES: list[ReplyEvent | EngineNews] = [
    events.Progress(stage="model", done=1, total=2),
    events.TextAdded(text="안녕 🙂"),
    events.StatisticsChanged(statistics=Statistics(bytes_up=5)),
    events.ReplyFinished(reason="length", statistics=Statistics()),
    events.ReplyFailed(sentence="Why.", kind="interrupted"),
    events.ModelLoaded(name="m", layers=30, context=8192, first_layer=1, last_layer=29),
    events.AgentState(connected=True, embedded=False, address="a", round_trip=0.08),
    events.EngineState(running=False, sentence="Gone."),
]


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: type(event).__name__)
def test_events_survive_the_pipe(event: ReplyEvent | EngineNews) -> None:
    encoded = msgspec.msgpack.encode(event)
    assert msgspec.msgpack.decode(encoded, type=ReplyEvent | EngineNews) == event


def test_request_survives_the_pipe() -> None:
    request = ReplyRequest(
        conversation="c", turns=[Turn(role="user", text="q", documents=[events.DocumentText(name="n", text="t")])]
    )
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(request), type=ReplyRequest) == request


@pytest.mark.parametrize(("shape", "name"), [(events.OFF, "off"), (events.PADDED, "padded"), (events.STEADY, "steady")])
def test_shapes_survive_the_pipe_and_have_names(shape: events.Shape, name: str) -> None:
    request = ReplyRequest(conversation="c", turns=[], shape=shape)
    decoded = msgspec.msgpack.decode(msgspec.msgpack.encode(request), type=ReplyRequest)
    assert (decoded.shape, decoded.shape.name) == (shape, name)
    assert ReplyRequest(conversation="c", turns=[]).shape is events.OFF


@pytest.mark.parametrize("shape", [{"rows": 65}, {"rows": -1}, {"prompt_rows": 0}, {"ticks": 65}, {"tick": 11.0}])
def test_a_shape_that_cannot_be_does_not_come_through_the_pipe(shape: dict[str, float]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(shape), type=events.Shape)
