"""Cards, accounts, identity numbers: all valid ones are found, however they are grouped, and those with a typing error too."""

from importlib import import_module

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from stdnum import luhn

from desktop_app.privacy.recognition import numbers
from desktop_app.privacy.recognition.numbers import IBAN_LENGTHS, is_iban
from desktop_app.privacy.spans import Kind
from tests.helpers.found_spans import RULES_ONLY, found_by, left, values

GROUPINGS = {15: [(4, 6, 5)], 16: [(4, 4, 4, 4)], 14: [(4, 6, 4)], 19: [(4, 4, 4, 4, 3), (6, 13)]}
BETWEEN = st.sampled_from([" ", "-", "\u00a0", ".", "–", " - ", "  "])
AROUND = st.sampled_from([("card ", " is lost"), ("(", ")"), ("카드 ", "를 분실"), ("", ""), ("No:", ","), ("pay with ", ".")])
DIGITS = st.text("0123456789", min_size=1)


def digits(count: int) -> st.SearchStrategy[str]:
    return st.text("0123456789", min_size=count, max_size=count)


def grouped(number: str, groups: tuple[int, ...], between: str) -> str:
    parts, start = [], 0
    for size in groups:
        parts.append(number[start : start + size])
        start += size
    return between.join(parts)


@settings(max_examples=60)
@given(st.integers(12, 19), st.data(), BETWEEN, AROUND)
def test_every_valid_card_is_found_in_any_usual_grouping(
    length: int, data: st.DataObject, between: str, around: tuple[str, str]
) -> None:
    body = data.draw(digits(length - 1))
    number = body + luhn.calc_check_digit(body)
    groups = data.draw(st.sampled_from([(length,), *GROUPINGS.get(length, [])]))
    text = around[0] + grouped(number, groups, between) + around[1]
    assert left(text, RULES_ONLY.find(text)) == left(around[0] + around[1], RULES_ONLY.find(around[0] + around[1]))
    if between in (" ", "-", "\u00a0") and around != ("(", ")"):
        assert values(text, RULES_ONLY.find(text), Kind.CARD)


@settings(max_examples=60)
@given(digits(16), BETWEEN)
def test_a_card_with_a_wrong_digit_is_still_replaced(number: str, between: str) -> None:
    assume(not luhn.is_valid(number))
    for text in (number, grouped(number, (4, 4, 4, 4), between)):
        assert left(text, RULES_ONLY.find(text)) == ""


def test_a_card_split_by_lines_cells_and_invisible_marks_is_found() -> None:
    for text in (
        "4111 1111\n1111 1111",
        "4111\t1111\t1111\t1111",
        "4111 | 1111 | 1111 | 1111",
        "4111-1111-\n1111-1111",
        "41\u200b11 1111 1111 1111",
        "４１１１－１１１１－１１１１－１１１１",
    ):
        (span,) = RULES_ONLY.find(text)
        assert (span.kind, left(text, [span])) == (Kind.CARD, "")


def test_a_card_is_told_from_its_date_and_code() -> None:
    assert values("4111 1111 1111 1111 12/27 123", RULES_ONLY.find("4111 1111 1111 1111 12/27 123"), Kind.CARD) == [
        "4111 1111 1111 1111"
    ]


def iban(country: str, length: int, body: str) -> str:
    checks = import_module("stdnum.iso7064.mod_97_10").calc_check_digits(body + country)
    return f"{country}{checks}{body[: length - 4]}"


@settings(max_examples=60)
@given(st.sampled_from(sorted(IBAN_LENGTHS.items())), st.data(), st.booleans(), st.booleans())
def test_every_valid_iban_of_every_country_is_found(
    country: tuple[str, int], data: st.DataObject, spaced: bool, lower: bool
) -> None:
    code, length = country
    body = data.draw(st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=length - 4, max_size=length - 4))
    number = iban(code, length, body)
    assert is_iban(number)
    written = " ".join(number[place : place + 4] for place in range(0, length, 4)) if spaced else number
    text = f"IBAN {written.lower() if lower else written}, thanks"
    spans = RULES_ONLY.find(text)
    assert left(text, spans) == "IBANthanks"


def test_an_iban_with_a_wrong_digit_is_one_all_the_same_and_the_next_word_none_of_it() -> None:
    assert found_by(numbers.find, "GB82 WEST 1234 5698 7654 33 is mine", Kind.IBAN) == ["GB82 WEST 1234 5698 7654 33"]


@settings(max_examples=60)
@given(st.dates(), digits(6), st.sampled_from(["-", "", " - "]))
def test_every_korean_residence_number_is_found(born: object, rest: str, between: str) -> None:
    number = f"{born:%y%m%d}{between}{'1234'[int(rest[0]) % 4]}{rest}"
    text = f"주민등록번호는 {number}입니다"
    assert left(text, RULES_ONLY.find(text)) == "주민등록번호는입니다"


@settings(max_examples=60)
@given(digits(10), st.sampled_from([(3, 2, 5), (3, 2, 4)]))
def test_tax_and_social_security_numbers_are_found(number: str, groups: tuple[int, ...]) -> None:
    written = grouped(number, groups, "-")
    assert values(written, RULES_ONLY.find(f"{written}")) == [written]


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        ("QQ 12 34 56 C", Kind.NATIONAL_ID),
        ("12345678Z", Kind.NATIONAL_ID),
        ("X1234567L", Kind.NATIONAL_ID),
        ("RSSMRA85T10A562S", Kind.NATIONAL_ID),
        ("131052-308T", Kind.NATIONAL_ID),
        ("ABCDE1234F", Kind.NATIONAL_ID),
        ("123.456.789-09", Kind.NATIONAL_ID),
        ("756.1234.5678.97", Kind.NATIONAL_ID),
        ("850312-1******", Kind.NATIONAL_ID),
        ("DE136695976", Kind.NATIONAL_ID),
        ("M12345678", Kind.PASSPORT),
        ("M123A4567", Kind.PASSPORT),
        ("11-12-345678-90", Kind.PASSPORT),
        ("P<KORHONG<<GILDONG<<<<<<<<<<<<<<<<<<<<<<<<<<", Kind.PASSPORT),
        ("12가 3456", Kind.PLATE),
        ("123가4567", Kind.PLATE),
        ("서울 12 가 3456", Kind.PLATE),
        ("AB12 CDE", Kind.PLATE),
        ("B-XY 1234", Kind.PLATE),
        ("**** **** **** 1234", Kind.CARD),
    ],
)
def test_other_numbers_are_found_by_their_form(number: str, kind: Kind) -> None:
    text = f"It is {number}, they say."
    assert (number, kind) in [(text[span.start : span.end], span.kind) for span in RULES_ONLY.find(text)]


@pytest.mark.parametrize(
    "text",
    [
        "in 2019 and 2020",
        "1,234,567 people",
        "3.14159",
        "a 16:9 picture",
        "chapter 12, page 345",
        "$1234567",
        "1234567원",
        "2019-2020",
        "12.5 %",
    ],
)
def test_amounts_years_and_pages_are_left_alone(text: str) -> None:
    assert RULES_ONLY.find(text) == []
