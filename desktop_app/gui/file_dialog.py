"""Choosing files without a trace: Qt would keep on disk which folders were visited, also for an incognito conversation."""

import os

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog, QWidget

_QT = "QtProject"  # whose settings those of Qt's own dialogs are


class FileDialog(QFileDialog):
    """A file dialog that goes when it is closed, and of which nothing is kept."""

    def __init__(self, parent: QWidget, title: str, where: str = "") -> None:
        super().__init__(parent, title, where)
        self.finished.connect(self.deleteLater)
        self.destroyed.connect(_forget)  # Qt writes while it destroys, and says so after


def keep_no_history() -> None:
    """Give Qt's own settings no place where files hold them; elsewhere they are removed as soon as they are written."""
    if os.name == "posix":
        QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, os.devnull)


def _forget() -> None:
    QSettings(QSettings.Scope.UserScope, _QT).remove("FileDialog")
