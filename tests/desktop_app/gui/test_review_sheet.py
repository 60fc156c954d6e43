"""The sheet before a question leaves: what is shown, what is changed, and that thousands of rows hold nothing up."""

import asyncio

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import DocumentText, Mark, Turn
from desktop_app.chat.stored import Decision, Found, Review
from desktop_app.gui.name_parts import UsedNames
from desktop_app.gui.review_model import KIND, STAND_IN
from desktop_app.gui.review_sheet import ReviewSheet
from desktop_app.gui.theme import Theme
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.window_events import heart, until

TURN = Turn(role="user", text="Is <Ann> here?", documents=[DocumentText(name="a & b.pdf", text="Remit 4111 now.")])


def found(value: str, kind: str = "person", place: str = "") -> Found:
    return Found(value=value, kind=kind, source="name", stand_in=f"~{value}", count=1, places=[place])


def sheet_of(qtbot: QtBot, theme: Theme, *rows: Found, used: UsedNames | None = None) -> ReviewSheet:
    sheet = ReviewSheet(Review(found=list(rows), marks=[], document_marks=[]), [TURN], used or UsedNames(), theme)
    sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(sheet)
    sheet.show()
    return sheet


def row_index(sheet: ReviewSheet, group: int, row: int, column: int = 0) -> QModelIndex:
    return sheet.model.index(row, column, sheet.model.index(group, 0))


