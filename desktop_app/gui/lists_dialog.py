"""The person's own lists: names, projects, customers that are always replaced, and words that never are."""

from collections.abc import Awaitable
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QMargins, QModelIndex, QSortFilterProxyModel, QStringListModel, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.chat.responder import ChatError, Responder
from desktop_app.chat.stored import NameList
from desktop_app.gui.file_dialog import FileDialog
from desktop_app.gui.kinds import kind_names
from desktop_app.gui.questions import ask_first
from desktop_app.gui.reply_task import Tasks

NEVER = "never"
"""What the choice of kinds holds for words that are never replaced."""


class ListsDialog(QDialog):
    """Every change is kept at once. A list of 100,000 values is scrolled and searched as a short one is."""

    def __init__(self, responder: Responder, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._responder = responder
        self._tasks = tasks
        self.lists: list[NameList] = []
        self.setWindowTitle(self.tr("My lists"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.names = QListView(self)
        self._names = QStringListModel(self)
        self.values = QListView(self)
        self._values = QStringListModel(self)
        self._filter = QSortFilterProxyModel(self)
        self.kind = QComboBox(self)
        self.entry = QLineEdit(self)
        self.needle = QLineEdit(self)
        self.note = QLabel(self)
        self._set_up()
        self._lay_out()
        self._connect()
        self._show_list()
        self.resize(720, 520)
        self._start(self._load())

    @property
    def chosen(self) -> NameList | None:
        """The list that is shown."""
        row = self.names.currentIndex().row()
        return self.lists[row] if 0 <= row < len(self.lists) else None

    def add_list(self, name: str) -> None:
        """Show an empty list of this name, or the one that has it already."""
        name = " ".join(name.split())
        if name:
            if all(one.name != name for one in self.lists):
                self.lists.append(NameList(name=name, kind="person", values=[]))
            self._show_names(name)
            self.entry.setFocus()

    def add_values(self) -> None:
        """Put what is typed on the list, one value for each line or semicolon."""
        typed = [" ".join(part.split()) for line in self.entry.text().splitlines() for part in line.split(";")]
        chosen = self.chosen
        if chosen is not None and any(typed):
            self._keep(replace(chosen, values=list(dict.fromkeys([*chosen.values, *filter(None, typed)]))))
            self.entry.clear()

    def remove_values(self) -> None:
        """Take the selected values off the list."""
        chosen = self.chosen
        rows = {self._filter.mapToSource(index).row() for index in self.values.selectionModel().selectedRows()}
        if chosen is not None and rows:
            self._keep(replace(chosen, values=[value for row, value in enumerate(chosen.values) if row not in rows]))

    def delete_list(self) -> None:
        """Delete the list that is shown."""
        if (chosen := self.chosen) is not None:
            self.lists.remove(chosen)
            self._show_names("")
            self._start(self._responder.keep_list(replace(chosen, values=[])))

    async def import_file(self, path: Path) -> None:
        """Read a list from a file; it is called as the file is."""
        kind = self.kind.currentData()
        try:
            names = await self._responder.import_list(path, path.stem, "person" if kind in (None, NEVER) else kind)
        except ChatError as error:
            self.note.setText(str(error))
            return
        await self._load(names.name)
        note = self.tr("{count} values are on the list “{name}”.").format(count=len(names.values), name=names.name)
        if names.left_out:
            note += " " + self.tr(
                "{left_out} entries of the file were left out: they are too long, a single letter, a count or a common word."
            ).format(left_out=names.left_out)
        self.note.setText(note)

    def _set_up(self) -> None:
        self.names.setModel(self._names)
        self.names.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.names.setAccessibleName(self.tr("Lists"))
        self._filter.setSourceModel(self._values)
        self._filter.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.values.setModel(self._filter)
        self.values.setUniformItemSizes(True)
        self.values.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.values.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.values.setAccessibleName(self.tr("Values of the list"))
        for kind, name in kind_names().items():
            self.kind.addItem(name, kind)
        self.kind.addItem(self.tr("Never replace these"), NEVER)
        self.kind.setAccessibleName(self.tr("What is on the list"))
        self.entry.setPlaceholderText(self.tr("Another value"))
        self.entry.setAccessibleName(self.tr("Another value"))
        self.needle.setPlaceholderText(self.tr("Filter"))
        self.needle.setAccessibleName(self.tr("Filter"))
        self.needle.setClearButtonEnabled(True)
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)

    def _lay_out(self) -> None:
        self.new = self._button(self.tr("New list …"))
        self.read = self._button(self.tr("Import …"))
        self.read.setToolTip(self.tr("A text or CSV file with one value on each line"))
        self.add = self._button(self.tr("Add"))
        self.remove = self._button(self.tr("Remove"))
        self.delete = self._button(self.tr("Delete list …"))
        self.close_button = self._button(self.tr("Close"))
        left, right = QVBoxLayout(), QVBoxLayout()
        for side in (left, right):
            side.setSpacing(8)
        explanation = QLabel(self.tr("What is on a list is replaced in every chat, or never, as the list says."), self)
        explanation.setObjectName("muted")
        explanation.setWordWrap(True)
        left.addWidget(self.names, 1)
        left.addLayout(_row(self.new, self.read))
        form = QFormLayout()
        form.addRow(self.tr("On this list are"), self.kind)
        right.addLayout(form)
        right.addWidget(self.needle)
        right.addWidget(self.values, 1)
        right.addLayout(_row(self.entry, self.add))
        right.addLayout(_row(self.remove, self.delete))
        sides = QHBoxLayout()
        sides.setSpacing(18)
        sides.addLayout(left, 2)
        sides.addLayout(right, 3)
        foot = QHBoxLayout()
        foot.addWidget(self.note, 1)
        foot.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins(22, 18, 22, 16))
        layout.setSpacing(12)
        layout.addWidget(explanation)
        layout.addLayout(sides, 1)
        layout.addLayout(foot)

    def _connect(self) -> None:
        self.names.selectionModel().currentChanged.connect(self._show_list)
        self.kind.activated.connect(self._change_kind)
        self.needle.textChanged.connect(self._filter.setFilterFixedString)
        self.entry.returnPressed.connect(self.add_values)
        self.add.clicked.connect(self.add_values)
        self.remove.clicked.connect(self.remove_values)
        self.delete.clicked.connect(self._ask_to_delete)
        self.new.clicked.connect(self._ask_for_a_name)
        self.read.clicked.connect(self._choose_file)
        self.close_button.clicked.connect(self.accept)

    def _change_kind(self) -> None:
        if (chosen := self.chosen) is not None:
            kind = self.kind.currentData()
            self._keep(replace(chosen, never=kind == NEVER, kind=chosen.kind if kind == NEVER else kind))

    def _ask_for_a_name(self) -> None:
        dialog = QInputDialog(self)
        dialog.setWindowTitle(self.tr("New list"))
        dialog.setLabelText(self.tr("Name of the list"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(self.add_list)
        dialog.open()

    def _ask_to_delete(self) -> None:
        if (chosen := self.chosen) is not None:
            ask_first(
                self,
                (self.tr("Delete list"), self.tr("Delete the list “{name}”?").format(name=chosen.name)),
                self.tr("What is on it is not replaced any more unless it is found otherwise."),
                (self.tr("Delete"), self.tr("Cancel")),
                self.delete_list,
            )

    def _choose_file(self) -> None:
        dialog = FileDialog(self, self.tr("Import a list"))
        dialog.setNameFilters([self.tr("Text and CSV (*.txt *.csv)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda name: self._start(self.import_file(Path(name))))
        dialog.open()

    def _keep(self, names: NameList) -> None:
        self.lists = [names if one.name == names.name else one for one in self.lists]
        self._show_names(names.name)
        self._start(self._responder.keep_list(names))

    def _start(self, work: Awaitable[None]) -> None:
        self._tasks.start(self._tell_trouble(work))

    async def _tell_trouble(self, work: Awaitable[None]) -> None:
        try:
            await work
        except ChatError as error:
            self.note.setText(str(error))

    async def _load(self, name: str = "") -> None:
        self.lists = await self._responder.lists()
        self._show_names(name)

    def _show_names(self, chosen: str) -> None:
        self._names.setStringList([f"{one.name} ({len(one.values)})" for one in self.lists])
        row = next((row for row, one in enumerate(self.lists) if one.name == chosen), 0)
        self.names.setCurrentIndex(self._names.index(row))
        self._show_list()

    def _show_list(self, *_index: QModelIndex) -> None:
        chosen = self.chosen
        for widget in (self.kind, self.entry, self.needle, self.values, self.add, self.remove, self.delete):
            widget.setEnabled(chosen is not None)
        self._values.setStringList(chosen.values if chosen is not None else [])
        if chosen is not None:
            self.kind.setCurrentIndex(self.kind.findData(NEVER if chosen.never else chosen.kind))

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        return button


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget)
    return row
