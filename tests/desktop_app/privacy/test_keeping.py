"""Stand-ins, decisions and lists come back as they were given, and go when they are deleted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.archive.database import Archive
from desktop_app.archive.errors import TextRefused
from desktop_app.privacy.keeping import SCHEMA, Keeping, KeptList


@pytest.fixture
def keeping() -> Keeping:
    return Keeping(Archive.in_memory([SCHEMA]))


@given(st.lists(st.lists(st.binary(max_size=50), max_size=5), max_size=5))
@settings(max_examples=50)
def test_entries_come_back_in_the_order_of_their_making(batches: list[list[bytes]]) -> None:
    keeping = Keeping(Archive.in_memory([SCHEMA]))
    for batch in batches:
        keeping.add_entries("a", batch)
        keeping.add_entries("b", [b"of another conversation"])
    assert keeping.entries("a") == [entry for batch in batches for entry in batch]
    assert len(keeping.entries("b")) == len(batches)


def test_the_last_decision_on_a_value_counts_and_keeps_its_place(keeping: Keeping) -> None:
    keeping.decide("a", "하늘", b"replace")
    keeping.decide("a", "Will", b"replace")
    keeping.decide("a", "하늘", b"never")
    keeping.decide("b", "하늘", b"elsewhere")
    assert keeping.decisions("a") == [b"never", b"replace"]


def test_forgetting_a_conversation_leaves_the_others_and_the_lists(keeping: Keeping) -> None:
    for conversation in ("a", "b"):
        keeping.add_entries(conversation, [b"entry"])
        keeping.decide(conversation, "Will", b"never")
    keeping.keep_list(KeptList(name="staff", kind="person", values=["Will"]))
    keeping.forget("a")
    assert (keeping.entries("a"), keeping.decisions("a")) == ([], [])
    assert (keeping.entries("b"), keeping.decisions("b")) == ([b"entry"], [b"never"])
    assert len(keeping.lists()) == 1


def test_a_list_takes_the_place_of_the_one_of_its_name_and_an_empty_one_deletes_it(keeping: Keeping) -> None:
    first = KeptList(name="staff", kind="person", values=["Will", "하늘"])
    second = KeptList(name="staff", kind="other", values=["Zoë"], never=True)
    keeping.keep_list(first)
    assert keeping.lists() == [first]
    keeping.keep_list(second)
    assert keeping.lists() == [second]
    keeping.keep_list(KeptList(name="staff", kind="other", values=[]))
    keeping.keep_list(KeptList(name="never there", kind="other", values=[]))
    assert keeping.lists() == []


def test_lists_come_by_name(keeping: Keeping) -> None:
    for name in ("b", "c", "a"):
        keeping.keep_list(KeptList(name=name, kind="person", values=[name]))
    assert [names.name for names in keeping.lists()] == ["a", "b", "c"]


def test_a_list_of_a_hundred_thousand_comes_back(keeping: Keeping) -> None:
    names = KeptList(name="customers", kind="organisation", values=[f"Customer {number} 주식회사" for number in range(100_000)])
    keeping.keep_list(names)
    assert keeping.lists() == [names]


def test_half_a_character_is_refused_and_the_list_stays_as_it_was(keeping: Keeping) -> None:
    first = KeptList(name="staff", kind="person", values=["Will"])
    keeping.keep_list(first)
    with pytest.raises(TextRefused):
        keeping.keep_list(KeptList(name="staff", kind="person", values=["\ud800"]))
    assert keeping.lists() == [first]


def test_conversations_are_those_with_stand_ins_or_decisions(keeping: Keeping) -> None:
    keeping.decide("b", "Jane", b"decision")
    keeping.add_entries("a", [b"entry"])
    keeping.add_entries("b", [b"entry"])
    assert keeping.conversations() == ["a", "b"]
