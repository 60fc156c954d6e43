"""What will be replaced in a question, before it leaves: the person looks it over, changes it, and sends it or goes back."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QAbstractItemModel, QMargins, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from desktop_app.chat.events import Turn
from desktop_app.chat.stored import Decision, Review
from desktop_app.gui.kinds import kind_names
from desktop_app.gui.marking import link_sentence
from desktop_app.gui.name_parts import UsedNames
from desktop_app.gui.review_context import ReviewContext
from desktop_app.gui.review_model import KIND, PLACES, STAND_IN, VALUE, ReviewModel
from desktop_app.gui.review_rows import Row
from desktop_app.gui.stand_in_check import Doubt, StandInCheck
from desktop_app.gui.theme import Theme, scale_font
from desktop_app.gui.unread_words import unread_words
from desktop_app.gui.wheel import PageWheel

Index = QModelIndex | QPersistentModelIndex


class ReviewSheet(QDialog):
    """Shown by `open()`; accepted, `decisions` holds what the person changed.

    `turns` is the chat up to the question, `used` what has left in it as stand-ins already. `strict`: what is found leaves under
    strict noise, as other words by chance; so there is no stand-in to be seen or changed.
    """

    def __init__(
        self,
        review: Review,
        turns: Sequence[Turn],
        used: UsedNames,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        strict: bool = False,
    ) -> None:
        super().__init__(parent)
        self._context = ReviewContext(review, turns[-1])
        self._check = StandInCheck(turns, used)
        self._used = used
        self._strict = strict
        self._theme = theme
        self.setObjectName("review")
        self.setWindowTitle(self.tr("Before it leaves"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.decisions: list[Decision] = []
        self.model = ReviewModel(review.found, self)
        self.model.complaining = QBrush(QColor(theme.tone.warning))
        self._current: Row | None = None
        self.summary = QLabel(self)
        self.summary.setWordWrap(True)
        scale_font(self.summary, 1.12)
        self.needle = QLineEdit(self)
        self.tree = QTreeView(self)
        self.context = QLabel(self)
        self.complaint = QLabel(self)
        self.warning = QLabel(self)
        self.unread = QLabel(unread_words(review.unread), self)
        self.unread.setVisible(bool(review.unread))
        self._buttons = QDialogButtonBox(self)
        self.send = self._buttons.addButton(self.tr("Send"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.back = self._buttons.addButton(self.tr("Back"), QDialogButtonBox.ButtonRole.RejectRole)
        self._set_up_tree()
        self._lay_out(empty=not review.found)
        self.model.edited.connect(self._settle)
        self.model.modelAboutToBeReset.connect(self._remember)
        self.model.modelReset.connect(self._return)
        self.needle.textChanged.connect(self.model.look_for)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._settle()
        self.resize(820, min(640, round(self.screen().availableGeometry().height() * 0.9)))
        self.send.setDefault(True)
        self.send.setFocus()

    def accept(self) -> None:
        """Send, if nothing speaks against it."""
        if not self.complaint.text():
            self.decisions = [row.decision for row in self.model.rows if row.decision is not None]
            super().accept()

    def _set_up_tree(self) -> None:
        tree = self.tree
        tree.setModel(self.model)
        tree.setAccessibleName(self.tr("What was found"))
        tree.setUniformRowHeights(True)
        tree.setAlternatingRowColors(False)
        tree.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.SelectedClicked
        )
        tree.setItemDelegate(RowDelegate(tree))
        tree.setItemDelegateForColumn(KIND, KindDelegate(tree))
        header = tree.header()
        header.setMinimumSectionSize(90)
        for column in (VALUE, STAND_IN, PLACES):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(KIND, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(KIND, 160)
        tree.setColumnHidden(STAND_IN, self._strict)
        tree.expandAll()
        tree.selectionModel().currentChanged.connect(self._show_context)
        self._choose_first()

    def _lay_out(self, empty: bool) -> None:
        explanation = QLabel(
            self.tr(
                "Each value leaves under strict noise: other words, drawn by chance, take its place, and yours come back where "
                "the answer uses them. Every other word can be read by whoever runs the agent where only names and numbers are "
                "noisy. Look for what is missing, go back, select it and choose “Always replace this”."
            )
            if self._strict
            else self.tr(
                "Each value leaves as the stand-in beside it, and comes back where the answer uses it. Double-click a stand-in "
                "or a kind to change it. Only what was found is replaced: look for what is missing, go back, select it and "
                "choose “Always replace this”."
            ),
            self,
        )
        explanation.setObjectName("muted")
        explanation.setWordWrap(True)
        self.needle.setPlaceholderText(self.tr("Filter"))
        self.needle.setAccessibleName(self.tr("Filter"))
        self.needle.setClearButtonEnabled(True)
        self.context.setObjectName("context")
        self.context.setWordWrap(True)
        self.context.setTextFormat(Qt.TextFormat.RichText)
        self.context.setMinimumHeight(5 * self.context.fontMetrics().lineSpacing() + 20)
        self.context.setAlignment(Qt.AlignmentFlag.AlignTop)
        for label in (self.complaint, self.warning, self.unread):
            label.setObjectName("complaint")
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.needle, 1)
        for text, replaced in ((self.tr("Replace all"), True), (self.tr("Replace none"), False)):
            button = QPushButton(text, self)
            button.setAutoDefault(False)
            button.setToolTip(self.tr("Of those that are shown"))
            button.clicked.connect(lambda _checked=False, replaced=replaced: self._replace_shown(replaced))
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins(24, 20, 24, 18))
        layout.setSpacing(12)
        layout.addWidget(self.summary)
        layout.addWidget(explanation)
        layout.addWidget(self.unread)
        if not empty:
            layout.addLayout(row)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.context)
        layout.addWidget(self.complaint)
        layout.addWidget(self.warning)
        layout.addWidget(self._buttons)
        for part in (self.needle, self.tree, self.context):
            part.setVisible(not empty)
        if empty:
            layout.addStretch()

    def _remember(self) -> None:
        self._current = self.model.row_at(self.tree.currentIndex())

    def _return(self) -> None:
        """Everything is open, and the same value is chosen as before, or the first where it is not shown any more."""
        self.tree.expandAll()
        index = self.model.index_of(self._current)
        if index.isValid():
            self.tree.setCurrentIndex(index)
        else:
            self._choose_first()
        self._show_context(self.tree.currentIndex())

    def _choose_first(self) -> None:
        self.tree.setCurrentIndex(self.model.index(0, VALUE, self.model.index(0, VALUE)))

    def _replace_shown(self, replaced: bool) -> None:
        self.model.set_replaced(self.model.shown, replaced)

    def _show_context(self, index: QModelIndex) -> None:
        row = self.model.row_at(index)
        self.context.setText("" if row is None else self._context_of(row))

    def _context_of(self, row: Row) -> str:
        excerpt = self._context.around(row, self.model.rows)
        if excerpt is None:
            return ""
        lines = [(self.tr("Where"), escape(excerpt.place or self.tr("In the question")))]
        leaves = [] if self._strict else [(self.tr("As it leaves"), excerpt.sent)]
        for name, (before, value, behind) in [(self.tr("As written"), excerpt.written), *leaves]:
            lines.append((name, f"{escape(before)}<b>{escape(value or '…')}</b>{escape(behind)}"))
        muted = f"style='color:{self._theme.tone.muted}; padding-right: 14px; white-space: nowrap'"
        cells = (f"<tr><td {muted}>{name}</td><td>{' '.join(text.split())}</td></tr>" for name, text in lines)
        return f"<table cellspacing='0'>{''.join(cells)}</table>"

    def _settle(self) -> None:
        rows = self.model.rows
        replaced = sum(row.replaced for row in rows)
        if not rows:
            self.summary.setText(self.tr("Nothing that identifies a person was found. The question leaves as it is written."))
        elif not replaced:
            self.summary.setText(self.tr("Nothing will be replaced: all values leave as they are."))
        else:
            self.summary.setText(
                (
                    self.tr("{replaced} of {all} values will leave under strict noise.")
                    if self._strict
                    else self.tr("{replaced} of {all} values will be replaced before this question leaves.")
                ).format(replaced=replaced, all=len(rows))
            )
        self._complain()
        self._warn()
        self._show_context(self.tree.currentIndex())

    def _complain(self) -> None:
        """What was written for a stand-in and cannot be one stands beside it and below, and nothing is sent."""
        complaints = {row: self._reason(doubt, row) for row, doubt in self._check.doubts(self.model.rows).items()}
        self.model.complaints = complaints
        self.complaint.setText(next(iter(complaints.values()), ""))
        self.complaint.setVisible(bool(complaints))
        self.send.setEnabled(not complaints)

    def _warn(self) -> None:
        """What has left as a stand-in and is now to leave as it is."""
        freed = [row.found.value for row in self.model.rows if row.found.replaced and not row.replaced]
        linked = [value for value in freed if value in self._used]
        self.warning.setText(link_sentence(linked) if linked else "")
        self.warning.setVisible(bool(linked))

    def _reason(self, doubt: Doubt, row: Row) -> str:
        sentences = {
            Doubt.COMMON: self.tr(
                "“{name}” is too short or holds too common a word: it would be taken for a name where none is meant. "
                "Choose another."
            ),
            Doubt.HOLDS_ITSELF: self.tr("“{name}” has a part of what it is to hide. Choose another."),
            Doubt.TAKEN: self.tr(
                "“{name}” is another value or stand-in, or has a part of one, so the two could not be told apart. Choose another."
            ),
            Doubt.IN_TEXT: self.tr("“{name}” stands in your text already, so the two could not be told apart. Choose another."),
        }
        return sentences[doubt].format(name=row.stand_in)


class RowDelegate(QStyledItemDelegate):
    """Rows with some air between them; what is complained about is seen in a chosen row, too."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """A chosen row has the colour of the complaint as any other."""
        super().initStyleOption(option, index)
        if isinstance(colour := index.data(Qt.ItemDataRole.ForegroundRole), QBrush):
            option.palette.setBrush(QPalette.ColorRole.HighlightedText, colour)
            option.font.setBold(True)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Every row is as high as a line with some air, whatever stands in it, is edited in it, or was when Qt asked first."""
        return QSize(super().sizeHint(option, index).width(), option.fontMetrics.lineSpacing() + 14)


class KindDelegate(RowDelegate):
    """A kind is chosen from those there are."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A box with all kinds, which takes a choice at once."""
        box = QComboBox(parent)
        for kind, name in kind_names().items():
            box.addItem(name, kind)
        box.setAccessibleName(self.tr("Kind"))
        box.activated.connect(lambda _row: self._take(box))
        PageWheel(box)
        return box

    def _take(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Begin with the kind that it is."""
        assert isinstance(editor, QComboBox)
        editor.setCurrentIndex(max(0, editor.findData(index.data(Qt.ItemDataRole.EditRole))))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Make it the chosen kind."""
        assert isinstance(editor, QComboBox)
        model.setData(index, editor.currentData())
