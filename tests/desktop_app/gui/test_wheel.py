"""Turning the wheel over a dialog's controls scrolls, and changes nothing."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QScrollArea,
    QScrollBar,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_app.gui.review_model import KIND
from desktop_app.gui.settings_dialog import SettingsDialog
from desktop_app.gui.theme import Theme
from desktop_app.gui.wheel import PageWheel
from desktop_app.settings.settings import Settings
from tests.desktop_app.gui.test_review_sheet import found, row_index, sheet_of
from tests.helpers.scripted_responder import MODEL

CONTROLS = (QComboBox, QAbstractSpinBox, QAbstractSlider)


def turn_wheel(control: QWidget, turned: int) -> None:
    """As the window system tells it: Qt finds what lies there, and asks one widget after the other."""
    place = control.mapTo(control.window(), control.rect().center())
    QTest.wheelEvent(control.window().windowHandle(), QPointF(place), QPoint(0, turned))


def value_of(control: QWidget) -> object:
    if isinstance(control, QComboBox):
        return control.currentIndex()
    return control.value()  # type: ignore[attr-defined]


def scrolled_controls(dialog: QWidget) -> list[QWidget]:
    """Boxes, numbers and sliders that lie on something that scrolls, found by what they are."""

    def scrolls(widget: QWidget) -> bool:
        around = widget.parentWidget()
        while around is not None and not isinstance(around, QAbstractScrollArea):
            around = around.parentWidget()
        return around is not None

    found = [control for kind in CONTROLS for control in dialog.findChildren(kind)]
    return [control for control in found if not isinstance(control, QScrollBar) and scrolls(control)]


@pytest.mark.parametrize("focused", [False, True])
def test_no_control_of_the_settings_is_changed_by_the_wheel(qtbot: QtBot, theme: Theme, focused: bool) -> None:
    dialog = SettingsDialog(Settings(), MODEL, theme)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    (area,) = dialog.findChildren(QScrollArea)
    controls = scrolled_controls(dialog)
    assert {kind for kind in CONTROLS for control in controls if isinstance(control, kind)} == set(CONTROLS)
    for control in controls:
        if isinstance(control, QAbstractSpinBox):
            control.stepBy(2)  # off the ends, so that both ways would change it
        area.ensureWidgetVisible(control)
        if focused:
            control.setFocus()
        before, settings = value_of(control), dialog.values
        for turned in (-120, 120):
            turn_wheel(control, turned)
            assert (value_of(control), dialog.values) == (before, settings), control.accessibleName()


def test_the_wheel_over_a_control_scrolls_its_page(qtbot: QtBot, theme: Theme) -> None:
    area, page, box = QScrollArea(), QWidget(), QComboBox()
    qtbot.addWidget(area)
    box.addItems(["a", "b", "c"])
    layout = QVBoxLayout(page)
    layout.addWidget(box)
    layout.addSpacing(2000)
    area.setWidget(page)
    area.resize(200, 200)
    area.show()
    PageWheel(page)
    turn_wheel(box, -120)
    assert area.verticalScrollBar().value() > 0
    assert box.currentIndex() == 0


def test_the_wheel_over_a_kind_that_is_being_chosen_does_not_choose(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann", "place"))
    index = row_index(sheet, 0, 0, KIND)
    sheet.tree.setCurrentIndex(index)
    sheet.tree.edit(index)
    (box,) = (control for control in scrolled_controls(sheet) if isinstance(control, QComboBox))
    turn_wheel(box, -120)
    assert [row.kind for row in sheet.model.rows] == ["place"]
