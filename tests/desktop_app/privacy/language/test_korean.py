"""Particles follow the last sound of the word before them, and a swap undone is the text as it was."""

import pytest

from desktop_app.privacy.language.korean import CLOSING, Sound, begins_with_title, is_title, last_sound, swapped_particle

PAIRS = (("은", "는"), ("이", "가"), ("을", "를"), ("과", "와"), ("으로", "로"), ("이야말로", "야말로"), ("은커녕", "는커녕"))


@pytest.mark.parametrize(
    ("word", "sound"), [("박", Sound.CONSONANT), ("나무", Sound.VOWEL), ("서울", Sound.LIQUID), ("지영", Sound.CONSONANT)]
)
def test_the_last_sound_is_that_of_the_last_syllable(word: str, sound: Sound) -> None:
    assert last_sound(word) is sound


@pytest.mark.parametrize(("closed", "open_"), PAIRS)
def test_a_particle_is_swapped_where_the_sound_is_of_the_other_class(closed: str, open_: str) -> None:
    assert swapped_particle(closed, Sound.CONSONANT, Sound.VOWEL) == open_
    assert swapped_particle(open_, Sound.VOWEL, Sound.CONSONANT) == closed


@pytest.mark.parametrize(("closed", "open_"), PAIRS)
@pytest.mark.parametrize("target", Sound)
def test_a_swap_undone_is_the_text_as_it_was(closed: str, open_: str, target: Sound) -> None:
    assert swapped_particle(swapped_particle(closed, Sound.CONSONANT, target), target, Sound.CONSONANT) == closed
    assert swapped_particle(swapped_particle(open_, Sound.VOWEL, target), target, Sound.VOWEL) == open_


@pytest.mark.parametrize(("closed", "open_"), [("이어서", "여서"), ("이거나", "거나"), ("이므로", "므로"), ("이니까", "니까")])
def test_the_copula_loses_its_vowel_after_one(closed: str, open_: str) -> None:
    assert swapped_particle(closed, Sound.CONSONANT, Sound.VOWEL) == open_
    assert swapped_particle(open_, Sound.VOWEL, Sound.CONSONANT) == closed


def test_quotes_and_bold_letters_end_before_a_particle_and_brackets_do_not() -> None:
    assert all(CLOSING.fullmatch(marks) for marks in ("", "**", "”", "`", "”**"))
    assert not any(CLOSING.fullmatch(marks) for marks in (" ", "** ", ")", "("))


def test_titles_are_known_alone_and_in_front_of_particles() -> None:
    assert is_title("씨")
    assert begins_with_title("교수님")
    assert not is_title("나무")
