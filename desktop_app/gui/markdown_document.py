"""Writes markdown into a QTextDocument: markdown-it's tokens in, text blocks, lists, tables and formats out.

Nothing is loaded: an image becomes its description, raw HTML is shown as text, and a link shows where it really leads. Colours
that the palette knows (text, links) are left to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it.token import Token
from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextListFormat,
    QTextTable,
    QTextTableFormat,
)

from desktop_app.chat.events import Mark
from desktop_app.gui.links import hidden_host, openable
from desktop_app.gui.markdown_stream import Block, parser
from desktop_app.gui.marked_source import plain, unmarked
from desktop_app.gui.marks import answered_sentence, mark_format
from desktop_app.gui.theme import Tone, code_font

QUOTE_PROPERTY = int(QTextFormat.Property.UserProperty) + 1
"""Block property: how deep in quotes a block lies; the view draws a bar beside it."""

LINE_HEIGHT = 148.0
GAP = 9.0
HEADING_SIZES = {1: 1.45, 2: 1.25, 3: 1.12, 4: 1.0, 5: 1.0, 6: 1.0}
_PARSER = parser()


@dataclass(slots=True)
class _Level:
    """A list that is open: its format, the number of its next item, and whether its item's first block is still to come."""

    ordered: bool
    number: int
    tight: bool
    marker_due: bool = False


