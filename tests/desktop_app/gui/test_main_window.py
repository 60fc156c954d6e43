"""The window as a person uses it, on a scripted engine."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from desktop_app.chat.events import AgentState, ArchiveState, DocumentText, EngineState, Progress, ReplyFailed, TextAdded
from desktop_app.chat.message import MessageState
from desktop_app.chat.stored import ConversationEntry, StoredConversation, StoredMessage
from desktop_app.gui.answer_view import AnswerView
from desktop_app.gui.attachments import ChipState
from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.settings_dialog import SettingsDialog
from desktop_app.settings.settings import SettingsStore
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.scripted_responder import FIGURES, MODEL, ScriptedResponder, said
from tests.helpers.window_events import heart, until


def type_and_send(window: MainWindow, text: str) -> None:
    QTest.keyClicks(window.composer.edit, text)
    QTest.keyClick(window.composer.edit, Qt.Key.Key_Return)


def last_answer(window: MainWindow) -> AnswerView:
    view = window.messages.views[-1]
    assert isinstance(view, AnswerView)
    return view


async def settled(window: MainWindow) -> AnswerView:
    await until(lambda: window.conversation.answer is None and last_answer(window)._ended)
    return last_answer(window)


def box(window: MainWindow) -> QMessageBox:
    return next(found for found in window.findChildren(QMessageBox) if found.isVisible())


def press(found: QMessageBox, text: str) -> None:
    next(button for button in found.buttons() if button.text().replace("&", "") == text).click()


def test_question_is_answered_and_the_next_one_carries_it(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.script = said("Hello **there**.")
        type_and_send(window, "Hi?")
        assert window.composer.edit.toPlainText() == ""
        assert (await settled(window)).plain_text == "Hello there."
        assert window.status.speed.text() == "43.9 tokens/s"
        type_and_send(window, "And now?")
        await settled(window)
        assert [turn.text for turn in responder.requests[1].turns] == ["Hi?", "Hello **there**.", "And now?"]
        assert responder.requests[0].conversation == responder.requests[1].conversation

    drive(scenario())


def test_empty_question_asks_nothing(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        type_and_send(window, "")
        type_and_send(window, "   ")
        window.ask()
        assert window.messages.views == []
        assert responder.requests == []

    drive(scenario())


def test_stop_works_by_key_and_keeps_the_text(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        responder.hold = True
        responder.script = said("one two three", 4)
        type_and_send(window, "go")
        assert window.composer.send.accessibleName() == "Stop"
        responder.release(2)
        await until(lambda: last_answer(window).plain_text == "one two")
        QTest.keyClick(window, Qt.Key.Key_Escape)
        view = await settled(window)
        assert responder.stopped == [window.conversation.identity]
        assert view.message.state is MessageState.STOPPED
        assert view.plain_text.strip() == "one two"
        assert window.composer.send.accessibleName() == "Send"

    drive(scenario())


def test_stop_works_before_any_text(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        responder.hold = True
        responder.script = [Progress(stage="model", done=1, total=10), *said("x")]
        type_and_send(window, "go")
        responder.release()
        await until(lambda: "10 %" in last_answer(window)._progress.label.text())
        window.composer.send.click()
        assert (await settled(window)).message.state is MessageState.STOPPED

    drive(scenario())


def test_interrupted_answer_is_kept_and_the_next_question_works(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        responder.script = [TextAdded(text="Half an"), ReplyFailed(sentence="The agent has gone.", kind="interrupted")]
        type_and_send(window, "one")
        view = await settled(window)
        assert view.plain_text == "Half an"
        assert "The agent has gone." in view._notice._label.text()
        responder.script = said("whole")
        type_and_send(window, "two")
        assert (await settled(window)).plain_text == "whole"
        assert [turn.text for turn in responder.requests[1].turns] == ["one", "Half an", "two"]

    drive(scenario())


def test_dead_engine_is_said_and_all_text_stays(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.script = [TextAdded(text="Half"), ReplyFailed(sentence="The engine stopped.", kind="interrupted")]
        QTest.keyClicks(window.composer.edit, "one")
        window.ask()
        QTest.keyClicks(window.composer.edit, "a draft of the next")
        await settled(window)
        responder.tell(EngineState(running=False, sentence="The engine stopped; a new one is being started."))
        assert window.banner.sentence.text() == "The engine stopped; a new one is being started."
        assert window.banner.isVisible()
        assert last_answer(window).plain_text == "Half"
        assert window.composer.edit.toPlainText() == "a draft of the next"
        responder.tell(EngineState(running=True))
        assert window.banner.isVisible()
        assert window.status.agent.text() != "Agent: on this computer"
        responder.tell(MODEL)
        assert not window.banner.isVisible()
        responder.script = said("Alive.")
        window.ask()
        assert (await settled(window)).plain_text == "Alive."

    drive(scenario())


def test_refused_question_can_be_changed_and_asked_again(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        responder.script = [ReplyFailed(sentence="The prompt has 9000 tokens, the context holds 8192.")]
        window.composer.attachments.add_ready(DocumentText(name="long.txt", text="x"))
        type_and_send(window, "Summarise")
        view = await settled(window)
        assert "9000" in view._notice._label.text()
        window.page.change_question()
        assert window.composer.edit.toPlainText() == "Summarise"
        assert [document.name for document in window.composer.attachments.documents] == ["long.txt"]
        assert window.messages.views == []
        window.composer.attachments.clear()
        responder.script = said("Short.")
        window.ask()
        await settled(window)
        window.page.ask_again()
        assert (await settled(window)).plain_text == "Short."
        assert [[turn.text for turn in request.turns] for request in responder.requests[1:]] == [["Summarise"], ["Summarise"]]

    drive(scenario())


def drop(window: MainWindow, paths: list[Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(50, 50), actions, data, buttons, keys)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    assert window._veil.isVisible()
    QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), actions, data, buttons, keys))
    assert not window._veil.isVisible()


def test_dropped_documents_are_read_and_sent_and_a_bad_one_blocks_nothing(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, tmp_path: Path
) -> None:
    async def scenario() -> None:
        good = DocumentText(name="공문 1.pdf", text="content", pages=3)
        responder.documents = {"공문 1.pdf": good, "scan.pdf": "It holds no text. Choose another."}
        drop(window, [tmp_path / "공문 1.pdf", tmp_path / "scan.pdf"])
        await until(lambda: not window.composer.attachments.reading)
        states = {chip.name.text(): chip.state for chip in window.composer.attachments.chips}
        assert states == {"공문 1.pdf": ChipState.READY, "scan.pdf": ChipState.FAILED}
        type_and_send(window, "What does it say?")
        await settled(window)
        assert responder.requests[0].turns[0].documents == [good]
        assert [chip.name.text() for chip in window.composer.attachments.chips] == ["scan.pdf"]

    drive(scenario())


def test_other_things_than_files_are_not_taken(window: MainWindow) -> None:
    data = QMimeData()
    data.setUrls([QUrl("https://a.example/file.pdf")])
    event = QDragEnterEvent(
        QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.ignore()
    QApplication.sendEvent(window, event)
    assert not event.isAccepted()
    assert not window._veil.isVisible()


def test_a_new_chat_begins_at_once_and_the_old_one_is_listed_and_opened_again(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.script = said("first answer")
        type_and_send(window, "one")
        await settled(window)
        old = window.conversation.identity
        window.new_chat()
        assert window.messages.views == []
        responder.script = said("second answer")
        type_and_send(window, "two")
        await settled(window)
        assert [turn.text for turn in responder.requests[1].turns] == ["two"]
        await until(lambda: [entry.title for entry in window.past.model.entries] == ["two", "one"])
        window.past.view.clicked.emit(window.past.model.index(1))
        await until(lambda: window.conversation.identity == old and last_answer(window).plain_text == "first answer")
        assert window.past.view.currentIndex().row() == 1
        responder.script = said("third answer")
        type_and_send(window, "three")
        await settled(window)
        assert [turn.text for turn in responder.requests[2].turns] == ["one", "first answer", "three"]
        assert responder.forgotten == []

    drive(scenario())


def test_an_answer_goes_on_while_another_chat_is_on_screen(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.hold = True
        responder.script = said("one two three", 4)
        type_and_send(window, "first")
        responder.release(2)
        await until(lambda: last_answer(window).plain_text == "one two")
        first = window.conversation.identity
        window.new_chat()
        assert window.composer.send.accessibleName() == "Send"
        type_and_send(window, "second")
        await until(lambda: len(responder.requests) == 2)
        assert window.chats.running == {first, window.conversation.identity}
        responder.release(20)
        await settled(window)
        assert last_answer(window).plain_text == "one two three"
        await until(lambda: window.chats.running == set())
        window.open_chat(first)
        await until(lambda: window.conversation.identity == first and last_answer(window).plain_text == "one two three")
        assert responder.stopped == []

    drive(scenario())


def test_a_chat_whose_answer_still_comes_is_shown_as_far_as_it_is_and_can_be_stopped(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.hold = True
        responder.script = said("one two three", 4)
        type_and_send(window, "first")
        responder.release(1)
        await until(lambda: last_answer(window).plain_text.strip() == "one")
        first = window.conversation.identity
        window.new_chat()
        window.open_chat(first)
        assert window.composer.send.accessibleName() == "Stop"
        responder.release(1)
        await until(lambda: last_answer(window).plain_text == "one two")
        window.composer.send.click()
        assert (await settled(window)).message.state is MessageState.STOPPED
        assert responder.stopped == [first]

    drive(scenario())


def test_an_incognito_chat_is_kept_nowhere_and_asks_before_it_is_lost(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        assert window.header.badge.text() == "Incognito"
        assert "Nothing of this chat is written to disk." in window.privacy.text()
        type_and_send(window, "a secret")
        await settled(window)
        assert responder.requests[0].incognito
        assert responder.archive.entries == {}
        incognito = window.conversation.identity
        window.new_chat()
        press(box(window), "Stay here")
        assert window.conversation.identity == incognito
        window.new_chat()
        press(box(window), "Start new chat")
        assert window.messages.views == []
        assert window.header.badge.isHidden()
        await until(lambda: responder.forgotten == [incognito])
        await window_closes(window)

    drive(scenario())


async def window_closes(window: MainWindow) -> None:
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))
    window.close()
    await until(lambda: closed)


def test_closing_asks_only_where_a_chat_would_be_lost(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        type_and_send(window, "kept")
        await settled(window)
        window.new_chat(incognito=True)
        type_and_send(window, "not kept")
        await settled(window)
        window.close()
        assert window.isVisible()
        press(box(window), "Stay here")
        window.close()
        press(box(window), "Close")
        assert not window.isVisible()

    drive(scenario())


def test_what_is_written_waits_for_the_return_to_its_chat(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        type_and_send(window, "one")
        await settled(window)
        first = window.conversation.identity
        window.composer.put("half a question", [DocumentText(name="a.txt", text="x")])
        window.new_chat()
        assert window.composer.edit.toPlainText() == ""
        assert window.composer.attachments.chips == []
        QTest.keyClicks(window.composer.edit, "a new one")
        window.open_chat(first)
        await until(lambda: window.conversation.identity == first)
        assert window.composer.edit.toPlainText() == "half a question"
        assert [document.name for document in window.composer.attachments.documents] == ["a.txt"]
        window.new_chat()
        assert window.composer.edit.toPlainText() == "a new one"

    drive(scenario())


def test_a_chat_is_renamed_and_deleted_for_good(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        type_and_send(window, "one")
        await settled(window)
        identity = window.conversation.identity
        await until(lambda: window.past.title_of(identity) == "one")
        window.past.model.setData(window.past.model.index(0), "  The  first ")
        await until(lambda: window.past.title_of(identity) == "The first")
        QTest.keyClick(window.past.view, Qt.Key.Key_Delete)
        assert "cannot be undone" in box(window).informativeText()
        press(box(window), "Cancel")
        assert responder.archive.entries
        QTest.keyClick(window.past.view, Qt.Key.Key_Delete)
        press(box(window), "Delete")
        await until(lambda: not window.past.model.entries)
        assert responder.archive.entries == {}
        assert window.messages.views == []
        assert window.conversation.identity != identity

    drive(scenario())


def test_an_interrupted_answer_that_was_kept_says_so_and_can_be_asked_again(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        entry = ConversationEntry(identity="c", title="Old", created=1.0, changed=2.0)
        asked = StoredMessage(identity="q", parent="", role="user", text="What?")
        half = StoredMessage(
            identity="a",
            parent="q",
            role="assistant",
            text="Half",
            state="interrupted",
            sentence="Sotto ended.",
            statistics=FIGURES,
        )
        responder.archive.keep(StoredConversation(entry=entry, messages=[asked, half]))
        await responder.start()
        await until(lambda: window.past.model.entries)
        window.open_chat("c")
        await until(lambda: window.conversation.identity == "c")
        view = await settled(window)
        assert "Sotto ended." in view._notice._label.text()
        responder.script = said("Whole.")
        view._notice.again.click()
        assert (await settled(window)).plain_text == "Whole."
        assert responder.requests[0].turns[0].identity == "q"
        assert len(responder.archive.messages["c"]) == 3

    drive(scenario())


def test_the_side_list_is_hidden_and_shown_and_stays_so(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        assert window.past.isVisible()
        window.header.side.click()
        assert not window.past.isVisible()
        assert not SettingsStore(window._store._path).settings.side_list
        QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
        assert window.past.isVisible()

    drive(scenario())


def test_a_locked_archive_is_opened_by_its_passphrase(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        responder.archive.state = "locked"
        responder.archive.keep(
            StoredConversation(entry=ConversationEntry(identity="c", title="Old", created=1, changed=1), messages=[])
        )
        await responder.start()
        assert window.unlock_page.isVisible()
        QTest.keyClicks(window.unlock_page.first, "wrong")
        window.unlock_page.unlock.click()
        await until(lambda: "does not open" in window.unlock_page.complaint.text())
        window.unlock_page.first.setText("correct horse")
        window.unlock_page.unlock.click()
        await until(lambda: window.page.isVisible())
        await until(lambda: window.past.title_of("c") == "Old")
        assert not window.conversation.incognito

    drive(scenario())


def test_one_can_go_on_without_keeping_anything_and_is_told_so(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        responder.archive.state = "new"
        await responder.start()
        window.new_chat()
        assert window.unlock_page.isVisible()
        window.unlock_page.decline.click()
        assert window.header.badge.text() == "Nothing is kept"
        assert window.conversation.incognito
        type_and_send(window, "q")
        await settled(window)
        assert responder.requests[0].incognito
        assert responder.without_lists
        window.header.unlock.click()
        QTest.keyClicks(window.unlock_page.first, "pass phrase")
        QTest.keyClicks(window.unlock_page.second, "pass phrase")
        window.unlock_page.unlock.click()
        await until(lambda: window.page.isVisible())
        assert window.header.badge.text() == "Incognito"
        assert responder.archive.passphrase == "pass phrase"

    drive(scenario())


def test_an_engine_that_was_started_again_has_time_to_open_the_archive_by_itself(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        await responder.start()
        QTest.keyClicks(window.composer.edit, "half a ques")
        monkeypatch.setattr("desktop_app.gui.main_window.PATIENCE", 1)
        responder.tell(ArchiveState("locked"))
        responder.tell(ArchiveState("open"))
        await asyncio.sleep(0.02)
        assert window.page.isVisible()
        assert window.composer.edit.toPlainText() == "half a ques"
        responder.tell(ArchiveState("locked"))
        await until(lambda: window.unlock_page.isVisible())

    drive(scenario())


def test_an_archive_that_fails_while_one_chats_is_told_and_stops_nothing(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        type_and_send(window, "q")
        await settled(window)
        responder.tell(ArchiveState("failed", "The disk is full. Free some space."))
        assert window.banner.sentence.text() == "The disk is full. Free some space."
        assert window.page.isVisible()
        assert window.header.badge.text() == "Nothing is kept"
        assert window.header.unlock.isHidden()
        window.new_chat()
        assert window.conversation.incognito

    drive(scenario())


def test_settings_hold_from_the_next_question_on(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        window.open_settings()
        dialog = window.findChild(SettingsDialog)
        assert dialog is not None
        dialog.split.head.setValue(6)
        dialog.split.only_here.setChecked(True)
        dialog.temperature.setValue(0.0)
        dialog._save.click()
        await until(lambda: responder.prepared)
        assert responder.prepared[0][1].only_here
        type_and_send(window, "q")
        await settled(window)
        request = responder.requests[0]
        assert (request.split.head, request.split.only_here, request.sampling.temperature) == (6, True, 0.0)
        assert window.status.agent.text().startswith("Only here")
        assert "nothing is sent" in window.privacy.text()

    drive(scenario())


def test_window_says_that_the_agent_is_on_this_computer(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        assert window.status.agent.text() == "Agent: on this computer"
        assert "No agent is paired, so one runs on this computer." in window.privacy.text()
        responder.tell(AgentState(connected=True, embedded=False, address="203.0.113.7", round_trip=0.08))
        assert "public weights" in window.privacy.text()
        assert "No agent is paired" not in window.privacy.text()

    drive(scenario())


def test_every_control_has_a_name_for_a_screen_reader(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        responder.script = said("text\n\n```py\nx\n```\n")
        type_and_send(window, "q")
        await settled(window)
        for kind in (QAbstractButton, QPlainTextEdit, QLineEdit):
            for control in window.findChildren(kind):
                named = control.accessibleName() or (isinstance(control, QAbstractButton) and control.text())
                assert named, (control, control.objectName())

    drive(scenario())


def test_every_control_of_every_dialog_has_a_name(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.people = {"Ann": ("person", "Eve")}
        type_and_send(window, "Ann?")
        await until(lambda: any(dialog.isVisible() for dialog in window.findChildren(QDialog)))
        window.open_settings()
        window.actions_of_chat.show_lists()
        window.actions_of_chat.ask_how_to_mark("Ann", True)
        window.actions_of_chat.read(DocumentText(name="a.txt", text="x"))
        window.actions_of_chat.show_sent()
        await until(lambda: len({type(dialog) for dialog in window.findChildren(QDialog)}) == 6)
        kinds = (QAbstractButton, QPlainTextEdit, QTextEdit, QLineEdit, QComboBox, QAbstractItemView)
        made_by_qt = (QComboBox, QAbstractSpinBox, QLineEdit, QAbstractItemView)
        for control in (control for dialog in window.findChildren(QDialog) for control in dialog.findChildren(QWidget)):
            around = control.parentWidget()
            inside = isinstance(around, made_by_qt) or around.metaObject().className().startswith("QComboBoxPrivate")
            if isinstance(control, kinds) and not isinstance(control, QHeaderView) and not inside:
                assert control.accessibleName() or (isinstance(control, QAbstractButton) and control.text()), (control, around)
        for dialog in window.findChildren(QDialog):
            dialog.reject()

    drive(scenario())


def test_how_far_looking_for_names_has_come_is_shown_where_the_answer_will_be(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        await responder.start()
        responder.tell(Progress("protect", 1, 4))
        assert window.status.progress.text() == ""
        responder.hold_review = True
        type_and_send(window, "Ann?")
        await until(lambda: responder.reviews)
        responder.tell(Progress("protect", 1, 4))
        assert last_answer(window)._progress.label.text() == "Looking for names … 25 %"
        responder.release_review.set()
        await settled(window)

    drive(scenario())


SENTENCE = "The quick brown fox **jumps** over `the` lazy dog, and [then](https://a.example) some more words follow. "
MIXED = f"# Head\n\n{SENTENCE * 3}\n\n- {SENTENCE}\n- b\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n```py\nx = 1\n```\n\n"
LONG = {
    "mixed": MIXED * 70,
    "paragraph": SENTENCE * 400,
    "code": "```python\n" + "def f(x):  # comment\n    return x + 1, 'text'\n" * 800 + "```\n",
    "table": "| a | b | c |\n|---|---|---|\n" + "| some **cell** text | 12 | more `code` text here |\n" * 800,
}


@pytest.mark.parametrize("kind", list(LONG))
def test_no_event_holds_the_window_for_100_ms_while_30000_characters_stream(
    window: MainWindow, responder: ScriptedResponder, drive: Drive, kind: str
) -> None:
    text = LONG[kind][:30_000]

    async def scenario() -> None:
        responder.script = said(text, 12)
        window.composer.edit.setPlainText("q")
        await asyncio.sleep(0)
        window.ask()
        view = await settled(window)
        assert len(view.plain_text) > 10_000
        assert view.message.text == text
        assert heartbeat.longest < 0.1, f"{1000 * heartbeat.longest:.0f} ms"

    with heart() as heartbeat:
        drive(scenario())


def test_figures_of_a_stopped_reply_are_shown(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        responder.script = [TextAdded(text="a"), ReplyFailed(sentence="s", statistics=FIGURES)]
        type_and_send(window, "q")
        await settled(window)
        assert window.status.traffic.text() == "↑ 421.0 kB   ↓ 1.3 MB"

    drive(scenario())
