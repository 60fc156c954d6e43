"""Noise in the window: one mode for life, what is spent, and what can be done where the budget stops a question."""

import pytest
from PySide6.QtWidgets import QMessageBox

from desktop_app.chat.events import DocumentText, Noise
from desktop_app.gui.answer_view import AnswerView
from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.noise_dialogs import BudgetDialog, NoiseDialog
from desktop_app.settings.settings import Settings
from tests.desktop_app.gui.conftest import Drive
from tests.desktop_app.gui.test_main_window import box, press, settled, type_and_send
from tests.helpers.scripted_responder import ScriptedResponder
from tests.helpers.window_events import until

ALL = Noise(mu=20.0, epsilon=4.0)
DOCUMENT = DocumentText(name="a.txt", text="words")


def begin_noisy(window: MainWindow) -> None:
    window.conversation.noise = ALL
    window.page.show_protection()


async def dialog_of(window: MainWindow, kind: type) -> NoiseDialog | BudgetDialog:
    await until(lambda: any(found.isVisible() for found in window.findChildren(kind)))
    return next(found for found in window.findChildren(kind) if found.isVisible())


async def ask(window: MainWindow, text: str) -> AnswerView:
    type_and_send(window, text)
    return await settled(window)


def test_the_settings_say_with_what_noise_new_chats_begin(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        window._save(Settings(noise="all", strict_mu=0.0, epsilon=4.0))
        assert window.page.noise.mode.text() == "Noise (mu 20) …"
        await ask(window, "one")
        assert responder.requests[-1].noise == Noise(mu=20.0, epsilon=4.0)
        window._save(Settings())
        await ask(window, "two")
        assert responder.requests[-1].noise == Noise(mu=20.0, epsilon=4.0)
        window.new_chat()
        assert window.conversation.noise is None

    drive(scenario())


def test_noise_is_chosen_before_the_first_question_and_comes_back_with_the_chat(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        window.page.noise.mode.click()
        dialog = await dialog_of(window, NoiseDialog)
        assert isinstance(dialog, NoiseDialog)
        dialog.controls.choice.setCurrentIndex(1)
        dialog.accept()
        assert window.conversation.strict
        assert not window.page.protection.switch.isEnabled()
        assert "strict noise" in window.page.protection.sentence.text()
        assert "can read everything else" in window.privacy.text()
        window._store.save(Settings(review="never"))
        await ask(window, "one")
        noise, identity = window.conversation.noise, window.conversation.identity
        window.new_chat()
        window.open_chat(identity)
        await until(lambda: window.conversation.identity == identity)
        assert window.conversation.noise == noise
        await until(lambda: "spent" in window.page.noise.sentence.text() and "Nothing" not in window.page.noise.sentence.text())

    drive(scenario())


def test_what_is_spent_is_told_after_each_answer(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        begin_noisy(window)
        assert "Nothing spent yet of ε 4" in window.page.noise.sentence.text()
        await ask(window, "one")
        await until(lambda: "ε 2.12 of 4 spent (δ 1e-6), 212 tokens." in window.page.noise.sentence.text())
        window.new_chat()
        assert "212" not in window.page.noise.sentence.text()

    drive(scenario())


async def too_dear(window: MainWindow, responder: ScriptedResponder) -> None:
    """Ask what the budget pays for, and then what it does not."""
    await responder.start()
    begin_noisy(window)
    await ask(window, "one")
    window.composer.attachments.add_ready(DOCUMENT)
    view = await ask(window, "two")
    assert view.message.over_budget
    assert view._notice.budget.isVisible()
    assert not view._notice.again.isVisible()


def last_notice(window: MainWindow) -> object:
    view = window.messages.views[-1]
    assert isinstance(view, AnswerView)
    return view._notice


def test_a_question_that_is_too_dear_goes_back_into_the_composer_whole(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await too_dear(window, responder)
        last_notice(window).edit.click()  # type: ignore[attr-defined]
        assert window.composer.take() == ("two", [DOCUMENT])

    drive(scenario())


def test_a_question_that_is_too_dear_can_be_asked_in_a_new_chat_with_the_same_noise(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await too_dear(window, responder)
        before = window.conversation.identity
        last_notice(window).elsewhere.click()  # type: ignore[attr-defined]
        assert window.conversation.identity != before
        assert window.conversation.noise == ALL
        assert window.composer.take() == ("two", [DOCUMENT])

    drive(scenario())


def test_the_budget_can_be_raised_and_the_question_asked_again(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await too_dear(window, responder)
        last_notice(window).budget.click()  # type: ignore[attr-defined]
        dialog = await dialog_of(window, BudgetDialog)
        assert isinstance(dialog, BudgetDialog)
        assert dialog.epsilon == 8.0
        dialog.accept()
        await until(lambda: len(responder.requests) == 3)
        view = await settled(window)
        assert not view.message.over_budget
        assert [turn.text for turn in responder.requests[-1].turns if turn.role == "user"] == ["one", "two"]
        assert responder.requests[-1].noise == Noise(mu=20.0, epsilon=8.0)
        await until(lambda: "of 8 spent" in window.page.noise.sentence.text())

    drive(scenario())


@pytest.mark.parametrize("agrees", [False, True])
def test_noise_is_given_up_only_by_who_knows_what_that_means(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, agrees: bool
) -> None:
    async def scenario() -> None:
        await responder.start()
        begin_noisy(window)
        await ask(window, "one")
        window.page.noise.mode.click()
        asked = box(window)
        assert "epsilon becomes infinite" in asked.informativeText()
        default = asked.defaultButton()
        assert default is not None
        assert default.text() == "Keep the noise"
        press(asked, "Send exact numbers" if agrees else "Keep the noise")
        await ask(window, "two")
        request = responder.requests[-1]
        assert (request.noise is None, request.told_exact) == (agrees, agrees)

    drive(scenario())


def test_noise_after_exact_rows_begins_in_a_new_chat_with_the_question(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        await ask(window, "one")
        before = window.conversation.identity
        window.composer.put("two", [DOCUMENT])
        window.page.noise.mode.click()
        assert "no noise protects it" in box(window).informativeText()
        press(box(window), "New chat with my question")
        dialog = await dialog_of(window, NoiseDialog)
        assert isinstance(dialog, NoiseDialog)
        assert dialog.controls.choice.currentData() == "words"
        dialog.accept()
        assert window.conversation.identity != before
        assert window.conversation.strict
        assert window.composer.take() == ("two", [DOCUMENT])

    drive(scenario())


def test_without_a_question_in_the_composer_the_last_one_comes_along_and_an_incognito_chat_is_asked_about(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        window.new_chat(incognito=True)
        await ask(window, "one")
        window.page.noise.mode.click()
        press(box(window), "New chat with my question")
        await until(lambda: box(window).text() == "Leave this chat?")
        press(box(window), "Start new chat")
        dialog = await dialog_of(window, NoiseDialog)
        dialog.reject()
        assert window.conversation.incognito
        assert window.conversation.noise is None
        assert window.composer.take() == ("one", [])
        assert not any(found.isVisible() for found in window.findChildren(QMessageBox))

    drive(scenario())
