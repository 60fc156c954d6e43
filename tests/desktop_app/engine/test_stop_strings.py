"""Stop strings: found wherever the pieces are cut, and never shown in part."""

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.stop_strings import StopStrings

TEXT = st.text(alphabet="ab#\n", max_size=30)


@given(st.lists(TEXT, max_size=8), st.lists(st.text(alphabet="ab#\n", min_size=1, max_size=4), max_size=3))
def test_text_up_to_the_first_stop_string_is_shown_however_it_is_cut(pieces: list[str], stops: list[str]) -> None:
    filter_ = StopStrings(stops)
    shown = "".join(filter_.add(piece) for piece in pieces)
    if not filter_.found:
        shown += filter_.finish()
    whole = "".join(pieces)
    places = [whole.find(stop) for stop in stops if stop in whole]
    if not places:
        assert shown == whole
    else:
        # Which stop string counts is settled by the first piece that completes one, as it must be while text streams.
        assert filter_.found
        assert whole.startswith(shown)
        assert any(whole.startswith(stop, len(shown)) for stop in stops)


def test_a_part_of_a_stop_string_is_held_back_and_given_at_the_end() -> None:
    filter_ = StopStrings(["###"])
    assert filter_.add("one ##") == "one "
    assert filter_.add(" two #") == "## two "
    assert filter_.finish() == "#"


def test_without_stop_strings_text_passes_through() -> None:
    assert StopStrings(["", ""]).add("text") == "text"
