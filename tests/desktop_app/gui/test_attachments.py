"""Chips of documents: read, failed, removed."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from desktop_app.chat.events import DocumentText
from desktop_app.gui.attachments import Attachments, ChipState
from desktop_app.gui.theme import Theme

DOCUMENT = DocumentText(name="공문 1.pdf", text="x" * 10, pages=2)


def test_chip_tells_what_is_known(qtbot: QtBot, theme: Theme) -> None:
    attachments = Attachments(theme)
    qtbot.addWidget(attachments)
    chip = attachments.add(Path("공문 1.pdf"))
    assert attachments.reading
    assert attachments.isVisibleTo(None)
    attachments.ready(chip, DOCUMENT)
    assert not attachments.reading
    assert chip.accessibleName() == "공문 1.pdf: 2 pages · 10 characters"
    assert attachments.documents == [DOCUMENT]


def test_failed_chip_shows_its_sentence_and_stays_until_removed(qtbot: QtBot, theme: Theme) -> None:
    attachments = Attachments(theme)
    qtbot.addWidget(attachments)
    bad, good = attachments.add(Path("scan.pdf")), attachments.add(Path("a.txt"))
    attachments.failed(bad, "It holds no text. Choose another.")
    attachments.ready(good, DOCUMENT)
    assert bad.state is ChipState.FAILED
    assert bad.detail.text() == "It holds no text. Choose another."
    assert attachments.take() == [DOCUMENT]
    assert attachments.chips == [bad]
    bad._remove.click()
    assert attachments.chips == []
    assert attachments.isHidden()


def test_document_removed_while_it_is_read_does_not_come_back(qtbot: QtBot, theme: Theme) -> None:
    attachments = Attachments(theme)
    qtbot.addWidget(attachments)
    chip = attachments.add(Path("a.txt"))
    attachments.remove(chip)
    attachments.ready(chip, DOCUMENT)
    attachments.failed(chip, "no")
    assert attachments.documents == []


def test_many_chips_scroll(qtbot: QtBot, theme: Theme) -> None:
    attachments = Attachments(theme)
    qtbot.addWidget(attachments)
    attachments.resize(600, 10)
    for number in range(20):
        attachments.add_ready(DocumentText(name=f"{number}.txt", text="x"))
    assert attachments.height() < 260
    attachments.clear()
    assert attachments.chips == []
