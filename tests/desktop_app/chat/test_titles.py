"""A title is short and never ends within a character."""

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.chat.titles import TITLE_LETTERS, first_words
from tests.helpers.texts import TEXTS

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | TEXTS


@given(ANY | st.text("가a\u0301\u200d👨 ", min_size=50, max_size=90))
def test_first_words_are_short_and_end_between_characters(text: str) -> None:
    title = first_words(text)
    assert len(title) <= TITLE_LETTERS
    assert "\n" not in title
    whole = " ".join(text.split())
    if title != whole:
        begin = title.removesuffix("…")
        assert whole.startswith(begin)
        following = whole[len(begin)]
        assert not begin or following == " " or (following not in "\u0301\u200d" and not begin.endswith("\u200d"))


def test_first_words_end_at_a_word_where_there_are_words() -> None:
    assert first_words("word " * 30) == "word " * 10 + "word word…"[:9] + "…"
    assert first_words("가" * 100) == "가" * (TITLE_LETTERS - 1) + "…"
