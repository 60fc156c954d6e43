"""The table of rows against a naive model of the design's rule, and its errors."""

import random
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remote_agent.segment import rows as rows_module
from remote_agent.segment.errors import ContextFull, RowUnknown
from remote_agent.segment.rows import RowTable


@dataclass
class NaiveRows:
    """The rule, word for word, on dictionaries: id -> parent id, id -> epoch."""

    parent: dict[int, int] = field(default_factory=dict)
    epoch: dict[int, int] = field(default_factory=dict)

    def path(self, row: int) -> list[int]:
        path = []
        while row != -1:
            path.append(row)
            row = self.parent[row]
        return path[::-1]

    def admit(self, epoch: int, commit: int, first_row: int, parents: list[int]) -> None:
        ancestors = set(self.path(commit))
        below = {commit}
        for row in sorted(self.parent):
            if self.parent[row] in below and self.epoch[row] == epoch:
                below.add(row)
        kept = ancestors | (below - {-1})
        self.parent = {row: parent for row, parent in self.parent.items() if row in kept}
        self.epoch = {row: self.epoch[row] for row in kept}
        for index, parent in enumerate(parents):
            self.parent[first_row + index] = parent
            self.epoch[first_row + index] = epoch


def seen_by(table: RowTable, slot: int) -> list[int]:
    """The row ids that a slot sees, by the table's own stems and branches."""
    if slot < table.trunk:
        return table.ids[: slot + 1].tolist()
    stems, sees = table.branches()
    branch = slot - table.trunk
    return table.ids[: stems[branch]].tolist() + table.ids[table.trunk :][sees[branch]].tolist()


def check_same(table: RowTable, naive: NaiveRows) -> None:
    """Same rows, and every row sees exactly its path, at the position that its path gives it."""
    assert table.ids.tolist() == sorted(naive.parent)
    assert table.parents[: table.trunk].tolist() == list(range(-1, table.trunk - 1))
    for slot, row in enumerate(table.ids.tolist()):
        path = naive.path(row)
        assert seen_by(table, slot) == path
        assert table.positions[slot] == len(path) - 1
        assert table.slot(row) == slot


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_any_history_of_steps_keeps_what_the_rule_keeps(seed: int) -> None:
    draw = random.Random(seed)
    table, naive = RowTable(10_000), NaiveRows()
    memory: list[int] = []  # what a cache would hold: the row id written into each slot
    epoch, next_row = 0, 0
    for _ in range(draw.randint(1, 12)):
        epoch += draw.random() < 0.25
        commit = draw.choice([-1, *naive.parent]) if draw.random() < 0.7 else -1
        first_row = max(next_row + draw.choice((0, 0, 3)), commit + 1)
        after = NaiveRows(dict(naive.parent), dict(naive.epoch))
        after.admit(epoch, commit, first_row, [])
        parents: list[int] = []
        for index in range(draw.choice((0, 1, 1, 3, 8))):
            choices = [-1, *after.parent, *range(first_row, first_row + index)]
            chain = first_row + index - 1 if index else (max(after.parent) if after.parent else -1)
            parents.append(chain if draw.random() < 0.5 else draw.choice(choices))
        change = table.admit(epoch, commit, first_row, parents)
        naive.admit(epoch, commit, first_row, parents)
        memory = (
            memory[: change.kept] + [memory[slot] for slot in change.moved] + list(range(first_row, first_row + len(parents)))
        )
        if parents and draw.random() < 0.2:
            table.retract(change)
            for index in range(len(parents)):
                del naive.parent[first_row + index], naive.epoch[first_row + index]
            memory = memory[: change.start]
        else:
            next_row = first_row + len(parents) if parents else next_row
        check_same(table, naive)
        assert memory == table.ids.tolist()
        if naive.parent and draw.random() < 0.3:
            row = draw.choice(sorted(naive.parent))
            fork, kept, moved = table.fork(row)
            assert fork.ids.tolist() == naive.path(row)
            assert memory[:kept] + [memory[slot] for slot in moved] == naive.path(row)
            assert fork.trunk == fork.used == len(naive.path(row))


def test_a_chain_moves_nothing_when_its_speculation_is_dropped() -> None:
    table = RowTable(100)
    table.admit(0, -1, 0, [-1, 0, 1, 2])
    table.admit(0, 3, 4, [3, 4, 5, 6])
    change = table.admit(1, 5, 8, [5])
    assert (change.kept, change.moved.tolist(), change.start) == (6, [], 6)
    assert table.used == table.trunk == 7


def test_rows_in_flight_of_the_same_epoch_survive_a_later_commit() -> None:
    table = RowTable(100)
    table.admit(0, -1, 0, [-1])
    table.admit(0, 0, 1, [0, 1])
    table.admit(0, 0, 3, [2, 0])  # sent before the answer to the step above; row 4 is a rival of row 1
    table.admit(0, 1, 5, [3])
    assert table.ids.tolist() == [0, 1, 2, 3, 5]
    table.admit(1, 2, 6, [2])  # a new epoch: row 3 is a descendant, but of the old one
    assert table.ids.tolist() == [0, 1, 2, 6]


def test_an_empty_step_of_a_new_epoch_drops_what_is_in_flight() -> None:
    table = RowTable(100)
    table.admit(0, -1, 0, [-1, 0, 1])
    assert table.admit(1, 0, 3, []).count == 0
    assert table.ids.tolist() == [0]


@pytest.mark.parametrize(
    ("commit", "first_row", "parents"),
    [(9, 10, [9]), (1, 5, [4]), (1, 3, [2]), (3, 5, [5]), (3, 5, [3, 7]), (3, 2, [1]), (3, 5, [-2])],
    ids=["commit", "parent", "parent dropped by this very commit", "itself", "later row", "ids do not rise", "below -1"],
)
def test_an_unknown_row_is_refused_and_changes_nothing(commit: int, first_row: int, parents: list[int]) -> None:
    table = RowTable(100)
    table.admit(0, -1, 0, [-1, 0, 1, 1])
    before = (table.ids.tolist(), table.next_row)
    with pytest.raises(RowUnknown, match="again"):
        table.admit(1, commit, first_row, parents)
    assert (table.ids.tolist(), table.next_row) == before


def test_a_full_session_and_a_full_context_say_what_to_do() -> None:
    with pytest.raises(ContextFull, match="room for 3 rows, and 4"):
        RowTable(3).admit(0, -1, 0, [-1, 0, 1, 2])
    with pytest.raises(ContextFull, match="at most 3 tokens"):
        RowTable(10, max_positions=3).admit(0, -1, 0, [-1, 0, 1, 2])
    table = RowTable(10, max_positions=3)
    table.admit(0, -1, 0, [-1, 0, 1, 1, 1, 0])  # six rows, three positions


def test_a_tree_without_end_is_refused() -> None:
    table = RowTable(100_000)
    table.admit(0, -1, 0, [-1])
    with pytest.raises(ContextFull, match="smaller trees"):
        table.admit(0, 0, 1, [0] * (rows_module.MAX_BRANCH_ROWS + 2))


def test_a_long_chain_takes_no_loop_over_the_context() -> None:
    table = RowTable(200_000)
    for first in range(0, 200_000, 1000):
        table.admit(0, -1, first, list(range(first - 1, first + 999)))
    assert table.trunk == 200_000
    assert np.array_equal(table.positions, np.arange(200_000))
