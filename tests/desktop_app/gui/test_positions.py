"""Characters and UTF-16 units."""

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.gui.positions import Positions


@given(text=st.text(st.sampled_from("a한😀𝒳 ")), at=st.integers(0, 40))
def test_a_position_is_the_number_of_units_before_it(text: str, at: int) -> None:
    at = min(at, len(text))
    assert Positions(text)[at] == len(text[:at].encode("utf-16-le")) // 2
