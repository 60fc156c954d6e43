"""Links in answers: which may be offered, where they really lead, and the question before one is opened."""

from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from desktop_app.gui.questions import ask_first

OPENABLE = ("http", "https", "mailto")

translate = QCoreApplication.translate


def openable(target: str) -> bool:
    """Whether a link may be offered for opening: web and mail addresses only."""
    try:
        return urlsplit(target).scheme.lower() in OPENABLE
    except ValueError:
        return False


def hidden_host(target: str, shown: str) -> str:
    """Where a link leads, if the text that is shown for it does not tell; else ""."""
    try:
        host = urlsplit(target).netloc or target
    except ValueError:
        host = target
    return host if host.lower() not in shown.lower() and target not in (shown, f"mailto:{shown}") else ""


def ask_to_open(parent: QWidget, target: str) -> None:
    """Show where a link leads and open it only when the person says so."""
    if not openable(target):
        return
    question = (translate("Links", "Open link"), translate("Links", "Open this link in your browser?"))
    answers = (translate("Links", "Open"), translate("Links", "Cancel"))
    ask_first(parent, question, target, answers, lambda: QDesktopServices.openUrl(QUrl(target)))
