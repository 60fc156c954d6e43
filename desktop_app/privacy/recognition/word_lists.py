"""The person's own lists: values that are always replaced, and values that never are.

A value is found as whole words, whatever its case, its accents and the punctuation between its words; with an English possessive
or Korean particles after it, and within a longer Korean word if it has three syllables or more. A person's name is also found by
its parts. Values are kept in a table by their first word, so that finding them takes hardly longer where there are many.
"""

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from charset_normalizer import from_bytes

from desktop_app.privacy.errors import ListUnreadable
from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.hangul import is_particles
from desktop_app.privacy.language.tokens import RUN, fold, without_accents
from desktop_app.privacy.matching.apart import Sought, stems, together
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind

MAX_LIST_BYTES = 50_000_000
MAX_VALUE = 200  # characters; a longer line is a text and no value
MOST_NAME_WORDS = 6  # a longer value is no name that is known by its parts
LEFT_OUT_AS = f"longer than {MAX_VALUE} letters, a single letter, or in a table a common word or a count"
SHORTEST_JOINED = 5  # characters of a value that is found without its blanks too
MAX_GAP = 4  # characters between two words of a value: ". ", " - ", the end of a line

_UNSPACED = re.compile(r"[가-힣]{3,}|[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]{2,}")  # found within longer words too
_ENDS_SENTENCE = re.compile(r"[^\W\d_]{3}[.!?;:]\s")
_NUMBER = re.compile(r"\d(?:[-. /_]?\d){4,}")


class _Entry(NamedTuple):
    rest: tuple[str, ...]  # the words after the first
    kind: Kind
    capital: bool  # found only where it is written with a capital: it is a common word, or a part of a name
    turned: bool = False  # found only with a comma: Meyer, Anna


class _Word(NamedTuple):
    start: int
    end: int
    key: str


class WordLists:
    """Values that are always replaced, each with its kind, and values that never are."""

    def __init__(self, always: Mapping[str, Kind] | None = None, never: Iterable[str] = ()) -> None:
        self.always = dict(always or {})
        self.never = set(never)
        self._always = _Table(self.always)
        self._never = _Table(dict.fromkeys(self.never, Kind.OTHER), parts=False)

    def find(self, text: str) -> list[Found]:
        """Where values to be replaced stand in `text`, a `Reading`'s; they may overlap."""
        return list(self._always.find(text))

    def find_never(self, text: str) -> list[Found]:
        """Where values that are never replaced stand in `text`."""
        return list(self._never.find(text))


class Read(NamedTuple):
    """What a file held: values, and how many entries are none, because they are too long, too short or words like "yes"."""

    values: list[str]
    left_out: int


def left_out_sentence(read: int, left_out: int) -> str:
    """What to say where entries of a file were left out."""
    return f"{read:,} values were read, and {left_out:,} entries left out: {LEFT_OUT_AS}."


def values_from_file(path: Path) -> Read:
    """Return the values in a text file (one a line) or a CSV file (one a cell). Raises `ListUnreadable` with a sentence."""
    try:
        size = path.stat().st_size
        if size > MAX_LIST_BYTES:
            raise ListUnreadable(f"{path.name} has {size // 1_000_000} MB, too much for a list. Split it and import the parts.")
        text = _decoded(path.read_bytes(), path.name)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ListUnreadable(
            f"{path.name} could not be read ({reason}). Choose a text or CSV file with one name a line."
        ) from error
    is_csv = path.suffix.lower() in (".csv", ".tsv")
    cells = _cells(text) if is_csv else text.splitlines()
    written = [" ".join(unicodedata.normalize("NFC", cell).split()).strip("\ufeff\"' ") for cell in cells]
    entries = [entry for entry in written if re.search(r"\w", entry)]
    values = [entry for entry in entries if 2 <= len(entry) <= MAX_VALUE and not (is_csv and _is_filler(entry))]
    if not values:
        raise ListUnreadable(f"{path.name} holds no names. Put one on each line, or one in each cell of a CSV file.")
    return Read(list(dict.fromkeys(values)), len(entries) - len(values))


