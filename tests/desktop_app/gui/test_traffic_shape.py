"""Shapes of traffic: each says what it hides and that it costs."""

from pytestqt.qtbot import QtBot

from desktop_app.chat.events import PADDED
from desktop_app.gui.theme import Theme
from desktop_app.gui.traffic_shape import SHAPES, TrafficShapeControls, shape_name, shape_sentence


def test_every_shape_has_a_name_and_a_sentence_and_those_that_hide_say_their_price() -> None:
    assert set(SHAPES) == {"off", "padded", "steady"}
    assert SHAPES["padded"] is PADDED
    for shape in SHAPES:
        assert shape_name(shape)
        assert ("Costs" in shape_sentence(shape)) == (shape != "off")
        assert shape_sentence(shape).startswith("Does nothing against whoever runs the agent.") == (shape != "off")
        assert ("slices" in shape_sentence(shape)) == (shape != "off")
    assert shape_name("newer") == "newer"


def test_a_beat_is_not_said_to_cover_more_than_an_answer() -> None:
    assert "from the first word of an answer to the end of its padding, and only then" in shape_sentence("steady")
    assert "When you ask" in shape_sentence("steady")


def test_the_choice_is_kept_and_explained(qtbot: QtBot, theme: Theme) -> None:
    controls = TrafficShapeControls()
    qtbot.addWidget(controls)
    assert controls.shape == "off"
    controls.shape = "steady"
    assert controls.shape == "steady"
    assert controls.sentence.text() == shape_sentence("steady")
