"""The real window on a scripted engine, to be looked at: `python -m tests.helpers.demo_window [--shots FOLDER] [--dark]`.

With `--shots` pictures of every state are written and the program ends. `SOTTO_LANGUAGE=ko` shows Korean.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

import qasync
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.chat.events import DocumentText, EngineState, Progress, ReplyFailed, TextAdded
from desktop_app.gui.application import prepare, run
from desktop_app.gui.main_window import MainWindow
from desktop_app.gui.settings_dialog import SettingsDialog
from desktop_app.gui.theme import DARK, LIGHT, Theme
from desktop_app.gui.translation import window_locale
from desktop_app.settings.settings import SettingsStore
from tests.helpers.scripted_responder import FIGURES, ScriptedResponder, said
from tests.helpers.window_events import until

ANSWER = """\
The three leases differ mainly in **who may end them, and when**. In short:

| Lease | Term | Notice | Early end |
|:--|--:|:-:|:--|
| Harbour Street 4 | 5 years | 6 months | Tenant, after year 3 |
| Mill Lane 12 | 2 years | 3 months | Either side |
| Old Brewery | open | 1 month | Either side, *any time* |

## What to watch

1. The notice for Harbour Street must reach the landlord **in writing**; an e-mail does not count.
2. Mill Lane renews by itself unless one side objects:
   - the tenant by the end of March,
   - the landlord by the end of January.
3. The Old Brewery has no fixed term, so `notice_months = 1` is all there is.

> Notice is given when the letter arrives, not when it is sent.

To work out the last day yourself:

```python
from datetime import date

def last_day(received: date, months: int) -> date:
    \"\"\"The last day of the month that lies `months` behind the notice.\"\"\"
    year, month = divmod(received.month + months, 12)
    return date(received.year + year, month + 1, 1)  # then step one day back
```

The rules come from [the tenancy code](https://example.org/tenancy), section 542. 한국어와 日本語도 문제없이 표시됩니다.
"""
KOREAN = """\
세 임대차 계약은 주로 **누가, 언제 해지할 수 있는지**가 다릅니다.

| 계약 | 기간 | 통지 |
|:--|--:|:-:|
| 항구로 4 | 5년 | 6개월 |
| 방앗간길 12 | 2년 | 3개월 |

1. 항구로 계약의 통지는 **서면**으로 도착해야 합니다.
2. 방앗간길 계약은 이의가 없으면 자동으로 갱신됩니다.

```python
print("안녕하세요")  # 인사
```
"""
DOCUMENT = DocumentText(name="leases 2026.pdf", text="x" * 48_211, pages=12)


SCAN = "scan.pdf holds pictures of pages and no text. Choose a file whose text can be selected."
GONE = ReplyFailed(
    sentence="The agent has gone away in mid-answer. Ask again; Sotto starts a new one.", kind="interrupted", statistics=FIGURES
)
DEAD = EngineState(running=False, sentence="The engine has stopped unexpectedly. All text is kept; a new one is being started.")


def _shot(widget: QWidget, folder: Path, name: str) -> None:
    widget.grab().save(str(folder / f"{name}.png"))


async def _ask(window: MainWindow, question: str) -> None:
    window.composer.edit.setPlainText(question)
    window.ask()
    await until(lambda: window.conversation.answer is None)
    # Figures and colours of code come some events later.
    await asyncio.sleep(0.5)


async def _shoot(window: MainWindow, responder: ScriptedResponder, folder: Path, prefix: str) -> None:
    korean = prefix.startswith("ko")
    window.show()
    await responder.start()
    await asyncio.sleep(0.2)
    _shot(window, folder, f"{prefix}-1-empty")
    responder.documents = {"leases 2026.pdf": DOCUMENT, "scan.pdf": SCAN}
    window.read_documents([Path("leases 2026.pdf"), Path("scan.pdf")])
    await until(lambda: not window.composer.attachments.reading)
    question = "세 계약은 어떻게 다른가요?" if korean else "How do these three leases differ, and what must I watch?"
    window.composer.edit.setPlainText(question)
    await asyncio.sleep(0.2)
    _shot(window, folder, f"{prefix}-2-chips")
    responder.script = said(KOREAN if korean else ANSWER, 12)
    await _ask(window, question)
    _shot(window, folder, f"{prefix}-3-answer-end")
    window.messages.verticalScrollBar().setValue(0)
    await asyncio.sleep(0.2)
    _shot(window, folder, f"{prefix}-4-answer-top")
    window.composer.attachments.clear()
    responder.script = [TextAdded(text="The first of the two clauses says that the tenant"), GONE]
    await _ask(window, "And the second clause?")
    responder.hold, responder.script = True, [Progress(stage="model", done=42, total=100), *said("Yes.")]
    responder.release()
    window.composer.edit.setPlainText("Shall I sign?")
    window.ask()
    responder.tell(DEAD)
    await asyncio.sleep(0.3)
    _shot(window, folder, f"{prefix}-5-trouble")
    window.open_settings()
    await asyncio.sleep(0.3)
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    _shot(dialog, folder, f"{prefix}-6-settings")
    dialog.close()
    window.close()
    await window.tasks.close()


def main() -> None:
    """Show the window, or take its pictures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--shots", type=Path)
    arguments.add_argument("--dark", action="store_true")
    given = arguments.parse_args()
    application = QApplication(["demo"])
    if given.dark:
        QGuiApplication.styleHints().setColorScheme(Qt.ColorScheme.Dark)
    responder = ScriptedResponder(said(ANSWER, 6), pause=0.02)
    responder.documents = {"leases 2026.pdf": DOCUMENT}
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
            loop.run_until_complete(_shoot(window, responder, given.shots, prefix))


if __name__ == "__main__":
    main()