def _decoded(data: bytes, name: str) -> str:
    for encoding in ("utf-8-sig", *(["utf-16"] if data[:2] in (b"\xff\xfe", b"\xfe\xff") else [])):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    best = from_bytes(data, cp_isolation=["cp949", "cp1252", "utf_16_le", "utf_16_be"]).best() if b"\0" not in data else None
    if best is None:
        raise ListUnreadable(f"{name} is no text. Save the list as text or CSV (UTF-8) and import that.")
    return str(best)


def _cells(text: str) -> Iterator[str]:
    try:
        sign = csv.Sniffer().sniff(text[:10_000], ",;\t|").delimiter
    except csv.Error:
        sign = ","
    lines = text.splitlines(keepends=True)
    try:
        rows = list(csv.reader(lines, delimiter=sign, skipinitialspace=True, strict=True))
    except csv.Error:  # a stray quote would make one cell of all that follows
        rows = [_row(line, sign) for line in lines]
    for cell in (cell.strip() for row in rows for cell in row):
        yield from (cell, *cell.splitlines()) if "\n" in cell else (cell,)


def _row(line: str, sign: str) -> list[str]:
    """The cells of one line; with a stray quote in it, quotes mean nothing."""
    try:
        return next(csv.reader([line], delimiter=sign, skipinitialspace=True, strict=True), [])
    except csv.Error:
        return line.split(sign)


def _is_filler(cell: str) -> bool:
    """Whether a table's cell is no name: "yes", "female", a count."""
    return cell in COMMON_WORDS or (cell.isdigit() and len(cell) < 5)


