"""Numbers of which only the last digits are shown."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.naming import Naming
from desktop_app.privacy.recognition.hidden_numbers import hidden, without_known
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind
from desktop_app.privacy.stand_ins.number_stand_ins import candidate
from tests.helpers.found_spans import RULES_ONLY, values

SIGNS = st.sampled_from(["x", "X", "*", "•"])


@given(SIGNS, st.sampled_from([(3, 2), (4, 4, 4), (3, 3)]), st.sampled_from("- "), st.from_regex(r"[0-9]{4}", fullmatch=True))
def test_what_hides_digits_stays_in_a_stand_in(sign: str, groups: tuple[int, ...], between: str, shown: str) -> None:
    value = between.join([*(sign * size for size in groups), shown])
    made = candidate(value, Kind.NATIONAL_ID, lambda count: count - 1)
    assert made[:-4] == value[:-4]
    assert made[-4:].isdigit()


@pytest.mark.parametrize("value", ["XX123456", "MAX-4399", "4399", "xylophone 12", ""])
def test_letters_of_a_number_hide_nothing(value: str) -> None:
    assert not hidden(value)


@pytest.mark.parametrize("masked", ["xxx-xx-4399", "***-**-4399", "XXX-XX-4399"])
def test_the_last_digits_are_left_to_the_whole_number_where_that_is_known(masked: str) -> None:
    def found(text: str) -> list[str]:
        return values(text, RULES_ONLY.find(text))

    assert found(f"SSN 536-90-4399, then {masked}") == ["536-90-4399"]
    assert [value[-4:] for value in found(f"SSN 536-90-4398, then {masked}")] == ["4398", "4399"]
    assert [value[-4:] for value in found(f"then {masked}")] == ["4399"]


@pytest.mark.parametrize("other", ["born on 5 May 4399", "room 4399", "order 4399"])
def test_they_are_found_where_only_something_else_ends_like_them(other: str) -> None:
    text = f"{other}, then xxx-xx-4399"
    assert "xxx-xx-4399" in values(text, RULES_ONLY.find(text))


def test_the_last_digits_become_those_of_the_whole_numbers_stand_in() -> None:
    text = "SSN 536-90-4399 and 536904399; last four 4399; ends in 4399; xxx-xx-4399; ***-**-4399"
    sent = Naming().protect(text, RULES_ONLY.find(text)).text
    assert re.findall(r"\d{4}\b", sent) == [sent[11:15]] * 6
    assert "xxx-xx-" in sent


def test_nothing_else_is_left_out() -> None:
    found = [Found(0, 4, Kind.RECORD), Found(5, 9, Kind.RECORD)]
    assert list(without_known("4399 4399", found)) == found


@pytest.mark.parametrize("masked", ["xxx-xx-4399", "***-**-4399", "XXX-XX-4399"])
def test_so_they_do_in_a_later_message(masked: str) -> None:
    naming = Naming()
    first = naming.protect(text := "SSN 536-90-4399 is mine.", RULES_ONLY.find(text)).text
    later = f"It shows {masked}, last four 4399."
    sent = naming.protect(later, RULES_ONLY.find(later)).text
    shown = re.findall(r"\d{4}", first)[-1]
    assert sent == f"It shows {masked[:-4]}{shown}, last four {shown}."
    assert "".join(piece.text for piece in naming.reveal(sent)) == later
