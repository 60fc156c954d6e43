"""Numbers of records are found by the word before them, in both languages, and by their own form."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.privacy.recognition import records
from desktop_app.privacy.spans import Kind
from tests.helpers.found_spans import RULES_ONLY, found_by, left

CODES = st.from_regex(r"[A-Z]{1,3}-?[0-9]{4,8}|[0-9]{3,6}-[0-9]{3,6}|[0-9]{5,10}", fullmatch=True)


@settings(max_examples=60)
@given(
    st.sampled_from(["Invoice no. ", "MRN: ", "case #", "order number is ", "Patient ID | ", "policy ", "Ref: ", "Customer No "]),
    CODES,
)
def test_english_words_tell_of_a_number(cue: str, code: str) -> None:
    text = f"{cue}{code}, as said"
    assert left(text, RULES_ONLY.find(text)) == left(cue, []) + "assaid"


@settings(max_examples=60)
@given(st.sampled_from(["환자번호 ", "사건번호: ", "주문번호는 ", "차트번호 ", "고객 번호 ", "계좌번호 ", "송장번호:"]), CODES)
def test_korean_words_tell_of_a_number(cue: str, code: str) -> None:
    text = f"{cue}{code}입니다"
    assert left(text, RULES_ONLY.find(text)) == left(cue, []) + "입니다"


@pytest.mark.parametrize(
    "code", ["2023가합12345", "2024고단678", "INV-2024-0042", "KX48213-B", "0048213", "12345678", "1HGCM82633A004352"]
)
def test_codes_are_found_by_their_form(code: str) -> None:
    text = f"see {code} again"
    assert left(text, RULES_ONLY.find(text)) == "seeagain"


@pytest.mark.parametrize(
    "text",
    [
        "order 12 apples",
        "case 2024",
        "invoice of 3 pages",
        "ISO-27001 and RFC2119",
        "GPT-4",
        "500mg",
        "1080p",
        "COVID-19",
        "2023년 12345명",
        "in order to",
        "policy matters",
        "the 3 reports",
    ],
)
def test_counts_years_measures_and_norms_are_left_alone(text: str) -> None:
    assert RULES_ONLY.find(text) == []


def test_a_number_told_is_no_telephone() -> None:
    text = "account number is 12 345 678"
    assert [span.kind for span in RULES_ONLY.find(text)] == [Kind.RECORD]
    assert found_by(records.find_told, text) == ["12 345 678"]
