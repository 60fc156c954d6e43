"""Capitals of all alphabets that have them."""

import re

import pytest

from desktop_app.privacy.language.capitals import CAPITAL_WORD, PARTICLES, is_capital


@pytest.mark.parametrize("word", ["Anna", "O'Brien", "Müller-Lüdenscheidt", "Łódź", "Ольга", "Άννα", "McPherson", "BERLIN"])
def test_words_with_a_capital(word: str) -> None:
    assert re.fullmatch(CAPITAL_WORD, word)
    assert is_capital(word)


@pytest.mark.parametrize("word", ["anna", "김", "王", "1a", ""])
def test_words_without(word: str) -> None:
    assert not re.fullmatch(CAPITAL_WORD, word)
    assert not is_capital(word)


def test_particles_are_in_lower_case() -> None:
    assert {"de", "van", "bin"} <= PARTICLES
    assert all(particle == particle.lower() for particle in PARTICLES)
