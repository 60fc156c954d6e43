"""A scan finds the same however its text was cut, and holds back only what could still matter."""

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.matching.entries import Entry, Pair, Role
from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.matching.scanning import Scan
from desktop_app.privacy.spans import Kind


def _lexicon() -> Lexicon:
    lexicon = Lexicon(backward=True)
    lexicon.add(Entry("Jane", Kind.PERSON, "Ruth", (Pair("Jane", "Ruth", Role.GIVEN),)))
    return lexicon


@given(st.lists(st.sampled_from(["Ruth", "Ruthless", " ", ".", "and", "'s"]), max_size=8).map("".join), st.data())
def test_what_is_certain_of_a_beginning_is_so_of_the_whole(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    first = Scan(_lexicon(), text[:cut], final=False)
    certain = first.run()
    whole = Scan(_lexicon(), text)
    whole.run()
    found = [hit[:3] for hit in first.hits if hit.end <= certain]
    assert found == [hit[:3] for hit in whole.hits][: len(found)]


def test_a_word_that_may_go_on_is_held_back() -> None:
    scan = Scan(_lexicon(), "Here is Ru", final=False)
    assert scan.run() <= len("Here is ")
