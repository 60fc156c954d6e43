"""From Enter to the first row: names are looked for, the person may look at them, and nothing is sent in doubt."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from desktop_app.chat.events import DocumentText, Noise, QuestionProtected, ReplyFailed
from desktop_app.chat.responder import ArchiveUnavailable
from desktop_app.chat.stored import ConversationEntry, Decision, StoredConversation, StoredMessage
from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.review_sheet import ReviewSheet
from desktop_app.gui.theme import Theme
from desktop_app.settings.settings import Settings, SettingsStore
from tests.desktop_app.gui.conftest import Drive
from tests.desktop_app.gui.test_main_window import box, last_answer, press, settled, type_and_send
from tests.helpers.scripted_responder import ScriptedResponder, said
from tests.helpers.window_events import until


def sheets(window: MainWindow) -> list[ReviewSheet]:
    return [sheet for sheet in window.findChildren(ReviewSheet) if sheet.isVisible()]


async def sheet_of(window: MainWindow) -> ReviewSheet:
    await until(lambda: sheets(window))
    return sheets(window)[0]


def marked(window: MainWindow, message: int) -> list[str]:
    asked = window.conversation.messages[message]
    return [asked.text[mark.start : mark.end] for mark in asked.marks]


def test_before_the_first_question_with_names_the_sheet_is_shown_and_afterwards_not(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve")}
        responder.script = said("Ann is here.", people={"Ann": ("person", "Eve")})
        type_and_send(window, "Hello")
        await settled(window)
        assert sheets(window) == []
        type_and_send(window, "Where is Ann?")
        sheet = await sheet_of(window)
        assert len(responder.requests) == 1
        sheet.send.click()
        await settled(window)
        assert marked(window, 2) == marked(window, 3) == ["Ann"]
        type_and_send(window, "Ann again")
        await settled(window)
        assert sheets(window) == []
        assert marked(window, 4) == ["Ann"]
        assert [request.protect for request in responder.requests] == [True] * 3

    drive(scenario())


def test_going_back_from_the_sheet_sends_nothing_and_keeps_the_question(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve")}
        window.composer.attachments.add_ready(DocumentText(name="a.txt", text="Ann"))
        type_and_send(window, "Where is Ann?")
        (await sheet_of(window)).back.click()
        await until(lambda: window.composer.edit.toPlainText() == "Where is Ann?")
        assert [document.name for document in window.composer.attachments.documents] == ["a.txt"]
        assert window.messages.views == []
        assert window.conversation.tree == {}
        assert window.composer.send.accessibleName() == "Send"
        assert responder.requests == []

    drive(scenario())


def test_what_is_changed_on_the_sheet_is_decided_before_the_question_leaves(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve"), "Will": ("person", "Max")}
        type_and_send(window, "Will Ann come?")
        sheet = await sheet_of(window)
        sheet.model.set_replaced([row for row in sheet.model.rows if row.found.value == "Will"], False)
        sheet.send.click()
        await settled(window)
        decided = responder.decisions[window.conversation.identity]
        assert decided == {"Will": Decision(value="Will", kind="person", replaced=False)}
        assert marked(window, 0) == ["Ann"]

    drive(scenario())


def test_always_shows_the_sheet_every_time_and_never_not_once(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve")}
        window._store.save(Settings(review="always"))
        for question in ("Hello", "And Ann?"):
            type_and_send(window, question)
            (await sheet_of(window)).send.click()
            await settled(window)
        window._store.save(Settings(review="never"))
        window.new_chat()
        type_and_send(window, "Ann")
        await settled(window)
        assert sheets(window) == []
        assert marked(window, 0) == ["Ann"]

    drive(scenario())


def test_where_nothing_is_sent_there_is_no_sheet(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve")}
        window._store.save(Settings(only_here=True))
        type_and_send(window, "Ann")
        await settled(window)
        assert sheets(window) == []

    drive(scenario())


def test_the_question_waits_visibly_while_names_are_looked_for_and_can_be_taken_back(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.hold_review = True
        type_and_send(window, "Where is Ann?")
        await until(lambda: responder.reviews)
        assert last_answer(window)._progress.label.text() == "Looking for names …"
        assert responder.requests == []
        QTest.keyClick(window, Qt.Key.Key_Escape)
        await until(lambda: window.composer.edit.toPlainText() == "Where is Ann?")
        assert responder.requests == []
        assert responder.stopped == []
        window.ask()
        responder.release_review.set()
        await settled(window)
        assert len(responder.requests) == 1

    drive(scenario())


def test_a_failed_recogniser_is_said_and_nothing_is_sent_until_it_works(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.review_failure = "The recogniser could not be loaded. Install Sotto again."
        type_and_send(window, "Where is Ann?")
        await until(lambda: len(responder.reviews) == 1)
        for tries in (2, 3):
            await until(lambda: any(found.isVisible() for found in window.findChildren(QMessageBox)))
            assert "could not be loaded" in box(window).informativeText()
            press(box(window), "Try again")
            await until(lambda tries=tries: len(responder.reviews) == tries)
        assert responder.requests == []
        press(box(window), "Don't send")
        await until(lambda: window.composer.edit.toPlainText() == "Where is Ann?")
        assert responder.requests == []
        responder.review_failure = ""
        window.ask()
        await settled(window)
        assert len(responder.requests) == 1

    drive(scenario())


def test_leaving_a_chat_while_names_are_looked_for_keeps_the_question_for_the_return(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        type_and_send(window, "one")
        await settled(window)
        first = window.conversation.identity
        responder.hold_review = True
        type_and_send(window, "two")
        await until(lambda: len(responder.reviews) == 2)
        window.new_chat()
        assert window.composer.edit.toPlainText() == ""
        await until(lambda: not window.chats._waiting)
        window.open_chat(first)
        await until(lambda: window.conversation.identity == first)
        assert window.composer.edit.toPlainText() == "two"
        assert len(window.messages.views) == 2
        assert len(responder.requests) == 1

    drive(scenario())


def test_without_protection_nothing_is_looked_for(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve")}
        window.page.protection.switch.click()
        type_and_send(window, "Where is Ann?")
        await settled(window)
        assert responder.reviews == []
        assert not responder.requests[0].protect
        assert marked(window, 0) == []

    drive(scenario())


def test_an_error_of_the_program_while_names_are_looked_for_sends_nothing(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()

        async def broken(request: object) -> object:
            raise RuntimeError("Ann")

        responder.review = broken  # type: ignore[method-assign, assignment]
        type_and_send(window, "Where is Ann?")
        await until(lambda: any(found.isVisible() for found in window.findChildren(QMessageBox)))
        press(box(window), "Don't send")
        await until(lambda: window.composer.edit.toPlainText() == "Where is Ann?")
        assert responder.requests == []

    drive(scenario())


PEOPLE = {"Ann": ("person", "Eve"), "Petra": ("person", "Mia")}
Unconfirmed = Callable[[MainWindow, ScriptedResponder, ReviewSheet], Awaitable[None]]


async def taken_back(window: MainWindow) -> None:
    await until(lambda: window.composer.edit.toPlainText() == "Where is Ann?" and not sheets(window))


async def by_escape(window: MainWindow, responder: ScriptedResponder, sheet: ReviewSheet) -> None:
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    await taken_back(window)


async def by_back(window: MainWindow, responder: ScriptedResponder, sheet: ReviewSheet) -> None:
    sheet.back.click()
    await taken_back(window)


async def by_closing(window: MainWindow, responder: ScriptedResponder, sheet: ReviewSheet) -> None:
    sheet.close()
    await taken_back(window)


async def by_stopping(window: MainWindow, responder: ScriptedResponder, sheet: ReviewSheet) -> None:
    window.chats.stop()
    await taken_back(window)


async def by_another_chat(window: MainWindow, responder: ScriptedResponder, sheet: ReviewSheet) -> None:
    left = window.conversation.identity
    window.open_chat("past")
    await until(lambda: window.conversation.identity == "past" and not window.chats._waiting)
    if left in responder.archive.entries:
        window.open_chat(left)
    else:
        window.new_chat()
    await until(lambda: window.conversation.identity == left)
    await taken_back(window)


async def by_a_failed_decision(window: MainWindow, responder: ScriptedResponder, sheet: ReviewSheet) -> None:
    decide = responder.decide

    async def broken(*_given: object) -> object:
        raise ArchiveUnavailable("The disk is full. Free some space.")

    responder.decide = broken  # type: ignore[method-assign, assignment]
    sheet.model.setData(sheet.model.index(0, 1, sheet.model.index(0, 0)), "Zoe")
    sheet.send.click()
    await taken_back(window)
    responder.decide = decide  # type: ignore[method-assign]


async def by_a_failed_review(window: MainWindow, responder: ScriptedResponder, sheet: ReviewSheet) -> None:
    sheet.back.click()
    await taken_back(window)
    responder.review_failure = "The recogniser could not be loaded."
    window.ask()
    await until(lambda: any(found.isVisible() for found in window.findChildren(QMessageBox)))
    press(box(window), "Don't send")
    await taken_back(window)
    responder.review_failure = ""


async def by_a_refusal(window: MainWindow, responder: ScriptedResponder, sheet: ReviewSheet) -> None:
    script, responder.script = responder.script, [QuestionProtected([], [[]]), ReplyFailed(sentence="No agent answers.")]
    sheet.send.click()
    await settled(window)
    window.page.change_question()
    responder.script = script
    responder.requests.pop()
    await taken_back(window)


UNCONFIRMED = [
    by_escape,
    by_back,
    by_closing,
    by_stopping,
    by_another_chat,
    by_a_failed_decision,
    by_a_failed_review,
    by_a_refusal,
]


@pytest.mark.parametrize("way", UNCONFIRMED)
@pytest.mark.parametrize("begun", [False, True])
def test_a_sheet_comes_again_until_it_was_confirmed_and_its_question_has_left(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, way: Unconfirmed, begun: bool
) -> None:
    async def scenario() -> None:
        await responder.start()
        past = ConversationEntry(identity="past", title="Past", created=1.0, changed=1.0)
        asked = StoredMessage(identity="q", parent="", role="user", text="Once")
        responder.archive.keep(StoredConversation(entry=past, messages=[asked]))
        responder.people = PEOPLE
        if begun:
            type_and_send(window, "Hello")
            await settled(window)
        before = len(responder.requests)
        type_and_send(window, "Where is Ann?")
        await way(window, responder, await sheet_of(window))
        QTest.keyClicks(window.composer.edit, " And Petra?")
        QTest.keyClick(window.composer.edit, Qt.Key.Key_Return)
        sheet = await sheet_of(window)
        assert [row.found.value for row in sheet.model.rows] == ["Ann", "Petra"]
        assert len(responder.requests) == before
        sheet.send.click()
        await settled(window)
        type_and_send(window, "Ann again")
        await settled(window)
        assert len(responder.requests) == before + 2

    drive(scenario())


def test_a_sheet_that_was_not_confirmed_comes_again_after_a_restart(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, theme: Theme, tmp_path: Path
) -> None:
    again = MainWindow(responder, SettingsStore(tmp_path / "settings.json"), theme)

    async def scenario() -> None:
        await responder.start()
        responder.people = PEOPLE
        type_and_send(window, "Hello")
        await settled(window)
        type_and_send(window, "Where is Ann?")
        await sheet_of(window)
        window.leave()
        await window.tasks.close()
        again.show()
        again.open_chat(next(iter(responder.archive.entries)))
        await until(lambda: again.messages.views)
        type_and_send(again, "Where is Petra?")
        sheet = await sheet_of(again)
        assert len(responder.requests) == 1
        sheet.send.click()
        await settled(again)
        again.leave()
        await again.tasks.close()

    drive(scenario())
    shiboken6.delete(again)


def test_a_sheet_on_which_nothing_was_replaced_has_been_seen_too(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = PEOPLE
        type_and_send(window, "Where is Ann?")
        sheet = await sheet_of(window)
        sheet.model.set_replaced(sheet.model.rows, False)
        sheet.send.click()
        await settled(window)
        type_and_send(window, "Ann again")
        await settled(window)
        assert len(responder.requests) == 2

    drive(scenario())


def test_asking_again_after_replacing_was_switched_on_shows_the_sheet_and_going_back_keeps_the_answer(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = PEOPLE
        window.page.protection.switch.click()
        responder.script = said("first")
        type_and_send(window, "Where is Ann?")
        await settled(window)
        window.page.protection.switch.click()
        press(box(window), "Replace them")
        responder.script = said("second")
        window.page.ask_again()
        (await sheet_of(window)).back.click()
        await until(lambda: window.conversation.answer is None)
        assert last_answer(window).plain_text == "first"
        assert (len(responder.requests), len(window.messages.views)) == (1, 2)
        assert window.composer.send.accessibleName() == "Send"
        assert window.composer.edit.toPlainText() == ""
        window.page.ask_again()
        (await sheet_of(window)).send.click()
        assert (await settled(window)).plain_text == "second"
        window.page.ask_again()
        await until(lambda: len(responder.requests) == 3)
        await settled(window)

    drive(scenario())


def test_under_strict_noise_the_person_looks_over_what_was_found_whether_or_not_names_are_replaced(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve")}
        window.conversation.noise = Noise(strict_mu=0.75, rest="exact", per="value", epsilon=20.0)
        window.conversation.protect = False
        type_and_send(window, "Where is Ann?")
        sheet = await sheet_of(window)
        assert responder.requests == []
        assert "strict noise" in sheet.summary.text()
        sheet.send.click()
        await settled(window)
        assert responder.requests[-1].noise == window.conversation.noise

    drive(scenario())
