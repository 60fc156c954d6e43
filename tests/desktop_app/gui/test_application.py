"""The window is up before the engine starts, nothing heavy is imported for it, and closing it ends everything."""

import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from desktop_app.gui.application import run
from desktop_app.gui.main_window import MainWindow
from desktop_app.settings.settings import SettingsStore
from tests.helpers.scripted_responder import ScriptedResponder, said


def shown_window() -> MainWindow | None:
    windows = (widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow) and widget.isVisible())
    return next(windows, None)


def test_window_is_shown_before_the_engine_starts_and_closing_ends_all(qapp: QApplication, tmp_path: Path) -> None:
    seen: list[bool] = []

    class Watched(ScriptedResponder):
        async def start(self) -> None:
            window = shown_window()
            assert window is not None
            seen.append(True)
            await super().start()
            window.composer.edit.setPlainText("a question whose answer never ends")
            window.ask()
            QTimer.singleShot(50, window, window.leave)

    responder = Watched(said("abc"), hold=True)
    assert run(responder, SettingsStore(tmp_path / "settings.json")) == 0
    assert seen == [True]
    assert responder.closed
    assert shown_window() is None


def test_nothing_heavy_is_imported_for_the_window() -> None:
    script = (
        "import sys, desktop_app.gui.application;"
        "print([m for m in ('torch', 'transformers', 'aiortc', 'aiohttp', 'numpy', 'huggingface_hub') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_binding_takes_no_references_from_none() -> None:
    """PySide6 6.12.0 does on Python below 3.12, and kills the program after some thousand calls."""
    thing, before = QObject(), sys.getrefcount(None)
    for _ in range(1000):
        thing.setObjectName("x")
    assert sys.getrefcount(None) > before - 500
