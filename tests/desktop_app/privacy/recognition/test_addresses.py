"""Postal addresses of several countries, on one line or several."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.privacy.recognition import addresses
from tests.helpers.found_spans import found_by, left

ADDRESSES = [
    "12 High Street, London SW1A 2AA",
    "12 High Street\nFlat 3\nLondon SW1A 2AA",
    "1600 Elm Avenue, Apt. 4B, Springfield, IL 62704",
    "39 fifth avenue suite 12",
    "P.O. Box 417",
    "Lindenstraße 12",
    "Mozartgasse 7, 1040 Wien",
    "Rua das Flores 16",
    "Calle Mayor 5, 28013 Madrid",
    "402 Linden 46\n Suite 501\n Riverton\n Norway 62488",
    "> 77 Birchwood Lane\n> Apt. 360\n> Port Ashton\n> New Zealand 15896",
    "Keizersgracht 101",
    "77 Birchwood Lane\n Suite 5\n Riverton\n Norway",
    "10 Maple Drive",
    "ul. Kwiatowa 10 Apt. 3",
]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(("before", "behind"), [("lives at ", " since then"), ("", ""), ("Anna Meyer\n", "\n\nDear all,")])
def test_addresses_are_found_whole(address: str, before: str, behind: str) -> None:
    text = before + address + behind
    assert left(text, addresses.find(text)) == left(before + behind, [])


@settings(max_examples=60)
@given(
    st.integers(1, 9999),
    st.sampled_from(["Oak", "Maple Hill", "Ashfield", "Brunswick"]),
    st.sampled_from(["Street", "St", "Road", "Rd.", "Avenue", "Lane", "Drive", "Close"]),
)
def test_a_number_a_name_and_a_street_are_an_address(number: int, name: str, street: str) -> None:
    text = f"We moved to {number} {name} {street} last year"
    assert found_by(addresses.find, text) == [f"{number} {name} {street.rstrip('.')}"]


@pytest.mark.parametrize("end", [".", ",", " and", "", "\n"])
@pytest.mark.parametrize(
    "address",
    [
        "12 Whitlock Road, Bristol BS1 4QD",
        "3 Elm Street, Toronto, ON M5V 2T6",
        "5 Main Street, Austin, TX 78701",
        "7 High St, Leeds LS1 3AB",
    ],
)
def test_an_address_with_its_code_is_one_value(address: str, end: str) -> None:
    assert found_by(addresses.find, f"He lives at {address}{end}") == [address]


def test_a_name_above_an_address_is_none_of_it() -> None:
    text = "Anna Meyer\n12 High Street\nLondon SW1A 2AA\n\nDear Ms Meyer"
    assert left(text, addresses.find(text)) == "AnnaMeyerDearMsMeyer"


@pytest.mark.parametrize("address", ["8 Mill Lane, York", "12 High Street", "Rua das Flores 16", "Lindenstraße 12"])
@pytest.mark.parametrize(
    "behind",
    [
        ", on 5 May 2022. Mrs Pritchard called",
        " on 14 November 2023",
        ", May 5, 2022",
        ", 05/05/2022",
        " 5.5.2022",
        " in 2019 and",
        ", in May 2022",
        " since 2019",
        ". Mrs Pritchard called",
        ". Dr Pritchard called",
        ", Mr Pritchard",
    ],
)
def test_an_address_ends_before_a_date_a_title_and_the_end_of_a_sentence(address: str, behind: str) -> None:
    found = [address[it.start : it.end] for it in addresses.find(address + behind)]
    assert found == [address]
    assert [it.end for it in addresses.find(address + behind)] == [len(address)]


def test_a_sentence_ends_after_a_street_and_goes_on_after_a_shortened_one() -> None:
    assert found_by(addresses.find, "8 Mill Lane. Peter called") == ["8 Mill Lane"]
    assert found_by(addresses.find, "1600 Elm Blvd. Springfield") == ["1600 Elm Blvd. Springfield"]
    assert found_by(addresses.find, "12 Oak Dr. Springfield") == ["12 Oak Dr. Springfield"]


def test_a_doctor_is_no_drive() -> None:
    assert found_by(addresses.find, "Dr Frank Ellison on 14 November 2023") == []


@pytest.mark.parametrize(
    "text",
    [
        "The Supreme Court held 3 sessions",
        "in 5 minutes",
        "12 March 2024",
        "see page 12 and 13",
        "Smith v. Jones, 442 U.S. 735",
        "a long way",
        "The Way Forward",
        "3 of 10 people",
        "He drove to the park",
        "Chapter 4 Results",
        "On 5 May 2024 we met",
        "no numbers at all",
        "the 23rd Infantry",
        "77 ERA in 27 games",
        "in November 1859",
    ],
)
def test_courts_dates_and_counts_are_none(text: str) -> None:
    assert found_by(addresses.find, text) == []
