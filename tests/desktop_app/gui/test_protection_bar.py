"""The switch shows what holds, not what was asked for."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QPalette
from pytestqt.qtbot import QtBot

from desktop_app.gui.protection_bar import ProtectionBar
from desktop_app.gui.theme import DARK, LIGHT, Theme, Tone


def test_the_switch_asks_and_follows(qtbot: QtBot, theme: Theme) -> None:
    bar = ProtectionBar(theme)
    qtbot.addWidget(bar)
    with qtbot.waitSignal(bar.switched) as asked:
        bar.switch.click()
    assert asked.args == [False]
    assert bar.switch.isChecked()
    bar.show_protect(False)
    assert not bar.switch.isChecked()
    assert bar.sentence.text() == bar.switch.accessibleDescription() == "Off: everything leaves as it is written."
    with qtbot.waitSignal(bar.lists_asked):
        bar.lists.click()


@pytest.mark.parametrize("tone", [LIGHT, DARK])
def test_that_it_is_off_is_seen_as_a_warning_is(qtbot: QtBot, theme: Theme, tone: Tone) -> None:
    theme.use(tone)
    bar = ProtectionBar(theme)
    qtbot.addWidget(bar)
    bar.resize(700, 34)
    bar.show()
    ground = QColor(tone.warning_soft)
    for protect in (True, False, True, False):
        bar.show_protect(protect)
        picture = bar.grab().toImage()
        place = bar.sentence.geometry().topRight() + QPoint(-3, 3)
        assert (picture.pixelColor(place) == ground) is not protect
        assert bar.warning.isVisible() is not protect
        colour = bar.sentence.palette().color(QPalette.ColorRole.WindowText)
        assert colour == QColor(tone.muted if protect else tone.warning)


def test_under_strict_noise_it_is_on_whatever_was_chosen(qtbot: QtBot, theme: Theme) -> None:
    bar = ProtectionBar(theme)
    qtbot.addWidget(bar)
    bar.show_protect(False, strict=True)
    assert bar.switch.isChecked()
    assert bar.sentence.text() == "What is found leaves under strict noise and comes back in the answer."
    bar.show_protect(False)
    assert not bar.switch.isChecked()
