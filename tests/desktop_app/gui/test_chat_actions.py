"""What can be done with a chat: seen through the window, on a scripted engine."""

from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QToolButton

from desktop_app.chat.events import DocumentText
from desktop_app.chat.stored import NameList
from desktop_app.gui.document_view import DocumentView
from desktop_app.gui.lists_dialog import ListsDialog
from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.marking_dialog import MarkingDialog
from desktop_app.gui.sent_dialog import SentDialog
from desktop_app.settings.settings import Settings
from tests.desktop_app.gui.conftest import Drive
from tests.desktop_app.gui.test_main_window import last_answer, settled, type_and_send
from tests.helpers.scripted_responder import ScriptedResponder, said
from tests.helpers.window_events import until

D = TypeVar("D", bound=QDialog)
KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


async def shown(window: MainWindow, kind: type[D]) -> D:
    await until(lambda: any(dialog.isVisible() for dialog in window.findChildren(kind)))
    return next(dialog for dialog in window.findChildren(kind) if dialog.isVisible())


def test_what_left_is_shown_for_an_answer_and_for_the_chat(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        for question in ("one", "two"):
            type_and_send(window, question)
            await settled(window)
        button = next(
            button
            for button in last_answer(window).findChildren(QToolButton)
            if button.accessibleName() == "What left this computer"
        )
        button.click()
        one = await shown(window, SentDialog)
        assert "421.0 kB (421,000 bytes)" in one.page.toPlainText()
        assert "Only for answer 2 of 2 of this chat." in one.page.toPlainText()
        one.accept()
        window.actions_of_chat.show_sent()
        whole = await shown(window, SentDialog)
        assert "842.0 kB (842,000 bytes)" in whole.page.toPlainText()
        assert "Nothing has left this computer: the agent ran on it, too." in whole.page.toPlainText()
        whole.accept()
        await until(lambda: not whole.isVisible())
        window.chats.protect(False)
        window.actions_of_chat.show_sent(window.conversation.messages[1])
        repeated = await shown(window, SentDialog)
        assert "421.0 kB (421,000 bytes)" in repeated.page.toPlainText()

    drive(scenario())


def test_marked_words_leave_as_stand_ins_from_then_on_and_what_left_already_is_told(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        window._store.save(Settings(review="never"))
        type_and_send(window, "Project Heron?")
        await settled(window)
        text = window.messages.views[0].text  # type: ignore[union-attr]
        window.activateWindow()
        text.setFocus()
        cursor = text.textCursor()
        cursor.setPosition(8)
        cursor.setPosition(13, cursor.MoveMode.KeepAnchor)
        text.setTextCursor(cursor)
        await until(lambda: window.isActiveWindow() and text.hasFocus())
        QTest.keyClick(text, Qt.Key.Key_R, KEYS)
        dialog = await shown(window, MarkingDialog)
        assert dialog.decision.value == "Heron"
        dialog.kind.setCurrentIndex(dialog.kind.findData("other"))
        dialog.accept()
        await until(lambda: "already got “Heron” in one message" in window.banner.sentence.text())
        type_and_send(window, "Heron again")
        await settled(window)
        asked = window.conversation.messages[2]
        assert [asked.text[mark.start : mark.end] for mark in asked.marks] == ["Heron"]

    drive(scenario())


def test_a_word_for_all_chats_is_put_on_a_list(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        for words, replaced in (("Will", False), ("Heron", True), ("Egret", True)):
            window.actions_of_chat.ask_how_to_mark(words, replaced)
            dialog = await shown(window, MarkingDialog)
            dialog.kind.setCurrentIndex(dialog.kind.findData("other"))
            dialog.all_chats.setChecked(True)
            dialog.accept()
            await until(lambda words=words: words in window.banner.sentence.text())
        assert responder.archive.lists == {
            "Never replace": NameList(name="Never replace", kind="other", values=["Will"], never=True),
            "Marked: Other": NameList(name="Marked: Other", kind="other", values=["Heron", "Egret"]),
        }
        window.page.protection.lists.click()
        lists = await shown(window, ListsDialog)
        await until(lambda: len(lists.lists) == 2)
        lists.accept()

    drive(scenario())


@pytest.mark.parametrize("in_document", [False, True])
@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("everywhere", [False, True])
def test_what_was_marked_and_for_which_chats_is_told_where_one_is(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, in_document: bool, replaced: bool, everywhere: bool
) -> None:
    async def scenario() -> None:
        await responder.start()
        if in_document:
            window.actions_of_chat.read(DocumentText(name="lease.txt", text="The Heron file."))
            view = await shown(window, DocumentView)
            assert not view.notice.isVisible()
            view.marking.asked.emit("Heron", replaced)
        else:
            window.actions_of_chat.ask_how_to_mark("Heron", replaced)
        dialog = await shown(window, MarkingDialog)
        dialog.all_chats.setChecked(everywhere)
        dialog.accept()
        await until(lambda: "“Heron”" in window.banner.sentence.text())
        said = window.banner.sentence.text()
        assert said.startswith("In all chats" if everywhere else "In this chat")
        if in_document:
            assert view.notice.isVisible()
            assert view.notice.text() == said
            view.reject()

    drive(scenario())


def test_a_document_is_read_before_and_after_it_is_sent(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve")}
        window._store.save(Settings(review="never"))
        window.composer.attachments.add_ready(DocumentText(name="lease.txt", text="Ann signed."))
        window.composer.attachments.chips[0].name.click()
        before = await shown(window, DocumentView)
        assert before.text.extraSelections() == []
        before.reject()
        type_and_send(window, "Who?")
        await settled(window)
        window.messages.views[0].document_asked.emit(0)  # type: ignore[union-attr]
        after = await shown(window, DocumentView)
        await until(lambda: [selection.cursor.selectedText() for selection in after.text.extraSelections()] == ["Ann"])
        after.reject()

    drive(scenario())


def test_a_chat_is_saved_with_its_real_words_and_says_so(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, tmp_path: Path
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve")}
        window._store.save(Settings(review="never"))
        type_and_send(window, "Ann?")
        await settled(window)
        window.actions_of_chat.save()
        chooser = await shown(window, QFileDialog)
        chooser.fileSelected.emit(str(tmp_path / "chat.md"))
        chooser.reject()
        assert "Ann?" in (tmp_path / "chat.md").read_text(encoding="utf-8")
        assert window.banner.sentence.text().startswith("Saved with the real names")

    drive(scenario())


def test_the_menu_offers_what_can_be_done(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    def offered() -> list[str]:
        window.actions_of_chat.menu.aboutToShow.emit()
        return [action.text() for action in window.actions_of_chat.menu.actions() if action.isEnabled() and action.text()]

    async def scenario() -> None:
        await responder.start()
        assert offered() == []
        type_and_send(window, "one")
        await settled(window)
        assert offered() == ["Rename …", "What left this computer …", "Save as text …", "Print …", "Delete …"]
        window.new_chat(incognito=True)
        type_and_send(window, "two")
        await settled(window)
        assert offered() == ["What left this computer …", "Save as text …", "Print …"]

    drive(scenario())


def test_copying_restored_words_is_told_once_in_a_session(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        QGuiApplication.clipboard().clear()
        people = {"Ann": ("person", "Eve")}
        responder.script = said("Ann is here.", people=people)
        type_and_send(window, "Who?")
        view = await settled(window)
        copy = next(button for button in view.findChildren(QToolButton) if button.accessibleName() == "Copy the answer")
        copy.click()
        assert QGuiApplication.clipboard().text() == "Ann is here."
        assert window.status.quiet.text() == "Copied with the real names."
        window.status.quiet.setText("")
        copy.click()
        assert window.status.quiet.text() == ""

    drive(scenario())
