"""What stands around an answer."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import Progress
from desktop_app.chat.message import Message, MessageState
from desktop_app.gui.answer_parts import Foot, Notice, ProgressLine
from desktop_app.gui.theme import Theme
from tests.helpers.scripted_responder import FIGURES


def test_progress_has_a_bar_only_where_the_end_is_known(qtbot: QtBot, theme: Theme) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    line = ProgressLine(parent)
    line.show_stage(Progress("protect"))
    assert line.label.text() == "Looking for names …"
    assert line._bar.isHidden()
    line.show_stage(Progress("model", 1, 4))
    assert (line._bar.isHidden(), line._bar.value()) == (False, 250)


@pytest.mark.parametrize(
    ("state", "is_last", "offered"),
    [
        (MessageState.INTERRUPTED, True, True),
        (MessageState.FAILED, True, True),
        (MessageState.INTERRUPTED, False, False),
        (MessageState.STOPPED, True, False),
    ],
)
def test_asking_again_is_offered_where_the_last_answer_ended_badly(
    qtbot: QtBot, theme: Theme, state: MessageState, is_last: bool, offered: bool
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    notice = Notice(parent)
    notice.show_for(Message("assistant", "", state=state, sentence="So."), is_last)
    assert notice.again.isHidden() != offered


def test_foot_copies_only_what_there_is_and_shows_the_figures(qtbot: QtBot, theme: Theme) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    pressed: list[str] = []
    foot = Foot(Message("assistant", "", statistics=FIGURES), theme, parent)
    assert not [label for label in foot.findChildren(QLabel) if label.text().startswith("Padding")]
    foot.add_button("left", "What left this computer", lambda: pressed.append("left"))
    (button,) = foot.findChildren(QToolButton)
    button.click()
    assert pressed == ["left"]
    assert "180 tokens · 43.9 tokens/s" in [label.text() for label in foot.findChildren(QLabel)]


def test_what_the_shape_costs_stands_below_the_answer(qtbot: QtBot, theme: Theme) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    shaped = replace(FIGURES, shape="padded", padding_bytes=900_000, padding_seconds=3.0)
    foot = Foot(Message("assistant", "", statistics=shaped), theme, parent)
    assert "Padding: 900.0 kB of 1.7 MB, and 3.0 s after the end of the answer." in [
        label.text() for label in foot.findChildren(QLabel)
    ]


@pytest.mark.parametrize("is_last", [True, False])
def test_a_question_that_costs_too_much_has_three_ways_on(qtbot: QtBot, theme: Theme, is_last: bool) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    notice = Notice(parent)
    parent.show()
    notice.show_for(Message("assistant", state=MessageState.FAILED, sentence="Too dear.", over_budget=True), is_last)
    for button in (notice.edit, notice.elsewhere, notice.budget):
        assert button.isVisible() is is_last
    assert not notice.again.isVisible()
    notice.show_for(Message("assistant", state=MessageState.FAILED, sentence="Too long."), is_last)
    assert not notice.edit.isVisible()
    assert notice.again.isVisible() is is_last
