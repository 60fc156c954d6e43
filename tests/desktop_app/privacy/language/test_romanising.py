"""Korean names are known by the ways in which they are spelt in Latin letters."""

import pytest

from desktop_app.privacy.language.romanising import family_spellings, is_family, revised, syllables_of


@pytest.mark.parametrize(("name", "spelling"), [("김민준", "gimminjun"), ("서울", "seoul"), ("부산", "busan")])
def test_the_revised_spelling_is_the_official_one(name: str, spelling: str) -> None:
    assert revised(name) == spelling


def test_a_family_name_has_its_usual_spellings() -> None:
    assert {"park", "pak"} <= set(family_spellings("박"))
    assert is_family("Park")
    assert not is_family("Smith")


def test_syllables_are_read_back() -> None:
    assert syllables_of("Minjun") == "민준"
