"""Marks carried through markdown: each marked word stands between two characters that no text may hold, with its mark's number.

The parser moves text about (emphasis, tables, entities) and does not say where it came from, so that offsets into the source
are lost in it. Characters inside the text are not. They are Unicode noncharacters, which are letters to markdown; what is between
them is taken literally, as what a person wrote should be ("a*b*c" in a restored password is no emphasis). No Qt.

A mark is cut into words: a block of markdown may be cut at any space (see `markdown_stream`), and a piece of a mark must never be
left without its end.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

from desktop_app.chat.events import Mark

OPEN, CLOSE = "\ufdd0", "\ufdd1"
_DIGITS = "".join(chr(0xFDD2 + digit) for digit in range(16))
_RESERVED = re.compile("[\ufdd0-\ufde1]")
_BOUNDARY = re.compile(f"{OPEN}([{_DIGITS}]+)|{OPEN}|{CLOSE}")
_WORD = re.compile(r"\S+[^\S\n]*|[^\S\n]+|\n")

Piece = tuple[int, int, int]
"""[start, end) in the plain text, and the number of the mark."""


def marked_source(text: str, marks: Sequence[Mark], start: int = 0, end: int | None = None) -> str:
    """The characters [start, end) of a text with its marks (in order, none within another) written into them."""
    end = len(text) if end is None else min(end, len(text))
    parts: list[str] = []
    number = bisect_right(marks, start, key=lambda mark: mark.end)
    while number < len(marks) and marks[number].start < end:
        mark = marks[number]
        first = max(start, mark.start)
        parts.append(_clean(text[start:first]))
        start = max(first, min(mark.end, end))
        parts += [_enclosed(word, number) for word in _WORD.findall(_clean(text[first:start]))]
        number += 1
    parts.append(_clean(text[start:end]))
    return "".join(parts)


def plain(source: str) -> str:
    """Source, or a part of it, without what was written into it."""
    return _BOUNDARY.sub("", source) if OPEN in source or CLOSE in source else source


def unmarked(source: str) -> tuple[str, list[Piece]]:
    """Source, or a part of it, taken apart: the plain text, and where in it marks lie."""
    if OPEN not in source and CLOSE not in source:
        return source, []
    text, length, position = [], 0, 0
    pieces: list[Piece] = []
    number = -1
    for boundary in [*_BOUNDARY.finditer(source), None]:
        part = source[position : boundary.start() if boundary is not None else len(source)]
        if part and number >= 0:
            if pieces and pieces[-1][1:] == (length, number):
                pieces[-1] = (pieces[-1][0], length + len(part), number)
            else:
                pieces.append((length, length + len(part), number))
        text.append(part)
        length += len(part)
        if boundary is not None:
            position = boundary.end()
            number = _number(boundary.group(1)) if boundary.group(1) else -1
    return "".join(text), pieces


def _enclosed(word: str, number: int) -> str:
    return word if word == "\n" else OPEN + "".join(_DIGITS[int(digit, 16)] for digit in f"{number:x}") + word + CLOSE


def _number(digits: str) -> int:
    return int("".join(f"{_DIGITS.index(digit):x}" for digit in digits), 16)


def _clean(text: str) -> str:
    return text if text.isascii() else _RESERVED.sub("\ufffd", text)
