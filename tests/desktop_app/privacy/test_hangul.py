"""Particles come off a noun; family and given names are told from each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.hangul import GIVEN_NAMES, LONG_SURNAMES, SURNAMES, TITLES, is_particles, may_be_given_name


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
