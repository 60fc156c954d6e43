"""The lines of a text, in which models look for names; and, where a Korean line ends, what would stand there without the end.

Korean is cut at any syllable to fit a page, without a hyphen: 김지 at the end of one line and 훈은 at the beginning of the next.
Both readings are tried: the two lines apart, and what stands about the cut as one word.
Latin phrases in a Korean line are read by themselves too, as lines of their own.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from desktop_app.privacy.recognition.names import Found

FULL = 15  # characters: a shorter line was not cut to fit a page
_LINE = re.compile(r"[^\n]+")
_WORD = re.compile(r"[^\W\d_]{2}")
_HANGUL = re.compile("[가-힣]")
# Two words and more: what is one word in Korean text, Korean rules tell.
LATIN_PHRASE = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ.'’-]+(?: [A-Za-zÀ-ɏ][A-Za-zÀ-ɏ.'’-]*)+")
_CUT = re.compile(r"(?P<first>(?:[가-힣]+ )?[가-힣]{1,12})\n(?P<blank>[ \t]*)(?P<second>[가-힣]{1,12}(?: [가-힣]+)?)")


class Line(NamedTuple):
    """`text` begins at `start` of a text; from `cut` on, if that is not 0, it stands `skipped` characters further on."""

    start: int
    text: str
    cut: int = 0
    skipped: int = 0

    def placed(self, found: list[Found]) -> Iterator[Found]:
        """What was found in this line, in places of the text; of what was read over a cut only what stands across it."""
        for start, end, kind in found:
            if not self.cut:
                yield Found(self.start + start, self.start + end, kind)
            elif start < self.cut < end:
                yield Found(self.start + start, self.start + end + self.skipped, kind)


def lines_of(text: str) -> Iterator[Line]:
    """The lines that have words in them, the Latin phrases in Korean ones, and what is read over a cut."""
    for match in _LINE.finditer(text):
        if _WORD.search(match[0]) is None:
            continue
        yield Line(match.start(), match[0])
        if _HANGUL.search(match[0]):
            for phrase in LATIN_PHRASE.finditer(match[0]):
                yield Line(match.start() + phrase.start(), phrase[0])
    for match in _CUT.finditer(text):
        first, second = match["first"], match["second"]
        if match.end("first") - (text.rfind("\n", 0, match.start()) + 1) >= FULL:
            yield Line(match.start(), first + second, len(first), 1 + len(match["blank"]))
