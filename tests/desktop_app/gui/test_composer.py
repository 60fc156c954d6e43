"""Enter, Shift+Enter, input methods, pasted files, and when a question may be sent."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import DocumentText
from desktop_app.gui.composer import Composer, local_files
from desktop_app.gui.theme import Theme


@pytest.fixture
def composer(qtbot: QtBot, theme: Theme) -> Composer:
    made = Composer(theme)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def sent(composer: Composer) -> list[str]:
    texts: list[str] = []
    composer.send_asked.connect(lambda: texts.append(composer.take()[0]))
    return texts


def test_enter_sends_and_shift_enter_breaks_the_line(qtbot: QtBot, composer: Composer, sent: list[str]) -> None:
    qtbot.keyClicks(composer.edit, "one")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.edit, "two")
    assert sent == []
    qtbot.keyClick(composer.edit, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert sent == ["one\ntwo"]
    assert composer.edit.toPlainText() == ""


def test_empty_question_cannot_be_sent_and_the_hint_says_why(qtbot: QtBot, composer: Composer, sent: list[str]) -> None:
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    qtbot.keyClicks(composer.edit, "   ")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    assert not composer.send.isEnabled()
    assert composer.hint.text() == "Type a question to send"
    composer.attachments.add_ready(DocumentText(name="a", text="b"))
    assert "about the document" in composer.hint.text()


def test_enter_of_an_open_composition_never_sends(qtbot: QtBot, composer: Composer, sent: list[str]) -> None:
    qtbot.keyClicks(composer.edit, "a")
    QApplication.sendEvent(composer.edit, QInputMethodEvent("하", []))
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    assert "\n" not in composer.edit.toPlainText()
    done = QInputMethodEvent()
    done.setCommitString("한")
    QApplication.sendEvent(composer.edit, done)
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["a한"]


def test_nothing_is_sent_while_a_document_is_read_or_an_answer_comes(qtbot: QtBot, composer: Composer, sent: list[str]) -> None:
    qtbot.keyClicks(composer.edit, "q")
    chip = composer.attachments.add(Path("a.txt"))
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    composer.attachments.ready(chip, DocumentText(name="a.txt", text="b"))
    composer.set_answering(True)
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    composer.set_answering(False)
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["q"]


def test_button_becomes_stop(qtbot: QtBot, composer: Composer) -> None:
    assert composer.send.accessibleName() == "Send"
    composer.set_answering(True)
    assert composer.send.accessibleName() == "Stop"
    with qtbot.waitSignal(composer.stop_asked):
        composer.send.click()


def test_pasted_files_are_given_and_text_is_inserted_plain(qtbot: QtBot, composer: Composer, tmp_path: Path) -> None:
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path / "공문 1.txt")), QUrl("https://a.example")])
    assert local_files(files) == [tmp_path / "공문 1.txt"]
    assert not composer.edit.canInsertFromMimeData(files)
    with qtbot.waitSignal(composer.files_given) as given:
        composer.edit.insertFromMimeData(files)
    assert given.args == [[tmp_path / "공문 1.txt"]]
    text = QMimeData()
    text.setHtml("<b>bold</b>")
    text.setText("bold")
    composer.edit.insertFromMimeData(text)
    assert composer.edit.toPlainText() == "bold"


def test_question_put_back_loses_nothing_that_was_written(composer: Composer) -> None:
    composer.edit.setPlainText("already here")
    composer.put("old question", [DocumentText(name="a", text="b")])
    assert composer.edit.toPlainText() == "old question\nalready here"
    assert [document.name for document in composer.attachments.documents] == ["a"]


def test_composer_grows_with_its_lines_up_to_a_limit(composer: Composer) -> None:
    one = composer.edit.height()
    composer.edit.setPlainText("a\nb\nc")
    three = composer.edit.height()
    composer.edit.setPlainText("a\n" * 100)
    assert one < three < composer.edit.height() < one * 12


@pytest.mark.parametrize("place", ["above", "below", "left", "hint"])
def test_a_click_anywhere_in_the_field_goes_to_the_text(qtbot: QtBot, composer: Composer, place: str) -> None:
    other = QLineEdit(composer)
    composer.resize(600, 160)
    with qtbot.waitActive(composer):
        composer.show()
        composer.activateWindow()
    composer.edit.setPlainText("one two")
    other.setFocus()
    frame = composer._frame
    middle = composer.edit.geometry().center()
    where = {
        "above": QPoint(middle.x(), 3),
        "below": QPoint(middle.x(), frame.height() - 3),
        "left": QPoint(3, middle.y()),
        "hint": composer.hint.geometry().center(),
    }[place]
    target = frame.childAt(where) or frame
    QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=target.mapFrom(frame, where))
    assert composer.edit.hasFocus()
    assert composer.edit.textCursor().position() == (0 if place == "left" else 7)
