"""The review sheet's rows as Qt asks for them: kinds, and the values of each kind below it. Thousands of rows cost nothing more.

Columns: the value with its check box, what leaves instead, its kind, how often and where it stands. The model filters by itself
and is reset by it: a proxy between would tell of each row that goes, and every such message costs as much as there are rows.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush

from desktop_app.chat.stored import Found
from desktop_app.gui.kinds import kind_name, kind_rank
from desktop_app.gui.review_rows import Group, Row

VALUE, STAND_IN, KIND, PLACES = range(4)
NOWHERE = QModelIndex()
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
PLAIN = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
CHECKED = PLAIN | Qt.ItemFlag.ItemIsUserCheckable
EDITED = PLAIN | Qt.ItemFlag.ItemIsEditable


class ReviewModel(QAbstractItemModel):
    """Kinds and their values, as far as they are shown; `edited` tells that the person changed something.

    `complaints`: what speaks against the stand-ins of some rows, told there in the colour `complaining`.
    """

    edited = Signal()

    def __init__(self, found: Sequence[Found], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows = [Row.of(one) for one in found]
        self.groups: list[Group] = []
        self._groups: dict[str, Group] = {}  # Qt holds bare pointers to them, so that none may die
        self._needle = ""
        self.complaints: dict[Row, str] = {}
        self.complaining = QBrush()
        self._arrange()

    @property
    def shown(self) -> list[Row]:
        """The values that the filter lets through."""
        return [row for group in self.groups for row in group.rows]

    def look_for(self, text: str) -> None:
        """Show only what holds this text, whatever its case."""
        self._needle = text.strip().casefold()
        self._arrange()

    def row_at(self, index: Index) -> Row | None:
        """The value there; None for a kind."""
        group = index.internalPointer() if index.isValid() else None
        return group.rows[index.row()] if isinstance(group, Group) else None

    def index_of(self, row: Row | None, column: int = VALUE) -> QModelIndex:
        """Where a value is shown; nowhere if it is not."""
        for number, group in enumerate(self.groups):
            if row in group.rows:
                return self.index(group.rows.index(row), column, self.index(number, 0))
        return QModelIndex()

    def set_replaced(self, rows: Sequence[Row], replaced: bool) -> None:
        """Replace these values, or do not."""
        for row in rows:
            row.replaced = replaced
        self._tell_all()

    # what Qt asks

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        """A kind holds no object of its own; a value holds its group."""
        if not 0 <= column <= PLACES or row < 0 or row >= self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, self.groups[parent.row()] if parent.isValid() else None)

    def parent(self, index: Index = NOWHERE) -> QModelIndex:  # type: ignore[override]
        """The kind of a value."""
        group = index.internalPointer() if index.isValid() else None
        return self.createIndex(self.groups.index(group), 0, None) if isinstance(group, Group) else QModelIndex()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        """Kinds, or the values of one."""
        if not parent.isValid():
            return len(self.groups)
        return len(self.groups[parent.row()].rows) if parent.internalPointer() is None and parent.column() == 0 else 0

    def columnCount(self, parent: Index = NOWHERE) -> int:
        """Four for all."""
        return 4

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """The names of the columns."""
        if orientation is not Qt.Orientation.Horizontal or role != Role.DisplayRole:
            return None
        return (self.tr("Found"), self.tr("Leaves as"), self.tr("Kind"), self.tr("Where"))[section]

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Everything can be checked; stand-in and kind of a value can be changed."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if index.column() == VALUE:
            return CHECKED
        return EDITED if index.column() in (STAND_IN, KIND) and self.row_at(index) is not None else PLAIN

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Text, check boxes, and what the editors begin with."""
        row = self.row_at(index)
        if row is None:
            return self._group_data(self.groups[index.row()], index.column(), role)
        match index.column(), role:
            case (0, Role.CheckStateRole):
                return Qt.CheckState.Checked if row.replaced else Qt.CheckState.Unchecked
            case (0, Role.DisplayRole | Role.ToolTipRole | Role.AccessibleTextRole):
                return " ".join(row.found.value.split())
            case (1, Role.DisplayRole):
                return (row.stand_in or self.tr("chosen anew")) if row.replaced else self.tr("stays as it is")
            case (1, Role.ForegroundRole) if row in self.complaints:
                return self.complaining
            case (1, Role.ToolTipRole):
                return self.complaints.get(row) or row.stand_in or None
            case (1, Role.AccessibleDescriptionRole):
                return self.complaints.get(row)
            case (1, Role.EditRole):
                return row.stand_in
            case (2, Role.DisplayRole):
                return kind_name(row.kind)
            case (2, Role.EditRole):
                return row.kind
            case (3, Role.DisplayRole | Role.ToolTipRole):
                return self._places(row)
        return None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        """What the person did to a value, or to all of a kind."""
        row = self.row_at(index)
        if role == Role.CheckStateRole:
            rows = self.groups[index.row()].rows if row is None else [row]
            self.set_replaced(rows, Qt.CheckState(value) == Qt.CheckState.Checked)
            return True
        if row is None or role != Role.EditRole:
            return False
        if index.column() == STAND_IN and value.strip():
            row.stand_in, row.replaced = " ".join(value.split()), True
            self._tell_all()
        elif index.column() == KIND and value != row.kind:
            row.turn(value)
            self._arrange()
            self.edited.emit()
        return True

    def _group_data(self, group: Group, column: int, role: int) -> Any:
        if role == Role.CheckStateRole and column == VALUE:
            if group.replaced == 0:
                return Qt.CheckState.Unchecked
            return Qt.CheckState.Checked if group.replaced == len(group.rows) else Qt.CheckState.PartiallyChecked
        if role == Role.DisplayRole and column == VALUE:
            return f"{kind_name(group.kind)} ({group.replaced}/{len(group.rows)})"
        return None

    def _places(self, row: Row) -> str:
        places = ", ".join(place or self.tr("question") for place in row.found.places)
        return f"{row.found.count} × · {places}"

    def _arrange(self) -> None:
        """Put what is shown below its kinds."""
        self.beginResetModel()
        below: dict[str, list[Row]] = {}
        for row in self.rows:
            if row.contains(self._needle):
                below.setdefault(row.kind, []).append(row)
        for kind, rows in below.items():
            self._groups.setdefault(kind, Group(kind)).rows = rows
        self.groups = [self._groups[kind] for kind in sorted(below, key=kind_rank)]
        self.endResetModel()

    def _tell_all(self) -> None:
        # Views ask only for what they show, so that telling all costs as much as telling one.
        for number, group in enumerate(self.groups):
            top = self.index(number, 0)
            self.dataChanged.emit(top, top)
            if group.rows:
                self.dataChanged.emit(self.index(0, 0, top), self.index(len(group.rows) - 1, PLACES, top))
        self.edited.emit()
