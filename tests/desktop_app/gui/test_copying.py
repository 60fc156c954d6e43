"""What is copied with real words in it says so, once a session."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_app.gui.copying import REAL_WORDS, CopyNotice, copy_text


@pytest.fixture
def said(qapp: QApplication) -> Iterator[list[bool]]:
    QGuiApplication.clipboard().clear()
    told: list[bool] = []
    notice = CopyNotice(qapp)
    notice.copied.connect(lambda: told.append(True))
    yield told
    notice.deleteLater()


def test_real_words_are_told_once(said: list[bool]) -> None:
    copy_text("nobody", real_words=False)
    assert said == []
    assert not QGuiApplication.clipboard().mimeData().hasFormat(REAL_WORDS)
    copy_text("Ann", real_words=True)
    copy_text("Ann Lee", real_words=True)
    assert said == [True]
    assert QGuiApplication.clipboard().text() == "Ann Lee"


def test_what_others_copy_is_not_ours_to_tell(said: list[bool]) -> None:
    data = QMimeData()
    data.setText("Ann")
    QGuiApplication.clipboard().setMimeData(data)
    assert said == []