def test_nothing_changed_is_nothing_decided(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"), found("4111", "card", "a & b.pdf"))
    assert sheet.summary.text() == "2 of 2 values will be replaced before this question leaves."
    sheet.send.click()
    assert (sheet.result(), sheet.decisions) == (QDialog.DialogCode.Accepted, [])


def test_back_decides_nothing(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"))
    sheet.model.set_replaced(sheet.model.rows, False)
    sheet.back.click()
    assert (sheet.result(), sheet.decisions) == (QDialog.DialogCode.Rejected, [])


def test_space_takes_a_value_out_and_the_summary_says_so(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"), found("Bea"))
    sheet.tree.setFocus()
    sheet.tree.setCurrentIndex(row_index(sheet, 0, 1))
    QTest.keyClick(sheet.tree, Qt.Key.Key_Space)
    assert sheet.summary.text().startswith("1 of 2")
    sheet.accept()
    assert sheet.decisions == [Decision(value="Bea", kind="person", replaced=False)]


def test_filter_and_all_at_once_touch_only_what_is_shown(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"), found("Anna"), found("Bea"))
    QTest.keyClicks(sheet.needle, "ann")
    next(button for button in sheet.findChildren(QPushButton) if button.text() == "Replace none").click()
    assert [row.replaced for row in sheet.model.rows] == [False, False, True]


def test_context_shows_the_value_as_it_is_and_as_it_leaves(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"), found("4111", "card", "a & b.pdf"))
    assert "Is &lt;<b>Ann</b>&gt; here?" in sheet.context.text()
    assert "Is &lt;<b>~Ann</b>&gt; here?" in sheet.context.text()
    sheet.tree.setCurrentIndex(row_index(sheet, 1, 0))
    assert "a &amp; b.pdf" in sheet.context.text()
    assert "Remit <b>4111</b> now." in sheet.context.text()


def test_as_it_leaves_means_with_all_that_is_replaced(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"), found("here"), found("Is"))
    sheet.model.set_replaced([row for row in sheet.model.rows if row.found.value == "Is"], False)
    sheet.tree.setCurrentIndex(row_index(sheet, 0, 0))
    assert "Is &lt;<b>~Ann</b>&gt; ~here?" in sheet.context.text()
    sheet.tree.setCurrentIndex(row_index(sheet, 0, 2))
    assert "<b>Is</b> &lt;~Ann&gt; ~here?" in sheet.context.text()


def test_a_row_is_chosen_from_the_first_moment_and_whatever_the_filter_shows(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"), found("here"), found("4111", "card", "a & b.pdf"))
    assert sheet.model.row_at(sheet.tree.currentIndex()) is sheet.model.rows[0]
    sheet.needle.setText("her")
    assert "<b>~here</b>" in sheet.context.text()
    sheet.needle.setText("4111")
    assert "<b>~4111</b>" in sheet.context.text()
    sheet.needle.setText("nobody")
    assert sheet.context.text() == ""
    sheet.needle.setText("")
    assert "<b>~Ann</b>" in sheet.context.text()


def test_that_stand_ins_can_be_changed_is_said(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"))
    assert any("Double-click a stand-in" in label.text() for label in sheet.findChildren(QLabel))
    index = row_index(sheet, 0, 0, STAND_IN)
    sheet.tree.scrollTo(index)
    place = sheet.tree.visualRect(index).center()
    QTest.mouseClick(sheet.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(sheet.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert sheet.tree.state() == sheet.tree.State.EditingState


def test_rows_stay_where_they_are_while_stand_ins_and_kinds_are_changed(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"), found("Bea"), found("4111", "card"))

    def rows() -> list[tuple[int, int]]:
        indexes = [sheet.model.index(0, 0), row_index(sheet, 0, 0), row_index(sheet, 0, 1), row_index(sheet, 1, 0)]
        return [(box.y(), box.height()) for box in map(sheet.tree.visualRect, indexes)]

    before = rows()
    for column in (STAND_IN, KIND):
        index = row_index(sheet, 0, 1, column)
        sheet.tree.setCurrentIndex(index)
        sheet.tree.edit(index)
        assert rows() == before
        sheet.tree.closePersistentEditor(index)
    for text in ("Bea", "Mary"):
        sheet.model.setData(row_index(sheet, 0, 1, STAND_IN), text)
        QApplication.processEvents()
        assert rows() == before
    sheet.model.set_replaced(sheet.model.rows, False)
    assert rows() == before


def test_columns_grow_with_the_sheet(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"))
    header = sheet.tree.header()
    before = [header.sectionSize(column) for column in range(4)]
    sheet.resize(1400, 900)
    QApplication.processEvents()
    after = [header.sectionSize(column) for column in range(4)]
    assert all(wide > narrow + 100 for wide, narrow in zip(after, before, strict=True) if narrow != before[KIND])
    assert sum(after) == sheet.tree.viewport().width()


def test_a_stand_in_that_is_taken_cannot_be_sent(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"), found("Bea"))
    sheet.model.setData(row_index(sheet, 0, 0, STAND_IN), "Bea")
    assert not sheet.send.isEnabled()
    assert "could not be told apart" in sheet.complaint.text()
    index = row_index(sheet, 0, 0, STAND_IN)
    assert index.data(Qt.ItemDataRole.ToolTipRole) == sheet.complaint.text()
    assert index.data(Qt.ItemDataRole.ForegroundRole) == sheet.model.complaining
    sheet.accept()
    assert sheet.result() == QDialog.DialogCode.Rejected
    sheet.model.setData(index, "Mary")
    assert index.data(Qt.ItemDataRole.ForegroundRole) is None
    assert sheet.send.isEnabled()
    sheet.accept()
    assert sheet.decisions == [Decision(value="Ann", kind="person", replaced=True, stand_in="Mary")]


def test_every_doubt_has_a_sentence_that_asks_for_another(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"), found("Bea"))
    said = set()
    for name in ("the", ".", "Ann Lee", "bea", "Remit"):
        sheet.model.setData(row_index(sheet, 0, 0, STAND_IN), name)
        assert not sheet.send.isEnabled()
        assert name in sheet.complaint.text()
        said.add(sheet.complaint.text().replace(f"“{name}”", ""))
    assert len(said) == 4
    assert all(sentence.endswith("Choose another.") for sentence in said)


def test_what_has_left_as_a_stand_in_is_not_freed_without_a_word(qtbot: QtBot, theme: Theme) -> None:
    conversation = Conversation()
    question, _ = conversation.ask("Ann?")
    question.marks = [Mark(start=0, end=3, kind="person", stand_in="Eve")]
    sheet = sheet_of(qtbot, theme, found("Ann"), found("Bea"), used=UsedNames(conversation))
    assert not sheet.warning.isVisible()
    sheet.model.set_replaced(sheet.model.rows, False)
    assert "“Ann”" in sheet.warning.text()
    assert "Bea" not in sheet.warning.text()
    assert "can link them" in sheet.warning.text()
    assert sheet.send.isEnabled()
    sheet.model.set_replaced(sheet.model.rows, True)
    assert not sheet.warning.isVisible()


def test_a_kind_is_chosen_from_a_box(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme, found("Ann"))
    index = row_index(sheet, 0, 0, KIND)
    sheet.tree.setCurrentIndex(index)
    sheet.tree.edit(index)
    box = sheet.tree.findChild(QComboBox)
    assert box is not None
    assert box.currentText() == "Person"
    box.setCurrentIndex(box.findData("place"))
    box.activated.emit(box.currentIndex())
    sheet.accept()
    assert sheet.decisions == [Decision(value="Ann", kind="place", replaced=True)]


def test_where_nothing_was_found_that_is_said(qtbot: QtBot, theme: Theme) -> None:
    sheet = sheet_of(qtbot, theme)
    assert sheet.summary.text().startswith("Nothing that identifies a person was found.")
    assert not sheet.tree.isVisible()
    sheet.send.click()
    assert sheet.result() == QDialog.DialogCode.Accepted


def test_no_event_of_a_sheet_with_2000_values_takes_100_ms(qtbot: QtBot, theme: Theme, drive: Drive) -> None:
    kinds = ("person", "organisation", "address", "phone", "card")
    rows = [found(f"Value {number}", kinds[number % 5], f"document {number % 7}.pdf") for number in range(2000)]

    async def scenario() -> None:
        await asyncio.sleep(0.01)
        sheet = ReviewSheet(Review(found=rows, marks=[], document_marks=[]), [TURN], UsedNames(), theme)
        qtbot.addWidget(sheet)
        sheet.open()
        steps = (
            lambda: sheet.tree.scrollToBottom(),
            lambda: sheet.needle.setText("document 3"),
            lambda: sheet.needle.setText(""),
            lambda: sheet.model.setData(sheet.model.index(0, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole),
            lambda: sheet.model.set_replaced(sheet.model.rows, True),
            lambda: sheet.model.setData(row_index(sheet, 0, 3, STAND_IN), "Somebody"),
            lambda: sheet.model.setData(row_index(sheet, 0, 5, KIND), "place"),
        )
        for step in steps:
            # An event of its own, as a key or a click is.
            asyncio.get_running_loop().call_soon(step)
            await asyncio.sleep(0.05)
        await until(lambda: sheet.summary.text().startswith("2000 of 2000"))
        assert heartbeat.longest < 0.1, f"{1000 * heartbeat.longest:.0f} ms"
        sheet.reject()

    with heart() as heartbeat:
        drive(scenario())


def test_scripts_that_are_not_read_are_said(qtbot: QtBot, theme: Theme) -> None:
    for unread in (["Arabic"], []):
        sheet = ReviewSheet(Review(found=[], marks=[], document_marks=[], unread=unread), [TURN], UsedNames(), theme)
        qtbot.addWidget(sheet)
        sheet.show()
        assert sheet.unread.isVisible() == bool(unread)
        assert ("Arabic" in sheet.unread.text()) == bool(unread)


def test_under_strict_noise_there_are_no_stand_ins_to_be_seen(qtbot: QtBot, theme: Theme) -> None:
    review = Review(found=[found("Ann")], marks=[], document_marks=[])
    sheet = ReviewSheet(review, [TURN], UsedNames(), theme, strict=True)
    sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(sheet)
    sheet.show()
    assert sheet.tree.isColumnHidden(STAND_IN)
    assert sheet.summary.text() == "1 of 1 values will leave under strict noise."
    assert "~Ann" not in sheet.context.text()
    assert any("can be read by whoever runs the agent" in label.text() for label in sheet.findChildren(QLabel))
