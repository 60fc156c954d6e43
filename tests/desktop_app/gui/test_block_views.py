"""Prose and code views: as high as their content, nothing fetched, code copied as it is."""

from PySide6.QtCore import QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.gui.block_views import CodeView, CopyButton, ProseView
from desktop_app.gui.markdown_stream import Block
from desktop_app.gui.theme import LIGHT, Theme


def test_prose_is_as_high_as_its_text(qtbot: QtBot, theme: Theme) -> None:
    view = ProseView(LIGHT)
    qtbot.addWidget(view)
    view.resize(500, 10)
    view.show()
    assert view.height() == 0
    view.replace(Block("one line\n"))
    one = view.height()
    view.replace(Block("many words " * 100))
    many = view.height()
    assert 15 < one < many / 4
    view.resize(250, many)
    assert view.height() > many
    assert view.verticalScrollBar().maximum() == 0
    view.replace(None)
    assert view.height() == 0


def test_prose_fills_up(qtbot: QtBot, theme: Theme) -> None:
    view = ProseView(LIGHT)
    qtbot.addWidget(view)
    while not view.full:
        view.add(Block("word " * 100))
    assert view.toPlainText().count("word") < 2000


def test_link_is_given_and_not_followed(qtbot: QtBot, theme: Theme) -> None:
    view = ProseView(LIGHT)
    qtbot.addWidget(view)
    view.replace(Block("[a](https://b.example/c)"))
    with qtbot.waitSignal(view.link_asked) as asked:
        view.anchorClicked.emit(QUrl("https://b.example/c"))
    assert asked.args == ["https://b.example/c"]
    assert view.loadResource(2, QUrl("https://b.example/c")) is None
    assert view.toPlainText().startswith("a")


def wheel(dx: int, dy: int) -> QWheelEvent:
    return QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(dx, dy),
        QPoint(dx, dy),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )


def test_wheel_over_a_view_moves_the_conversation(qtbot: QtBot, theme: Theme) -> None:
    prose, code = ProseView(LIGHT), CodeView(Block("x", kind="code"), LIGHT)
    qtbot.addWidget(prose)
    qtbot.addWidget(code)
    for view in (prose, code._source):
        event = wheel(0, 120)
        view.wheelEvent(event)
        assert not event.isAccepted()


def test_code_grows_and_is_coloured_at_the_end(qtbot: QtBot, theme: Theme) -> None:
    view = CodeView(Block("a = 1\n", kind="code", language="python"), LIGHT)
    qtbot.addWidget(view)
    view.resize(500, 200)
    view.show()
    one = view._source.height()
    view.grow(Block("a = 1\nb = 2\n", kind="code", language="python"))
    assert view.code == "a = 1\nb = 2"
    assert view._source.height() > one
    assert not view._source.document().begin().layout().formats()
    view.finish(Block("a = 1\nb = 2\n", kind="code", language="python"))
    qtbot.waitUntil(lambda: bool(view._source.document().begin().layout().formats()))
    view.grow(Block("other", kind="code"))
    assert view.code == "other"


def test_long_lines_get_a_bar_and_no_line_is_hidden(qtbot: QtBot, theme: Theme) -> None:
    view = CodeView(Block("word " * 200 + "\nlast", kind="code"), LIGHT)
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show()
    QApplication.processEvents()
    source = view._source
    assert source.horizontalScrollBar().maximum() > 0
    last = source.blockBoundingGeometry(source.document().lastBlock()).translated(source.contentOffset())
    assert last.bottom() <= source.viewport().height() + 1


def test_copy_button_copies_and_says_so(qtbot: QtBot, theme: Theme) -> None:
    button = CopyButton(LIGHT, lambda: ("the text 한국어", False))
    qtbot.addWidget(button)
    before = button.icon().cacheKey()
    button.click()
    assert QGuiApplication.clipboard().text() == "the text 한국어"
    assert button.icon().cacheKey() != before
    assert button.accessibleName() == "Copy"
