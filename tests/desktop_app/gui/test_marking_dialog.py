"""What is chosen for marked words."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from desktop_app.chat.stored import Decision
from desktop_app.gui.marking_dialog import MarkingDialog
from desktop_app.gui.theme import Theme


def test_always_is_asked_as_what_and_never_is_not(qtbot: QtBot, theme: Theme) -> None:
    always, never = MarkingDialog("Heron", True), MarkingDialog("Will", False)
    for dialog in (always, never):
        qtbot.addWidget(dialog)
        dialog.show()
    assert always.kind.isVisible()
    assert not never.kind.isVisible()
    always.kind.setCurrentIndex(always.kind.findData("other"))
    always.all_chats.setChecked(True)
    assert (always.decision, always.everywhere) == (Decision(value="Heron", kind="other", replaced=True), True)
    assert (never.decision.replaced, never.everywhere) == (False, False)


def test_very_long_words_are_shown_shortened_and_taken_whole(qtbot: QtBot, theme: Theme) -> None:
    dialog = MarkingDialog("word " * 500, True)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.height() < 500
    assert dialog.decision.value == "word " * 500


def test_never_says_beforehand_that_what_has_left_will_be_linked(qtbot: QtBot, theme: Theme) -> None:
    used, new, always = MarkingDialog("Ann", False, used=True), MarkingDialog("Ann", False), MarkingDialog("Ann", True, used=True)
    for dialog in (used, new, always):
        qtbot.addWidget(dialog)
        dialog.show()
    assert "“Ann”" in used.warning.text()
    assert "can link them" in used.warning.text()
    assert not new.warning.isVisible()
    assert not always.warning.isVisible()
    new.all_chats.setChecked(True)
    assert new.warning.isVisible()
    assert new.warning.height() >= new.warning.heightForWidth(new.warning.width())
    assert "any other chat" in new.warning.text()


@pytest.mark.parametrize("replaced", [True, False])
def test_in_which_chats_it_holds_is_said_with_the_tick_and_without(qtbot: QtBot, theme: Theme, replaced: bool) -> None:
    dialog = MarkingDialog("Ann", replaced)
    qtbot.addWidget(dialog)
    dialog.show()
    assert "in this chat only" in dialog.where.text()
    assert ("finds it there by itself" in dialog.where.text()) == replaced
    assert dialog.where.height() >= dialog.where.heightForWidth(dialog.where.width())
    dialog.all_chats.setChecked(True)
    assert "in all others" in dialog.where.text()


@pytest.mark.parametrize("replaced", [True, False])
def test_enter_means_what_protects(qtbot: QtBot, theme: Theme, replaced: bool) -> None:
    dialog = MarkingDialog("Ann", replaced)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert (dialog.result() == QDialog.DialogCode.Accepted) == replaced
