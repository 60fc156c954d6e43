"""Particles come off a noun; family and given names are told from each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.language.hangul import (
    CALLS,
    GIVEN_NAMES,
    LONG_SURNAMES,
    SURNAMES,
    TITLES,
    is_particles,
    may_be_given_name,
    without_call,
)


@pytest.mark.parametrize("text", ["", "은", "에게서는", "이라고", "씨가", "들은", "이야말로", "은커녕", "이라기보다는", "이거나"])
def test_particles(text: str) -> None:
    assert is_particles(text)


@pytest.mark.parametrize("text", ["병원", "하다", "은행", "a"])
def test_other_words_are_none(text: str) -> None:
    assert not is_particles(text)


@given(st.sampled_from(["은", "는", "이", "가", "에게", "부터", "도"]), st.sampled_from(["은", "는", "만", "도"]))
def test_particles_chain(first: str, second: str) -> None:
    assert is_particles(first + second)


def test_given_names_are_made_of_their_syllables() -> None:
    assert may_be_given_name("지훈")
    assert may_be_given_name("채현")
    assert not may_be_given_name("었다")
    assert all(map(may_be_given_name, GIVEN_NAMES))


def test_family_names_are_one_syllable_or_two() -> None:
    assert {len(name) for name in SURNAMES} == {1}
    assert {len(name) for name in LONG_SURNAMES} == {2}
    assert {"씨", "교수", "환자"} <= TITLES


@given(st.sampled_from(sorted(SURNAMES)), st.sampled_from(sorted(name for name in GIVEN_NAMES if len(name) == 2)))
def test_what_calls_somebody_is_no_part_of_a_whole_name(family: str, given_name: str) -> None:
    name = family + given_name
    assert all(without_call(name + ending, {name}) == name for ending in CALLS)
    if name[:2] not in LONG_SURNAMES:
        assert all(without_call(name + ending) == name for ending in CALLS if ending[0] != "이")


@pytest.mark.parametrize(
    ("word", "known", "name"),
    [
        ("지훈이", {"지훈"}, "지훈"),
        ("지훈아", {"지훈"}, "지훈"),
        ("노아네", {"노아"}, "노아"),
        ("지훈이", set(), "지훈이"),
        ("이수아", {"이수"}, "이수아"),
        ("황보영아", set(), "황보영아"),
        ("박지은", {"박지"}, "박지은"),
    ],
)
def test_what_may_be_a_syllable_of_the_name_stays_where_nothing_tells(word: str, known: set[str], name: str) -> None:
    assert without_call(word, known) == name
