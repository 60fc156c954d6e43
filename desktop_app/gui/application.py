"""Starts Qt and its event loop, shows the window, then lets the engine start: in this order, so that the window is up at once."""

import asyncio
import gc
import signal
import sys
from contextlib import suppress

import qasync
from PySide6.QtWidgets import QApplication

from desktop_app.chat.responder import Responder
from desktop_app.gui.file_dialog import keep_no_history
from desktop_app.gui.garbage import GarbageCollector
from desktop_app.gui.icons import application_icon
from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.theme import Theme
from desktop_app.gui.translation import install_translation
from desktop_app.settings.settings import SettingsStore

CLOSING = 10.0
"""Seconds that the engine has for its end when the window is closed."""


def run(responder: Responder, settings_store: SettingsStore) -> int:
    """Show the window until it is closed; gives the exit status. Call it in the main thread, once a process."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(sys.argv[:1])
    prepare(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    with loop:
        loop.run_until_complete(_live(application, responder, settings_store))
    return 0


def prepare(application: QApplication) -> None:
    """Name, icon and language; the window's end is ours to declare, since the engine is stopped after it."""
    application.setApplicationName("sotto")
    keep_no_history()
    application.setApplicationDisplayName("Sotto")
    application.setDesktopFileName("sotto")
    application.setWindowIcon(application_icon())
    application.setQuitOnLastWindowClosed(False)
    install_translation(application)


async def _live(application: QApplication, responder: Responder, store: SettingsStore) -> None:
    closed = asyncio.Event()
    garbage = GarbageCollector()
    window = MainWindow(responder, store, Theme(application))
    window.closed.connect(closed.set)
    window.show()
    previous = _close_on_interrupt(window)
    # Let the window be drawn before anything else runs in this loop.
    await asyncio.sleep(0)
    # What is there now stays: a full collection that walks it all would be a pause in the middle of an answer.
    gc.freeze()
    try:
        await responder.start()
        await closed.wait()
    finally:
        signal.signal(signal.SIGINT, previous)
        await window.tasks.close()
        # An engine that does not end in time loses its pipes with this process, and ends by that.
        with suppress(TimeoutError):
            await asyncio.wait_for(responder.close(), CLOSING)
        window.deleteLater()
        garbage.end()


def _close_on_interrupt(window: MainWindow) -> signal.Handlers:
    """Ctrl+C in the terminal closes the window, once Python gets to run."""
    previous = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, lambda *_: window.leave())
    return previous  # type: ignore[return-value]
