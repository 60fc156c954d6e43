"""Colours for code, a slice of time at a time, so that a long listing never holds the window up."""

from collections.abc import Iterator
from time import perf_counter

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextDocument, QTextLayout

from desktop_app.gui.positions import Positions
from desktop_app.gui.theme import Tone

SLICE = 0.008
"""Seconds of the GUI thread that one slice may take."""


def lexer_of(language: str) -> Lexer | None:
    """Pygments' lexer by the name behind the fence; None for none or an unknown one."""
    if not language:
        return None
    try:
        return get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def colour_of(kind: _TokenType, tone: Tone) -> str | None:
    """The colour of one kind of token; None: the text's own."""
    if kind in Comment:
        return tone.code_comment
    if kind in String:
        return tone.code_string
    if kind in Number:
        return tone.code_number
    if kind in Keyword.Type or kind in Name.Class or kind in Name.Builtin or kind in Name.Exception or kind in Name.Tag:
        return tone.code_type
    if kind in Keyword or kind in Operator.Word:
        return tone.code_keyword
    if kind in Name.Function or kind in Name.Decorator or kind in Name.Attribute or kind in Name.Namespace:
        return tone.code_name
    return None


class Highlighter(QObject):
    """Colours the code of one document in slices; the text itself is not touched."""

    def __init__(self, document: QTextDocument, language: str, tone: Tone) -> None:
        super().__init__(document)
        self._document = document
        self._tone = tone
        self._positions = Positions("")
        self._tokens: Iterator[tuple[int, _TokenType, str]] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._slice)
        lexer = lexer_of(language)
        if lexer is not None:
            text = document.toPlainText()
            self._positions = Positions(text)
            self._tokens = iter(lexer.get_tokens_unprocessed(text))
            self._timer.start()

    @property
    def running(self) -> bool:
        """Whether code is left to be coloured."""
        return self._timer.isActive()

    def _slice(self) -> None:
        until = perf_counter() + SLICE
        spans: dict[int, list[QTextLayout.FormatRange]] = {}
        while perf_counter() < until:
            token = next(self._tokens, None)
            if token is None:
                self._timer.stop()
                break
            self._add(spans, token)
        for number, ranges in spans.items():
            block = self._document.findBlockByNumber(number)
            block.layout().setFormats(block.layout().formats() + ranges)
            self._document.markContentsDirty(block.position(), block.length())

    def _add(self, spans: dict[int, list[QTextLayout.FormatRange]], token: tuple[int, _TokenType, str]) -> None:
        start, kind, text = token
        colour = colour_of(kind, self._tone)
        if colour is None:
            return
        format_ = QTextCharFormat()
        format_.setForeground(QColor(colour))
        format_.setFontItalic(kind in Comment)
        start = self._positions[start]
        block = self._document.findBlock(start)
        # A token over several lines (a doc string) is coloured line by line, since formats belong to one block.
        for line in text.split("\n"):
            length = len(line.encode("utf-16-le")) // 2
            if line and block.isValid():
                span = QTextLayout.FormatRange()
                span.start = start - block.position()
                span.length = length
                span.format = format_
                spans.setdefault(block.blockNumber(), []).append(span)
            start += length + 1
            block = block.next()
