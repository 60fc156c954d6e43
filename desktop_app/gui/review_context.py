"""What stands around a value of the review sheet, as it is written and as it leaves, from the places that the engine marked."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from desktop_app.chat.events import Mark, Turn
from desktop_app.chat.stored import Review
from desktop_app.gui.review_rows import Row

AROUND = 70
"""Characters of context that are shown on each side of a value."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A value in its place (a document's name; "" is the question): before, itself and behind, as written and as it leaves."""

    place: str
    written: tuple[str, str, str]
    sent: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    text: str
    marks: Sequence[Mark]


_Span = tuple[int, int, str]
"""Start, end, and what leaves instead."""


class ReviewContext:
    """Looks values up in a question and its documents."""

    def __init__(self, review: Review, question: Turn) -> None:
        marks = [*review.document_marks, *([] for _ in question.documents)]
        self._places = [_Place("", question.text, review.marks)]
        self._places += [_Place(one.name, one.text, found) for one, found in zip(question.documents, marks, strict=False)]
        self._marked = {(place.text[mark.start : mark.end], mark.kind) for place in self._places for mark in place.marks}

    def around(self, row: Row, rows: Sequence[Row]) -> Excerpt | None:
        """The first place of a value, with all `rows` as they would leave; None where it does not stand anywhere."""
        for place in self._places:
            span = next(self._spans(place, row, (0, len(place.text))), None)
            if span is not None:
                return self._excerpt(place, span, rows)
        return None

    def _excerpt(self, place: _Place, span: _Span, rows: Sequence[Row]) -> Excerpt:
        text, (start, end, sent) = place.text, span
        first, last = max(0, start - AROUND), min(len(text), end + AROUND)
        before, behind = ("… " if first else ""), (" …" if last < len(text) else "")
        near = [row for row in rows if row.replaced and row.found.value in text[first:last]]
        # Of two that overlap the first and longest leaves.
        spans = sorted((span for row in near for span in self._spans(place, row, (first, last))), key=lambda it: (it[0], -it[1]))
        return Excerpt(
            place.name,
            (before + text[first:start], text[start:end], text[end:last] + behind),
            (before + _as_sent(text, first, start, spans), sent, _as_sent(text, end, last, spans) + behind),
        )

    def _spans(self, place: _Place, row: Row, window: tuple[int, int]) -> Iterator[_Span]:
        """Where a value stands: as the engine marked it; one that it left alone, by the person's word, as whole words."""
        first, last = window
        value, kind = row.found.value, row.found.kind
        if (value, kind) in self._marked:
            for mark in place.marks:
                if first <= mark.start and mark.end <= last and mark.kind == kind and place.text[mark.start : mark.end] == value:
                    yield mark.start, mark.end, row.stand_in if row.is_changed else mark.stand_in
        else:
            for match in _whole(value).finditer(place.text, first, last + 1):
                if match.end() <= last:
                    yield match.start(), match.end(), row.stand_in


def _whole(value: str) -> re.Pattern[str]:
    start, end = (r"(?<!\w)" if value[:1].isalnum() else ""), (r"(?!\w)" if value[-1:].isalnum() else "")
    # In Hangul a particle may follow.
    return re.compile(start + re.escape(value) + ("" if "가" <= value[-1:] <= "힣" else end))


def _as_sent(text: str, first: int, last: int, spans: Iterable[_Span]) -> str:
    written, done = [], first
    for start, end, sent in spans:
        if start >= done and end <= last:
            written += [text[done:start], sent or "…"]
            done = end
    return "".join([*written, text[done:last]])
