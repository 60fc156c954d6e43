"""What the person makes of a row is what the engine is told, and nothing else is."""

from desktop_app.chat.stored import Decision, Found
from desktop_app.gui.review_rows import Group, Row


def found(value: str, kind: str = "person", stand_in: str = "Eve", replaced: bool = True) -> Found:
    return Found(value=value, kind=kind, source="name", stand_in=stand_in, count=2, places=["", "a.pdf"], replaced=replaced)


def test_an_untouched_row_is_no_decision() -> None:
    assert Row.of(found("Ann")).decision is None
    assert Row.of(found("Ann", replaced=False)).decision is None


def test_each_change_is_told() -> None:
    row = Row.of(found("Ann"))
    row.replaced = False
    assert row.decision == Decision(value="Ann", kind="person", replaced=False)
    row.replaced, row.stand_in = True, "Mary"
    assert row.decision == Decision(value="Ann", kind="person", replaced=True, stand_in="Mary")
    row.turn("place")
    assert row.decision == Decision(value="Ann", kind="place", replaced=True, stand_in="Mary")


def test_another_kind_gets_another_stand_in_and_the_old_kind_the_old_one() -> None:
    row = Row.of(found("Ann"))
    row.turn("place")
    assert row.stand_in == ""
    assert row.decision == Decision(value="Ann", kind="place", replaced=True)
    row.turn("person")
    assert (row.stand_in, row.decision) == ("Eve", None)


def test_a_group_counts_what_is_replaced() -> None:
    group = Group("person", [Row.of(found("Ann")), Row.of(found("Bea", replaced=False))])
    assert group.replaced == 1


def test_what_leaves_otherwise_than_proposed_is_changed() -> None:
    row = Row.of(found("Ann"))
    assert not row.is_changed
    row.turn("place")
    assert row.is_changed
    row.turn("person")
    row.stand_in = "Mary"
    assert row.is_changed


def test_a_row_is_found_by_value_stand_in_and_place() -> None:
    row = Row.of(found("Ann"))
    assert all(row.contains(needle) for needle in ("ann", "eve", "a.pdf", ""))
    assert not row.contains("bob")
