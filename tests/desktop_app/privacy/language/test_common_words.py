"""Words that begin sentences are no names; names that are words are still words."""

from desktop_app.privacy.language.common_words import COMMON_WORDS, NO_NAMES


def test_usual_first_words_are_common() -> None:
    assert {"please", "the", "however", "dear", "call", "will", "mark"} <= COMMON_WORDS


def test_days_and_months_are_never_names() -> None:
    assert {"monday", "june", "json"} <= NO_NAMES
    assert "will" not in NO_NAMES


def test_all_are_in_lower_case() -> None:
    assert all(word == word.lower() for word in COMMON_WORDS | NO_NAMES)
