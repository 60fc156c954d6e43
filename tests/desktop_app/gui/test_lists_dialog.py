"""The person's own lists: every change is kept, files are read, and length does not matter."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6

from desktop_app.chat.stored import NameList
from desktop_app.gui.lists_dialog import NEVER, ListsDialog
from desktop_app.gui.reply_task import Tasks
from desktop_app.gui.theme import Theme
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.scripted_responder import ScriptedResponder
from tests.helpers.window_events import heart, until

CLIENTS = NameList(name="Clients", kind="person", values=["Ann Lee", "Bob Ray"])


@pytest.fixture
def made() -> Iterator[list[ListsDialog]]:
    dialogs: list[ListsDialog] = []
    yield dialogs
    for dialog in dialogs:
        shiboken6.delete(dialog)


async def shown(responder: ScriptedResponder, made: list[ListsDialog], *lists: NameList) -> ListsDialog:
    responder.archive.lists = {names.name: names for names in lists}
    dialog = ListsDialog(responder, Tasks())
    made.append(dialog)
    dialog.show()
    await until(lambda: dialog.lists == list(lists))
    return dialog


def test_values_are_added_and_removed_and_kept_at_once(
    responder: ScriptedResponder, theme: Theme, drive: Drive, made: list[ListsDialog]
) -> None:
    async def scenario() -> None:
        dialog = await shown(responder, made, CLIENTS)
        dialog.entry.setText("Cy Doe; Ann  Lee;")
        dialog.add.click()
        await until(lambda: responder.archive.lists["Clients"].values == ["Ann Lee", "Bob Ray", "Cy Doe"])
        assert dialog.entry.text() == ""
        dialog.needle.setText("bob")
        dialog.values.selectAll()
        dialog.remove.click()
        await until(lambda: responder.archive.lists["Clients"].values == ["Ann Lee", "Cy Doe"])

    drive(scenario())


def test_a_list_of_words_that_are_never_replaced(
    responder: ScriptedResponder, theme: Theme, drive: Drive, made: list[ListsDialog]
) -> None:
    async def scenario() -> None:
        dialog = await shown(responder, made)
        assert not dialog.entry.isEnabled()
        dialog.add_list(" Common  words ")
        dialog.entry.setText("Will")
        dialog.add_values()
        dialog.kind.setCurrentIndex(dialog.kind.findData(NEVER))
        dialog.kind.activated.emit(0)
        await until(lambda: responder.archive.lists.get("Common words") and responder.archive.lists["Common words"].never)
        assert responder.archive.lists["Common words"].values == ["Will"]

    drive(scenario())


def test_another_kind_is_kept_and_a_list_is_deleted(
    responder: ScriptedResponder, theme: Theme, drive: Drive, made: list[ListsDialog]
) -> None:
    async def scenario() -> None:
        dialog = await shown(responder, made, CLIENTS)
        dialog.kind.setCurrentIndex(dialog.kind.findData("organisation"))
        dialog.kind.activated.emit(0)
        await until(lambda: responder.archive.lists["Clients"].kind == "organisation")
        dialog.delete_list()
        await until(lambda: responder.archive.lists == {})
        assert dialog.lists == []

    drive(scenario())


def test_a_file_becomes_a_list_and_a_bad_one_a_sentence(
    responder: ScriptedResponder, theme: Theme, drive: Drive, made: list[ListsDialog]
) -> None:
    async def scenario() -> None:
        dialog = await shown(responder, made)
        responder.imports = {"customers.csv": ["Ann", "Bob"]}
        await dialog.import_file(Path("customers.csv"))
        assert dialog.chosen == NameList(name="customers", kind="person", values=["Ann", "Bob"])
        assert dialog.note.text() == "2 values are on the list “customers”."
        responder.left_out = 3
        await dialog.import_file(Path("customers.csv"))
        assert "3 entries of the file were left out" in dialog.note.text()
        await dialog.import_file(Path("picture.png"))
        assert "Choose a text or CSV file" in dialog.note.text()

    drive(scenario())


def test_a_locked_archive_is_said(responder: ScriptedResponder, theme: Theme, drive: Drive, made: list[ListsDialog]) -> None:
    async def scenario() -> None:
        responder.archive.state = "locked"
        dialog = ListsDialog(responder, Tasks())
        made.append(dialog)
        await until(lambda: "locked" in dialog.note.text())

    drive(scenario())


def test_no_event_of_a_list_of_100000_values_takes_100_ms(
    responder: ScriptedResponder, theme: Theme, drive: Drive, made: list[ListsDialog]
) -> None:
    async def scenario() -> None:
        values = [f"Name {number}" for number in range(100_000)]
        dialog = await shown(responder, made, NameList(name="All", kind="person", values=values))
        await until(lambda: dialog._filter.rowCount() == 100_000)
        dialog.needle.setText("99999")
        await until(lambda: dialog._filter.rowCount() == 1)
        assert heartbeat.longest < 0.1, f"{1000 * heartbeat.longest:.0f} ms"

    with heart() as heartbeat:
        drive(scenario())
