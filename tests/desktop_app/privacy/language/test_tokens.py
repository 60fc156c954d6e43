"""Words are compared folded, and letters poured into the form of what they replace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.language.tokens import compact, fold, key_of, poured, recased, regrouped, unpointed


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


@pytest.mark.parametrize(("pointed", "bare"), [("דָּוִד", "דוד"), ("מֹשֶׁה", "משה"), ("مُحَمَّد", "محمد"), ("محمـــد", "محمد")])
def test_points_are_no_part_of_what_words_are_compared_by(pointed: str, bare: str) -> None:
    assert key_of(pointed) == key_of(bare) == (bare,)
    assert unpointed(pointed) == bare


def test_a_maqaf_parts_words_and_vowels_of_devanagari_do_not() -> None:
    assert key_of("בן־גוריון") == ("בן", "גוריון")
    assert key_of("प्रिया शर्मा") == ("प्रिया", "शर्मा")


@pytest.mark.parametrize(
    ("literal", "written"), [("J.A.N.E", "R.U.T.H.I.E"), ("J a n e", "R u t h i e"), ("Ja\nne", "Ruthie"), ("JA | NE", "RUTHIE")]
)
def test_letters_are_poured_into_the_way_a_word_is_spelt_out(literal: str, written: str) -> None:
    assert poured(literal, "Jane", "Ruthie") == written
