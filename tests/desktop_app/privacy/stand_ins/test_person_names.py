"""A person's name is taken apart into given and family name; titles and small words stay outside."""

import pytest

from desktop_app.privacy.matching.entries import Role
from desktop_app.privacy.stand_ins.person_names import taken_apart


@pytest.mark.parametrize(
    ("value", "given", "family"),
    [
        ("Jane Park", ["Jane"], ["Park"]),
        ("Dr Jane van Park Jr", ["Jane"], ["Park"]),
        ("Park, Jane", ["Jane"], ["Park"]),
        ("Martin King", ["Martin"], ["King"]),
        ("Judge King", [], ["King"]),
        ("King, Martin", ["Martin"], ["King"]),
        ("Meyer, Dr Anna", ["Anna"], ["Meyer"]),
        ("Meyer, Anna, Prof", ["Anna"], ["Meyer"]),
        ("Martin Major Bishop", ["Martin", "Major"], ["Bishop"]),
        ("Senhora Matos", [], ["Matos"]),
        ("Nurse Okoro", [], ["Okoro"]),
        ("Aoife", ["Aoife"], []),
        ("Sister Aoife", ["Aoife"], []),
        ("Mrs Aoife", [], ["Aoife"]),
        ("박지영", ["지영"], ["박"]),
        ("황보람", ["보람"], ["황"]),
        ("황보영희", ["영희"], ["황보"]),
        ("남궁민", ["민"], ["남궁"]),
    ],
)
def test_each_word_is_what_it_is(value: str, given: list[str], family: list[str]) -> None:
    parts = taken_apart(value).parts
    assert [part.text for part in parts if part.role is Role.GIVEN] == given
    assert [part.text for part in parts if part.role is Role.FAMILY] == family
    assert all(value[part.start : part.end] == part.text for part in parts)


def test_the_gender_is_told_where_the_name_tells_it() -> None:
    assert taken_apart("Jane Park").gender == "f"
    assert taken_apart("John Park").gender == "m"
