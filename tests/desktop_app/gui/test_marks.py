"""A mark looks like one, and a doubtful one otherwise."""

import pytest
from PySide6.QtGui import QTextCharFormat

from desktop_app.chat.events import Mark
from desktop_app.gui.marks import MARK_PROPERTY, answered_sentence, asked_sentence, mark_format
from desktop_app.gui.theme import DARK, LIGHT, Tone

SURE = Mark(start=0, end=3, kind="person", stand_in="Eve")
DOUBTFUL = Mark(start=0, end=3, kind="person", stand_in="Eve", doubtful=True)


@pytest.mark.parametrize("tone", [LIGHT, DARK], ids=["light", "dark"])
def test_a_doubtful_mark_differs_in_form_and_colour(tone: Tone) -> None:
    bold = QTextCharFormat()
    bold.setFontWeight(700)
    sure, doubtful = (mark_format(mark, tone, "So.", bold) for mark in (SURE, DOUBTFUL))
    assert sure.underlineStyle() != doubtful.underlineStyle()
    assert sure.underlineColor() != doubtful.underlineColor()
    assert sure.background() != doubtful.background()
    assert sure.fontWeight() == doubtful.fontWeight() == 700
    assert sure.stringProperty(MARK_PROPERTY) == "So."


def test_what_is_said_names_what_left() -> None:
    assert asked_sentence(SURE) == "Person: leaves as “Eve”"
    assert answered_sentence(SURE) == "Person: the model wrote “Eve”"
    assert answered_sentence(DOUBTFUL).splitlines()[1].startswith("Doubtful")
