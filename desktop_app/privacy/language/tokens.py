"""How texts are cut into words and numbers, and how letters are poured into the form of what they take the place of."""

import re
import unicodedata
from itertools import pairwise

from desktop_app.privacy.language.reading import LINE_ENDS

# Marks that are part of the letter before, in the scripts that have them.
MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u09d7\u0a01-\u0a03\u0a3c-\u0a4d\u0a70\u0a71\u0a81-\u0a83"
    "\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bd7\u0c00-\u0c04\u0c3c-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0d57"
    "\u0d81-\u0d83\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
# What Hebrew and Arabic words are read without: vowels and other points, and the stroke that only draws a word out.
POINTS = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]")
# Scripts that put no blank between words: each letter is a word of its own here.
UNSPACED = (
    "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u109f\u1780-\u17d3\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_LETTER = rf"[^\W\d_가-힣{UNSPACED}]"
TOKEN = re.compile(rf"[가-힣]+|[{UNSPACED}]|{_LETTER}(?:{_LETTER}|[{MARKS}])*|\d+")
# The same without cutting scripts that put no blank between words.
RUN = re.compile(rf"[가-힣]+|[^\W\d_가-힣](?:[^\W\d_가-힣]|[{MARKS}])*|\d+")
# What may stand between two words of one name or the parts of an address: as "Jane_Park", "Park, Jane", "12 Elm Rd.,\nKelby".
_LINE_END = rf"(?:\r\n|[\n{LINE_ENDS}])"
_SIGN = rf"(?:[^\w\n{LINE_ENDS}{UNSPACED}]|_|{_LINE_END}(?!{_LINE_END}))"
GAP = re.compile(rf"{_SIGN}{{0,4}}")
# The same as it is read: some signs are several there.
READ_GAP = re.compile(rf"{_SIGN}{{0,16}}")
# What may stand between two groups of one number.
NUMBER_GAP = re.compile(r"[ \u00a0]?[-‐‑–—./·_(){}\[\] \u00a0]?[ \u00a0]?")
SEGMENT = re.compile(r"[A-Z]+(?=[A-Z][^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+")


def fold(word: str) -> str:
    """What words are compared by."""
    if word.isascii():
        return word.lower()
    return unpointed(word.casefold())


def unpointed(text: str) -> str:
    """A text without the points that Hebrew and Arabic are read without, unless it has nothing else."""
    return POINTS.sub("", text) or text


def key_of(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared."""
    return tuple(fold(word) for word in TOKEN.findall(text))


def compact(text: str) -> str:
    """The letters and digits of a text alone, as they are compared."""
    return "".join(key_of(text))


def core(text: str) -> tuple[int, int]:
    """Where a text's first word begins and its last one ends; (0, 0) where it has none."""
    places = [match.span() for match in TOKEN.finditer(text)]
    return (places[0][0], places[-1][1]) if places else (0, 0)


def without_accents(text: str) -> str:
    """Letters without the accents that they bear, and without other marks."""
    bare = "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", bare)


def recased(literal: str, source: str, target: str) -> str:
    """`target` in capitals, in lower case or as it is, as `literal` has `source`."""
    if literal == source or literal.upper() == literal.lower():
        return target
    if literal.islower():
        return target.lower()
    if literal.isupper() and (len(literal) > 1 or source.upper() == literal != source):
        return target.upper()
    return target[:1].upper() + target[1:] if literal[:1].isupper() and target.islower() else target


def poured(literal: str, source: str, target: str) -> str:
    """`target` in the form of `literal`, word by word where it has as many as `source`: with its gaps, each in its case."""
    sources, targets = TOKEN.findall(source), TOKEN.findall(target)
    places = [match.span() for match in TOKEN.finditer(literal)]
    if len(sources) < len(places):
        return _spelt_out(literal, places, source, target)
    if not len(sources) == len(targets) == len(places) or len(places) < 2:
        return recased(literal, source, target)
    written, done = [], 0
    for (start, end), old, new in zip(places, sources, targets, strict=True):
        written += [literal[done:start], recased(literal[start:end], old, new)]
        done = end
    return "".join([*written, literal[done:]])


def _spelt_out(literal: str, places: list[tuple[int, int]], source: str, target: str) -> str:
    """`target` letter by letter, where `literal` is written like that with the same sign between any two."""
    joined = "".join(literal[start:end] for start, end in places)
    gaps = {literal[end:start] for (_, end), (start, _) in pairwise(places)}
    if len(places) < len(joined) or len(gaps) > 1:
        bold = "".join(gap for gap in gaps if not gap.strip("*`~_")) if len(gaps) == 1 else ""  # what was opened before is closed
        return recased(joined if compact(joined) == compact(source) else literal, source, target) + bold
    return gaps.pop().join(letter for letter in recased(joined, source, target) if letter.isalnum())


def regrouped(literal: str, letters: str) -> str:
    """A number's letters and digits in the grouping and case of `literal`, which has as many."""
    source = iter(letters)
    return "".join(_as_case_of(letter, next(source)) if letter.isalnum() else letter for letter in literal)


def _as_case_of(letter: str, other: str) -> str:
    return other.upper() if letter.isupper() else other.lower() if letter.islower() else other
