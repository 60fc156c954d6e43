"""Dates move by the same days in whatever form they are written, and back again."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.language.date_shift import date_at, dates_in, moved, written

FORMS = ("{d} May {y}", "{y}-05-{d:02}", "{y}년 5월 {d}일", "May {d}, {y}", "{d:02}.05.{y}")


@given(st.integers(10, 28), st.integers(1950, 2040), st.sampled_from(FORMS), st.integers(-500, 500))
def test_a_date_moved_there_and_back_is_written_as_it_was(day: int, year: int, form: str, weeks: int) -> None:
    text = form.format(d=day, y=year)
    date = date_at(text, 0)
    assert date is not None
    there = moved(date.key, 7 * weeks, year)
    assert moved(there, -7 * weeks, year) == date.key
    other = written(date, there)
    back = date_at(other, 0)
    assert back is not None
    assert written(back, date.key) == text


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("80.2.29", "1980-02-29"),
        ("80-02-29", "1980-02-29"),
        ("'80.2.29", "1980-02-29"),
        ("05.02.12생", "2005-02-12"),
        ("05.02.12", "2012-02-05"),
        ("12.03.80", "1980-03-12"),
    ],
)
def test_a_year_in_two_digits_stands_first_where_no_other_order_is_a_date_or_a_birth_follows(text: str, key: str) -> None:
    date = date_at(text, 0)
    assert date is not None
    assert date.key == key
    assert written(date, key) == text


@given(st.dates(datetime.date(1950, 1, 1), datetime.date(2040, 1, 1)), st.integers(-500, 500))
def test_the_day_of_the_week_and_the_distance_stay(date: datetime.date, weeks: int) -> None:
    other = datetime.date.fromisoformat(moved(date.isoformat(), 7 * weeks, date.year))
    assert (other - date).days == 7 * weeks


@pytest.mark.parametrize("text", ["version 1.2.3", "12345", "no date at all", "99/99/9999"])
def test_what_is_no_date_is_not_taken_for_one(text: str) -> None:
    assert list(dates_in(text)) == []
