"""Nothing becomes a stand-in that stands in a real text or is taken already."""

import random

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.matching.entries import Entry, Pair, Role
from desktop_app.privacy.spans import Kind
from desktop_app.privacy.stand_ins.choosing import Choice

NAMES = ("Aldous", "Beatrix", "Cosmo", "Dorothea")


@given(st.sets(st.sampled_from(NAMES), max_size=3), st.integers(0, 99))
def test_what_is_chosen_stands_in_no_text_that_was_seen(seen: set[str], seed: int) -> None:
    choice = Choice(random.Random(seed).randrange)
    choice.seen.add(" and ".join(sorted(seen)))
    assert choice.of(NAMES) in set(NAMES) - seen


def test_where_all_are_taken_there_is_none_and_one_is_made() -> None:
    choice = Choice(random.Random(1).randrange)
    for name in NAMES:
        choice.take(Entry("x", Kind.PERSON, name, (Pair("x", name, Role.GIVEN),)))
    assert choice.of(NAMES) is None
    assert choice.first_of([NAMES], lambda: "Evander") == "Evander"


def test_a_number_is_free_only_where_its_digits_were_not_seen_in_any_grouping() -> None:
    choice = Choice(random.Random(1).randrange)
    choice.seen.add("Call 5550-1234.")
    assert not choice.is_free_number("555 01234")
    assert choice.is_free_number("555 01235")
