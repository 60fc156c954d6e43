"""A question to the person in a box of its own, before something that cannot be taken back."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def ask_first(
    parent: QWidget, question: tuple[str, str], detail: str, answers: tuple[str, str], then: Callable[[], object]
) -> None:
    """Show title and text, what there is to know, and the words for yes and no; `then` is called on yes.

    Returns at once: a box that waits would hold the event loop in which everything else runs.
    """
    box = QMessageBox(QMessageBox.Icon.NoIcon, *question, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(detail)
    box.addButton(answers[0], QMessageBox.ButtonRole.AcceptRole).clicked.connect(lambda: then())
    box.setDefaultButton(box.addButton(answers[1], QMessageBox.ButtonRole.RejectRole))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
