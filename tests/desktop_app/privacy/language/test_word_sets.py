"""Sets of words are written as texts."""

import re

from desktop_app.privacy.language.word_sets import alternatives, words


def test_words_are_a_set() -> None:
    assert words(" a b\n a ") == {"a", "b"}


def test_a_phrase_matches_with_blank_hyphen_or_none_and_the_longer_first() -> None:
    pattern = re.compile(alternatives("post, post code\nzip"))
    assert [pattern.match(text)[0] for text in ("post code", "postcode", "post-code", "post", "zip")] == [  # type: ignore[index]
        "post code", "postcode", "post-code", "post", "zip",
    ]  # fmt: skip
