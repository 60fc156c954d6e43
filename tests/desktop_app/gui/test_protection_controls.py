"""The switch and the sheet's setting; the words follow the switch."""

from pytestqt.qtbot import QtBot

from desktop_app.gui.protection_controls import ProtectionControls
from desktop_app.gui.theme import Theme


def test_words_follow_the_switch(qtbot: QtBot, theme: Theme) -> None:
    controls = ProtectionControls()
    qtbot.addWidget(controls)
    with qtbot.waitSignal(controls.changed):
        controls.protect.setChecked(True)
    controls.show_words(only_here=False)
    assert "Not protected" in controls.words.text()
    assert "pseudonymisation" in controls.words.text()
    assert controls.words.text().index("Not protected") < controls.words.text().index("<b>Protected")
    controls.protect.setChecked(False)
    controls.show_words(only_here=False)
    assert "pseudonymisation" not in controls.words.text()
    assert [controls.review.itemData(row) for row in range(3)] == ["first", "always", "never"]
    with qtbot.waitSignal(controls.lists_asked):
        controls.lists.click()
