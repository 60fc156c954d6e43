"""Words that tell only what kind of thing is named are small letters, and no family name is among them."""

from desktop_app.privacy.language.generic_words import ORGANISATION_WORDS
from desktop_app.privacy.language.name_pools import english_surnames


def test_they_are_folded_words() -> None:
    assert {word for word in ORGANISATION_WORDS if word != word.casefold() or " " in word} == set()
    assert {"ltd", "gmbh", "inc"} <= ORGANISATION_WORDS


def test_no_stand_in_for_a_person_is_one() -> None:
    assert {name for name in english_surnames() if name.casefold() in ORGANISATION_WORDS} == set()
