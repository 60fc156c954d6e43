"""The stand-ins of one conversation: gives them out, finds what has one, and brings the real values back.

How it works. What a recogniser or the person marked becomes an entry: a value and its stand-in, word by word where it has words
that are used alone (a person's names, the core of a company's). Two lexicons grow with the entries, one for real values, one for
stand-ins; protecting a text is a scan with the first, restoring one with the second. Marked places are replaced however they are
written, all other mentions where they can be told.

A protected text is restored at once, to see that it is the text again. Where it is not, because a stand-in stands in the text by
itself, or because what is around a value changes its reading, that place is replaced as well, if need be by a code name.
Restoring is exact up to how a value is spelt: accents in one or two characters, invisible marks, a hyphen at a line's end,
capitals in the middle of words.

Stand-ins are kept from real text by the words of all texts that went through `protect` and `protect_reply` here; after a restart
these know nothing until the texts of the branch went through again, in their order, as they do with every question.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from desktop_app.privacy import regions as places
from desktop_app.privacy.drafts import Draft, Misread, Rendered, drafted, misread, spelt
from desktop_app.privacy.errors import NoStandIn
from desktop_app.privacy.language.reading import Reading
from desktop_app.privacy.language.tokens import compact, core, key_of
from desktop_app.privacy.matching.apart import closed, is_apart
from desktop_app.privacy.matching.entries import Entry, Pair, Piece, Protected, Replaced, Role
from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.matching.lookup import Hit
from desktop_app.privacy.matching.scanning import Scan
from desktop_app.privacy.recognition.overlaps import merge
from desktop_app.privacy.recognition.word_lists import WordLists
from desktop_app.privacy.restoring import Restorer
from desktop_app.privacy.spans import Kind, Source, Span
from desktop_app.privacy.stand_ins.person_names import taken_apart
from desktop_app.privacy.stand_ins.stand_ins import StandIns

__all__ = ["Entry", "Naming", "Pair", "Piece", "Protected", "Replaced", "Restorer", "Role"]

ROUNDS = 5
BEFORE = 24  # characters before a name, in which a title may stand
_IN_WORDS = frozenset({Kind.PERSON, Kind.ORGANISATION, Kind.PLACE, Kind.OTHER})
_IN_PARTS = _IN_WORDS | frozenset({Kind.ADDRESS, Kind.DATE, Kind.SITE, Kind.HOST})


class Naming:
    """The stand-ins of one conversation and its branches. Not for two threads at once, but a restorer may be in another."""

    def __init__(self, entries: Iterable[Entry] = (), draw: Callable[[int], int] = secrets.randbelow) -> None:
        """`entries` are those of an earlier `Naming`, or the first of them; `draw(n)` is a whole number from 0 to n - 1."""
        self.entries: list[Entry] = []
        self._forward = Lexicon(backward=False)
        self._backward = Lexicon(backward=True)
        self._made = StandIns(draw, self._forward)
        self._values: set[tuple[tuple[str, ...], Kind]] = set()
        self._never: dict[str, str] = {}
        self._never_found = Lexicon(backward=False)
        self._lists, self._in_lists = WordLists(), 0  # the values of so many entries
        for entry in entries:
            self._forward.add(entry)
            self._keep(entry)

    def known(self, text: str) -> list[Span]:
        """Where values that have a stand-in stand in this real text, and stand-ins in use, in order and apart from each other."""
        found = [*self._found(text, self._forward), *self._found(text, self._backward)]
        return [Span(it.start, it.end, it.kind, Source.SEEN) for it in places.united(self._allowed(text, found))]

    def meet(self, found: Mapping[str, Sequence[Span]]) -> None:
        """Learn the persons of all these texts before any is protected: one may take for a town who is a person in another."""
        for text in found:
            self._made.choice.seen.add(text)
        for text, spans in found.items():
            self._learn(text, [span for span in self._regions(text, spans) if span.kind is Kind.PERSON])

    def protect(self, text: str, spans: Sequence[Span]) -> Protected:
        """Replace what is marked and what is known; a value that has no stand-in yet gets one.

        Spans may overlap. Of one that begins or ends in the middle of a word, all of the word is replaced. Raises `NoStandIn`.
        """
        self._made.choice.seen.add(text)
        regions = self._regions(text, spans)
        self._learn(text, regions)
        found = self._allowed(text, self._found(text, self._forward))
        regions = list(places.united([*regions, *found]))
        known = {(span.start, span.end) for span in found if span.source is Source.SEEN}
        coded = {entry.value for entry in self.entries if all(pair.role is Role.EXACT for pair in entry.pairs)}
        for _ in range(ROUNDS):
            self._learn(text, [span for span in regions if (span.start, span.end) not in known])
            draft = self._draft(text, regions)
            wrong = [*misread(draft, text, self._backward), *_unreplaced(draft, text)]
            if not wrong:
                break
            regions = list(places.united([*regions, *(self._mended(text, it, coded) for it in wrong)]))
        else:
            if any(_unreplaced(draft, text)):
                raise NoStandIn("A marked word could not be replaced. Write it in another way, or say that it is never replaced.")
        self._remember_dates(text, draft)
        return draft.protected

    def protect_reply(self, sent: str) -> str:
        """Replace real values in a text that holds stand-ins already, one that the model wrote; its stand-ins stay."""
        self._made.choice.seen.add(sent)
        own = self._found(sent, self._backward)
        found = self._found(sent, self._forward)
        found += self._written_otherwise(sent, found)
        real = [span for span in found if not any(places.overlap(span, other) for other in own)]
        regions = self._regions(sent, real)
        self._learn(sent, regions)
        return self._draft(sent, regions).protected.text

    def decide(self, value: str, kind: Kind, replaced: bool, stand_in: str = "") -> None:
        """The person's word: replace this wherever it stands, by `stand_in` if one is given and nobody else's, or never."""
        value = spelt(value).strip()
        letters = compact(value)
        if not letters:
            return
        if replaced:
            self._never.pop(letters, None)
        else:
            self._never[letters] = value
        self._never_found = Lexicon(backward=False)
        for never in self._never.values():
            self._never_found.add(Entry(never, Kind.OTHER, never, (Pair(never, never, Role.WORD),)))
        if replaced and stand_in and self._may_choose(letters, compact(stand_in)):
            self._add(value, kind, self._made.chosen(value, kind, spelt(stand_in).strip()))
        elif replaced:
            self._learn(value, [Span(0, len(value), kind, Source.MARK)])

    def reveal(self, sent_text: str) -> list[Piece]:
        """Restore a whole text."""
        restorer = self.restorer()
        return restorer.feed(sent_text) + restorer.finish()

    def restorer(self) -> Restorer:
        """A restorer for one reply."""
        return Restorer(self._backward)

    # entries

    def _keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._backward.add(entry)
        self._made.take(entry)
        self._values.add((_key(entry.value, entry.kind), entry.kind))

    def _add(self, value: str, kind: Kind, pairs: Sequence[Pair]) -> None:
        if pairs:
            days = self._made.days if kind is Kind.DATE else 0
            entry = Entry(value, kind, "", tuple(pairs), days)
            self._forward.add(entry)
            self._keep(Entry(value, kind, self._rendered(value).text, entry.pairs, days))

    def _learn(self, text: str, regions: Sequence[Span]) -> None:
        looked_at: set[tuple[str, Kind]] = set()
        # Persons first, so that an e-mail address with a person's name in it becomes one with the stand-in's.
        for span in sorted(regions, key=lambda span: span.kind is not Kind.PERSON):
            literal = text[span.start : span.end]
            if (literal, span.kind) in looked_at:
                continue
            looked_at.add((literal, span.kind))
            literal = spelt(literal)
            value = closed(literal, span.kind is Kind.PERSON) if span.kind in _IN_WORDS else literal
            key = (_key(value, span.kind), span.kind)
            if key in self._values or not compact(value):
                continue
            self._values.add(key)
            if span.kind not in _IN_PARTS and self._is_replaced(value, span.kind):
                continue  # another form of a number that has a stand-in
            if span.kind in _IN_WORDS and self._is_one(value) and is_apart(value):
                continue  # a word that has a stand-in, with a line's end in it
            self._add(value, span.kind, self._made.pairs(value, span.kind, text[max(0, span.start - BEFORE) : span.start]))
            if not self._is_replaced(value, span.kind):
                self._add(value, span.kind, self._made.code_name(value))

    def _is_replaced(self, value: str, kind: Kind) -> bool:
        """Whether a value becomes another; all of a number, and every word of a name, must be replaced."""
        rendered, (start, end) = self._rendered(value), core(value)
        if kind not in _IN_PARTS and (not rendered.hits or rendered.hits[0].start > start or rendered.hits[-1].end < end):
            return False
        if kind is Kind.PERSON:
            return all(any(hit.start <= part.start < hit.end for hit in rendered.hits) for part in taken_apart(value).parts)
        return compact(rendered.text) != compact(value)

    def _is_one(self, value: str) -> bool:
        """Whether all of a value is one word or phrase that has a stand-in."""
        hits, (start, end) = self._rendered(value).hits, core(value)
        return any(hit.start <= start and end <= hit.end for hit in hits)

    def _rendered(self, literal: str) -> Rendered:
        value = spelt(literal)
        scan = Scan(self._forward, value, forced=True)
        scan.run()
        written, done = [], 0
        for hit in scan.hits:
            written += [value[done : hit.start], hit.text]
            done = hit.end
        return Rendered(value, "".join([*written, value[done:]]), scan.hits)

    def _rendered_tail(self, literal: str) -> Rendered | None:
        """What the last digits of a number become, where they stand for it: that they do is told by what is before them."""
        tail = self._forward.tails.get(literal)
        if tail is None or literal in self._forward.numbers:
            return None
        return Rendered(literal, tail.text, [Hit(0, len(literal), tail.text, tail.kind, tail.doubtful, tail)])

    def _may_choose(self, value: str, stand_in: str) -> bool:
        """Whether a stand-in, by its letters, is neither a real value nor another's stand-in."""
        others = (entry for entry in self.entries if compact(entry.value) != value)
        taken = {letters for entry in others for letters in (compact(entry.value), compact(entry.stand_in))}
        return stand_in != "" and stand_in not in taken | {value}

    # places in a text

    def _regions(self, text: str, spans: Sequence[Span]) -> list[Span]:
        """What of a text is to be replaced: whole words, apart from each other."""
        marked = merge(text, self._allowed(text, places.within(text, spans)))
        return list(places.united(part for span in marked for part in places.whole_words(text, span)))

    def _found(self, text: str, lexicon: Lexicon) -> list[Span]:
        """Where what a lexicon looks for stands in a text; of stand-ins not what only may be one."""
        reading = Reading(text)
        scan = Scan(lexicon, reading.text)
        scan.run()
        found = [
            (hit.start, hit.end, hit.kind)
            for hit in scan.hits
            if hit.kind is not None and not (hit.doubtful and lexicon.backward)
        ]
        spans = [Span(*reading.original(start, end), kind, Source.SEEN) for start, end, kind in found]
        # An initial that stands for nobody known yet, beside a name that is.
        spans += [Span(*reading.original(start, end), Kind.PERSON, Source.NAME) for start, end in scan.unknown]
        return places.joined_names(text, list(places.united(spans)))

    def _written_otherwise(self, text: str, known: Sequence[Span]) -> list[Span]:
        """Where else values stand, as the person's lists find them: without accents for one."""
        if self._in_lists != len(self.entries):
            self._in_lists = len(self.entries)
            self._lists = WordLists({entry.value: entry.kind for entry in self.entries if entry.kind in _IN_WORDS})
        reading = Reading(text)
        found = (Span(*reading.original(start, end), kind, Source.LIST) for start, end, kind in self._lists.find(reading.text))
        taken = {place for span in known for place in range(span.start, span.end)}
        return [span for span in found if not taken.issuperset(range(span.start, span.end))]

    def _allowed(self, text: str, spans: list[Span]) -> list[Span]:
        """Those spans that the person did not say are never replaced."""
        if not self._never or not spans:
            return spans
        never = self._found(text, self._never_found)
        return [span for span in spans if not any(it.start <= span.start and span.end <= it.end for it in never)]

    def _draft(self, text: str, regions: Sequence[Span]) -> Draft:
        cache: dict[str, Rendered] = {}

        def render(literal: str) -> Rendered:
            if literal not in cache:
                cache[literal] = self._rendered_tail(literal) or self._rendered(literal)
            return cache[literal]

        return drafted(text, regions, render)

    def _mended(self, text: str, wrong: Misread, coded: set[str]) -> Span:
        """What to replace so that this is not misread again: itself, or a spoilt region and all around it by a code name.

        A value that is `coded` had a code name before, which is tried once more before it gets another.
        """
        if wrong.region is None:
            return Span(wrong.start, wrong.end, wrong.kind, Source.SEEN)
        span = places.chunk(text, Span(wrong.start, wrong.end, wrong.kind, wrong.region.source))
        value = spelt(text[span.start : span.end])
        if value in coded:
            coded.remove(value)
        else:
            self._add(value, wrong.kind, [Pair(it.real, it.stand_in, Role.EXACT) for it in self._made.code_name(value)])
        return span

    def _remember_dates(self, text: str, draft: Draft) -> None:
        """Dates that stay as they are must not be taken for moved ones in a reply."""
        if not self._forward.dates.days:
            return
        scan = Scan(self._forward, text)
        scan.run()
        for start, end, key in scan.dates:
            if not any(it.start <= start and end <= it.end for it in draft.protected.replaced):
                self._backward.dates.plain.add(key)


def _key(value: str, kind: Kind) -> tuple[str, ...]:
    """What a value is known by: its words, as they are looked for; a name in two words is not known by the one in one word."""
    return (value,) if kind is Kind.SECRET else key_of(value)


def _unreplaced(draft: Draft, text: str) -> Iterator[Misread]:
    """Regions that were to become something else and did not."""
    for region in draft.protected.replaced:
        letters = compact(text[region.start : region.end])
        if letters and compact(region.stand_in) == letters:
            yield Misread(region.start, region.end, region.kind, region)
