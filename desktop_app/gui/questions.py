"""Questions to the person in boxes of their own. None of them waits in a loop of its own: that would hold everything else."""

import asyncio
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMessageBox, QPushButton, QWidget

Question = tuple[str, str]
"""Title and text."""

Answers = tuple[str, str]
"""The words for yes and no."""


def ask_first(
    parent: QWidget, question: Question, detail: str, answers: Answers, then: Callable[[], object], *, yes_protects: bool = False
) -> None:
    """Ask before something that cannot be taken back; `then` is called on yes. Returns at once.

    Enter means no, unless yes is what protects the person.
    """
    box, yes = _box(parent, question, detail, answers)
    if yes_protects:
        box.setDefaultButton(yes)
    yes.clicked.connect(lambda: then())
    box.open()


async def agreed(parent: QWidget, question: Question, detail: str, answers: Answers) -> bool:
    """Ask, and wait for the answer; cancelled, the box goes."""
    box, yes = _box(parent, question, detail, answers)
    answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    box.finished.connect(lambda _result: _settle(answer, box.clickedButton() is yes))
    box.open()
    return await _answered(box, answer)


async def accepted(dialog: QDialog) -> bool:
    """Show a dialog and wait until it is closed: whether it was accepted. Cancelled, the dialog goes."""
    answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    dialog.finished.connect(lambda result: _settle(answer, result == QDialog.DialogCode.Accepted))
    dialog.open()
    return await _answered(dialog, answer)


def _box(parent: QWidget, question: Question, detail: str, answers: Answers) -> tuple[QMessageBox, QPushButton]:
    box = QMessageBox(QMessageBox.Icon.NoIcon, *question, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(detail)
    yes = box.addButton(answers[0], QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(answers[1], QMessageBox.ButtonRole.RejectRole))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box, yes


async def _answered(dialog: QDialog, answer: "asyncio.Future[bool]") -> bool:
    try:
        return await answer
    except asyncio.CancelledError:
        dialog.reject()
        raise


def _settle(answer: "asyncio.Future[bool]", value: bool) -> None:
    if not answer.done():
        answer.set_result(value)
