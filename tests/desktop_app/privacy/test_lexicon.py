"""What goes in one way is found the other way round."""

from desktop_app.privacy.entries import Entry, Pair, Role
from desktop_app.privacy.lexicon import Dates, Lexicon
from desktop_app.privacy.scanning import Scan
from desktop_app.privacy.spans import Kind

ENTRY = Entry("Jane", Kind.PERSON, "Ruth", (Pair("Jane", "Ruth", Role.GIVEN),))


def _texts(lexicon: Lexicon, text: str) -> list[tuple[str, str]]:
    scan = Scan(lexicon, text)
    scan.run()
    return [(text[hit.start : hit.end], hit.text) for hit in scan.hits]


def test_forward_finds_the_value_and_backward_the_stand_in() -> None:
    forward, backward = Lexicon(backward=False), Lexicon(backward=True)
    forward.add(ENTRY)
    backward.add(ENTRY)
    assert _texts(forward, "Here is Jane.") == [("Jane", "Ruth")]
    assert _texts(backward, "Here is Ruth.") == [("Ruth", "Jane")]


def test_dates_lead_to_the_moved_date() -> None:
    dates = Dates()
    dates.add("2024-05-03", "2024-05-10", 7)
    assert dates.target_of("2024-05-03") is not None
    assert dates.target_of("1999-01-01") is None
