"""Makes one list of what several recognisers found: sorted, without overlaps, and with every letter that any of them found.

Spans are placed in order of their claim: what the person said before what a rule says, that before what a model for names says;
the longer before the shorter; the one given first before its like. Of a span that is partly taken, the rest keeps its kind: of
“Anna Meyer Clinic”, with “Anna Meyer” on a list, “Clinic” stays an organisation. Only what is one thing, an e-mail address or a
number, is never cut: it takes the place of what stands within it, or partly.

A model may take the same word for a person in one line and for a town in the next: it is a person in all of the text. And a
particle for a syllable of a name: 지훈이 where there is 지훈.
"""

import re
from collections.abc import Iterable, Iterator

from desktop_app.privacy.language.hangul import without_call
from desktop_app.privacy.spans import Kind, Source, Span

_CLAIM = {source: claim for claim, source in enumerate(Source)}
_WORD = re.compile(r"[^\W\d_]+(?:['’-](?!s\b)[^\W\d_]+)*")
UNCUT = frozenset(Kind) - {Kind.PERSON, Kind.ORGANISATION, Kind.PLACE, Kind.OTHER}


def merge(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return spans of `text`, sorted and apart from each other, that cover every letter and digit of those given."""
    placed: list[Span] = []
    taken = bytearray(len(text))
    for span in sorted(dict.fromkeys(spans), key=_claim):
        for start, end in _free(text, span, taken):
            placed.append(Span(start, end, span.kind, span.source))
            taken[start:end] = b"\x01" * (end - start)
    return _agreed(text, sorted(placed, key=lambda span: span.start))


def _agreed(text: str, spans: list[Span]) -> list[Span]:
    """`spans` as what a model found in other places of the text tells them to be."""
    words: set[str] = set()  # that are a person, and the first and last ones of a person's name
    doubtful = False
    for span in spans:
        if span.kind is Kind.PERSON:
            name = _words(text, span)
            words.update((name[0], name[-1], " ".join(name)) if name else ())
            doubtful = doubtful or "가" <= text[span.start] <= "힣"
        else:
            doubtful = doubtful or _may_be_person(span)
    return [_told(text, span, words) for span in spans] if words and doubtful else spans


def _told(text: str, span: Span, words: set[str]) -> Span:
    if _may_be_person(span) and " ".join(_words(text, span)) in words:
        span = Span(span.start, span.end, Kind.PERSON, span.source)
    if span.kind is Kind.PERSON and span.source is Source.NAME and "가" <= text[span.start] <= "힣":
        name = without_call(text[span.start : span.end], words)
        span = Span(span.start, span.start + len(name), span.kind, span.source)
    return span


def _words(text: str, span: Span) -> list[str]:
    return _WORD.findall(text[span.start : span.end].casefold())


def _may_be_person(span: Span) -> bool:
    return span.source is Source.NAME and span.kind not in UNCUT and span.kind is not Kind.PERSON


def _claim(span: Span) -> tuple[bool, int, int]:
    # What cannot be cut comes first among all, the longest before any part of it.
    source = 0 if span.source is Source.MARK else _CLAIM[span.source]
    return (span.kind not in UNCUT, source, span.start - span.end)


def _free(text: str, span: Span, taken: bytearray) -> Iterator[tuple[int, int]]:
    """The parts of a span that are not taken and have a letter or digit, without what surrounds them."""
    start = span.start
    while start < span.end:
        start = taken.find(0, start, span.end)
        if start < 0:
            return
        end = taken.find(1, start, span.end)
        end = span.end if end < 0 else end
        bounds = (start, end) if (start, end) == (span.start, span.end) else trimmed(text, start, end)
        if bounds is not None:
            yield bounds
        start = end


def trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """[start, end) without blanks and punctuation at its ends; None where there is nothing else."""
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not _ends(text[end - 1]):
        end -= 1
    return (start, end) if start < end else None


def _ends(letter: str) -> bool:
    return letter.isalnum() or not (letter.isspace() or letter in ".,;:!?'\"()[]{}<>-–—/\\|·…“”‘’*_~")
