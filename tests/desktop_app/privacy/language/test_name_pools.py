"""The names that stand for others are no common words, apart from each other, and enough."""

import random

import pytest
from kiwipiepy import Kiwi

from desktop_app.privacy.language import name_pools
from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.korean import Sound


def test_no_english_name_is_a_common_word_or_another_name_with_an_s() -> None:
    names = {
        name.casefold()
        for name in (*name_pools.english_given_names("f"), *name_pools.english_given_names("m"), *name_pools.english_surnames())
    }
    assert names & COMMON_WORDS == set()
    assert {name for name in names if f"{name}s" in names} == set()
    assert len(names) > 200


def test_genders_are_told_of_names_that_have_one() -> None:
    assert name_pools.english_gender("Jane") == "f"
    assert name_pools.english_gender("John") == "m"


@pytest.mark.parametrize("sound", [Sound.CONSONANT, Sound.VOWEL])
def test_names_of_a_sound_are_of_that_sound(sound: Sound) -> None:
    names = name_pools.of_sound(name_pools.korean_given_names("f"), sound)
    assert names
    assert {name_pools.sound(name) for name in names} == {sound}


def test_made_up_words_in_hangul_are_none_and_begin_with_none() -> None:
    kiwi, draw = Kiwi(num_workers=1), random.Random(1).randrange
    for sound in Sound:
        names = {name_pools.made_up_korean(sound, draw) for _ in range(300)}
        assert len(names) > 200
        assert {name_pools.sound(name) for name in names} == {sound}
        tokens = {name: kiwi.tokenize(name) for name in names}
        words = {name for name, them in tokens.items() if not any(it.oov for it in them) and any(it.len > 1 for it in them)}
        assert words == set()


def test_made_up_words_are_many() -> None:
    draw = random.Random(1).randrange
    assert len({name_pools.made_up_word(draw) for _ in range(200)}) > 150


@pytest.mark.parametrize(
    ("name", "gender"), [("Callum", "m"), ("Aoife", "f"), ("Bruno", "m"), ("Katarzyna", "f"), ("Noel", ""), ("Vosk", "")]
)
def test_a_given_name_tells_its_gender_where_it_has_one(name: str, gender: str) -> None:
    assert name_pools.english_gender(name) == gender
