"""Documents on their way into the composer: chosen, dropped or pasted, read in another process, each at its own pace."""

import asyncio
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_app.chat.responder import DocumentRefused, Responder
from desktop_app.gui.attachments import Attachments, Chip
from desktop_app.gui.file_dialog import FileDialog
from desktop_app.gui.reply_task import Tasks


class DocumentReading(QObject):
    """Reads documents into chips; those that fail say so on their chip."""

    def __init__(self, responder: Responder, tasks: Tasks, attachments: Attachments, window: QWidget) -> None:
        super().__init__(window)
        self._responder = responder
        self._tasks = tasks
        self._attachments = attachments
        self._window = window

    def choose(self) -> None:
        """Let the person choose documents."""
        dialog = FileDialog(self._window, self.tr("Attach documents"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([self.tr("Documents (*.txt *.md *.pdf *.docx)"), self.tr("All files (*)")])
        dialog.filesSelected.connect(lambda names: self.read([Path(name) for name in names]))
        dialog.open()

    def read(self, paths: list[Path]) -> None:
        """Read these documents."""
        for path in paths:
            self._tasks.start(self._read(path, self._attachments.add(path)))

    async def _read(self, path: Path, chip: Chip) -> None:
        try:
            document = await self._responder.read_document(path)
        except DocumentRefused as error:
            self._attachments.failed(chip, str(error))
        except asyncio.CancelledError:
            raise
        except Exception:
            self._attachments.failed(chip, self.tr("This document could not be read. Remove it, or try it again."))
        else:
            self._attachments.ready(chip, document)
