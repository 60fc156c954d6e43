"""What is looked for in a text and what takes its place: real values and their stand-ins, or backward.

Both directions are the same thing, so that one undoes the other. Words and phrases lie in a tree of words, so that a text is
read once however many there are; numbers lie apart, since their grouping may differ, and so do dates.
"""

from collections.abc import Iterator
from typing import NamedTuple

from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.date_shift import MONTHS, date_at, moved, ordinal
from desktop_app.privacy.language.generic_words import STREET_NOUNS
from desktop_app.privacy.language.hangul import SURNAMES
from desktop_app.privacy.language.name_pools import readings
from desktop_app.privacy.language.romanising import family_spellings, given_spellings
from desktop_app.privacy.language.tokens import TOKEN, compact, fold, key_of
from desktop_app.privacy.matching.entries import Entry, Pair, Role
from desktop_app.privacy.spans import Kind

MOST_SPELLINGS = 6
SHORTEST_JOINED = 5  # letters of two names written as one, as in janepark
TAIL = 4  # last digits by which a card or account is named
HAVE_TAILS = frozenset({Kind.CARD, Kind.IBAN, Kind.PHONE, Kind.NATIONAL_ID, Kind.RECORD})
LONGEST_DERIVED = 400  # days: a date that lies this near to known ones may follow from them


class Target(NamedTuple):
    """What takes the place of `source`. `strict`: found only where it is written and stands as a name does."""

    source: str
    text: str
    kind: Kind
    role: Role
    doubtful: bool = False
    strict: bool = False


class Node:
    """A place in the tree: what ends here, and which words may follow. `longest` is the length of the longest in Hangul."""

    __slots__ = ("children", "longest", "target")

    def __init__(self) -> None:
        self.children: dict[str, Node] = {}
        self.target: Target | None = None
        self.longest = 0

    def step(self, word: str) -> "Node":
        """The place that `word` leads to, made if need be."""
        node = self.children.get(word)
        if node is None:
            node = self.children[word] = Node()
            if "가" <= word[0] <= "힣":
                self.longest = max(self.longest, len(word))
        return node


class Dates:
    """Dates by their keys, and how all of them were moved."""

    def __init__(self) -> None:
        self.days = 0  # from source to target
        self.targets: dict[str, str] = {}
        self.literals: dict[str, str] = {}
        self.plain: set[str] = set()  # in real texts, not replaced
        self.years: dict[str, str] = {}  # that became another; by itself, one may also be just a year
        self._first, self._last = 0, 0

    def add(self, literal: str, other: str, days: int) -> None:
        """Look for a date from now on; both as they are written."""
        read, read_other = date_at(literal, 0), date_at(other, 0)
        if read is None or read_other is None:
            return
        source, target = read.key, read_other.key
        self.days = days
        self.targets[source] = target
        self.literals.setdefault(literal, other)
        if source[0] != "-" and len(source) == 10:
            self.targets.setdefault(f"----{source[4:]}", f"----{target[4:]}")
            day = ordinal(source)
            self._first, self._last = min(self._first or day, day), max(self._last, day)
            if source[:4] != target[:4]:
                self.years.setdefault(source[:4], target[:4])

    def target_of(self, key: str) -> tuple[str, bool] | None:
        """What a date becomes, and whether that is doubtful; None: it stays as it is."""
        if key in self.targets:
            return self.targets[key], False
        if len(key) != 10 or key[0] == "-" or key in self.plain or not self.targets:
            return None
        if f"----{key[4:]}" in self.targets and not self._first:
            return moved(key, self.days, 0), False
        near = self._first and self._first - LONGEST_DERIVED <= ordinal(key) <= self._last + LONGEST_DERIVED
        return (moved(key, self.days, 0), True) if near else None


