"""Given names, in lower case; some are words as well."""

from desktop_app.privacy.common_words import COMMON_WORDS
from desktop_app.privacy.given_names import GIVEN_NAMES


def test_names_of_several_languages() -> None:
    assert {"anna", "giovanni", "minjun", "priya", "fatima"} <= GIVEN_NAMES
    assert all(name == name.lower() for name in GIVEN_NAMES)


def test_names_that_are_words_are_among_them() -> None:
    assert {"will", "mark", "grace"} <= GIVEN_NAMES & COMMON_WORDS
