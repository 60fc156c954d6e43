"""Fixtures of the window's tests: Qt without a screen, an event loop on Qt, and a window on a scripted engine."""

import asyncio
import gc
import os
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, Protocol

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["SOTTO_LANGUAGE"] = "en"

import pytest
import qasync
import shiboken6
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.theme import LIGHT, Theme
from desktop_app.gui.translation import LANGUAGE_VARIABLE, install_translation
from desktop_app.settings.settings import SettingsStore
from tests.helpers.scripted_responder import ScriptedResponder


class Drive(Protocol):
    """Runs a coroutine to its end in Qt's event loop, within so many seconds."""

    def __call__(self, work: Coroutine[Any, Any, None], seconds: float = 60) -> None: ...


@pytest.fixture(scope="module", autouse=True)
def no_garbage_left() -> Iterator[None]:
    """What tests leave of Qt ends in this thread, as in the application: in another one it would crash (`gui.garbage`)."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> None:
    """Numbers and words as an English reader writes them, whatever the machine's language."""
    QLocale.setDefault(QLocale("en_US"))


@pytest.fixture(scope="session")
def only_theme(qapp: QApplication) -> Theme:
    """A program has one theme; a second one would have every widget styled twice."""
    return Theme(qapp)


@pytest.fixture
def theme(only_theme: Theme) -> Theme:
    """The light tone, whatever the system has."""
    only_theme.use(LIGHT)
    return only_theme


@pytest.fixture
def drive(qapp: QApplication) -> Iterator[Drive]:
    """Runs a coroutine to its end in Qt's event loop; what it leaves running there is ended."""
    qapp.setQuitOnLastWindowClosed(False)
    loop = qasync.QEventLoop(qapp)
    asyncio.set_event_loop(loop)

    def run(work: Coroutine[Any, Any, None], seconds: float = 60) -> None:
        loop.run_until_complete(asyncio.wait_for(work, seconds))

    yield run
    loop.close()
    asyncio.set_event_loop(None)


@pytest.fixture
def responder() -> ScriptedResponder:
    """An engine that says "Hello.", to be told otherwise by the test."""
    return ScriptedResponder()


@pytest.fixture
def window(theme: Theme, responder: ScriptedResponder, drive: Drive, tmp_path: Path) -> Iterator[MainWindow]:
    """The window on the scripted engine, shown."""
    made = MainWindow(responder, SettingsStore(tmp_path / "settings.json"), theme)
    made.show()
    yield made
    made.leave()
    drive(made.tasks.close())
    # The loop of a test ends before deferred deletions are due; a window left over would be styled and measured with the next.
    shiboken6.delete(made)


@pytest.fixture
def korean(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The window's words and Qt's own in Korean."""
    monkeypatch.setenv(LANGUAGE_VARIABLE, "ko")
    before = set(qapp.findChildren(QTranslator))
    assert install_translation(qapp).language() == QLocale.Language.Korean
    yield
    for translator in set(qapp.findChildren(QTranslator)) - before:
        qapp.removeTranslator(translator)