class Lexicon:
    """Everything that is looked for, in one direction. Entries can be added at any time; later ones go before earlier ones."""

    def __init__(self, backward: bool) -> None:
        self.backward = backward
        self.root = Node()
        self.numbers: dict[str, Target] = {}
        self.tails: dict[str, Target] = {}
        self.beginnings: set[str] = set()  # all that a first word, or a number, may begin with
        self.dates = Dates()
        self.letters: dict[str, dict[str, tuple[str, bool]]] = {}  # name -> initial of its neighbours -> (initial, doubtful)
        self.initials: set[str] = set()
        self.unspaced: set[str] = set()  # forms of several words in one, which stand in one piece only

    def add(self, entry: Entry) -> None:
        """Look for an entry from now on."""
        for pair in entry.pairs:
            source, target = self._ends(pair)
            if pair.role is Role.NUMBER:
                self._add_number(source, target, entry.kind)
            elif pair.role is Role.DATE:
                self.dates.add(source, target, -entry.days if self.backward else entry.days)
                for name in (*MONTHS, *self.dates.years):
                    self._begin(name)
            elif pair.role is Role.SEQUENCE:
                self._add_sequence(source, target, entry.kind)
            elif pair.role is not Role.INITIAL:
                self._add_words(Target(source, target, entry.kind, pair.role, strict=_is_strict(source, pair.role, entry.kind)))
                if pair.role is Role.WORD:
                    self._add_unspaced(source, target, entry.kind)
        names = [pair for pair in entry.pairs if pair.role in (Role.GIVEN, Role.FAMILY, Role.INITIAL)]
        if len(names) == 2 and not names[0].real.isascii():
            sources, targets = zip(*map(self._ends, names), strict=True)
            self._add_unspaced(" ".join(sources), " ".join(targets), entry.kind)
        if names:
            self._add_forms(entry.kind, [(*self._ends(pair), pair.role) for pair in names])

    def _ends(self, pair: Pair) -> tuple[str, str]:
        return (pair.stand_in, pair.real) if self.backward else (pair.real, pair.stand_in)

    def _add_words(self, target: Target, keep: bool = False) -> None:
        """Look for a word or phrase; `keep` leaves in its place what is looked for already."""
        words = key_of(target.source)
        if not words:
            return
        node = self.root
        for word in words:
            node = node.step(word)
        known = node.target
        if known is not None and (keep or known.doubtful < target.doubtful):
            return
        if known is not None and self.backward and not known.doubtful and compact(known.text) != compact(target.text):
            target = target._replace(doubtful=True)
        node.target = target
        self._begin(words[0])

    def _begin(self, word: str) -> None:
        self.beginnings.update(word[:length] for length in range(1, len(word) + 1))

    def _add_number(self, source: str, target: str, kind: Kind) -> None:
        source, target = compact(source), compact(target)
        known = self.numbers.get(source)
        doubtful = known is not None and self.backward and known.text != target
        self.numbers[source] = Target(source, target, kind, Role.NUMBER, doubtful)
        self._begin(source)
        if kind in HAVE_TAILS and len(source) >= 2 * TAIL and source[-TAIL:].isdigit() and target[-TAIL:].isdigit():
            tail = Target(source[-TAIL:], target[-TAIL:], kind, Role.NUMBER)
            other = self.tails.get(tail.source)
            self.tails[tail.source] = tail._replace(doubtful=other is not None and other.text != tail.text)

    def _add_sequence(self, source: str, target: str, kind: Kind) -> None:
        """The parts of an address: any of them that follow each other, if one of them is a word, or a long number."""
        sources = [match.span() for match in TOKEN.finditer(source)]
        targets = [match.span() for match in TOKEN.finditer(target)]
        if len(sources) != len(targets):
            self._add_words(Target(source, target, kind, Role.EXACT))
            return
        words = [fold(source[start:end]) for start, end in sources]
        for first, (start, _) in enumerate(sources):
            node = self.root.step(words[first])
            self._begin(words[first])
            for last in range(first + 1, len(sources)):
                node = node.step(words[last])
                piece, other = source[start : sources[last][1]], target[targets[first][0] : targets[last][1]]
                telling = any((word.isalpha() and len(word) > 2) or len(word) > 4 for word in words[first : last + 1])
                if telling and node.target is None and fold(piece) != fold(other):
                    node.target = Target(piece, other, kind, Role.SEQUENCE)

    def _add_forms(self, kind: Kind, names: list[tuple[str, str, Role]]) -> None:
        """The other forms of a person's name: initials, both names in one word, in the other script."""
        for source, _, role in names:
            if role is not Role.INITIAL:
                self._add_letters(source, [name for name in names if name[0] != source])
        given = [(source, target) for source, target, role in names if role is Role.GIVEN]
        family = [(source, target) for source, target, role in names if role is Role.FAMILY]
        if given and family:
            for hangul, its_family in zip(_in_hangul(given[:1]), _in_hangul(family[-1:]), strict=False):
                whole = its_family[0] + hangul[0], its_family[1] + hangul[1]
                self._add_words(Target(*whole, kind, Role.WORD))
            self._add_joined(kind, given[0], family[-1])
            self._add_joined(kind, family[-1], given[0])
        for source, target in _in_hangul(given) if not family else ():
            real, stand_in = (target, source) if self.backward else (source, target)
            # 서별 is a given name, or 별 of the family 서: then 서 과장 is the same person.
            if len(real) == 2 and real[0] in SURNAMES and len(stand_in) in (2, 3):
                self._add_words(Target(source[0], target[0], kind, Role.FAMILY, doubtful=True), keep=True)
        for source, target, role in names:
            self._add_readings(source, target, role, kind)
        for hangul in _in_hangul(given):
            self._add_romanised(kind, hangul, next(_in_hangul(family), None))

    def _add_unspaced(self, source: str, target: str, kind: Kind) -> None:
        """A name of several words written as one: OperationMoonbeam."""
        if len(key_of(source)) > 1 and len(compact(source)) >= SHORTEST_JOINED:
            self._add_words(Target("".join(TOKEN.findall(source)), "".join(TOKEN.findall(target)), kind, Role.WORD), keep=True)
            self.unspaced.add(compact(source))

    def _add_letters(self, name: str, others: list[tuple[str, str, Role]]) -> None:
        letters = self.letters.setdefault(" ".join(key_of(name)), {})
        for source, target, _ in others:
            first, other = source[0].upper(), target[0].upper()
            known = letters.get(first)
            if first.isalpha() and first != first.lower():
                letters[first] = (known[0], known[1] or known[0] != other) if known else (other, False)
                self.initials.add(first)

    def _add_joined(self, kind: Kind, first: tuple[str, str], second: tuple[str, str]) -> None:
        (a, x), (b, y) = first, second
        a, b, x, y = (compact(name) for name in (a, b, x, y))
        if not (a.isascii() and b.isascii() and a.isalpha() and b.isalpha()):
            return
        if len(a) + len(b) >= SHORTEST_JOINED:
            self._add_words(Target((a + b).capitalize(), (x + y).capitalize(), kind, Role.WORD), keep=True)
            self.unspaced.add(a + b)
        if len(b) >= SHORTEST_JOINED - 1:  # jpark
            self._add_words(Target(a[0] + b, x[0] + y, kind, Role.WORD), keep=True)
            self.unspaced.add(a[0] + b)

    def _add_readings(self, source: str, target: str, role: Role, kind: Kind) -> None:
        """How Koreans write an English name: one word, wherever it stands, unlike the family names of one syllable."""
        reading = readings().get(source.casefold())
        if reading is not None and role is not Role.INITIAL:
            self._add_words(Target(reading, target, kind, Role.GIVEN, doubtful=True), keep=True)

    def _add_romanised(self, kind: Kind, given: tuple[str, str], family: tuple[str, str] | None) -> None:
        """How Koreans write their names in Latin letters: both orders, in one word, with hyphen or blank."""
        new_given = given_spellings(given[1])[0]
        new_family = family_spellings(family[1])[0] if family else ""
        for spelling in given_spellings(given[0])[:MOST_SPELLINGS]:
            forms = [("".join(spelling), "".join(new_given))]
            if len(spelling) == len(new_given):
                forms.append((" ".join(spelling), " ".join(new_given)))
            for old, new in forms:
                if len(old) >= SHORTEST_JOINED:
                    self._add_romanised_form(old, new, kind)
                for family_spelling in family_spellings(family[0]) if family else ():
                    self._add_romanised_form(f"{family_spelling} {old}", f"{new_family} {new}", kind)
                    self._add_romanised_form(f"{old} {family_spelling}", f"{new} {new_family}", kind)

    def _add_romanised_form(self, source: str, target: str, kind: Kind) -> None:
        self._add_words(Target(source, target, kind, Role.SEQUENCE, doubtful=True), keep=True)


def _is_strict(source: str, role: Role, kind: Kind) -> bool:
    """A word that texts are full of is nobody's name without a capital; any other is, also as people type in a chat."""
    if len(TOKEN.findall(source)) != 1 or role is Role.EXACT or source.upper() == source.lower():
        return False
    return fold(source) in COMMON_WORDS or (kind is Kind.ADDRESS and fold(source) in STREET_NOUNS)


def _in_hangul(names: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return (name for name in names if all("가" <= letter <= "힣" for letter in name[0] + name[1]))
