"""Qt objects in cycles end in the window's thread: elsewhere their timers would crash the process."""

import gc
import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from desktop_app.gui.garbage import GarbageCollector
from tests.helpers.source_tree import ROOT

LEFT_TO_PYTHON = """
import threading
from PySide6.QtCore import QCoreApplication, QTimer
application = QCoreApplication([])
def cycle():
    timer = QTimer()
    timer.start(1)
    timer.itself = timer
for _ in range(50):
    cycle()
thread = threading.Thread(target=lambda: [[[]] for _ in range(300_000)])
thread.start()
thread.join()
"""


def cycles(count: int, ended: list[threading.Thread]) -> None:
    for _ in range(count):
        timer = QTimer()
        timer.destroyed.connect(lambda: ended.append(threading.current_thread()))
        timer.start(1)
        timer.itself = timer  # type: ignore[attr-defined]


def test_they_end_in_this_thread_however_much_another_allocates(qtbot: QtBot) -> None:
    ended: list[threading.Thread] = []
    collector = GarbageCollector(1)
    try:
        cycles(50, ended)
        lives: list[object] = []
        busy = threading.Thread(target=lambda: lives.extend([[]] for _ in range(300_000)))
        busy.start()
        busy.join()
        assert ended == []
        qtbot.waitUntil(lambda: len(ended) == 50)
        assert set(ended) == {threading.main_thread()}
    finally:
        collector.end()


def test_afterwards_python_collects_again(qtbot: QtBot) -> None:
    collector = GarbageCollector()
    assert not gc.isenabled()
    collector.end()
    assert gc.isenabled()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX names the danger in Qt's warning only")
def test_without_it_another_thread_destroys_them() -> None:
    ended = subprocess.run([sys.executable, "-c", LEFT_TO_PYTHON], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "another thread" in ended.stderr
