"""The window as a person uses it, on a scripted engine."""

import asyncio
import gc
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QMessageBox, QPlainTextEdit

from desktop_app.chat.conversation import MessageState
from desktop_app.chat.events import AgentState, DocumentText, EngineState, Progress, ReplyFailed, TextAdded
from desktop_app.gui.attachments import ChipState
from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.message_views import AnswerView
from desktop_app.gui.settings_dialog import SettingsDialog
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.scripted_responder import FIGURES, MODEL, ScriptedResponder, said
from tests.helpers.window_events import Heartbeat, until


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
        window.change_question()
        assert window.composer.edit.toPlainText() == "Summarise"
        assert [document.name for document in window.composer.attachments.documents] == ["long.txt"]
        assert window.messages.views == []
        window.composer.attachments.clear()
        responder.script = said("Short.")
        window.ask()
        await settled(window)
        window.ask_again()
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


def test_new_chat_asks_first_and_forgets_the_old(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        type_and_send(window, "one")
        await settled(window)
        old = window.conversation.identity
        window.new_chat()
        press(box(window), "Stay here")
        assert window.conversation.identity == old
        window.new_chat()
        press(box(window), "Start new chat")
        assert window.messages.views == []
        await until(lambda: responder.forgotten == [old])
        type_and_send(window, "two")
        await settled(window)
        assert [turn.text for turn in responder.requests[1].turns] == ["two"]

    drive(scenario())


def test_new_chat_in_mid_answer_stops_it_and_shows_none_of_it(
    window: MainWindow, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        responder.hold = True
        responder.script = said("old answer", 2)
        type_and_send(window, "one")
        responder.release()
        await until(lambda: last_answer(window).plain_text)
        old = window.conversation.identity
        window.new_chat()
        press(box(window), "Start new chat")
        await until(lambda: responder.forgotten == [old])
        assert responder.stopped == [old]
        assert window.messages.views == []
        assert window.composer.send.accessibleName() == "Send"

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


def test_link_is_shown_before_it_is_opened(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("desktop_app.gui.main_window.QDesktopServices.openUrl", lambda url: opened.append(url.toString()))
    window.ask_to_open("file:///etc/passwd")
    assert not any(found.isVisible() for found in window.findChildren(QMessageBox))
    window.ask_to_open("https://evil.example/login")
    assert box(window).informativeText() == "https://evil.example/login"
    press(box(window), "Cancel")
    assert opened == []
    window.ask_to_open("https://good.example")
    press(box(window), "Open")
    assert opened == ["https://good.example"]


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
        # As the application does; the objects of all tests before this one are not the window's.
        gc.collect()
        gc.freeze()
        heartbeat = Heartbeat()
        window.ask()
        view = await settled(window)
        assert len(view.plain_text) > 10_000
        assert view.message.text == text
        assert heartbeat.longest < 0.1, f"{1000 * heartbeat.longest:.0f} ms"

    try:
        drive(scenario())
    finally:
        gc.unfreeze()


def test_figures_of_a_stopped_reply_are_shown(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        responder.script = [TextAdded(text="a"), ReplyFailed(sentence="s", statistics=FIGURES)]
        type_and_send(window, "q")
        await settled(window)
        assert window.status.traffic.text() == "↑ 421.0 kB   ↓ 1.3 MB"

    drive(scenario())


def test_closing_asks_where_a_chat_would_be_lost(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        closed: list[bool] = []
        window.closed.connect(lambda: closed.append(True))
        type_and_send(window, "q")
        await settled(window)
        window.close()
        assert window.isVisible()
        press(box(window), "Stay here")
        assert closed == []
        window.close()
        press(box(window), "Close")
        assert closed == [True]
        assert not window.isVisible()

    drive(scenario())


def test_a_new_chat_has_no_documents_of_the_old_one(window: MainWindow, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        await responder.start()
        type_and_send(window, "q")
        await settled(window)
        window.read_documents([Path("none.pdf")])
        await until(lambda: window.composer.attachments.chips[0].state is ChipState.FAILED)
        window.new_chat()
        press(box(window), "Start new chat")
        assert window.composer.attachments.chips == []

    drive(scenario())
