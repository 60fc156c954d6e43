"""The real window on a scripted engine, to be looked at: `python -m tests.helpers.demo_window [--shots FOLDER] [--dark]`.

With `--shots` pictures of every view are written and the program ends. `SOTTO_LANGUAGE=ko` shows Korean.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import qasync
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QScrollArea, QWidget

from desktop_app.chat.events import ArchiveState, Progress, TextAdded
from desktop_app.gui.application import prepare, run
from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.noise_dialogs import BudgetDialog, NoiseDialog
from desktop_app.gui.review_sheet import ReviewSheet
from desktop_app.gui.settings_dialog import SettingsDialog
from desktop_app.gui.theme import DARK, LIGHT, Theme
from desktop_app.gui.translation import window_locale
from desktop_app.settings.settings import SettingsStore
from tests.helpers.demo_chat import (
    ANSWER,
    DEAD,
    DOCUMENT,
    GONE,
    KOREAN,
    KOREAN_PEOPLE,
    KOREAN_QUESTION,
    PEOPLE,
    QUESTION,
    fill,
)
from tests.helpers.scripted_responder import ScriptedResponder, said
from tests.helpers.window_events import until

D = TypeVar("D", bound=QDialog)


class Photographer:
    """Takes the window through its views and a picture of each."""

    def __init__(self, window: MainWindow, responder: ScriptedResponder, folder: Path, prefix: str) -> None:
        self.window = window
        self.responder = responder
        self._folder = folder
        self._prefix = prefix
        self._number = 0
        self.korean = prefix.startswith("ko")
        self.question = KOREAN_QUESTION if self.korean else QUESTION

    async def shoot(self) -> None:
        """All views in turn."""
        views: list[Callable[[], Awaitable[None]]] = [
            self._unlocking,
            self._beginning,
            self._review,
            self._answer,
            self._documents,
            self._sent,
            self._lists,
            self._trouble,
            self._switching_off,
            self._settings,
            self._noise_after_exact,
            self._noise,
            self._too_dear,
            self._giving_up,
            self._noise_left,
            self._incognito,
        ]
        for view in views:
            await view()
        self.window.leave()
        await self.window.tasks.close()

    async def _unlocking(self) -> None:
        self.window.show()
        self.responder.archive.state = "new"
        await self.responder.start()
        await self._take("unlock-new")
        self.responder.tell(ArchiveState("locked"))
        self.window.unlock_page.show_complaint("This passphrase does not open the archive. Try again.")
        await self._take("unlock-locked")
        self.responder.archive.state = "open"
        self.responder.tell(ArchiveState("open"))

    async def _beginning(self) -> None:
        await self._take("empty")
        self.window.documents.read([Path(DOCUMENT.name), Path("scan.pdf")])
        await until(lambda: not self.window.composer.attachments.reading)
        self.window.composer.edit.setPlainText(self.question)
        await self._take("chips")
        self.window.composer.attachments.remove(self.window.composer.attachments.chips[1])

    async def _review(self) -> None:
        self.responder.hold_review = True
        self.window.ask()
        await self._take("looking")
        self.responder.hold_review = False
        self.responder.release_review.set()
        sheet = await self._dialog(ReviewSheet)
        sheet.tree.setCurrentIndex(sheet.model.index(0, 0, sheet.model.index(0, 0)))
        await self._take("review", sheet)
        self.responder.script = said(KOREAN if self.korean else ANSWER, 12, KOREAN_PEOPLE if self.korean else PEOPLE)
        sheet.accept()

    async def _answer(self) -> None:
        await until(lambda: self.window.conversation.answer is None and self.window.conversation.messages)
        await asyncio.sleep(0.5)
        await self._take("answer-end")
        self.window.messages.verticalScrollBar().setValue(0)
        await self._take("answer-top")

    async def _documents(self) -> None:
        self.window.actions_of_chat.show_document(self.window.conversation.messages[0], 0)
        await self._take_dialog("document")
        self.window.actions_of_chat.ask_how_to_mark("Blue Harbour", True)
        await self._take_dialog("mark")

    async def _sent(self) -> None:
        self.window.actions_of_chat.show_sent()
        await self._take_dialog("sent")

    async def _lists(self) -> None:
        self.window.actions_of_chat.show_lists()
        await self._take_dialog("lists")

    async def _trouble(self) -> None:
        self.window.composer.attachments.clear()
        self.responder.script = [TextAdded(text="The first of the two clauses says that the tenant"), GONE]
        await self._ask("And the second clause?")
        self.responder.hold, self.responder.script = True, [Progress(stage="model", done=42, total=100), *said("Yes.")]
        self.responder.release()
        self.window.composer.edit.setPlainText("Shall I sign?")
        self.window.ask()
        self.responder.tell(DEAD)
        await self._take("trouble")
        self.responder.hold = False
        self.responder.release(20)
        await until(lambda: self.window.conversation.answer is None)
        self.responder.review_failure = "The recogniser could not be loaded. Install Sotto again."
        self.window.composer.edit.setPlainText("Is Dr. Osei right?")
        self.window.ask()
        box = await self._dialog(QMessageBox)
        await self._take("failed", box)
        box.reject()
        self.responder.review_failure = ""
        await asyncio.sleep(0.1)

    async def _switching_off(self) -> None:
        self.window.page.protection.switch.click()
        box = await self._dialog(QMessageBox)
        await self._take("off-warning", box)
        box.buttons()[0].click()
        await self._take("off")

    async def _settings(self) -> None:
        self.window.open_settings()
        dialog = await self._dialog(SettingsDialog)
        dialog.protection.protect.setChecked(True)
        await asyncio.sleep(0.4)
        await self._take("settings-split", dialog)
        area = dialog.findChild(QScrollArea)
        assert area is not None
        area.ensureWidgetVisible(dialog.protection.words, 0, 30)
        await self._take("settings-protection", dialog)
        dialog.reject()

    async def _noise_after_exact(self) -> None:
        self.window.composer.edit.setPlainText(self.question)
        self.window.page.noise.mode.click()
        box = await self._dialog(QMessageBox)
        await self._take("noise-after-exact", box)
        box.buttons()[0].click()
        dialog = await self._dialog(NoiseDialog)
        await asyncio.sleep(0.3)
        await self._take("noise-words", dialog)
        dialog.controls.choice.setCurrentIndex(2)
        await asyncio.sleep(0.4)
        await self._take("noise-all", dialog)
        dialog.controls.delta.setText("0.5")
        await self._take("noise-bad-delta", dialog)
        dialog.controls.delta.setText("1e-6")
        dialog.controls.choice.setCurrentIndex(1)
        dialog.controls.epsilon.setText("6")
        dialog.accept()

    async def _noise(self) -> None:
        await self._take("noise-new-chat")
        self.window.ask()
        sheet = await self._dialog(ReviewSheet)
        await self._take("noise-review", sheet)
        self.responder.script = said("Either side may end it.", 12)
        sheet.accept()
        await until(lambda: self.window.conversation.answer is None and self.window.conversation.messages)
        await asyncio.sleep(0.3)
        await self._take("noise-spent")

    async def _too_dear(self) -> None:
        await self._ask("And the second clause?")
        await self._ask("And the third?")
        await self._take("noise-budget-stop")
        self.window.page.messages.budget_asked.emit()
        dialog = await self._dialog(BudgetDialog)
        await self._take("noise-budget", dialog)
        dialog.accept()
        await asyncio.sleep(0.3)
        await until(lambda: self.window.conversation.answer is None)
        await self._take("noise-raised")

    async def _giving_up(self) -> None:
        self.window.page.noise.mode.click()
        box = await self._dialog(QMessageBox)
        await self._take("noise-give-up", box)
        box.reject()
        identity = self.window.conversation.identity
        self.responder.spent[identity] = replace(self.responder.spent[identity], success=0.97, epsilon=9.1)
        self.window.noise.look_up()
        await asyncio.sleep(0.1)
        await self._take("noise-exposed")

    async def _noise_left(self) -> None:
        self.window.actions_of_chat.show_sent()
        await self._take_dialog("noise-sent")
        self.window.open_settings()
        dialog = await self._dialog(SettingsDialog)
        dialog.noise.choice.setCurrentIndex(2)
        await asyncio.sleep(0.5)
        area = dialog.findChild(QScrollArea)
        assert area is not None
        area.ensureWidgetVisible(dialog.noise.worth, 0, 60)
        await self._take("noise-settings", dialog)
        area.ensureWidgetVisible(dialog.recovered.note, 0, 60)
        await self._take("noise-recovered", dialog)
        area.verticalScrollBar().setValue(0)
        await self._take("noise-protection", dialog)
        dialog.reject()

    async def _incognito(self) -> None:
        self.window.new_chat(incognito=True)
        await self._take("incognito")

    async def _ask(self, question: str) -> None:
        self.window.composer.edit.setPlainText(question)
        self.window.ask()
        await until(lambda: self.window.conversation.answer is None)
        await asyncio.sleep(0.3)

    async def _dialog(self, kind: type[D]) -> D:
        await until(lambda: any(dialog.isVisible() for dialog in self.window.findChildren(kind)))
        return next(dialog for dialog in self.window.findChildren(kind) if dialog.isVisible())

    async def _take_dialog(self, name: str) -> None:
        dialog = await self._dialog(QDialog)
        await self._take(name, dialog)
        dialog.reject()
        await asyncio.sleep(0.05)

    async def _take(self, name: str, widget: QWidget | None = None) -> None:
        # Figures, colours of code and layouts come some events later.
        await asyncio.sleep(0.25)
        self._number += 1
        (widget or self.window).grab().save(str(self._folder / f"{self._prefix}-{self._number:02}-{name}.png"))


def main() -> None:
    """Show the window, or take its pictures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--shots", type=Path)
    arguments.add_argument("--dark", action="store_true")
    given = arguments.parse_args()
    application = QApplication(["demo"])
    if given.dark:
        QGuiApplication.styleHints().setColorScheme(Qt.ColorScheme.Dark)
    responder = ScriptedResponder(pause=0.02)
    korean = window_locale().name().startswith("ko")
    fill(responder, korean)
    responder.script = said(KOREAN if korean else ANSWER, 6, KOREAN_PEOPLE if korean else PEOPLE)
    with tempfile.TemporaryDirectory() as home:
        store = SettingsStore(Path(home) / "settings.json")
        if given.shots is None:
            run(responder, store)
            return
        given.shots.mkdir(parents=True, exist_ok=True)
        responder.pause = 0.0
        prepare(application)
        loop = qasync.QEventLoop(application)
        asyncio.set_event_loop(loop)
        with loop:
            theme = Theme(application)
            theme.use(DARK if given.dark else LIGHT)
            window = MainWindow(responder, store, theme)
            prefix = f"{window_locale().name()[:2]}-{'dark' if given.dark else 'light'}"
            loop.run_until_complete(Photographer(window, responder, given.shots, prefix).shoot())


if __name__ == "__main__":
    main()
