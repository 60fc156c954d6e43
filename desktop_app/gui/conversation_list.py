"""The list of past chats beside the one on screen: the latest first, opened, renamed and deleted from here."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QDateTime,
    QMargins,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.chat.stored import ConversationEntry
from desktop_app.gui.moments import day_text, time_text
from desktop_app.gui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
WHEN, RUNNING = Role.UserRole + 1, Role.UserRole + 2
NOWHERE = QModelIndex()


def when_text(seconds: float) -> str:
    """A time as a reader says it: the hour today, else the day."""
    moment, today = QDateTime.fromSecsSinceEpoch(round(seconds)), QDateTime.currentDateTime().date()
    if moment.date() == today:
        return time_text(moment)
    return day_text(moment.date(), with_year=moment.date().year() != today.year())


class EntryModel(QAbstractListModel):
    """Conversations as they were told last; `renamed` gives identity and title that the person typed."""

    renamed = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: list[ConversationEntry] = []
        self._running: set[str] = set()

    def show_entries(self, entries: Sequence[ConversationEntry], running: set[str]) -> None:
        """Other conversations, or the same in another order; `running`: those whose answers still come."""
        if [entry.identity for entry in entries] == [entry.identity for entry in self.entries]:
            self.entries, self._running = list(entries), running
            if self.entries:
                self.dataChanged.emit(self.index(0), self.index(len(self.entries) - 1))
            return
        self.beginResetModel()
        self.entries, self._running = list(entries), running
        self.endResetModel()

    def row_of(self, identity: str) -> int:
        """Where a conversation stands; -1 where it does not."""
        return next((row for row, entry in enumerate(self.entries) if entry.identity == identity), -1)

    def title(self, row: int) -> str:
        """The title of a conversation."""
        return self.entries[row].title or self.tr("Chat without a title")

    def rowCount(self, parent: Index = NOWHERE) -> int:
        """One for each conversation."""
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Title, time, and whether its answer comes."""
        entry = self.entries[index.row()]
        if role in (Role.DisplayRole, Role.EditRole, Role.ToolTipRole):
            return self.title(index.row())
        if role == WHEN:
            return when_text(entry.changed)
        if role == RUNNING:
            return entry.identity in self._running
        if role == Role.AccessibleTextRole:
            running = self.tr("its answer is coming") if entry.identity in self._running else ""
            return ", ".join(part for part in (self.title(index.row()), when_text(entry.changed), running) if part)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Titles can be changed."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        """Another title was typed."""
        title = " ".join(str(value).split())
        if title and title != self.entries[index.row()].title:
            self.renamed.emit(self.entries[index.row()].identity, title)
        return bool(title)


class ConversationList(QFrame):
    """`opened`, `deletion_asked` give the identity of a conversation, `renamed` with its new title."""

    opened = Signal(str)
    renamed = Signal(str, str)
    deletion_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self.model = EntryModel(self)
        self.view = _View(self)
        self.view.setObjectName("conversations")
        self.view.setAccessibleName(self.tr("Past chats"))
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setUniformItemSizes(True)
        self.view.setEditTriggers(QListView.EditTrigger.EditKeyPressed)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.setModel(self.model)
        self.view.setItemDelegate(_EntryDelegate(theme, self.view))
        self._note = QLabel(self)
        self._note.setObjectName("muted")
        self._note.setWordWrap(True)
        self._note.setContentsMargins(QMargins(16, 12, 16, 0))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins(0, 6, 0, 0))
        layout.setSpacing(0)
        layout.addWidget(self._note, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.view, 1)
        self.view.clicked.connect(self._open)
        self.view.entered_row.connect(self._open)
        self.view.deletion_asked.connect(lambda row: self.deletion_asked.emit(self.model.entries[row].identity))
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.model.renamed.connect(self.renamed)
        self.show_entries([], set(), "", keeping=True)

    def show_entries(self, entries: Sequence[ConversationEntry], running: set[str], current: str, keeping: bool) -> None:
        """What is kept, which answers still come, which conversation is on screen, and whether anything is kept at all."""
        self.model.show_entries(entries, running)
        row = self.model.row_of(current)
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row))
        else:
            self.view.clearSelection()
        none_yet, none_kept = self.tr("Your chats will be listed here."), self.tr("Chats are not kept at the moment.")
        self._note.setText(none_yet if keeping else none_kept)
        self._note.setVisible(not entries)
        self.view.setVisible(bool(entries))

    def title_of(self, identity: str) -> str:
        """The title of a conversation in the list; "" for another one."""
        row = self.model.row_of(identity)
        return self.model.title(row) if row >= 0 else ""

    def edit(self, identity: str) -> None:
        """Let the person type another title."""
        if (row := self.model.row_of(identity)) >= 0:
            self.view.edit(self.model.index(row))

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.entries[index.row()].identity)

    def _show_menu(self, place: QPoint) -> None:
        index = self.view.indexAt(place)
        if not index.isValid():
            return
        identity = self.model.entries[index.row()].identity
        menu = QMenu(self)
        menu.addAction(self.tr("Open"), lambda: self.opened.emit(identity))
        menu.addAction(self.tr("Rename"), lambda: self.edit(identity))
        menu.addAction(self.tr("Delete …"), lambda: self.deletion_asked.emit(identity))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(place))


class _View(QListView):
    """Enter opens, Delete asks for deletion; arrow keys only move."""

    entered_row = Signal(QModelIndex)
    deletion_asked = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if index.isValid() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_row.emit(index)
        elif index.isValid() and event.key() == Qt.Key.Key_Delete:
            self.deletion_asked.emit(index.row())
        else:
            super().keyPressEvent(event)


class _EntryDelegate(QStyledItemDelegate):
    """A title in one line, and below it when the chat changed last."""

    MARGIN = 10

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Two lines and some air."""
        return QSize(120, round(2.15 * option.fontMetrics.lineSpacing()) + 16)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A quiet shade for the chat on screen and the one under the pointer; a dot where an answer comes."""
        tone = self._theme.tone
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = option.rect.adjusted(8, 2, -8, -2)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tone.accent_soft if selected else tone.raised))
            painter.drawRoundedRect(box, 8, 8)
        if option.state & QStyle.StateFlag.State_HasFocus and selected:
            painter.setPen(QColor(tone.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, 8, 8)
        inside = box.adjusted(self.MARGIN, 6, -self.MARGIN, -6)
        line = option.fontMetrics.lineSpacing()
        room = QRect(inside.left(), inside.top(), inside.width(), line)
        if index.data(RUNNING):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tone.accent))
            painter.drawEllipse(QPoint(inside.right() - 4, room.center().y()), 4, 4)
            room.setRight(inside.right() - 16)
        painter.setPen(QColor(tone.text))
        painter.setFont(option.font)
        title = option.fontMetrics.elidedText(index.data(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, title)
        small = QFont(option.font)
        small.setPointSizeF(option.font.pointSizeF() * 0.85)
        painter.setFont(small)
        painter.setPen(QColor(tone.muted))
        below = QRect(inside.left(), inside.bottom() - line + 1, inside.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, index.data(WHEN))
        painter.restore()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """The field lies over the whole row."""
        editor.setGeometry(option.rect.adjusted(8, 4, -8, -4))
