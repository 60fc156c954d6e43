"""Digits that belong together are seen together, whatever stands between them."""

import pytest

from desktop_app.privacy.recognition.digit_runs import bounded, is_amount, runs
from desktop_app.privacy.spans import Kind


@pytest.mark.parametrize(
    "text", ["4111 1111", "4111-1111", "4111.1111", "4111\n1111", "4111 | 1111", "(4111) 1111", "4111\t1111"]
)
def test_groups_belong_together(text: str) -> None:
    (run,) = runs(text)
    assert run.groups == ("4111", "1111")
    assert text[run.start : run.end].strip("(") == text.strip("(")


@pytest.mark.parametrize("text", ["4111, 1111", "4111\n\n1111", "4111 and 1111", "4111 - - 1111"])
def test_numbers_apart_are_two(text: str) -> None:
    assert [run.groups for run in runs(text)] == [("4111",), ("1111",)]


def test_a_number_with_thousands_is_no_run() -> None:
    assert [run.groups for run in runs("1,234,567")] == [("1",)]


def test_numbers_in_a_run_are_its_longest_parts_and_none_within_another() -> None:
    text = "12 345 6 78 345 "
    (run,) = runs(text)
    found = list(run.numbers(text, lambda part: Kind.RECORD if part.groups in (("345", "6"), ("345",), ("6",)) else None))
    assert [text[part.start : part.end] for part, _ in found] == ["345 6", "345"]
    assert [part.groups for part in run.single()] == [("12",), ("345",), ("6",), ("78",), ("345",)]


def test_a_long_table_of_numbers_takes_no_longer_than_its_length() -> None:
    text = "12 345 " * 20_000
    (run,) = runs(text)
    assert list(run.numbers(text, lambda part: None)) == []


@pytest.mark.parametrize(
    ("text", "free"),
    [("x 123", True), ("가123나", True), ("x123", False), ("123x", False), ("$123", False), ("123,5", False), ("123x45", True)],
)
def test_a_number_stands_free_of_latin_words_and_currencies(text: str, free: bool) -> None:
    assert bounded(text, next(runs(text))) is free


@pytest.mark.parametrize(
    ("text", "amount"), [("1234567원", True), ("1234567 people", True), ("1234567 is", False), ("1234567", False)]
)
def test_what_is_counted_is_an_amount(text: str, amount: bool) -> None:
    assert is_amount(text, next(runs(text))) is amount
