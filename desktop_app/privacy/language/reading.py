"""A text as recognisers read it: one form for what is written in several, with the way back to the original's characters.

The same number may be written with full-width digits, no-break spaces or invisible marks in it, an accent may be a character of
its own, and a line may end in the middle of a name. Recognisers see none of that: characters are normalised (Unicode's NFKC),
invisible ones dropped, all blanks and all dashes made the same, and what a hyphen splits over two lines is joined. Most lines
need nothing of it.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
LINE_ENDS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
# Format characters and fillers: nobody sees them, and a recogniser must not either.
INVISIBLE = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_UNUSUAL = re.compile(f"[{DASHES}{LINE_ENDS}\ud800-\udfff\ufff9-\ufffb]|{INVISIBLE.pattern}")
_SPLIT_WORD = re.compile(rf"(?<=\w)[-\xad{DASHES}][ \t]*\r?\n[ \t]*(?=[^\W\u1161-\u11ff])")
# Korean letters on their own, as in ㅋㅋ, are usual writing; NFKC would make them parts of syllables.
_KEPT = re.compile("[\u3131-\u3163\u3165-\u318e]")


class Reading:
    """What recognisers read of a text; `original` leads from places in it back to the text."""

    def __init__(self, source: str) -> None:
        self.source = source
        # A reading is made of pieces, each either copied or rewritten from [origin, origin_end) of the source.
        self._places: list[int] = []
        self._origins: list[tuple[int, int, bool]] = []
        parts: list[str] = []
        copied = length = 0
        for start, end, written in _changes(source):
            for origin, origin_end, piece, is_copy in (
                (copied, start, source[copied:start], True),
                (start, end, written, False),
            ):
                if piece:
                    self._places.append(length)
                    self._origins.append((origin, origin_end, is_copy))
                    parts.append(piece)
                    length += len(piece)
            copied = end
        self.text = source
        if copied:
            if copied < len(source):
                self._places.append(length)
                self._origins.append((copied, len(source), True))
                parts.append(source[copied:])
            self.text = "".join(parts)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters [start, end) of the reading stand in its source; there must be at least one."""
        if not self._places:
            return start, end
        first, last = bisect_right(self._places, start) - 1, bisect_right(self._places, end - 1) - 1
        origin, _, is_copy = self._origins[first]
        if is_copy:
            origin += start - self._places[first]
        last_origin, origin_end, last_is_copy = self._origins[last]
        if last_is_copy:
            origin_end = last_origin + end - self._places[last]
        return origin, origin_end


def _changes(source: str) -> Iterator[tuple[int, int, str]]:
    """What is written otherwise in the reading: (start, end, what instead), in order."""
    if source.isascii() and not any(end in source for end in "-\r\v\f"):
        return
    done = 0
    for split in (*_SPLIT_WORD.finditer(source), None):
        start = split.start() if split else len(source)
        for line_start, line in _lines(source, done, start):
            if not _is_plain(line):
                yield from _changes_of_letters(line, line_start)
        if split:
            before, after = source[split.start() - 1], source[split.end()]
            # "Jon-\nathan" is one word; "Meyer-\nLang" and "1234-\n5678" had their hyphen before the line ended.
            joined = "-" if before.isdigit() or after.isdigit() or after.isupper() else ""
            yield split.start(), split.end(), joined
            done = split.end()


def _lines(source: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    while start < end:
        stop = source.find("\n", start, end) + 1 or end
        yield start, source[start:stop]
        start = stop


def _is_plain(line: str) -> bool:
    return (line.isascii() and not any(end in line for end in "\r\v\f")) or (
        unicodedata.is_normalized("NFKC", line) and not _UNUSUAL.search(line)
    )


def _changes_of_letters(line: str, offset: int) -> Iterator[tuple[int, int, str]]:
    place = 0
    while place < len(line):
        end = place + 1
        while end < len(line) and _joins(line[end]):
            end += 1
        group = line[place:end]
        written = _written(group, after=line[end : end + 1])
        if written != group:
            yield offset + place, offset + end, written
        place = end


def _joins(letter: str) -> bool:
    """Whether this is no character of its own but part of the one before: an accent, or the vowel of a Korean syllable."""
    return unicodedata.combining(letter) != 0 or "\u1161" <= letter <= "\u11ff" or INVISIBLE.match(letter) is not None


def _written(group: str, after: str) -> str:
    if group == "\r" and after == "\n":
        return ""
    if group[0] in LINE_ENDS:
        return "\n"
    if group[0] in DASHES:
        return "-"
    if "\ud800" <= group[0] <= "\udfff":
        return "\ufffd"
    visible = INVISIBLE.sub("", group)
    return visible if _KEPT.match(visible) else unicodedata.normalize("NFKC", visible)
