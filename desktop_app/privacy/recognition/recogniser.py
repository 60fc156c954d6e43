"""Finds what identifies a person in a text: the person's lists, rules for numbers and addresses, and models for names.

A text is read in pieces, so that a long document can be stopped and its progress shown. All recognisers see the normalised
`Reading` of a piece, the models line by line. What was found as a name once is then looked for in the whole text: a name that
stands out in one place may be told from common words by nothing in another.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from desktop_app.privacy.errors import RecogniserFailed
from desktop_app.privacy.language.hangul import LONG_SURNAMES, SURNAMES, TITLES
from desktop_app.privacy.language.public_names import is_public
from desktop_app.privacy.language.reading import Reading
from desktop_app.privacy.recognition import (
    addresses,
    contacts,
    dates,
    korean_addresses,
    korean_companies,
    numbers,
    other_scripts,
    records,
    secrets,
)
from desktop_app.privacy.recognition.hidden_numbers import without_known
from desktop_app.privacy.recognition.lines import lines_of
from desktop_app.privacy.recognition.names import Found, NameRecogniser
from desktop_app.privacy.recognition.overlaps import merge
from desktop_app.privacy.recognition.pieces import PIECE, names_of, pieces
from desktop_app.privacy.recognition.word_lists import WordLists
from desktop_app.privacy.spans import Kind, Source, Span

# In the order of their claim where two find the same: check digits and words that tell, before shapes.
RULES: tuple[Callable[[str], Iterable[Found]], ...] = (
    numbers.find,
    records.find_told,
    dates.find,
    contacts.find,
    addresses.find,
    korean_addresses.find,
    korean_companies.find,
    secrets.find,
    other_scripts.find,
    records.find_formed,
)


class Recogniser:
    """All recognisers together. Loading the models takes seconds and happens at the first text that needs them."""

    def __init__(self, lists: WordLists | None = None, names: Sequence[NameRecogniser] | None = None) -> None:
        """`names` None: English and Korean."""
        self.lists = lists if lists is not None else WordLists()
        self._names = names

    def find(self, text: str) -> list[Span]:
        """Return all protected spans of `text`, sorted and apart from each other. Raises `RecogniserFailed`."""
        return self.find_all([text])[0]

    def find_all(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the spans of each text, as `find` does; quicker for many short ones. Raises `RecogniserFailed`."""
        cuts = [(index, start, end) for index, text in enumerate(texts) for start, end in pieces(text)]
        spans: list[list[Span]] = [[] for _ in texts]
        for batch in _batches(cuts):
            found = self.find_in_pieces([texts[index][start:end] for index, start, end in batch])
            for (index, start, _), found_here in zip(batch, found, strict=True):
                spans[index] += moved(found_here, start)
        names = [names_of(text, found) for text, found in zip(texts, spans, strict=True)]
        for index, start, end in cuts:
            spans[index] += moved(self.find_again(texts[index][start:end], names[index]), start)
        return [merge(text, found) for text, found in zip(texts, spans, strict=True)]

    def find_in_pieces(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the spans of each text, a piece of one or a whole short one. Raises `RecogniserFailed`."""
        readings = [Reading(text) for text in texts]
        try:
            named = self._named(readings)
            return [self._merged(reading, names) for reading, names in zip(readings, named, strict=True)]
        except (MemoryError, RecursionError) as error:
            raise RecogniserFailed("Looking for names needs more memory than there is. Try a part of the text.") from error

    def find_again(self, piece: str, names: Mapping[str, Kind]) -> list[Span]:
        """Return where `names` that were found elsewhere stand in this piece; they may overlap."""
        names = {name: kind for name, kind in names.items() if not _is_titled(name)}
        if not names:
            return []
        reading = Reading(piece)
        again = _spans(reading, WordLists(names).find(reading.text), Source.NAME)
        return self._without_never(reading, again)

    def _merged(self, reading: Reading, names: Iterable[Found]) -> list[Span]:
        spans = [
            *_spans(reading, self.lists.find(reading.text), Source.LIST),
            *_spans(reading, without_known(reading.text, (it for rule in RULES for it in rule(reading.text))), Source.RULE),
            *_spans(reading, _private(reading.text, names), Source.NAME),
        ]
        merged = merge(reading.source, self._without_never(reading, spans))
        # What a rule leaves of a name may be everybody's: of “IBAN GB82 WEST”, IBAN.
        whole = set(spans)
        return [
            span
            for span in merged
            if span.source is not Source.NAME or span in whole or not is_public(reading.source[span.start : span.end])
        ]

    def _without_never(self, reading: Reading, spans: list[Span]) -> list[Span]:
        """`spans` without those of which every letter stands in a value that is never replaced."""
        never = bytearray(len(reading.source))
        for span in _spans(reading, self.lists.find_never(reading.text), Source.LIST):
            never[span.start : span.end] = b"\x01" * (span.end - span.start)
        source = reading.source
        return [
            span for span in spans if any(source[place].isalnum() and not never[place] for place in range(span.start, span.end))
        ]

    def _named(self, readings: Sequence[Reading]) -> list[list[Found]]:
        named: list[list[Found]] = [[] for _ in readings]
        lines = [(index, line) for index, reading in enumerate(readings) for line in lines_of(reading.text)]
        for recogniser in self._recognisers():
            read = [(index, line) for index, line in lines if recogniser.reads(line.text)]
            for (index, line), found in zip(read, recogniser.find([line.text for _, line in read]), strict=True):
                named[index] += line.placed(found)
        return named

    def _recognisers(self) -> Sequence[NameRecogniser]:
        if self._names is None:
            from desktop_app.privacy.recognition.english_names import EnglishNames
            from desktop_app.privacy.recognition.korean_names import KoreanNames

            self._names = (EnglishNames(), KoreanNames())
        return self._names


def moved(spans: Iterable[Span], offset: int) -> Iterator[Span]:
    """The spans of a piece as those of the text in which it begins at `offset`."""
    return (Span(span.start + offset, span.end + offset, span.kind, span.source) for span in spans)


def _spans(reading: Reading, found: Iterable[Found], source: Source) -> list[Span]:
    return [Span(*reading.original(start, end), kind, source) for start, end, kind in found if end > start]


def _is_titled(name: str) -> bool:
    """Whether a name in Hangul is a family name with its title, 박 씨: neither is a word that could be looked for by itself."""
    first, _, title = name.partition(" ")
    return title in TITLES and first in SURNAMES | LONG_SURNAMES


def _private(text: str, names: Iterable[Found]) -> Iterator[Found]:
    """`names` without those that are everybody's; beside a name that is not, one is a part of that: 미국 법무부, Toyota Japan."""
    found = sorted(names)
    public = [is_public(text[it.start : it.end], text[max(0, it.start - 20) : it.start]) for it in found]
    for place, it in enumerate(found):
        beside = [other for other in (place - 1, place + 1) if 0 <= other < len(found) and not public[other]]
        gaps = (text[min(it.end, found[other].end) : max(it.start, found[other].start)] for other in beside)
        if not public[place] or any(gap in ("", " ") for gap in gaps):
            yield it


def _batches(cuts: Sequence[tuple[int, int, int]]) -> Iterator[list[tuple[int, int, int]]]:
    """Short texts together, up to the length of a piece."""
    batch: list[tuple[int, int, int]] = []
    length = 0
    for cut in cuts:
        length += cut[2] - cut[1]
        if batch and length > PIECE:
            yield batch
            batch, length = [], cut[2] - cut[1]
        batch.append(cut)
    if batch:
        yield batch
