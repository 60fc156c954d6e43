"""A number keeps its shape, and its check digit where the real one is right."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn

from desktop_app.privacy.spans import Kind
from desktop_app.privacy.stand_ins.number_stand_ins import candidate


def _shape(text: str) -> str:
    return re.sub(r"\d", "9", text)


@given(st.integers(10**14, 10**15 - 1), st.integers(0, 999), st.sampled_from(["", " ", "-"]))
def test_a_card_keeps_grouping_and_check_digit(body: int, seed: int, gap: str) -> None:
    number = f"{body}{luhn.calc_check_digit(str(body))}"
    value = gap.join(number[index : index + 4] for index in range(0, 16, 4))
    stand_in = candidate(value, Kind.CARD, random.Random(seed).randrange)
    assert _shape(stand_in) == _shape(value)
    assert luhn.is_valid(re.sub(r"\D", "", stand_in))


@pytest.mark.parametrize("value", ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"])
def test_an_iban_keeps_country_shape_and_check_digits(value: str) -> None:
    stand_in = candidate(value, Kind.IBAN, random.Random(1).randrange)
    assert iban.is_valid(stand_in, check_country=False)
    assert stand_in[:2] == value[:2]
    assert stand_in != value


def test_a_social_security_number_is_of_an_area_that_is_never_given_out() -> None:
    assert candidate("536-90-4399", Kind.NATIONAL_ID, random.Random(1).randrange)[0] == "9"


@given(st.from_regex(r"[A-Z]{2}-\d{4}/[a-z]", fullmatch=True))
def test_a_record_number_keeps_letters_and_digits_where_they_are(value: str) -> None:
    stand_in = candidate(value, Kind.RECORD, random.Random(1).randrange)
    assert re.fullmatch(r"[A-Z]{2}-\d{4}/[a-z]", stand_in)
