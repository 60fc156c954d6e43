"""How much one pass through the layers may do, and when it is worth waiting a moment for more.

A pass costs a fixed time, the weights' way through memory, and a little for each row; attention adds to a row what stands before
it. Both are fitted to the passes that ran, newer ones counting more. From that follows how many rows of a long step may ride
along with the short steps of others: as many as make their pass longer by a share of `SLOWED`, no more.

A peer that was answered sends its next step after about the same time as before. One that is due within a fraction of a pass is
waited for: else those who come a moment too late would wait for a whole pass that could have taken them along.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

ORDINARY_ROWS = 32
"""A step with so many rows goes in one piece; a longer one in slices."""
ROWS_AT_ONCE = 512
SLOWED = 0.25
LONE_SECONDS = 0.25
ACTIVE_SECONDS = 2.0
WAIT_SHARE = 0.25
WAIT_SHARE_FOR_LONG = 1.0
_FORGETTING = 0.97
_LEAST_SLICE = 4
_MOST_BESIDE_OTHERS = 128


@dataclass(slots=True)
class Cost:
    """Seconds of a pass as a line in its work: `fixed` + `each` x work. Work is rows, heavier by what stands before them."""

    context_weight: float = 0.0  # of one row before, against the row itself
    _sums: list[float] = field(default_factory=lambda: [0.0] * 5)

    def work(self, rows: int, context: int) -> float:
        """What so many rows behind `context` others weigh."""
        return rows * (1.0 + self.context_weight * context)

    def measured(self, work: float, seconds: float) -> None:
        """A pass took so long."""
        terms = (1.0, work, work * work, seconds, work * seconds)
        self._sums = [_FORGETTING * held + new for held, new in zip(self._sums, terms, strict=True)]

    @property
    def line(self) -> tuple[float, float]:
        """(fixed, each); a guess before anything was measured, and while all passes are alike."""
        count, x, xx, y, xy = self._sums
        if not count:
            return 0.02, 0.001
        spread = xx - x * x / count
        each = (xy - x * y / count) / spread if spread > 1e-3 * xx else 0.0
        # Passes that are alike, or disturbed, say little of one row's cost: half of it all is then taken for it.
        each = each if each > 0 else 0.5 * y / x
        return max((y - each * x) / count, 0.0), each

    def seconds(self, work: float) -> float:
        """What a pass with so much work will take."""
        fixed, each = self.line
        return fixed + each * work

    def rows_within(self, seconds: float, context: int) -> int:
        """How many rows behind `context` others take so long, without what is fixed."""
        return int(max(0.0, seconds) / (self.line[1] * self.work(1, context)))


class Pace:
    """For the scheduler's thread, but `came`, which the scheduler calls under its lock."""

    def __init__(self, cost: Cost | None = None) -> None:
        self.cost = cost or Cost()
        self._thinking: dict[Hashable, float] = {}  # seconds from a peer's answer to its next step
        self._answered: dict[Hashable, float] = {}
        self._seen: dict[Hashable, float] = {}

    def came(self, owner: Hashable, now: float) -> None:
        """A step of this peer has come."""
        self._seen[owner] = now
        answered = self._answered.pop(owner, None)
        if answered is not None:
            thought, before = now - answered, self._thinking.get(owner)
            self._thinking[owner] = thought if before is None else before + 0.3 * (thought - before)

    def answered(self, owner: Hashable, now: float) -> None:
        """A peer's step was answered."""
        self._answered[owner] = now

    def gone(self, owner: Hashable) -> None:
        """Forget a peer."""
        for known in (self._thinking, self._answered, self._seen):
            known.pop(owner, None)

    def wait_until(self, now: float, only_long: bool) -> float:
        """Until when it is worth waiting for peers that were answered a moment ago; `now` for not at all.

        A pass of slices alone delays whoever comes next by its whole length, and has no hurry itself: for it more is waited.
        """
        within = (WAIT_SHARE_FOR_LONG if only_long else WAIT_SHARE) * self.cost.seconds(1.0)
        due = [
            at + 1.5 * self._thinking[owner] + 0.001
            for owner, at in self._answered.items()
            if owner in self._thinking and now - at < within
        ]
        return max((when for when in due if now < when <= now + within), default=now)

    def portions(self, steps: Sequence[tuple[int, int]], owners: Sequence[Hashable], now: float) -> list[int]:
        """How many rows of each step (rows left, context) the next pass takes; the first come first where not all fit."""
        found, room, work = [0] * len(steps), ROWS_AT_ONCE, 0.0
        long = [number for number, (left, _) in enumerate(steps) if left > ORDINARY_ROWS]
        for number, (left, context) in enumerate(steps):
            if number not in long and left <= room:
                found[number] = left
                room -= left
                work += self.cost.work(left, context)
        if not long:
            return found
        waiting = {owners[number] for number in range(len(steps)) if number not in long}
        mine = {owners[number] for number in long}
        others = any(now - seen < ACTIVE_SECONDS for owner, seen in self._seen.items() if owner not in mine)
        if not (waiting or others):
            seconds, most = LONE_SECONDS, ROWS_AT_ONCE
        else:
            seconds, most = SLOWED * self.cost.seconds(max(work, 1.0)), _MOST_BESIDE_OTHERS
        for place, number in enumerate(long):
            left, context = steps[number]
            rows = min(self.cost.rows_within(seconds / (len(long) - place), context), most)
            found[number] = min(left, max(rows, _LEAST_SLICE), max(room, 0))
            room -= found[number]
            seconds -= self.cost.line[1] * self.cost.work(found[number], context)
        return found


def context_weight(heads: int, head_dim: int, layer_parameters: int) -> float:
    """What one row before costs of what the row itself costs: products of its attention over those of its linear layers."""
    return 2.0 * heads * head_dim / max(layer_parameters, 1)
