"""Canaries are what they say, and the hunt finds them in every form and only where they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn

from desktop_app.audit.canaries import (
    KINDS,
    LONGEST_WORD,
    Canary,
    canaries,
    found_in_bytes,
    found_in_text,
    spellings,
    written_again,
)

ALL = canaries(80, 1)
CARD = Canary("4366 0082 2948 4616", "card")


class Letters:
    """An encoder with a token for each letter."""

    def encode(self, text: str) -> list[int]:
        return [ord(letter) for letter in text]


def test_they_are_different_of_all_kinds_and_the_same_for_a_seed() -> None:
    assert len({canary.value for canary in ALL}) == 80
    assert {canary.kind for canary in ALL} == set(KINDS)
    assert canaries(80, 1) == ALL
    assert canaries(80, 2) != ALL


def test_their_check_digits_are_right() -> None:
    assert all(luhn.is_valid(canary.value.replace(" ", "")) for canary in ALL if canary.kind == "card")
    assert all(iban.is_valid(canary.value) for canary in ALL if canary.kind == "iban")


@given(st.sampled_from(ALL), st.binary(max_size=40), st.binary(max_size=40), st.data())
def test_a_value_among_other_bytes_is_found_in_every_spelling(
    canary: Canary, before: bytes, after: bytes, data: st.DataObject
) -> None:
    form = data.draw(st.sampled_from(list(spellings(canary.value, Letters()))))
    assert found_in_bytes(canary, before + form + after, Letters())


def test_bytes_without_it_do_not_hold_it() -> None:
    other = canaries(40, 99)
    haystack = b"".join(form for canary in other for form in spellings(canary.value, Letters()))
    secrets = {canary.value for canary in other}
    assert not [it for it in ALL if it.kind != "name" and it.value not in secrets and found_in_bytes(it, haystack, Letters())]


@pytest.mark.parametrize(
    "text", ["card 4366 0082 2948 4616.", "4366008229484616", "4366-0082-2948-4616", "no 4366 0082\n2948 4616"]
)
def test_a_number_is_found_however_it_is_spaced(text: str) -> None:
    assert found_in_text(CARD, text)


@pytest.mark.parametrize("canary", ALL, ids=lambda canary: canary.value)
def test_what_is_written_in_another_way_is_found_too(canary: Canary) -> None:
    again = written_again(canary)
    if canary.kind != "name":
        assert found_in_text(canary, f"see {again}, and call")
    elif canary.value.isascii() and len(again) > LONGEST_WORD:
        assert found_in_text(canary, f"ask {again} now")  # the given name alone, in lower case
    assert canary.kind == "secret" or again != canary.value


def test_a_number_with_another_digit_is_another_number() -> None:
    assert not found_in_text(CARD, "4366 0082 2948 4617")


def test_of_a_name_a_long_part_is_enough_and_a_short_one_is_not() -> None:
    name = Canary("Ivo Castellanes", "name")
    assert found_in_text(name, "Mr CASTELLANES called")
    assert not found_in_text(name, "Ivor called")
