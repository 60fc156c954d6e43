"""The page of a chat: what is said below the composer is true, and turning protection off asks first."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from desktop_app.chat.events import TextAdded
from desktop_app.chat.message import MessageState
from desktop_app.gui.main_window import MainWindow
from desktop_app.settings.settings import Settings
from tests.desktop_app.gui.conftest import Drive
from tests.desktop_app.gui.test_main_window import box, last_answer, press, settled, type_and_send
from tests.helpers.scripted_responder import ScriptedResponder, said
from tests.helpers.window_events import until


def test_protection_is_on_unless_the_settings_say_otherwise(window: MainWindow) -> None:
    assert window.page.protection.switch.isChecked()
    assert "what was not found is not replaced" in window.privacy.text()
    window._save(Settings(protect=False))
    assert not window.page.protection.switch.isChecked()
    assert "leave as they are written" in window.privacy.text()


@pytest.mark.parametrize("agrees", [True, False])
def test_turning_protection_off_in_a_running_chat_warns_and_holds_from_the_next_question_on(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, agrees: bool
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve")}
        window._store.save(Settings(review="never"))
        type_and_send(window, "Ann?")
        await settled(window)
        window.page.protection.switch.click()
        assert "link" in box(window).informativeText()
        assert window.page.protection.switch.isChecked()
        press(box(window), "Stop replacing" if agrees else "Keep replacing")
        assert window.page.protection.switch.isChecked() is not agrees
        assert [len(message.marks) for message in window.conversation.messages] == [0 if agrees else 1, 0]
        await until(lambda: len(window.messages.views) == 2)
        assert window.messages.views[0].message is window.conversation.messages[0]
        type_and_send(window, "And now?")
        await settled(window)
        assert [request.protect for request in responder.requests] == [True, not agrees]

    drive(scenario())


def test_turning_protection_on_again_tells_that_what_left_has_left(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        window.page.protection.switch.click()
        assert not window.conversation.protect
        assert not any(found.isVisible() for found in window.findChildren(QMessageBox))
        type_and_send(window, "one")
        await settled(window)
        window.page.protection.switch.click()
        assert "cannot be called back" in box(window).informativeText()
        press(box(window), "Replace them")
        assert window.conversation.protect

    drive(scenario())


def test_protection_cannot_be_switched_while_an_answer_comes(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.hold, responder.script = True, said("words")
        type_and_send(window, "one")
        assert not window.page.protection.switch.isEnabled()
        await until(lambda: responder.requests)
        window.chats.stop()
        await settled(window)
        assert window.page.protection.switch.isEnabled()

    drive(scenario())


async def reopened(window: MainWindow, responder: ScriptedResponder, restart: bool) -> None:
    """Go to another chat and come back, or begin anew with what is kept."""
    identity = window.conversation.identity
    await until(lambda: responder.archive.entries[identity].protect is window.conversation.protect)
    if restart:
        window.conversation.identity = "gone with the program"
    else:
        window.new_chat()
    window.open_chat(identity)
    await until(lambda: window.conversation.identity == identity)


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("protect", [False, True])
def test_switching_is_kept_at_once_also_without_another_question(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, protect: bool, restart: bool
) -> None:
    async def scenario() -> None:
        await responder.start()
        window._store.save(Settings(protect=not protect))
        window.chats.protect_new(not protect)
        type_and_send(window, "one")
        await settled(window)
        window.page.protection.switch.click()
        press(box(window), "Replace them" if protect else "Stop replacing")
        branch = [message.identity for message in window.conversation.messages]
        await reopened(window, responder, restart)
        assert window.page.protection.switch.isChecked() is protect
        assert [message.identity for message in window.conversation.messages] == branch
        type_and_send(window, "two")
        await settled(window)
        assert [turn.identity for turn in responder.requests[-1].turns[:2]] == branch
        assert responder.requests[-1].protect is protect

    drive(scenario())


def test_switching_that_cannot_be_kept_is_told_and_holds_as_long_as_the_chat_is_open(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        type_and_send(window, "one")
        await settled(window)
        responder.archive.state = "failed"
        window.page.protection.switch.click()
        press(box(window), "Stop replacing")
        await until(lambda: "locked" in window.banner.sentence.text())
        assert not window.conversation.protect

    drive(scenario())


def test_what_was_chosen_for_a_new_chat_waits_with_its_question(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        window._save(Settings(protect=False))
        type_and_send(window, "one")
        await settled(window)
        first = window.conversation.identity
        window.new_chat()
        window.page.protection.switch.click()
        new = window.conversation.identity
        window.composer.put("Who is Ann?", [])
        window.open_chat(first)
        await until(lambda: window.conversation.identity == first)
        window.new_chat()
        assert window.composer.edit.toPlainText() == "Who is Ann?"
        assert window.page.protection.switch.isChecked()
        assert window.conversation.identity == new
        responder.hold_review = True
        window.ask()
        await until(lambda: responder.reviews)
        window.new_chat()
        await until(lambda: not window.chats._waiting)
        assert window.page.protection.switch.isChecked()
        assert window.conversation.identity == new

    drive(scenario())


@pytest.mark.parametrize("protect", [False, True])
def test_a_stopped_answer_says_so_also_after_switching_and_opening_its_chat_again(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, protect: bool
) -> None:
    async def scenario() -> None:
        await responder.start()
        window._store.save(Settings(protect=not protect))
        window.chats.protect_new(not protect)
        responder.hold, responder.script = True, [TextAdded(text="Half an"), *said(" answer")]
        type_and_send(window, "one")
        responder.release()
        await until(lambda: window.conversation.messages[-1].text)
        window.chats.stop()
        await settled(window)
        responder.hold, responder.script = False, said("whole")
        window.page.protection.switch.click()
        press(box(window), "Replace them" if protect else "Stop replacing")
        type_and_send(window, "two")
        await settled(window)
        await reopened(window, responder, restart=False)
        await until(lambda: len(window.messages.views) == 4)
        stopped = window.messages.views[1]
        assert stopped.message.state is MessageState.STOPPED
        assert stopped._notice._label.text() == "Stopped. What had come is kept."  # type: ignore[union-attr]
        assert stopped.message.statistics.reply_tokens == 180
        assert last_answer(window).plain_text == "whole"

    drive(scenario())


@pytest.mark.parametrize("protect", [False, True])
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_what_enter_means_in_a_question_about_protection_is_what_protects(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, protect: bool, key: Qt.Key
) -> None:
    async def scenario() -> None:
        await responder.start()
        window._store.save(Settings(protect=protect))
        window.chats.protect_new(protect)
        type_and_send(window, "one")
        await settled(window)
        window.page.protection.switch.click()
        QTest.keyClick(box(window), key)
        assert window.conversation.protect is (protect or key == Qt.Key.Key_Return)

    drive(scenario())
