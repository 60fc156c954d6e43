"""Places of a text that are replaced as a whole: put together from what recognisers, the person and the lexicons found."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from desktop_app.privacy.language.tokens import GAP, TOKEN
from desktop_app.privacy.matching.apart import CUT, stems
from desktop_app.privacy.spans import Kind, Source, Span

_CERTAIN = list(Source)
_KNOWN = (Source.LIST, Source.SEEN)  # only what is known is found over the end of a cell or a paragraph
_BETWEEN_NAMES = re.compile(r"(?:[ \u00a0\n_-]|(?<=\b\w)\.[ \u00a0]?|\.(?=[a-z]))?$")


def within(text: str, spans: Iterable[Span]) -> list[Span]:
    """Those parts of spans that lie in the text."""
    cut = (Span(max(0, span.start), min(len(text), span.end), span.kind, span.source) for span in spans)
    return [span for span in cut if span.start < span.end]


def whole_words(text: str, span: Span) -> Iterator[Span]:
    """A span with all of the words that it begins and ends in, cut where it runs over blank lines or long gaps.

    A word in Hangul is not completed: what follows a name in it are particles; nor what is bound to a Hebrew or Arabic one.
    """
    start, end = span.start, span.end
    for match in TOKEN.finditer(text, _line_start(text, start)):
        if match.start() >= span.end:
            break
        if not "가" <= match[0][0] <= "힣":
            if match.start() < start < match.end() and start - match.start() not in stems(match[0]):
                start = match.start()
            if match.start() < end < match.end():
                end = match.end()
    # Blanks around them stay outside: a line's end that is copied beside one that is written anew could read as one.
    start, end = end - len(text[start:end].lstrip()), start + len(text[start:end].rstrip())
    if start >= end:
        return
    done = start
    words = [match.span() for match in TOKEN.finditer(text, start, end)]
    for (_, left), (right, _) in pairwise(words):
        gap = GAP.match(text, left)
        if (gap is None or gap.end() < right) and not (span.source in _KNOWN and CUT.fullmatch(text, left, right)):
            yield Span(done, left, span.kind, span.source)
            done = right
    yield Span(done, end, span.kind, span.source)


def _line_start(text: str, place: int) -> int:
    """A place before which no word goes on to `place`."""
    while place > 0 and (text[place - 1].isalnum() or TOKEN.match(text[place - 1])):
        place -= 1
    return place


def united(spans: Iterable[Span]) -> Iterator[Span]:
    """Spans in order, those that overlap as one: of the kind of the longest, from the most certain source."""
    group: list[Span] = []
    end = -1
    for span in sorted(spans, key=lambda span: span.start):
        if group and span.start >= end:
            yield _one(group, end)
            group, end = [], -1
        group.append(span)
        end = max(end, span.end)
    if group:
        yield _one(group, end)


def _one(group: list[Span], end: int) -> Span:
    if len(group) == 1:
        return group[0]
    longest = max(group, key=lambda span: span.end - span.start)
    return Span(group[0].start, end, longest.kind, min((span.source for span in group), key=_CERTAIN.index))


def joined_names(text: str, spans: list[Span]) -> list[Span]:
    """The words of one person's name as one span."""
    joined: list[Span] = []
    for span in spans:
        before = joined[-1] if joined else None
        if before is not None and before.kind is span.kind is Kind.PERSON and _BETWEEN_NAMES.match(text, before.end, span.start):
            joined[-1] = Span(before.start, span.end, span.kind, span.source)
        else:
            joined.append(span)
    return joined


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans share a character."""
    return one.start < other.end and other.start < one.end


def chunk(text: str, span: Span) -> Span:
    """A span with all that stands around it up to a blank, or, where that is nothing, up to the next one."""
    start, end = _blank_before(text, span.start), _blank_after(text, span.end)
    if (start, end) == (span.start, span.end):
        start, end = _blank_before(text, max(0, start - 1)), _blank_after(text, min(len(text), end + 1))
    parts = whole_words(text, Span(start, end, span.kind, span.source))
    return next((part for part in parts if part.start <= span.start < part.end), span)


def _blank_before(text: str, place: int) -> int:
    while place > 0 and not _parts(text, place - 1):
        place -= 1
    return place


def _blank_after(text: str, place: int) -> int:
    while place < len(text) and not _parts(text, place):
        place += 1
    return place


def _parts(text: str, place: int) -> bool:
    """Whether a blank stands there; a line that ends with a hyphen may end within a word."""
    return text[place].isspace() and not (text[place] == "\n" and text[place - 1 : place] == "-")
