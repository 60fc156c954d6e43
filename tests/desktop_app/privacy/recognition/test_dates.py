"""Dates that tell a day are found in all usual forms; years, months and fractions are left alone."""

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.privacy.recognition import dates
from desktop_app.privacy.spans import Kind
from tests.helpers.found_spans import RULES_ONLY, found_by, left

FORMS = (
    "{0:%Y-%m-%d}",
    "{0:%d/%m/%Y}",
    "{0:%m/%d/%Y}",
    "{0:%d.%m.%Y}",
    "{0.day} {0:%B} {0.year}",
    "{0:%B} {0.day}, {0.year}",
    "{0:%d-%b-%y}",
    "{0.year}년 {0.month}월 {0.day}일",
    "{0.year}. {0.month}. {0.day}.",
    "{0:%Y%m%d}",
    "{0:%Y-%m-%d %H:%M:%S}",
    "{0:%Y-%m-%dT%H:%M:%SZ}",
    "{0.month}월 {0.day}일",
    "{0:%B} {0.day}",
)


@settings(max_examples=60)
@given(st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2099, 12, 31)), st.sampled_from(FORMS))
def test_every_date_is_found_whole_in_every_form(day: datetime.datetime, form: str) -> None:
    written = form.format(day)
    text = f"It was {written} then"
    spans = [span for span in RULES_ONLY.find(text) if span.kind is Kind.DATE]
    assert left(text, spans) == "Itwasthen"


@pytest.mark.parametrize(
    "text",
    [
        "born in 1985",
        "DOB: 850312",
        "생년월일 850312",
        "1985년생",
        "12th of March",
        "3 mars 2021",
        "5. August 2020",
        "12 de mayo de 1990",
        "March\n12, 2024",
    ],
)
def test_other_dates(text: str) -> None:
    assert found_by(dates.find, text, Kind.DATE)


@settings(max_examples=60)
@given(st.dates(datetime.date(1941, 1, 1), datetime.date(2030, 12, 31)), st.sampled_from(FORMS[:9]), st.sampled_from("-./"))
def test_a_day_that_is_known_is_found_with_a_year_in_two_digits_before_it(day: datetime.date, form: str, sign: str) -> None:
    short = f"{day:%y}{sign}{day.month}{sign}{day.day}"
    text = f"It was {form.format(day)} and {short} then"
    assert left(text, RULES_ONLY.find(text)) == "Itwasandthen"
    text = f"그는 {short}생"
    assert left(text, RULES_ONLY.find(text)) == "그는"


@pytest.mark.parametrize(
    "text",
    [
        "version 80.2.29",
        "in 1977",
        "March 2024",
        "the 12 marbles",
        "1/2 cup",
        "2019-2020",
        "3월에",
        "12개월 10일치 약",
        "version 1.2.3",
    ],
)
def test_years_months_and_counts_are_left_alone(text: str) -> None:
    assert found_by(dates.find, text) == []
