"""Which rows a session holds, in which slots, and which of them a row may look at: bookkeeping without a tensor.

A row has an id that the desktop gave it; a slot is its place in the cache, private to this side. Three facts, true after every
call, keep everything cheap:

- Slots 0 .. used-1 are alive, there are no holes, and ids rise with the slots. A parent stands before its children.
- The *trunk* is the longest run of leading slots of which each continues the one before. Slot i of the trunk has position i, and
  it is the committed path plus as much of the speculation as happens to be a chain: a plain chain lies in the trunk entirely,
  needs no mask for its last row, and is rolled back by making `used` smaller.
- All other rows, the *branches*, are few. A branch row sees its first `stem` trunk slots and its ancestors among the branches.

The rule (design, section 4): before a step runs, `commit`'s ancestors are kept, and of its descendants those of the step's own
epoch; the rest is dropped. A descendant whose parent is dropped is dropped too. `admit` works out the whole change first and only
then makes it, so that a refused step leaves the table as it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remote_agent.segment.errors import ContextFull, RowUnknown

Ints = NDArray[np.int64]
FIRST_SLOTS = 256
MAX_BRANCH_ROWS = 4096
"""Rows outside the trunk that a session may hold; who they see is a square matrix of this side."""


@dataclass(frozen=True, slots=True)
class Admission:
    """A change worked out but not made yet: slots [0, kept) stay, `moved` follow, then `count` new rows from slot `start`.

    `parents` are the new rows' parent slots after the move (-1: none), `positions` their positions. `next_row` is the lowest id
    that could have come.
    """

    epoch: int
    next_row: int
    first_row: int
    kept: int
    moved: Ints
    parents: Ints
    positions: Ints

    @property
    def start(self) -> int:
        """The slot of the first new row."""
        return self.kept + len(self.moved)

    @property
    def count(self) -> int:
        """How many new rows."""
        return len(self.parents)


class RowTable:
    """The rows of one session; at most `max_rows` at a time, positions below `max_positions`."""

    def __init__(self, max_rows: int, max_positions: int | None = None) -> None:
        self.max_rows = max_rows
        self.max_positions = max_rows if max_positions is None else max_positions
        self.used = 0
        self.trunk = 0
        self.next_row = 0
        self._columns: Ints = np.zeros((4, min(FIRST_SLOTS, max_rows)), dtype=np.int64)
        self._branches: tuple[Ints, NDArray[np.bool_]] | None = None

    # Columns of the table, each [slots]; only the first `used` entries mean anything.

    @property
    def ids(self) -> Ints:
        """Row ids by slot, rising."""
        return self._columns[0, : self.used]

    @property
    def parents(self) -> Ints:
        """Parent slots by slot, -1 for a first row."""
        return self._columns[1, : self.used]

    @property
    def positions(self) -> Ints:
        """Positions by slot."""
        return self._columns[2, : self.used]

    @property
    def epochs(self) -> Ints:
        """The epoch in which each row came, by slot."""
        return self._columns[3, : self.used]

    def slot(self, row: int) -> int:
        """The slot of a row id, -1 for the id -1; raises `RowUnknown`."""
        if row == -1:
            return -1
        slot = int(np.searchsorted(self.ids, row))
        if slot == self.used or self.ids[slot] != row:
            raise RowUnknown(f"Row {row} is not held here any more. Send the conversation again from its beginning.")
        return slot

    def plan(self, epoch: int, commit: int, first_row: int, parents: Sequence[int]) -> Admission:
        """What a step would change, without changing it; raises `RowUnknown` or `ContextFull`."""
        kept, branches = self._survivors(epoch, self.slot(commit))
        moved = branches + self.trunk
        start, count = kept + len(moved), len(parents)
        if count and (first_row < self.next_row or commit >= first_row):
            raise RowUnknown(f"Rows must rise: row {first_row} comes after row {self.next_row - 1}. Start the session again.")
        if start + count > self.max_rows:
            raise ContextFull(
                f"This session has room for {self.max_rows} rows, and {start + count} are asked for. Shorten the text."
            )
        new_parents = self._new_parents(first_row, parents, kept, moved)
        positions = self._new_positions(new_parents, kept, moved)
        if count and int(positions.max()) >= self.max_positions:
            raise ContextFull(f"The model reads at most {self.max_positions} tokens, and this text is longer. Shorten it.")
        if len(moved) + count > MAX_BRANCH_ROWS and self._branch_rows(new_parents, kept, moved) > MAX_BRANCH_ROWS:
            raise ContextFull(f"A session may hold at most {MAX_BRANCH_ROWS} rows beside its main line. Send smaller trees.")
        return Admission(epoch, self.next_row, first_row, kept, moved, new_parents, positions)

    def apply(self, change: Admission) -> None:
        """Make the change that `plan` has just worked out."""
        self._branches = None
        self._keep(change.kept, change.moved)
        start, end = self.used, self.used + change.count
        if end > self._columns.shape[1]:
            wider = np.zeros((4, min(max(2 * self._columns.shape[1], end), self.max_rows)), dtype=np.int64)
            wider[:, : self.used] = self._columns[:, : self.used]
            self._columns = wider
        self._columns[0, start:end] = np.arange(change.first_row, change.first_row + change.count)
        self._columns[1, start:end] = change.parents
        self._columns[2, start:end] = change.positions
        self._columns[3, start:end] = change.epoch
        self.used = end
        if change.count:
            self.next_row = change.first_row + change.count
        self._extend_trunk()

    def admit(self, epoch: int, commit: int, first_row: int, parents: Sequence[int]) -> Admission:
        """`plan` and `apply` in one."""
        change = self.plan(epoch, commit, first_row, parents)
        self.apply(change)
        return change

    def retract(self, change: Admission) -> None:
        """Take back the rows, not the commit, of the change made last: its step did not run to its end."""
        self._branches = None
        self.used = change.start
        self.next_row = change.next_row
        self.trunk = min(self.trunk, self.used)
        self._extend_trunk()

    def fork(self, row: int) -> tuple["RowTable", int, Ints]:
        """A table of `row` and its ancestors; they come from slots [0, kept) and `moved` here. Raises `RowUnknown`."""
        kept, path = self._path(self.slot(row))
        moved = path + self.trunk
        other = RowTable(self.max_rows, self.max_positions)
        other._columns = self._columns.copy()
        other.used, other.trunk, other.next_row = self.used, self.trunk, row + 1
        other._keep(kept, moved)
        other.epochs[:] = -1  # in the new session they are shared text, of none of its epochs
        return other, kept, moved

    def branches(self) -> tuple[Ints, NDArray[np.bool_]]:
        """For each branch row its stem, [branches], and which branch rows are its ancestors or itself, [branches, branches]."""
        if self._branches is None:
            count = self.used - self.trunk
            stems, sees = np.zeros(count, dtype=np.int64), np.eye(count, dtype=np.bool_)
            for branch, parent in enumerate((self.parents[self.trunk :] - self.trunk).tolist()):
                if parent < 0:
                    stems[branch] = parent + self.trunk + 1
                else:
                    stems[branch] = stems[parent]
                    sees[branch] |= sees[parent]
            self._branches = stems, sees
        return self._branches

    def _path(self, slot: int) -> tuple[int, Ints]:
        """(trunk slots, branch indices) of a slot's ancestors and itself."""
        if slot < self.trunk:
            return slot + 1, np.zeros(0, dtype=np.int64)
        stems, sees = self.branches()
        return int(stems[slot - self.trunk]), np.flatnonzero(sees[slot - self.trunk])

    def _survivors(self, epoch: int, commit: int) -> tuple[int, Ints]:
        """(trunk slots, branch indices) that the rule keeps."""
        kept, path = self._path(commit)
        if commit < self.trunk:
            others = np.flatnonzero(self.epochs[kept : self.trunk] != epoch)
            kept = kept + int(others[0]) if len(others) else self.trunk
        if self.used == self.trunk:
            return kept, path
        alive = np.zeros(self.used - self.trunk, dtype=np.bool_)  # the commit's descendants of this epoch, and itself
        if commit >= self.trunk:
            alive[commit - self.trunk] = True
        own = (self.epochs[self.trunk :] == epoch).tolist()
        for branch, parent in enumerate(self.parents[self.trunk :].tolist()):
            if own[branch]:
                alive[branch] |= alive[parent - self.trunk] if parent >= self.trunk else commit <= parent < kept
        alive[path] = True
        return kept, np.flatnonzero(alive)

    def _new_parents(self, first_row: int, parents: Sequence[int], kept: int, moved: Ints) -> Ints:
        """Parent slots, after the move, of new rows; every parent must be alive then, or come earlier in the step."""
        given = np.asarray(parents, dtype=np.int64)
        start = kept + len(moved)
        inside = given >= first_row
        slots = np.where(inside, start + given - first_row, -1)
        if np.any(slots >= start + np.arange(len(given))):
            raise RowUnknown("A row of the step continues itself or a later one. Start the session again.")
        outside = ~inside & (given != -1)
        if np.any(outside):
            asked = given[outside]
            alive = np.concatenate((self.ids[:kept], self.ids[moved])) if len(moved) else self.ids[:kept]
            found = np.searchsorted(alive, asked)
            known = found < len(alive)
            known[known] = alive[found[known]] == asked[known]
            if not np.all(known):
                raise RowUnknown(
                    f"Row {int(asked[~known][0])} is not held here any more. Send the conversation again from its beginning."
                )
            slots[outside] = found
        return slots

    def _new_positions(self, parents: Ints, kept: int, moved: Ints) -> Ints:
        """Positions of new rows from their parent slots after the move; a chain at once, a tree row by row."""
        start, count = kept + len(moved), len(parents)
        positions = np.zeros(count, dtype=np.int64)
        if not count:
            return positions

        def position(slot: int) -> int:
            if slot < start:
                return int(self.positions[slot] if slot < kept else self.positions[moved[slot - kept]]) if slot >= 0 else -1
            return int(positions[slot - start])

        if np.array_equal(parents[1:], np.arange(start, start + count - 1)):
            return position(int(parents[0])) + 1 + np.arange(count)
        for row, parent in enumerate(parents.tolist()):
            positions[row] = position(parent) + 1
        return positions

    def _branch_rows(self, parents: Ints, kept: int, moved: Ints) -> int:
        """How many rows would lie outside the trunk after the change."""
        if len(moved):
            return len(moved) + len(parents)  # an upper bound, good enough for a limit that no honest session comes near
        breaks = np.flatnonzero(parents != np.arange(kept - 1, kept - 1 + len(parents)))
        return len(parents) - int(breaks[0]) if len(breaks) else 0

    def _keep(self, kept: int, moved: Ints) -> None:
        """Drop all slots but [0, kept) and `moved`, which close up behind them."""
        if len(moved) and int(moved[-1]) != kept + len(moved) - 1:
            places = np.full(self.used + 1, -1, dtype=np.int64)  # the last entry serves the parent -1
            places[:kept] = np.arange(kept)
            places[moved] = np.arange(kept, kept + len(moved))
            columns = self._columns[:, moved]
            columns[1] = places[columns[1]]
            self._columns[:, kept : kept + len(moved)] = columns
        self.used = kept + len(moved)
        self.trunk = min(self.trunk, kept)
        self._extend_trunk()

    def _extend_trunk(self) -> None:
        chain = self.parents[self.trunk :] == np.arange(self.trunk - 1, self.used - 1)
        breaks = np.flatnonzero(~chain)
        self.trunk += int(breaks[0]) if len(breaks) else len(chain)
