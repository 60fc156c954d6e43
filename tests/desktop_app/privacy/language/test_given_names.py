"""Given names, in lower case; some are words as well."""

import unicodedata

from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.given_names import GIVEN_NAMES


def test_names_of_several_languages() -> None:
    assert {
        "anna",
        "giovanni",
        "minjun",
        "priya",
        "fatima",
        "callum",
        "malik",
        "karim",
        "duarte",
        "basil",
        "aoife",
    } <= GIVEN_NAMES
    assert {"ольга", "ελένη", "łukasz"} <= GIVEN_NAMES


def test_all_are_one_word_as_the_recogniser_reads_it() -> None:
    assert all(name == unicodedata.normalize("NFC", name.lower()) and name.isalpha() for name in GIVEN_NAMES)


def test_names_that_are_words_are_among_them() -> None:
    assert {"will", "mark", "grace"} <= GIVEN_NAMES & COMMON_WORDS


def test_everyday_words_are_not() -> None:
    assert {"said", "else", "ebony", "margarita", "the", "and", "call"}.isdisjoint(GIVEN_NAMES)
