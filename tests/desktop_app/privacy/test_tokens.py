"""Words are compared folded, and letters poured into the form of what they replace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.tokens import compact, fold, key_of, poured, recased, regrouped


@given(st.text())
def test_folding_twice_changes_nothing_more(word: str) -> None:
    assert fold(fold(word)) == fold(word)


def test_a_key_is_the_folded_words() -> None:
    assert key_of("Jane  PARK") == ("jane", "park")
    assert compact("12-34 aB") == compact("1234ab")


@pytest.mark.parametrize(("literal", "result"), [("JANE", "RUTH"), ("jane", "ruth"), ("Jane", "Ruth")])
def test_case_follows_what_is_replaced(literal: str, result: str) -> None:
    assert recased(literal, "Jane", "Ruth") == result


def test_digits_are_poured_into_the_grouping_that_stands_there() -> None:
    assert poured("1234-5678", "12345678", "87654321") == "87654321"
    assert regrouped("12-34", "abcd") == "ab-cd"
