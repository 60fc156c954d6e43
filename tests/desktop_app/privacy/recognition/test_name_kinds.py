"""A name's kind: told by its words and by what stands before it, whatever the model takes it for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.generic_words import ORGANISATION_ENDS
from desktop_app.privacy.language.given_names import GIVEN_NAMES
from desktop_app.privacy.language.titles import BEFORE_NAMES
from desktop_app.privacy.recognition.name_kinds import KIN, TOWNS, Name, kind_of
from desktop_app.privacy.spans import Kind

ENGLISH = {"harbour", "shipping", "swift", "parcels", "hotel", "school", "bridge"}
KINDS = st.sampled_from([None, Kind.PERSON, Kind.ORGANISATION, Kind.PLACE, Kind.OTHER])
MADE_UP = st.from_regex(r"[A-Z][a-z]{3,9}", fullmatch=True).filter(lambda word: word.lower() not in ORGANISATION_ENDS)


def kind(words: str, model: Kind | None = None, before: str = "") -> Kind:
    tokens = words.split()
    return kind_of(Name(tokens, [model] * len(tokens), before), ENGLISH.__contains__)


@given(st.sampled_from(sorted(BEFORE_NAMES)), MADE_UP, KINDS)
def test_what_a_title_stands_before_is_a_person(title: str, name: str, model: Kind | None) -> None:
    assert kind(name, model, title) is Kind.PERSON
    assert kind(f"Anna {name}", model, f"{title}.") is Kind.PERSON


@given(st.sampled_from(sorted(KIN)), MADE_UP, KINDS)
def test_kin_are_persons(kin: str, name: str, model: Kind | None) -> None:
    assert kind(name, model, kin) is Kind.PERSON


@given(st.sampled_from(sorted(GIVEN_NAMES - COMMON_WORDS - TOWNS - ORGANISATION_ENDS)), KINDS)
def test_a_given_name_by_itself_is_a_person(name: str, model: Kind | None) -> None:
    assert kind(name.capitalize(), model) is Kind.PERSON


@given(MADE_UP, st.sampled_from(sorted(ORGANISATION_ENDS)), KINDS)
def test_what_ends_as_companies_do_is_an_organisation(name: str, end: str, model: Kind | None) -> None:
    assert kind(f"{name} {end.capitalize()}", model) is Kind.ORGANISATION


@pytest.mark.parametrize("name", ["Minjun Park", "Park Minjun", "Park Min - jun", "Kim Seo Yeon", "Seoyeon Kim"])
def test_korean_names_in_latin_letters_are_persons(name: str) -> None:
    assert kind(name, Kind.PLACE) is kind(name, Kind.ORGANISATION) is Kind.PERSON


@pytest.mark.parametrize(
    ("name", "model", "is_kind"),
    [
        ("Hotel Aurora", Kind.PERSON, Kind.ORGANISATION),
        ("St Anne 's School", Kind.PERSON, Kind.ORGANISATION),
        ("Harbour Shipping", Kind.PERSON, Kind.ORGANISATION),
        ("Swift Parcels", None, Kind.ORGANISATION),
        ("Nadia Farouk", Kind.PLACE, Kind.PERSON),
        ("Victoria Bridge", Kind.PLACE, Kind.PLACE),
        ("Florence", Kind.PLACE, Kind.PLACE),
        ("Florence", Kind.PERSON, Kind.PERSON),
        ("Zorbak", None, Kind.PERSON),
        ("Milan", Kind.PLACE, Kind.PLACE),
        ("Tailford Parcels", Kind.PERSON, Kind.ORGANISATION),
        ("Zorbak", Kind.PLACE, Kind.PLACE),
    ],
)
def test_other_names(name: str, model: Kind | None, is_kind: Kind) -> None:
    assert kind(name, model) is is_kind


def test_who_lives_in_a_place_is_no_namesake_of_it() -> None:
    assert kind("Kendal", Kind.PERSON, "in") is Kind.PLACE
    assert kind("Maria", Kind.PERSON, "in") is Kind.PERSON
    assert kind("Kendal", Kind.PERSON, "with") is Kind.PERSON


def test_a_title_does_not_make_a_school_a_person() -> None:
    assert kind("Agnes School", None, "sister") is Kind.ORGANISATION
    assert kind("House", Kind.ORGANISATION, "dr.") is Kind.PERSON