class MarkdownWriter:
    """Appends blocks of markdown to one document; `marks` are those whose numbers are written into the blocks."""

    def __init__(self, document: QTextDocument, tone: Tone, marks: Sequence[Mark] = ()) -> None:
        self._document = document
        self._tone = tone
        self._marks = marks
        self._cursor = QTextCursor(document)
        self._lists: list[_Level] = []
        self._quotes = 0
        self._inline: list[QTextCharFormat] = [QTextCharFormat()]
        self._table_widths: list[float] = []

    def write(self, block: Block) -> None:
        """Append a finished block, or the tail, at the document's end."""
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._cursor.beginEditBlock()
        tokens = _PARSER.parse(block.source)
        position = 0
        while position < len(tokens):
            position = self._token(tokens, position, block.continued)
        self._cursor.endEditBlock()

    def clear(self) -> None:
        """Empty the document; widths of a table that goes on are kept."""
        self._document.clear()
        self._cursor = QTextCursor(self._document)

    def _token(self, tokens: Sequence[Token], position: int, continued: bool) -> int:
        token = tokens[position]
        match token.type:
            case "heading_open":
                self._heading(tokens[position + 1], int(token.tag[1]))
                return position + 3
            case "paragraph_open":
                tight = bool(self._lists) and token.hidden
                self._start_block(QTextCharFormat(), top=2.0 if tight else GAP)
                self._write_inline(tokens[position + 1].children or [])
                return position + 3
            case "bullet_list_open" | "ordered_list_open":
                start = token.attrGet("start")
                self._lists.append(_Level(token.type[0] == "o", 1 if start is None else int(start), tight=True))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._lists[-1].marker_due = True
            case "list_item_close":
                if self._lists[-1].marker_due:
                    self._start_block(QTextCharFormat(), top=2.0)
                self._lists[-1].number += 1
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "fence" | "code_block":
                self._code(token.content)
            case "hr":
                self._rule()
            case "table_open":
                return self._table(tokens, position, continued)
        return position + 1

    # blocks

    def _start_block(self, character: QTextCharFormat, top: float = GAP, line_height: float = LINE_HEIGHT) -> QTextBlockFormat:
        format_ = QTextBlockFormat()
        format_.setTopMargin(top)
        format_.setBottomMargin(0)
        format_.setLineHeight(line_height, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if self._quotes:
            format_.setLeftMargin(18.0 * self._quotes)
            format_.setProperty(QUOTE_PROPERTY, self._quotes)
            character.setForeground(QColor(self._tone.muted))
        if self._lists and not self._lists[-1].marker_due:
            format_.setIndent(len(self._lists))
        self._new_block(format_, character)
        if self._lists and self._lists[-1].marker_due:
            self._mark_item()
        self._inline = [character]
        return format_

    def _new_block(self, format_: QTextBlockFormat, character: QTextCharFormat) -> None:
        # A new document, and the place behind a table, already hold an empty block; use it.
        block = self._cursor.block()
        if block.length() <= 1 and (block.blockNumber() == 0 or block.userState() == 1):
            block.setUserState(-1)
            self._cursor.setBlockFormat(format_)
            self._cursor.setBlockCharFormat(character)
        else:
            self._cursor.insertBlock(format_, character)
            if (open_list := self._cursor.currentList()) is not None:
                open_list.remove(self._cursor.block())
                self._cursor.setBlockFormat(format_)

    def _mark_item(self) -> None:
        level = self._lists[-1]
        level.marker_due = False
        style = QTextListFormat()
        style.setIndent(len(self._lists))
        if level.ordered:
            # Each item is a list of one with its own start: numbers stay right where a long list was cut.
            style.setStyle(QTextListFormat.Style.ListDecimal)
            style.setStart(level.number)
        else:
            style.setStyle(QTextListFormat.Style.ListDisc)
        self._cursor.createList(style)

    def _heading(self, inline: Token, level: int) -> None:
        format_ = QTextCharFormat()
        format_.setFontWeight(QFont.Weight.DemiBold)
        format_.setFontPointSize(self._document.defaultFont().pointSizeF() * HEADING_SIZES[level])
        self._start_block(format_, top=GAP * (2.0 if level < 3 else 1.6), line_height=124.0)
        self._write_inline(inline.children or [])

    def _code(self, content: str) -> None:
        """Code inside a list or a quote; code at the top level has a view of its own."""
        format_ = self._code_format()
        for number, line in enumerate(content.rstrip("\n").split("\n")):
            block = self._start_block(QTextCharFormat(format_), top=GAP / 2 if number == 0 else 0.0, line_height=125.0)
            block.setBackground(QColor(self._tone.code_surface))
            block.setNonBreakableLines(False)
            self._cursor.setBlockFormat(block if self._cursor.currentList() is None else self._cursor.blockFormat())
            self._insert(line, format_)

    def _rule(self) -> None:
        self._start_block(QTextCharFormat(), top=GAP)
        format_ = self._cursor.blockFormat()
        length = QTextLength(QTextLength.Type.PercentageLength, 100)
        format_.setProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth, length)
        self._cursor.setBlockFormat(format_)

    # tables

    def _table(self, tokens: Sequence[Token], position: int, continued: bool) -> int:
        rows: list[list[tuple[Token, str]]] = []
        while tokens[position].type != "table_close":
            token = tokens[position]
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                rows[-1].append((tokens[position + 1], str(token.attrGet("style") or "")))
            position += 1
        columns = max((len(row) for row in rows), default=0)
        if not continued:
            self._table_widths = _column_widths(rows, columns)
        body = rows[1:] if continued else rows
        if body and columns:
            table = self._insert_table(len(body), columns, 0.0 if continued else GAP)
            for number, row in enumerate(body):
                self._fill_row(table, number, row, heading=number == 0 and not continued)
            self._close_table()
        return position + 1

    def _insert_table(self, rows: int, columns: int, top: float) -> QTextTable:
        format_ = QTextTableFormat()
        format_.setCellPadding(7)
        format_.setCellSpacing(0)
        format_.setBorder(1)
        format_.setBorderCollapse(True)
        format_.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        format_.setBorderBrush(QColor(self._tone.border))
        format_.setTopMargin(top)
        # Qt gives the first block behind a table no top margin of its own.
        format_.setBottomMargin(GAP)
        format_.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        widths = self._table_widths if len(self._table_widths) == columns else [100 / columns] * columns
        format_.setColumnWidthConstraints([QTextLength(QTextLength.Type.PercentageLength, width) for width in widths])
        block = self._cursor.block()
        if block.length() <= 1 and block.userState() == 1:
            block.setUserState(-1)
        return self._cursor.insertTable(rows, columns, format_)

    def _fill_row(self, table: QTextTable, number: int, row: list[tuple[Token, str]], heading: bool) -> None:
        for column, (inline, style) in enumerate(row):
            cell = table.cellAt(number, column)
            cursor = cell.firstCursorPosition()
            block = QTextBlockFormat()
            block.setLineHeight(130.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            block.setAlignment(_alignment(style))
            cursor.setBlockFormat(block)
            character = QTextCharFormat()
            if heading:
                character.setFontWeight(QFont.Weight.DemiBold)
                shade = cell.format()
                shade.setBackground(QColor(self._tone.raised))
                cell.setFormat(shade)
            outer, self._cursor, self._inline = self._cursor, cursor, [character]
            self._write_inline(inline.children or [])
            self._cursor = outer

    def _close_table(self) -> None:
        # Qt demands a block behind a table; it is made as good as invisible until the next text takes it.
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        thin = QTextBlockFormat()
        thin.setLineHeight(1.0, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        self._cursor.setBlockFormat(thin)
        self._cursor.block().setUserState(1)

    # text inside a block

    def _insert(self, content: str, format_: QTextCharFormat) -> str:
        """Insert text, its marked words in their own format; gives the text without what marks them."""
        text, pieces = unmarked(content)
        position = 0
        for start, end, number in pieces:
            self._cursor.insertText(text[position:start], format_)
            mark = self._marks[number] if number < len(self._marks) else None
            marked = format_ if mark is None else mark_format(mark, self._tone, answered_sentence(mark), format_)
            self._cursor.insertText(text[start:end], marked)
            position = end
        self._cursor.insertText(text[position:], format_)
        return text

    def _write_inline(self, tokens: Sequence[Token]) -> None:
        target = ""
        shown = ""
        for token in tokens:
            match token.type:
                case "text" | "html_inline" | "text_special":
                    shown += self._insert(token.content, self._inline[-1])
                case "softbreak":
                    self._cursor.insertText(" ", self._inline[-1])
                case "hardbreak":
                    self._cursor.insertText("\u2028", self._inline[-1])
                case "code_inline":
                    shown += self._insert(token.content, self._code_format(self._inline[-1]))
                case "strong_open" | "em_open" | "s_open":
                    self._inline.append(_emphasised(self._inline[-1], token.type))
                case "link_open":
                    target, shown = str(token.attrGet("href") or ""), ""
                    self._inline.append(self._link_format(target))
                case "link_close":
                    self._inline.pop()
                    self._show_target(target, shown)
                case "strong_close" | "em_close" | "s_close":
                    self._inline.pop()
                case "image":
                    self._image(token)

    def _link_format(self, target: str) -> QTextCharFormat:
        format_ = QTextCharFormat(self._inline[-1])
        if openable(target):
            format_.setAnchor(True)
            format_.setAnchorHref(target)
            format_.setForeground(QColor(self._tone.accent))
            format_.setFontUnderline(True)
        return format_

    def _show_target(self, target: str, shown: str) -> None:
        """Behind a link whose text hides where it leads: the host in brackets."""
        if host := hidden_host(target, shown):
            format_ = QTextCharFormat(self._inline[-1])
            format_.setForeground(QColor(self._tone.muted))
            self._cursor.insertText(f" ({host})", format_)

    def _image(self, token: Token) -> None:
        """An image is never fetched: its description stands for it, with the address as a link."""
        target = str(token.attrGet("src") or "")
        self._inline.append(self._link_format(target))
        shown = self._insert(f"🖼 {token.content or target}", self._inline[-1])
        self._inline.pop()
        self._show_target(target, shown)

    def _code_format(self, around: QTextCharFormat | None = None) -> QTextCharFormat:
        format_ = QTextCharFormat(around) if around is not None else QTextCharFormat()
        font = code_font()
        format_.setFontFamilies(font.families())
        format_.setFontFixedPitch(True)
        format_.setFontPointSize(font.pointSizeF())
        if around is not None:
            format_.setBackground(QColor(self._tone.raised))
        return format_


def _emphasised(format_: QTextCharFormat, kind: str) -> QTextCharFormat:
    changed = QTextCharFormat(format_)
    if kind == "strong_open":
        changed.setFontWeight(QFont.Weight.Bold)
    elif kind == "em_open":
        changed.setFontItalic(True)
    else:
        changed.setFontStrikeOut(True)
    return changed


def _alignment(style: str) -> Qt.AlignmentFlag:
    if "center" in style:
        return Qt.AlignmentFlag.AlignHCenter
    return Qt.AlignmentFlag.AlignRight if "right" in style else Qt.AlignmentFlag.AlignLeft


def _column_widths(rows: list[list[tuple[Token, str]]], columns: int) -> list[float]:
    """Percentages by the longest cell of each column; kept when the table goes on, so that its pieces line up."""
    longest = [
        min(48, max((len(plain(row[c][0].content)) for row in rows if c < len(row)), default=1)) + 6 for c in range(columns)
    ]
    return [100.0 * length / sum(longest) for length in longest]
