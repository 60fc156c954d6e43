"""The switch shows what holds, not what was asked for."""

from pytestqt.qtbot import QtBot

from desktop_app.gui.protection_bar import ProtectionBar
from desktop_app.gui.theme import Theme


def test_the_switch_asks_and_follows(qtbot: QtBot, theme: Theme) -> None:
    bar = ProtectionBar()
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
