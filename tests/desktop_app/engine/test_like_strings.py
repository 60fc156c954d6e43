"""Strings that may stand for a piece of a word have its pattern, are many, and are the same whatever the word is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.engine.like_strings import FEWEST, MOST, kind_of, korean_names, pattern_of, strings_of

WORDS = ["김민준", "王小明", "Łukasz", "Иван", "Nguyễn", "é", "हिन्दी", "٣", "7", "Ωμέγα", "アヤ", "שלום", "X", "ß"]


@pytest.mark.parametrize("word", WORDS)
def test_letters_of_any_writing_have_many_others_in_their_place(word: str) -> None:
    for letter in word:
        others = strings_of(pattern_of(letter))
        assert len(others) >= (10 if letter.isdecimal() else FEWEST)
        assert {kind_of(other).rpartition(" ")[2][0] for other in others} == {kind_of(letter).rpartition(" ")[2][0]}


@settings(max_examples=50)
@given(st.text(min_size=1, max_size=5))
def test_marks_stay_and_everything_else_may_be_another(text: str) -> None:
    strings = strings_of(pattern_of(text))
    assert 1 <= len(strings) <= MOST
    for place, letter in enumerate(text):
        there = {string[place] for string in strings}
        assert (there == {letter}) if not kind_of(letter) else len(there) >= 10


@given(st.permutations("김민준"))
def test_the_list_does_not_depend_on_the_word(letters: list[str]) -> None:
    assert strings_of(pattern_of("".join(letters))) == strings_of(pattern_of("가나다"))


@pytest.mark.parametrize("length", [2, 3, 4])
def test_korean_names_are_of_their_length(length: int) -> None:
    assert all(len(name) == length for name in korean_names(length))
    assert length != 3 or len(korean_names(length)) > 1000
