"""Past chats: listed, opened, renamed, deleted by keyboard and pointer."""

import time

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from desktop_app.chat.stored import ConversationEntry
from desktop_app.gui.conversation_list import RUNNING, ConversationList, EntryModel, when_text
from desktop_app.gui.theme import Theme


def entry(identity: str, title: str = "", changed: float = 1.0) -> ConversationEntry:
    return ConversationEntry(identity=identity, title=title, created=0.0, changed=changed)


ENTRIES = [entry("a", "Leases"), entry("b", "Letters"), entry("c")]


@pytest.fixture
def past(qtbot: QtBot, theme: Theme) -> ConversationList:
    made = ConversationList(theme)
    qtbot.addWidget(made)
    made.resize(250, 400)
    made.show_entries(ENTRIES, {"b"}, "b", keeping=True)
    made.show()
    return made


def test_titles_are_listed_with_the_one_on_screen_and_those_that_still_come(past: ConversationList) -> None:
    assert [past.model.index(row).data() for row in range(3)] == ["Leases", "Letters", "Chat without a title"]
    assert past.view.currentIndex().row() == 1
    assert [past.model.index(row).data(RUNNING) for row in range(3)] == [False, True, False]
    assert "its answer is coming" in past.model.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    past.show_entries(ENTRIES, set(), "new", keeping=True)
    assert not past.view.selectionModel().hasSelection()
    assert not past.model.index(1).data(RUNNING)


def test_qt_finds_nothing_wrong_with_the_model(qtbot: QtBot) -> None:
    model = EntryModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for entries in (ENTRIES, ENTRIES, ENTRIES[:1], []):
        model.show_entries(entries, {"a"})
    assert tester.model() is model


def test_enter_and_click_open_and_arrows_only_move(qtbot: QtBot, past: ConversationList) -> None:
    opened: list[str] = []
    past.opened.connect(opened.append)
    QTest.keyClick(past.view, Qt.Key.Key_Down)
    assert opened == []
    QTest.keyClick(past.view, Qt.Key.Key_Return)
    place = past.view.visualRect(past.model.index(0)).center()
    QTest.mouseClick(past.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened == ["c", "a"]


def test_delete_asks_for_deletion(qtbot: QtBot, past: ConversationList) -> None:
    with qtbot.waitSignal(past.deletion_asked) as asked:
        QTest.keyClick(past.view, Qt.Key.Key_Delete)
    assert asked.args == ["b"]


def test_a_title_is_changed_in_place_and_an_empty_one_is_not_taken(qtbot: QtBot, past: ConversationList) -> None:
    renamed: list[tuple[str, str]] = []
    past.renamed.connect(lambda identity, title: renamed.append((identity, title)))
    past.edit("a")
    assert past.view.state() == past.view.State.EditingState
    for title in ("  ", "Leases", " Old   leases "):
        past.model.setData(past.model.index(0), title)
    assert renamed == [("a", "Old leases")]


def test_an_empty_list_says_why(past: ConversationList) -> None:
    past.show_entries([], set(), "", keeping=True)
    assert past._note.text() == "Your chats will be listed here."
    past.show_entries([], set(), "", keeping=False)
    assert past._note.text() == "Chats are not kept at the moment."
    assert not past.view.isVisible()


def test_times_are_said_as_short_as_they_are_clear(qtbot: QtBot) -> None:
    now = time.time()
    assert ":" in when_text(now)
    assert ":" not in when_text(now - 86_400)
    assert when_text(1_000_000_000.0) == "9 Sep 2001"
    QLocale.setDefault(QLocale.c())
    assert when_text(1_000_000_000.0) == "2001-09-09"
