"""The rows as a tree: checked, renamed, moved to another kind, filtered; Qt's own checker finds nothing wrong."""

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from desktop_app.chat.stored import Found
from desktop_app.gui.review_model import KIND, PLACES, STAND_IN, ReviewModel

Role = Qt.ItemDataRole


def found(value: str, kind: str, places: tuple[str, ...] = ("",)) -> Found:
    return Found(value=value, kind=kind, source="rule", stand_in=f"~{value}", count=len(places), places=list(places))


FOUND = [found("Ann", "person", ("", "a.pdf")), found("Bea", "person"), found("4111", "card")]


@pytest.fixture
def model(qtbot: QtBot) -> ReviewModel:
    return ReviewModel(FOUND)


def at(model: QAbstractItemModel, *path: int, column: int = 0) -> QModelIndex:
    index = QModelIndex()
    for row in path[:-1]:
        index = model.index(row, 0, index)
    return model.index(path[-1], column, index)


def texts(model: QAbstractItemModel) -> list[tuple[str, list[str]]]:
    groups = [at(model, row) for row in range(model.rowCount())]
    return [(group.data(), [model.index(row, 0, group).data() for row in range(model.rowCount(group))]) for group in groups]


def test_qt_finds_nothing_wrong_with_it(qtbot: QtBot) -> None:
    model = ReviewModel(FOUND)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.setData(at(model, 0, 0, column=KIND), "place")
    model.setData(at(model, 0, 0, column=KIND), "place")
    model.setData(at(model, 0, 0), Qt.CheckState.Unchecked, Role.CheckStateRole)
    model.look_for("ann")
    model.look_for("")
    assert tester.model() is model


def test_rows_tell_value_stand_in_kind_and_place(model: ReviewModel) -> None:
    assert texts(model) == [("Person (2/2)", ["Ann", "Bea"]), ("Card number (1/1)", ["4111"])]
    assert [at(model, 0, 0, column=column).data() for column in (STAND_IN, KIND, PLACES)] == [
        "~Ann",
        "Person",
        "2 × · question, a.pdf",
    ]
    assert [model.headerData(column, Qt.Orientation.Horizontal) for column in range(4)] == [
        "Found",
        "Leaves as",
        "Kind",
        "Where",
    ]


def test_a_kind_is_checked_all_at_once(model: ReviewModel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(model.edited):
        assert model.setData(at(model, 0, 1), Qt.CheckState.Unchecked, Role.CheckStateRole)
    assert at(model, 0).data(Role.CheckStateRole) == Qt.CheckState.PartiallyChecked
    assert at(model, 0, 1, column=STAND_IN).data() == "stays as it is"
    model.setData(at(model, 0), Qt.CheckState.Unchecked, Role.CheckStateRole)
    assert [row.replaced for row in model.rows] == [False, False, True]
    model.setData(at(model, 0), Qt.CheckState.Checked, Role.CheckStateRole)
    assert at(model, 0).data(Role.CheckStateRole) == Qt.CheckState.Checked


def test_a_stand_in_is_typed_and_an_empty_one_is_not_taken(model: ReviewModel) -> None:
    index = at(model, 0, 0, column=STAND_IN)
    assert model.flags(index) & Qt.ItemFlag.ItemIsEditable
    assert not model.flags(at(model, 0, column=STAND_IN)) & Qt.ItemFlag.ItemIsEditable
    model.setData(index, "  Mary  Poe ")
    assert index.data() == "Mary Poe"
    model.setData(index, "  ")
    assert index.data() == "Mary Poe"


def test_another_kind_moves_a_row_and_empty_kinds_go(model: ReviewModel) -> None:
    model.setData(at(model, 1, 0, column=KIND), "phone")
    assert texts(model) == [("Person (2/2)", ["Ann", "Bea"]), ("Phone number (1/1)", ["4111"])]
    model.setData(at(model, 0, 0, column=KIND), "phone")
    assert texts(model) == [("Person (1/1)", ["Bea"]), ("Phone number (2/2)", ["Ann", "4111"])]
    assert at(model, 1, 0, column=STAND_IN).data() == "chosen anew"


def test_filter_keeps_what_holds_the_letters_and_all_at_once_means_what_is_shown(model: ReviewModel) -> None:
    model.look_for("A.PDF")
    assert texts(model) == [("Person (1/1)", ["Ann"])]
    model.setData(at(model, 0), Qt.CheckState.Unchecked, Role.CheckStateRole)
    assert [row.replaced for row in model.rows] == [False, True, True]
    assert model.index_of(model.rows[0]) == at(model, 0, 0)
    assert not model.index_of(model.rows[1]).isValid()
    model.look_for("nobody")
    assert texts(model) == []
    model.look_for("")
    assert texts(model) == [("Person (1/2)", ["Ann", "Bea"]), ("Card number (1/1)", ["4111"])]


def test_unknown_kinds_come_last(qtbot: QtBot) -> None:
    model = ReviewModel([found("x", "newer"), found("4111", "card"), found("Ann", "person")])
    assert [group.kind for group in model.groups] == ["person", "card", "newer"]
