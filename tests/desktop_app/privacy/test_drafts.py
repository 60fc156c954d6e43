"""Two texts are the same text where only their composition differs."""

import unicodedata

import pytest

from desktop_app.privacy.drafts import Rendered, drafted, spelt
from desktop_app.privacy.spans import Kind, Source, Span


def test_the_spelling_is_the_same_however_accents_are_composed() -> None:
    assert spelt(unicodedata.normalize("NFC", "José")) == spelt(unicodedata.normalize("NFD", "José"))


@pytest.mark.parametrize(("start", "end"), [(0, 4), (5, 9), (0, 9)])
def test_a_draft_has_the_rendered_text_in_place_of_a_region_and_all_else_as_it_was(start: int, end: int) -> None:
    text = "Jane Park"
    draft = drafted(text, [Span(start, end, Kind.PERSON, Source.NAME)], lambda value: Rendered(value, f"<{value}>", []))
    assert draft.protected.text == text[:start] + f"<{text[start:end]}>" + text[end:]
