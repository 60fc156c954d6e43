"""Titles are told from names, and from what may be either."""

import pytest

from desktop_app.privacy.language.titles import BEFORE_NAMES, NAMES_TOO, SUFFIXES, is_title


@pytest.mark.parametrize(
    "word", ["Dr", "dr.", "Mrs", "NURSE", "Reverend", "Officer", "Sister", "Senhora", "Señor", "Herr", "Mme"]
)
def test_titles_of_several_languages(word: str) -> None:
    assert is_title(word)


@pytest.mark.parametrize("word", ["Anna", "Park", "Jr", "the", ""])
def test_names_and_suffixes_are_none(word: str) -> None:
    assert not is_title(word)


def test_what_people_are_called_too_is_no_sure_title() -> None:
    assert {"prince", "major"} <= NAMES_TOO - BEFORE_NAMES
    assert {"mr", "nurse", "officer", "reverend", "sister", "senhora"} <= BEFORE_NAMES
    assert {"jr", "phd"} <= SUFFIXES - BEFORE_NAMES
