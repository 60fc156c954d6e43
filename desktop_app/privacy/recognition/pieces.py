"""Cuts a long text into pieces, so that looking through it can be stopped, shows its progress and needs little memory."""

from collections.abc import Iterable, Iterator

from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.hangul import COMMON_GIVEN_NAMES
from desktop_app.privacy.spans import Kind, Source, Span

PIECE = 20_000  # characters, about seven pages
OVERLAP = 300  # characters that two neighbours share, so that what stands across the cut is found in one of them
LONGEST_NAME = 60  # characters; what is longer stands nowhere else
NAMES = frozenset({Kind.PERSON, Kind.ORGANISATION})


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """[start, end) of each piece, in order; they begin and end between words and overlap a little."""
    start = 0
    while start < len(text):
        end = start + PIECE
        if end >= len(text):
            yield start, len(text)
            return
        for sign in ("\n\n", "\n", " "):
            place = text.rfind(sign, start + PIECE // 2, end)
            if place > 0:
                end = place + len(sign)
                break
        yield start, end
        start = _after_blank(text, end - OVERLAP, end - 1)  # the last letter is the blank of the cut: no overlap would be left


def _after_blank(text: str, start: int, end: int) -> int:
    return next((place + 1 for place in range(start, end) if text[place].isspace()), start)


def names_of(text: str, spans: Iterable[Span]) -> dict[str, Kind]:
    """The names that were found, to be looked for in the whole text; no common words among them."""
    names = {text[span.start : span.end]: span.kind for span in spans if span.kind in NAMES and span.source is not Source.LIST}
    return {name: kind for name, kind in names.items() if _tells(name)}


def _tells(name: str) -> bool:
    """Whether a name may be looked for by itself: it is no common word, and long enough; a Korean one has two syllables."""
    return (
        LONGEST_NAME >= len(name) > (1 if "가" <= name[0] <= "힣" else 2)
        and name.lower() not in COMMON_WORDS | COMMON_GIVEN_NAMES
    )
