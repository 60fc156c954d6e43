"""The real window on the real engine: a dropped PDF, an answer that streams, an engine that dies, a thread never held."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.chat.events import ArchiveState, EngineNews
from desktop_app.chat.message import MessageState
from desktop_app.engine.responder import EngineResponder
from desktop_app.gui.attachments import ChipState
from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.theme import Theme
from desktop_app.settings.settings import Settings, SettingsStore
from tests.desktop_app.gui.conftest import Drive, drive, english, no_garbage_left, only_theme, theme
from tests.helpers.pdf_files import make_pdf
from tests.helpers.running_sotto import command, home
from tests.helpers.window_events import Heartbeat, until

__all__ = ["drive", "english", "no_garbage_left", "only_theme", "theme"]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

LIMIT = 0.1  # seconds that one event may hold the window's thread


@pytest.fixture
def environment(tmp_path: Path, models_directory: Path, starter_model: Path) -> dict[str, str]:
    return home(tmp_path / "sotto 소토", models_directory)


@pytest.fixture
def window(
    theme: Theme, drive: Drive, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    store = SettingsStore(tmp_path / "settings.json")
    store.save(Settings(temperature=0.0, max_tokens=48, review="never"))
    responder = EngineResponder(log=tmp_path / "engine.log")
    made = MainWindow(responder, store, theme)
    made.show()
    yield made
    made.leave()
    drive(made.tasks.close())
    drive(responder.close())
    made.deleteLater()


async def _start(window: MainWindow) -> None:
    """Start the engine; where this machine has no keyring, choose a passphrase as a person would."""
    news: list[EngineNews] = []
    window._responder.listen(news.append)
    await window._responder.start()
    await until(lambda: any(isinstance(one, ArchiveState) for one in news), 60)
    if window.unlock_page.isVisible():
        for field in (window.unlock_page.first, window.unlock_page.second):
            QTest.keyClicks(field, "four words of it")
        window.unlock_page.unlock.click()
    await until(window.page.isVisible, 60)


def _drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(9, 9), actions, data, buttons, keys))
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), actions, data, buttons, keys))


def _ask(window: MainWindow, text: str) -> None:
    QTest.keyClicks(window.composer.edit, text)
    QTest.keyClick(window.composer.edit, Qt.Key.Key_Return)


def test_a_dropped_pdf_is_read_and_answered_from_and_no_event_holds_the_window(
    window: MainWindow, drive: Drive, tmp_path: Path
) -> None:
    letter, damaged = tmp_path / "letter 편지.pdf", tmp_path / "damaged.pdf"
    letter.write_bytes(make_pdf(["The hearing takes place in courtroom 417 on Monday."]))
    damaged.write_bytes(b"%PDF-1.7 nothing else")

    async def scenario() -> None:
        heartbeat = Heartbeat()
        await _start(window)
        _drop(window, letter, damaged)
        chips = window.composer.attachments.chips
        await until(lambda: len(chips) == 2 and all(chip.state is not ChipState.READING for chip in chips), 60)
        assert [chip.state for chip in chips] == [ChipState.READY, ChipState.FAILED]
        _ask(window, "In which courtroom is the hearing?")
        await until(lambda: window.conversation.answer is None and window.conversation.messages[-1].text, 240)
        answer = window.conversation.messages[-1]
        assert answer.state is MessageState.COMPLETE
        assert "417" in answer.text
        assert "tokens/s" in window.status.speed.text()
        assert window.status.agent.text() == "Agent: on this computer"
        assert heartbeat.longest < LIMIT

    drive(scenario(), 300)


def test_when_the_engine_dies_the_text_stays_and_the_next_question_is_answered(window: MainWindow, drive: Drive) -> None:
    async def scenario() -> None:
        await _start(window)
        _ask(window, "Tell a long story.")
        await until(lambda: window.conversation.messages[-1].text, 240)
        assert isinstance(window._responder, EngineResponder)
        assert window._responder.pid is not None
        os.kill(window._responder.pid, signal.SIGKILL)
        await until(lambda: window.conversation.answer is None, 60)
        interrupted = window.conversation.messages[-1]
        assert interrupted.state is MessageState.INTERRUPTED
        assert interrupted.text
        _ask(window, "Say hello.")
        await until(lambda: window.conversation.answer is None and window.conversation.messages[-1].text, 240)
        assert window.conversation.messages[-1].state is MessageState.COMPLETE
        assert window.conversation.messages[1].text == interrupted.text

    drive(scenario(), 600)


def _words(process: psutil.Process) -> list[str]:
    """Its command line; nothing where it has ended meanwhile (the keyring is asked by a child that lives for a moment)."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_windows_process_holds_no_torch_and_no_socket_and_its_children_end_with_it(environment: dict[str, str]) -> None:
    process = subprocess.Popen(command(), env=environment, stderr=subprocess.PIPE)
    try:
        window = psutil.Process(process.pid)
        deadline = 120.0
        while not any("embedded" in _words(child) for child in window.children(recursive=True)):
            try:
                process.wait(0.5)
            except subprocess.TimeoutExpired:
                deadline -= 0.5
            assert process.poll() is None
            assert deadline > 0
        libraries = {Path(mapping.path).name for mapping in window.memory_maps()}
        assert any(name.startswith("libQt6Widgets") for name in libraries)
        assert not any("torch" in name for name in libraries)
        assert window.net_connections(kind="inet") == []
        children = window.children(recursive=True)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert psutil.wait_procs(children, timeout=15)[1] == []
    finally:
        process.kill()
        process.communicate()
