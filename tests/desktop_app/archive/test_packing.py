"""Values come back, whatever a later or an earlier version has put in or left out."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from desktop_app.archive.errors import TextRefused
from desktop_app.archive.packing import packed, unpacked


class Now(Struct, frozen=True):
    """What this version knows."""

    name: str
    count: int = 7


class Later(Struct, frozen=True):
    """What a later version writes."""

    name: str
    count: int
    colour: str


class Earlier(Struct, frozen=True):
    """What an earlier version wrote."""

    name: str


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(-(2**63), 2**63 - 1))
def test_a_value_comes_back(name: str, count: int) -> None:
    assert unpacked(packed(Now(name, count)), Now, None) == Now(name, count)


def test_a_field_that_is_not_known_is_passed_over() -> None:
    assert unpacked(packed(Later("a", 3, "red")), Now, None) == Now("a", 3)


def test_a_field_that_is_missing_has_its_default() -> None:
    assert unpacked(packed(Earlier("a")), Now, None) == Now("a", 7)


@pytest.mark.parametrize(
    "blob", [b"", b"\xc1", packed({"name": 5}), packed([1, 2]), packed(Now("a"))[:-1], b"\x81\xa4name\xa2\xff\xfe"]
)
def test_what_makes_no_sense_is_as_good_as_nothing(blob: bytes) -> None:
    assert unpacked(blob, Now, None) is None


def test_half_a_character_is_refused() -> None:
    with pytest.raises(TextRefused, match="half a character"):
        packed(Now("a\ud800"))


def test_what_is_packed_is_plain_msgpack() -> None:
    assert msgspec.msgpack.decode(packed(Now("a"))) == {"name": "a", "count": 7}
