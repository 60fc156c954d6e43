"""Code gets its colours in slices, in the right places."""

import pytest
from pygments.token import Comment, Keyword, Name, Number, String, Text
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from desktop_app.gui.highlighting import Highlighter, colour_of, lexer_of
from desktop_app.gui.theme import DARK, LIGHT


def coloured(document: QTextDocument) -> dict[str, str]:
    found = {}
    block = document.begin()
    while block.isValid():
        for span in block.layout().formats():
            units = block.text().encode("utf-16-le")[2 * span.start : 2 * (span.start + span.length)]
            found[units.decode("utf-16-le")] = span.format.foreground().color().name()
        block = block.next()
    return found


def test_words_get_their_colours_behind_an_emoji_too(qtbot: QtBot) -> None:
    document = QTextDocument("x = '🙂🙂'  # 🙂 why\ndef f():\n    '''two\n    lines'''\n    return 12")
    highlighter = Highlighter(document, "python", LIGHT)
    qtbot.waitUntil(lambda: not highlighter.running)
    found = coloured(document)
    assert found["# 🙂 why"] == LIGHT.code_comment
    assert found["def"] == found["return"] == LIGHT.code_keyword
    assert found["f"] == LIGHT.code_name
    assert found["12"] == LIGHT.code_number
    assert found["'''two"] == found["    lines'''"] == LIGHT.code_string


def test_unknown_language_stays_plain(qtbot: QtBot) -> None:
    assert lexer_of("") is None
    assert lexer_of("no such language") is None
    assert not Highlighter(QTextDocument("x"), "nonsense", LIGHT).running


def test_long_code_takes_several_slices(qtbot: QtBot) -> None:
    document = QTextDocument("value = 1 + 2  # three\n" * 3000)
    highlighter = Highlighter(document, "python", DARK)
    highlighter._slice()
    assert highlighter.running
    qtbot.waitUntil(lambda: not highlighter.running, timeout=20_000)
    assert document.findBlockByNumber(2999).layout().formats()


@pytest.mark.parametrize("kind", [Comment.Single, String.Double, Number.Integer, Keyword, Name.Function, Name.Class])
def test_kinds_have_a_colour(kind: object) -> None:
    assert colour_of(kind, LIGHT)
    assert colour_of(Text, LIGHT) is None
