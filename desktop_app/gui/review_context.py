"""What stands around a value of the review sheet, as it is written and as it leaves, from the places that the engine marked.

What is shown as leaving is cut out of the text with everything replaced, and only between words: where a name were cut in two,
the half of it that is shown would be the real one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_app.chat.events import Mark, Turn
from desktop_app.chat.stored import Review
from desktop_app.gui.review_rows import Row

AROUND = 70
"""Characters of context that are shown on each side of a value, at most."""

ENDS = frozenset("，。、；：！？")
"""Letters after which a text without spaces can be cut."""


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
        text, (start, end, _) = place.text, span
        window = max(0, start - AROUND), min(len(text), end + AROUND)
        spans = self._replaced(place, rows, window)
        # What is replaced as a part of something longer leaves as that does.
        start, end, sent = next((it for it in spans if it[0] < end and it[1] > start), (start, end, text[start:end]))
        first = next((it for it in range(window[0], start) if _parts(text, it, spans)), start)
        last = next((it for it in range(window[1], end, -1) if _parts(text, it, spans)), end)
        before, behind = ("… " if first else ""), (" …" if last < len(text) else "")
        return Excerpt(
            place.name,
            (before + text[first:start], text[start:end], text[end:last] + behind),
            (before + _as_sent(text, first, start, spans), sent, _as_sent(text, end, last, spans) + behind),
        )

    def _replaced(self, place: _Place, rows: Sequence[Row], window: tuple[int, int]) -> list[_Span]:
        """All that is replaced in a part of a text, or reaches into it. Of two that overlap the first and longest leaves."""
        first, last = window
        unticked = {(row.found.value, row.found.kind) for row in rows if not row.replaced}
        changed = {(row.found.value, row.found.kind): row.stand_in for row in rows if row.is_changed}
        spans = []
        for mark in place.marks:
            key = place.text[mark.start : mark.end], mark.kind
            if mark.end > first and mark.start < last and key not in unticked:
                spans.append((mark.start, mark.end, changed.get(key, mark.stand_in)))
        for row in rows:
            value = row.found.value
            if row.replaced and (value, row.found.kind) not in self._marked:
                spans += self._spans(place, row, (max(0, first - len(value)), min(len(place.text), last + len(value))))
        kept: list[_Span] = []
        for span in sorted(spans, key=lambda it: (it[0], -it[1])):
            if not kept or span[0] >= kept[-1][1]:
                kept.append(span)
        return kept

    def _spans(self, place: _Place, row: Row, window: tuple[int, int]) -> Iterator[_Span]:
        """Where a value stands: as the engine marked it; one that it left alone, by the person's word, as whole words."""
        first, last = window
        value, kind = row.found.value, row.found.kind
        if (value, kind) in self._marked:
            for mark in place.marks:
                if mark.kind == kind and place.text[mark.start : mark.end] == value:
                    yield mark.start, mark.end, row.stand_in if row.is_changed else mark.stand_in
        elif value in place.text[first:last]:
            for match in _whole(value).finditer(place.text, first, last):
                yield match.start(), match.end(), row.stand_in


def _parts(text: str, place: int, spans: Sequence[_Span]) -> bool:
    """Whether a text can be cut here: at an end of it or between words, and within nothing that is replaced."""
    between = place in (0, len(text)) or text[place - 1].isspace() or text[place].isspace() or text[place - 1] in ENDS
    return between and not any(start < place < end for start, end, _ in spans)


def _whole(value: str) -> re.Pattern[str]:
    start, end = (r"(?<!\w)" if value[:1].isalnum() else ""), (r"(?!\w)" if value[-1:].isalnum() else "")
    # In Hangul a particle may follow.
    return re.compile(start + re.escape(value) + ("" if "가" <= value[-1:] <= "힣" else end))


def _as_sent(text: str, first: int, last: int, spans: Sequence[_Span]) -> str:
    written, done = [], first
    for start, end, sent in spans:
        if start >= done and end <= last:
            written += [text[done:start], sent or "…"]
            done = end
    return "".join([*written, text[done:last]])
