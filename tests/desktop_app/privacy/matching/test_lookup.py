"""What stands in a text as it is: the longest phrase, numbers in any grouping, and a common word only where it is a name."""

import pytest

from desktop_app.privacy.matching.entries import Entry, Pair, Role
from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.matching.scanning import Scan
from desktop_app.privacy.spans import Kind


def _read(text: str, *pairs: Pair, kind: Kind = Kind.PERSON) -> list[tuple[str, str]]:
    lexicon = Lexicon(backward=True)
    for pair in pairs:
        lexicon.add(Entry(pair.real, kind, pair.stand_in, (pair,)))
    scan = Scan(lexicon, text)
    scan.run()
    return [(text[hit.start : hit.end], hit.text) for hit in scan.hits]


def test_the_longest_phrase_is_found() -> None:
    short, long_ = Pair("Acme", "Orion", Role.WORD), Pair("Acme Motors", "Orion Works", Role.WORD)
    assert _read("Orion Works and Orion", short, long_) == [("Orion Works", "Acme Motors"), ("Orion", "Acme")]


@pytest.mark.parametrize("written", ["4366 0082", "43660082", "4366-0082", "4366_0082"])
def test_a_number_is_found_in_any_grouping(written: str) -> None:
    found = _read(f"no {written}.", Pair("1234 5678", "4366 0082", Role.NUMBER), kind=Kind.CARD)
    assert [text for text, _ in found] == [written]
    assert "".join(filter(str.isdigit, found[0][1])) == "12345678"


def test_a_common_word_is_a_name_only_where_it_stands_as_one() -> None:
    pair = Pair("Jane", "Will", Role.GIVEN)
    assert _read("Ask Will. Will you? it will", pair) == [("Will", "Jane")]
