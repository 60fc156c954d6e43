"""Shorthand for tests of recognisers: what was found in a text, and what of it was left alone."""

from collections.abc import Callable, Iterable

from desktop_app.privacy.recognition.english_names import EnglishNames
from desktop_app.privacy.recognition.korean_names import KoreanNames
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.recognition.recogniser import Recogniser
from desktop_app.privacy.spans import Kind, Span

# Their models are loaded with the first text, once for all tests of a process.
ENGLISH = EnglishNames()
KOREAN = KoreanNames()
ALL = Recogniser(names=(ENGLISH, KOREAN))
RULES_ONLY = Recogniser(names=())


def left(text: str, spans: Iterable[Span | Found]) -> str:
    """The letters and digits of `text` that lie in none of the spans."""
    covered = {place for span in spans for place in range(span.start, span.end)}
    return "".join(letter for place, letter in enumerate(text) if letter.isalnum() and place not in covered)


def values(text: str, spans: Iterable[Span | Found], kind: Kind | None = None) -> list[str]:
    """What was found, as it is written; of one kind, or of all."""
    return [text[span.start : span.end] for span in spans if kind in (None, span.kind)]


def found_by(rule: Callable[[str], Iterable[Found]], text: str, kind: Kind | None = None) -> list[str]:
    """What one rule finds in a text."""
    return values(text, rule(text), kind)
