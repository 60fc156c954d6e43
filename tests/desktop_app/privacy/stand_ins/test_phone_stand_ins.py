"""A telephone number becomes one that is nobody's, in the same form."""

import random
import re

import pytest

from desktop_app.privacy.stand_ins.phone_stand_ins import candidate, other_forms


@pytest.mark.parametrize(
    ("value", "nobodys"),
    [
        ("+1 415 555 2671", r"\+1 \d{3} 555 01\d\d"),
        ("(415) 555-2671", r"\(\d{3}\) 555-01\d\d"),
        ("010-1234-5678", r"010-0\d{3}-\d{4}"),
        ("+44 7911 123456", r"\+44 .+"),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_it_is_of_a_range_that_nobody_has_and_looks_the_same(value: str, nobodys: str, seed: int) -> None:
    stand_in = candidate(value, random.Random(seed).randrange)
    assert re.fullmatch(nobodys, stand_in)
    assert re.sub(r"\d", "9", stand_in) == re.sub(r"\d", "9", value)


def test_other_forms_of_a_number_have_the_same_of_the_stand_in() -> None:
    assert ("821012345678", "821004470949") in other_forms("010-1234-5678", "010-0447-0949")
