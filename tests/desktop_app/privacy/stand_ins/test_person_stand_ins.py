"""All mentions of a person agree, and the stand-in is of the same language and gender."""

import random

import pytest

from desktop_app.privacy.language.name_pools import english_gender
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.spans import Kind, Source, Span


def _protected(text: str, *values: str) -> str:
    spans = [Span(text.index(value), text.index(value) + len(value), Kind.PERSON, Source.NAME) for value in values]
    return Naming(draw=random.Random(3).randrange).protect(text, spans).text


def test_family_and_given_name_agree_across_mentions() -> None:
    first, second, third = _protected("Jane Park; Ms Park; Jane", "Jane Park").split("; ")
    assert second == f"Ms {first.split()[1]}"
    assert third == first.split()[0]


def test_two_of_one_family_have_one_family_name() -> None:
    one, other = _protected("Jane Park and John Park", "Jane Park", "John Park").split(" and ")
    assert one.split()[1] == other.split()[1]
    assert one.split()[0] != other.split()[0]


@pytest.mark.parametrize(("name", "gender"), [("Jane Park", "f"), ("John Park", "m")])
def test_the_gender_stays(name: str, gender: str) -> None:
    assert english_gender(_protected(f"It is {name}", name).removeprefix("It is ").split()[0]) == gender


def test_a_korean_name_stays_korean_and_of_its_length() -> None:
    stand_in = _protected("박지영 씨", "박지영").removesuffix(" 씨")
    assert len(stand_in) == 3
    assert all("가" <= letter <= "힣" for letter in stand_in)
