"""What everybody talks about is left as it is, and no name of a person is among it."""

import pytest

from desktop_app.privacy.language.given_names import GIVEN_NAMES
from desktop_app.privacy.language.public_names import _public, is_public


@pytest.mark.parametrize(
    "name",
    [
        "France",
        "FRANCE",
        "France's",
        "the United  Kingdom",
        "South\nKorea",
        "German",
        "Python",
        "C++",
        "대한민국",
        "Korean and English",
        "GBP 4,800",
        "3,000 USD",
        "National Insurance",
    ],
)
def test_countries_peoples_and_everyday_names_are_public(name: str) -> None:
    assert is_public(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "the",
        "4,800",
        "Jane 4",
        "Jane",
        "Jane France",
        "Jordan",
        "Chad",
        "Georgia",
        "May",
        "Korean Air Lines",
        "김민수",
        "Paris Smith",
    ],
)
def test_whatever_may_be_a_person_or_is_more_than_public_words_is_not(name: str) -> None:
    assert not is_public(name)


@pytest.mark.parametrize("before", ["Dear Ms ", "Judge", "Dr. ", "Mr\n", "J. "])
def test_a_title_makes_a_person_of_it(before: str) -> None:
    assert is_public("French")
    assert not is_public("French", before)


def test_no_given_name_is_public() -> None:
    assert {name for name in _public() if name in {given.casefold() for given in GIVEN_NAMES}} == set()
