"""A whole Sotto that is there to be killed: the real window and engine; it asks by itself and reports what it shows.

Run as `python -m tests.helpers.killable PASSPHRASE QUESTION` with a home of its own. Each line of standard output is JSON:
{"engine": process id} once it may be killed, then {"time": seconds of the monotonic clock, "text": all that is shown so far}.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator

from PySide6.QtWidgets import QApplication

from desktop_app.chat.events import ArchiveState, EngineNews, ModelLoaded, ReplyEvent, ReplyRequest, TextAdded
from desktop_app.engine.responder import EngineResponder
from desktop_app.gui import application
from desktop_app.gui.composer import Composer
from desktop_app.settings.paths import user_paths
from desktop_app.settings.settings import Settings, SettingsStore


class Reporting(EngineResponder):
    """The engine's responder, which tells on standard output what the window is shown."""

    def __init__(self, passphrase: str, question: str) -> None:
        super().__init__(log=user_paths().log / "engine.log")
        self._open = passphrase
        self._question = question
        self._needed = {ModelLoaded, ArchiveState}
        self._unlocking: asyncio.Task[None] | None = None
        self.listen(self._heard)

    async def reply(self, request: ReplyRequest) -> AsyncIterator[ReplyEvent]:
        """Answer, and report the text."""
        text = ""
        _report({"engine": self.pid})
        async for event in super().reply(request):
            if isinstance(event, TextAdded):
                text += event.text
                _report({"time": time.monotonic(), "text": text})
            yield event

    def _heard(self, news: EngineNews) -> None:
        if isinstance(news, ArchiveState) and news.state in ("new", "locked"):
            self._unlocking = asyncio.get_running_loop().create_task(self.unlock(self._open))
        elif isinstance(news, ModelLoaded) or (isinstance(news, ArchiveState) and news.state == "open"):
            self._needed.discard(type(news))
            if not self._needed:
                self._needed.add(EngineResponder)  # once
                asyncio.get_running_loop().call_soon(self._type)

    def _type(self) -> None:
        composer = next(found for window in QApplication.topLevelWidgets() for found in window.findChildren(Composer))
        composer.edit.setPlainText(self._question)
        composer.send_asked.emit()


def _report(line: dict[str, object]) -> None:
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    store = SettingsStore(user_paths().settings_file)
    store.save(Settings(temperature=0.0, max_tokens=400, review="never"))
    sys.exit(application.run(responder=Reporting(*sys.argv[1:3]), settings_store=store))