class _Table:
    """Values by their first word."""

    def __init__(self, values: Mapping[str, Kind], parts: bool = True) -> None:
        self._entries: dict[str, list[_Entry]] = {}
        self._numbers: dict[str, Kind] = {}
        self._words: set[str] = set()  # of all values
        for value, kind in values.items():
            keys = tuple(key(word) for word in RUN.findall(unicodedata.normalize("NFKC", value)))
            if keys:
                self._add(keys, kind, capital=len(keys) == 1 and keys[0] in COMMON_WORDS)
                self._words.update(keys)
                if 1 < len(keys) <= MOST_NAME_WORDS and len(value) >= SHORTEST_JOINED:
                    self._entries.setdefault("".join(keys), []).append(_Entry((), kind, capital=False))
                if parts and kind is Kind.PERSON:
                    self._add_parts(keys, kind)
            if _NUMBER.fullmatch(value):
                self._numbers[re.sub(r"\D", "", value)] = kind
        self._longest = max(map(len, self._entries), default=0)
        longest_word = max(map(len, self._words), default=0)
        self._sought = Sought(self._words, lambda letters: len(letters) < longest_word, key, halves=True)

    def _add(self, keys: tuple[str, ...], kind: Kind, capital: bool) -> None:
        self._words.add(keys[0])
        self._entries.setdefault(keys[0], []).append(_Entry(keys[1:], kind, capital))

    def _add_parts(self, keys: tuple[str, ...], kind: Kind) -> None:
        if len(keys) == 2:
            self._entries.setdefault(keys[1], []).append(_Entry((keys[0],), kind, capital=False, turned=True))
        for word in dict.fromkeys(keys) if 1 < len(keys) <= MOST_NAME_WORDS else ():
            if len(word) > 2 and not word[0].isdigit():
                self._add((word,), kind, capital=True)

    def find(self, text: str) -> Iterator[Found]:
        """Where values stand in `text`."""
        if self._numbers:
            for match in _NUMBER.finditer(text):
                kind = self._numbers.get(re.sub(r"\D", "", match[0]))
                if kind is not None:
                    yield Found(match.start(), match.end(), kind)
        if not self._entries:
            return
        matches = list(RUN.finditer(text))
        words = [_Word(match.start(), match.end(), key(match[0])) for match in matches]
        yield from self._of(text, words)
        joined = {place: word for place, match in enumerate(matches) if (word := self._joined(text, match)) is not None}
        if joined:
            yield from self._of(text, list(_with_joined(words, joined)))

    def _of(self, text: str, words: list[_Word]) -> Iterator[Found]:
        passed = 0  # where the last value of several words ended
        for index, word in enumerate(words):
            for found in self._at(text, words, index, passed):
                if found.end > word.end:
                    passed = max(passed, found.end)
                yield found
            if _UNSPACED.match(word.key):
                yield from self._within(text, word)

    def _joined(self, text: str, match: re.Match[str]) -> _Word | None:
        """The longest word of a value that begins with this one and is written apart."""
        start, end = match.span()
        after = text[end : end + 2]
        if not after or (end - start > 1 and (after in ("- ", ", ", ". ") or (after[0] == " " and after[-1].isalnum()))):
            return None  # nearly all words
        found = None
        for letters, stop in together(text, match, self._sought):
            found = _Word(start, stop, letters)
        return found

    def _at(self, text: str, words: list[_Word], index: int, passed: int) -> Iterator[Found]:
        word = words[index]
        yield from self._begun(text, words, index, passed, word)
        if "\u0590" <= word.key[0] <= "\u08ff":
            for stem in stems(text[word.start : word.end]):
                start = word.start + stem
                yield from self._begun(text, words, index, passed, _Word(start, word.end, key(text[start : word.end])))
        if "가" <= word.key[-1] <= "힣" and word.end - word.start == len(word.key):
            yield from self._inflected(word)

    def _begun(self, text: str, words: list[_Word], index: int, passed: int, word: _Word) -> Iterator[Found]:
        """Values that begin with this word, which stands at `index`, or all of it but what is bound to it."""
        for entry in self._entries.get(word.key, ()):
            if (entry.turned and word.start < passed) or (entry.capital and text[word.start].islower()):
                continue  # in "Anna Meyer, Anna Meyer" nobody is turned round
            end = self._end(text, words, index, entry) if entry.rest else word.end
            if end:
                yield Found(word.start, end, entry.kind)

    def _inflected(self, word: _Word) -> Iterator[Found]:
        """Values of one word with Korean particles behind them."""
        for length in range(min(len(word.key) - 1, self._longest), 0, -1):
            stem = word.key[:length]
            if stem in self._entries and is_particles(word.key[length:]):
                for entry in self._entries[stem]:
                    if not entry.rest:
                        yield Found(word.start, word.start + length, entry.kind)

    @staticmethod
    def _end(text: str, words: list[_Word], index: int, entry: _Entry) -> int:
        """Where the value ends of which the first word stands at `index`; 0 where its further words do not follow."""
        end = words[index].end
        if index + len(entry.rest) >= len(words):
            return 0
        for number, expected in enumerate(entry.rest, start=1):
            word = words[index + number]
            gap = text[end : word.start]
            if (
                len(gap) > MAX_GAP
                or "\n\n" in gap
                or _ENDS_SENTENCE.search(text, end - 3, word.start)
                or entry.turned > ("," in gap)
            ):
                return 0
            last = number == len(entry.rest)
            if word.key == expected:
                end = word.end
            elif last and word.key.startswith(expected) and is_particles(word.key[len(expected) :]):
                end = word.start + len(expected)
            else:
                return 0
        return end

    def _within(self, text: str, word: _Word) -> Iterator[Found]:
        """Values within a longer word of a script that does not part its words, or only some of them."""
        letters, places = word.key, list(range(word.start, word.end + 1))
        if len(letters) != word.end - word.start:  # marks that nothing is compared by
            told = [(key(text[place]), place) for place in range(word.start, word.end) if key(text[place])]
            letters, places = "".join(letter for letter, _ in told), [*(place for _, place in told), word.end]
        for start in range(len(letters)):
            for end in range(start + 2, min(len(letters), start + self._longest) + 1):
                part = letters[start:end]
                if end - start < len(letters) and part in self._entries and _UNSPACED.fullmatch(part):
                    for entry in self._entries[part]:
                        if not entry.rest:
                            yield Found(places[start], places[end], entry.kind)


def _with_joined(words: list[_Word], joined: Mapping[int, _Word]) -> Iterator[_Word]:
    """The words, those that are written apart in one piece."""
    end = 0
    for place, word in enumerate(words):
        if word.start >= end:
            word = joined.get(place, word)
            end = word.end
            yield word


@lru_cache(maxsize=65_536)
def key(word: str) -> str:
    """What a word is compared by: without case and accents."""
    if word.isascii():
        return word.lower()
    return without_accents(fold(word))
