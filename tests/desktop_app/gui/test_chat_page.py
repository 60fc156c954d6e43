"""The page of a chat: what is said below the composer is true, and turning protection off asks first."""

import pytest
from PySide6.QtWidgets import QMessageBox

from desktop_app.gui.main_window import MainWindow
from desktop_app.settings.settings import Settings
from tests.desktop_app.gui.conftest import Drive
from tests.desktop_app.gui.test_main_window import box, press, settled, type_and_send
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
