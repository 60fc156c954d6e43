"""Draws come back as they were kept, are counted once, move whole to another archive, and go when they are deleted."""

from pathlib import Path

import pytest

from desktop_app.archive.database import Archive
from desktop_app.privacy.noise.draws import SCHEMA, Draw, Draws, Shape, Stored, Unit, copy
from desktop_app.privacy.noise.ledger import Ledger
from desktop_app.privacy.noise.occurrences import Notes
from tests.helpers.draw_writer import CONVERSATION, KEY, MILD, STRICT, TERMS, Drawing, cheaply

QUESTION = Shape("c", False, 2, 4)


@pytest.fixture
def draws() -> Draws:
    return Draws(Archive.in_memory([SCHEMA]))


def test_what_stands_in_a_message_comes_back_in_order(draws: Draws) -> None:
    draws.add(QUESTION, draws.next_number(), [(16, b"a"), (0, b"")])
    draws.place("m", 0, [(7, 1), (8, 2)])
    draws.place("m", 2, [(7, 1)])
    first = Stored("c", 7, Draw(1, 16, b"a"))
    assert draws.of_message("m") == [first, Stored("c", 8, Draw(2, 0, b"")), first]
    assert draws.of_message("n") == []
    assert draws.levels("c") == {1: 16, 2: 0}


def test_more_rows_than_one_statement_takes_are_all_kept(draws: Draws) -> None:
    draws.add(QUESTION, 1, [(16, bytes([number % 256])) for number in range(1234)])
    draws.place("m", 0, [(number, number + 1) for number in range(1234)])
    assert [row.token for row in draws.of_message("m")] == list(range(1234))
    assert draws.counts("c") == {16: 1234}


def test_a_draw_counts_once_in_each_unit(draws: Draws) -> None:
    draws.add(QUESTION, 1, [(16, b"a"), (32, b"b"), (16, b"c")])
    draws.place("m", 0, [(7, 1), (7, 1), (8, 2)])
    draws.carry([("v", 1), ("v", 2)])
    draws.carry([("v", 1)])
    assert draws.counts("c") == {16: 2, 32: 1}
    assert draws.counts("c", Unit.MESSAGE, "m") == {16: 1, 32: 1}
    assert draws.counts("c", Unit.SPAN, "v") == {16: 1, 32: 1}
    assert draws.counts("d") == draws.counts("d", Unit.SPAN, "v") == draws.counts("d", Unit.MESSAGE, "m") == {}
    assert draws.spans("c") == ["v"]
    assert draws.spans("d") == []


def test_answers_that_follow_count_where_they_are_asked_for(draws: Draws) -> None:
    draws.add(Shape("c", True, 2, 4), 1, [(16, b"before")])
    draws.add(QUESTION, 2, [(16, b"value")])
    draws.add(Shape("c", True, 2, 4), 3, [(32, b"after")])
    draws.add(QUESTION, 4, [(16, b"a later question")])
    draws.add(Shape("d", True, 2, 4), 5, [(16, b"of another conversation")])
    draws.carry([("v", 2)])
    assert draws.counts("c", Unit.SPAN, "v") == {16: 1}
    assert draws.counts("c", Unit.SPAN, "v", follows=True) == {16: 1, 32: 1}
    assert draws.counts("c", Unit.SPAN, "unknown", follows=True) == {}


def test_forgetting_a_conversation_leaves_nothing_of_it_and_all_of_the_others() -> None:
    drawing = Drawing()
    drawing.ledger.begin("d", TERMS)
    notes = Notes({0: ["v"]}, {0: "Kim"})
    drawing.of("m", [1, 2], notes=notes)
    kept = drawing.occurrences.of("d", "n", [1, 2], [MILD, MILD], notes=notes)
    draws = Draws(drawing.archive)
    assert draws.conversations() == ["c", "d"]
    draws.forget_others({"d", "never drawn"})
    assert draws.conversations() == ["d"]
    assert (draws.of_message("m"), draws.counts("c"), draws.shared("c"), drawing.ledger.terms("c")) == ([], {}, {}, None)
    for table in ("occurrence", "carried", "shared"):
        assert drawing.archive.query(f"SELECT COUNT(*) FROM {table}") == [(2 if table == "occurrence" else 1,)]
    assert [row.draw for row in draws.of_message("n")] == kept
    draws.forget("d")
    assert draws.conversations() == []


def test_deleting_leaves_no_codes_on_the_disk(tmp_path: Path) -> None:
    archive = Archive.open(tmp_path / "conversations.db", KEY, [SCHEMA])
    Drawing(archive=archive).of("m", range(300))
    Draws(archive).forget(CONVERSATION)
    assert archive.query("SELECT COUNT(*) FROM draw") == archive.query("SELECT COUNT(*) FROM occurrence") == [(0,)]
    assert (tmp_path / "conversations.db-wal").stat().st_size == 0
    archive.close()


def test_a_conversation_moves_whole_to_another_archive_and_nothing_is_drawn_again() -> None:
    here, there = Drawing(), Drawing()
    there.of("other", [9, 9])
    there.archive.execute("DELETE FROM noise_terms")
    there.archive.execute("UPDATE draw SET conversation = 'd'")
    notes = Notes({0: ["v"]}, {0: "Kim"}, reply=True)
    drawn = here.of("m", [1, 2, 3], [MILD, STRICT, MILD], notes=notes)
    copy(here.archive, there.archive, CONVERSATION)
    moved = there.of("m", [1, 2, 3], [MILD, STRICT, MILD], notes=notes)
    assert [draw[1:] for draw in moved] == [draw[1:] for draw in drawn]
    assert there.of("n", [1], notes=notes)[0].codes == drawn[0].codes, "what is shared is so there"
    assert there.coins.draws == 2
    for unit, name in ((Unit.CONVERSATION, ""), (Unit.MESSAGE, "m"), (Unit.SPAN, "v")):
        assert Draws(there.archive).counts(CONVERSATION, unit, name) == Draws(here.archive).counts(CONVERSATION, unit, name)
    assert Ledger(there.archive, cheaply).terms(CONVERSATION) == TERMS
