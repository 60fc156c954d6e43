"""Canaries are what they say, and the hunt finds them in every form and only where they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn

from desktop_app.audit.canaries import (
    FAMILY,
    GIVEN,
    GIVEN_KO,
    KINDS,
    LATE,
    NUMBERS,
    STRANGER,
    Canary,
    canaries,
    found_in_bytes,
    found_in_text,
    spellings,
    written_again,
)
from desktop_app.privacy.language import name_pools

ALL = [*canaries(80, 1), *canaries(20, 2, [STRANGER]), *canaries(12, 3, [LATE])]
CARD = Canary("4366 0082 2948 4616", "card")


class Letters:
    """An encoder with a token for each letter."""

    def encode(self, text: str) -> list[int]:
        return [ord(letter) for letter in text]


def test_they_are_different_of_all_kinds_and_the_same_for_a_seed() -> None:
    made = canaries(80, 1)
    assert len({canary.value for canary in made}) == 80
    assert {canary.kind for canary in made} == set(KINDS)
    assert canaries(80, 1) == made
    assert canaries(80, 2) != made


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
    assert not [
        it
        for it in ALL
        if it.kind not in ("name", STRANGER) and it.value not in secrets and found_in_bytes(it, haystack, Letters())
    ]


@pytest.mark.parametrize(
    "text", ["card 4366 0082 2948 4616.", "4366008229484616", "4366-0082-2948-4616", "no 4366 0082\n2948 4616"]
)
def test_a_number_is_found_however_it_is_spaced(text: str) -> None:
    assert found_in_text(CARD, text)


@pytest.mark.parametrize("canary", ALL, ids=lambda canary: canary.value)
def test_what_is_written_in_another_way_is_found_too(canary: Canary) -> None:
    again = written_again(canary)
    assert found_in_text(canary, f"see {again}, and call")
    assert found_in_text(canary, f"see {again}")
    assert canary.kind == "secret" or again != canary.value


@pytest.mark.parametrize(
    ("canary", "text"),
    [
        (Canary("박지훈", "name"), "지훈이 왔다"),
        (Canary("박지훈", "name"), "성 명: 박 지 훈 (인)"),
        (Canary("Ole Brandtvik", "name"), "dear ole,"),
        (Canary("Ole Brandtvik", "name"), "o.l.e. came"),
        (Canary("Ole Brandtvik", "name"), "Mrs BRANDTVIK-Smith"),
        (CARD, "card 4366 0082 2948 ****"),
        (CARD, "…0822948461 7"),
        (Canary("quillonby388@example.com", "email"), "quillonby388 at example"),
        (Canary("quillonby388@example.com", "email"), "q.u.i.l.l.o.n.b.y"),
        (Canary("+1 212 867 2301", "phone"), "call 867-2301"),
        (Canary("MRN 79902160", "record"), "MRN 799021"),
        (Canary("442-82-5758", "ssn"), "82-5758"),
        (Canary("sk_live_abcdefghijkmnpqrstuvwxyzABCD", "secret"), "key: ghijkmnp"),
    ],
)
def test_a_part_that_tells_the_value_is_found(canary: Canary, text: str) -> None:
    assert found_in_text(canary, text)


@pytest.mark.parametrize(
    ("canary", "text"),
    [
        (Canary("Ole Brandtvik", "name"), "the whole role of Olek"),
        (Canary("Joren Brandtvik", "name"), "a major entry"),
        (Canary("박지훈", "name"), "박서준이 왔다"),
        (CARD, "4366 01"),
        (CARD, "9436600987"),  # six of its digits, in another number
        (Canary("quillonby388@example.com", "email"), "388@example.com"),
        (Canary("+1 212 867 2301", "phone"), "+1 212 555 0123"),
        (Canary("MRN 79902160", "record"), "MRN 21607990"),
        (Canary("sk_live_abcdefghijkmnpqrstuvwxyzABCD", "secret"), "sk_live_"),
    ],
)
def test_what_tells_nothing_is_not_found(canary: Canary, text: str) -> None:
    assert not found_in_text(canary, text)


@given(st.sampled_from([canary for canary in ALL if canary.kind in NUMBERS]), st.data())
def test_any_seven_digits_in_a_row_are_enough_and_six_alone(canary: Canary, data: st.DataObject) -> None:
    digits = "".join(letter for letter in canary.value if letter.isdigit())
    length = data.draw(st.integers(6, len(digits)))
    start = data.draw(st.integers(0, len(digits) - length))
    run = digits[start : start + length]
    assert found_in_text(canary, f"so {run[:3]} {run[3:]}, and")
    if length > 6:
        assert found_in_text(canary, f"so 11{run}99, and")


def test_no_stand_in_is_a_canarys_name_by_chance() -> None:
    english = {name.casefold() for name in (*name_pools.english_given_names(""), *name_pools.english_surnames())}
    heads, tails = name_pools._GIVEN_HEADS, [tail for tails in name_pools._GIVEN_TAILS.values() for tail in tails]
    english |= {(head + tail).casefold() for head in heads for tail in tails}
    english |= {(head + tail).casefold() for head in name_pools._HEADS for tail in name_pools._TAILS}
    for name in (*GIVEN, *FAMILY):
        assert name.casefold() not in english
        assert not name_pools.is_english_given_name(name)
    korean = [f"{family}{given}" for family in name_pools.korean_surnames() for given in name_pools.korean_given_names("")]
    assert not [name for name in GIVEN_KO if any(name in other for other in korean)]


def test_a_number_with_another_digit_is_another_number() -> None:
    assert not found_in_text(CARD, "4366 0192 2948 4616"[:12])
    assert not found_in_text(CARD, "4367 0182 2849 4617")


def test_what_is_too_short_to_mean_anything_in_bytes_is_not_looked_for_there() -> None:
    assert not found_in_bytes(Canary("Ole Brandtvik", "name"), b"\x00ole Ole\x00", Letters())
    assert found_in_bytes(Canary("Ole Brandtvik", "name"), "Ole".encode("utf-16-le"), Letters())


@pytest.mark.parametrize("canary", [it for it in ALL if it.kind in ("phone", "email")], ids=lambda canary: canary.value)
def test_numbers_without_their_area_and_addresses_without_their_host_are_found_in_bytes(canary: Canary) -> None:
    part = canary.value.partition("@")[0].split(maxsplit=2)[-1]
    assert found_in_bytes(canary, f"\x00{part}\x00".encode(), Letters())
