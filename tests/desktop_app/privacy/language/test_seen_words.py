"""Words of real texts are remembered, so that none becomes a stand-in."""

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.language.seen_words import SeenWords


@given(st.lists(st.from_regex(r"[A-Za-z]{2,8}", fullmatch=True), min_size=1, max_size=6))
def test_every_word_that_was_seen_is_known_whatever_its_case(words: list[str]) -> None:
    seen = SeenWords()
    seen.add(" ".join(words))
    assert all(seen.has_word(word.upper()) for word in words)
    assert not seen.has_word("zzzzzzzzzz")


def test_digits_are_known_in_any_grouping() -> None:
    seen = SeenWords()
    seen.add("Call 0100-4470 949 now")
    assert seen.has_letters("01004470949")
    assert not seen.has_letters("99999999")
