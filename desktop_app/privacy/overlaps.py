"""Makes one list of what several recognisers found: sorted, without overlaps, and with every letter that any of them found.

Spans are placed in order of their claim: what the person said before what a rule says, that before what a model for names says;
the longer before the shorter; the one given first before its like. Of a span that is partly taken, the rest keeps its kind: of
“Anna Meyer Clinic”, with “Anna Meyer” on a list, “Clinic” stays an organisation. Only what is one thing, an e-mail address or a
number, is never cut: it takes the place of what stands within it, or partly.
"""

from collections.abc import Iterable, Iterator

from desktop_app.privacy.spans import Kind, Source, Span

_CLAIM = {source: claim for claim, source in enumerate(Source)}
UNCUT = frozenset(Kind) - {Kind.PERSON, Kind.ORGANISATION, Kind.PLACE, Kind.OTHER}


def merge(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return spans of `text`, sorted and apart from each other, that cover every letter and digit of those given."""
    placed: list[Span] = []
    taken = bytearray(len(text))
    for span in sorted(dict.fromkeys(spans), key=_claim):
        for start, end in _free(text, span, taken):
            placed.append(Span(start, end, span.kind, span.source))
            taken[start:end] = b"\x01" * (end - start)
    return sorted(placed, key=lambda span: span.start)


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
