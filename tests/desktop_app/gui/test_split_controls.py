"""Head and tail stay within what model and agent allow."""

import shiboken6
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import ModelLoaded
from desktop_app.gui.split_controls import SplitControls, split_limits
from desktop_app.gui.theme import Theme
from tests.helpers.scripted_responder import MODEL


def test_limits_come_from_the_agent() -> None:
    model = ModelLoaded(name="m", layers=30, context=100, first_layer=3, last_layer=25)
    assert split_limits(model) == (3, 5, 29)
    assert split_limits(None)[:2] == (1, 1)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(st.tuples(st.booleans(), st.integers(-5, 60)), max_size=8))
def test_one_layer_is_always_left_to_the_agent(theme: Theme, moves: list[tuple[bool, int]]) -> None:
    controls = SplitControls(MODEL, theme)
    for is_head, value in moves:
        (controls.head if is_head else controls.tail).setValue(value)
        assert controls.head.value() >= 1
        assert controls.tail.value() >= 1
        assert controls.head.value() + controls.tail.value() <= 29
    shiboken6.delete(controls)


def test_only_here_takes_the_numbers_out_of_use(qtbot: QtBot, theme: Theme) -> None:
    controls = SplitControls(MODEL, theme)
    qtbot.addWidget(controls)
    controls.set_split(4, 2, only_here=False)
    assert controls.explanation.text() == "Of 30 layers the first 4 and the last 2 run here, 24 at the agent."
    controls.only_here.setChecked(True)
    assert not controls.head.isEnabled()
    assert controls.explanation.text() == "All 30 layers run here."
    assert controls._picture._layers == (30, 0, 0)


def test_slider_and_number_move_together(qtbot: QtBot, theme: Theme) -> None:
    controls = SplitControls(None, theme)
    qtbot.addWidget(controls)
    controls._head_slider.setValue(9)
    assert controls.head.value() == 9
    controls.tail.setValue(5)
    assert controls._tail_slider.value() == 5
    controls.resize(400, 200)
    assert not controls.grab().isNull()
