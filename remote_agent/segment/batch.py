"""Steps on their way through the layers: rows of several sessions as one batch, long steps in slices.

    step = segment.begin(...)                      admitted: its rows have slots, its session's cache has room
    advance([(step, 16), (other, 1)])              the first sixteen rows of one and one row of another, together
    advance([(step, 16)])                          the next sixteen
    step.answer()                                  once none is left

A row sees its ancestors only, and rows stand in the order of their ids, so that a slice needs nothing of those after it: slices
change no result beyond rounding. What is seen is worked out for each slice anew, which keeps masks as small as slices are.

Sessions may run different layers. Between two borders where a session begins or ends, all that go through the same layers go
together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch

from remote_agent.segment.cache import KVCache
from remote_agent.segment.errors import StepDropped
from remote_agent.segment.layers import Batch, DecoderLayer, Share
from remote_agent.segment.masks import view
from remote_agent.segment.rope import Rope, RopeTable
from remote_agent.segment.rows import Admission, RowTable


@dataclass(frozen=True, slots=True)
class LayerRun:
    """Layers from `first_layer` of the model on, and what they need of a model besides: windows, ropes, (device, dtype)."""

    layers: Sequence[DecoderLayer]
    first_layer: int
    windows: frozenset[int | None]
    ropes: dict[Rope, RopeTable]
    place: tuple[torch.device, torch.dtype]

    @property
    def last_layer(self) -> int:
        """The layer behind the last."""
        return self.first_layer + len(self.layers)

    def layer(self, index: int) -> DecoderLayer:
        """The layer with this index in the model."""
        return self.layers[index - self.first_layer]

    def part(self, first_layer: int, last_layer: int) -> "LayerRun":
        """Layers [first_layer, last_layer) of these."""
        layers = self.layers[first_layer - self.first_layer : last_layer - self.first_layer]
        return LayerRun(layers, first_layer, frozenset(layer.window for layer in layers), self.ropes, self.place)


class UnderWay:
    """A step that was admitted to its session; `done` of its rows have been through the layers."""

    def __init__(self, run: LayerRun, table: RowTable, cache: KVCache, change: Admission, rows: torch.Tensor) -> None:
        """`change` has just been applied to `table`, and `cache` prepared for it; `rows` [n, hidden] on their device."""
        self.run, self.rows = run, rows
        self.done = 0
        self._table, self._cache, self._change = table, cache, change
        self._answers: list[torch.Tensor] = []

    @classmethod
    def through(cls, rows: torch.Tensor) -> "UnderWay":
        """A step that no layer has to do anything for."""
        step = cls.__new__(cls)
        step.rows, step.done, step._answers = rows, len(rows), [rows]
        return step

    @property
    def left(self) -> int:
        """How many rows have still to go."""
        return len(self.rows) - self.done

    @property
    def context(self) -> int:
        """How many rows the next one sees at most."""
        return self._change.start + self.done

    def answer(self) -> torch.Tensor:
        """The rows [n, hidden] after the last layer, once none is left."""
        return self._answers[0] if len(self._answers) == 1 else torch.cat([self.rows[:0], *self._answers])

    def give_up(self) -> None:
        """Leave the session as if the step had only committed."""
        self._table.retract(self._change)
        self._cache.used = self._table.used

    def positions(self, count: int) -> torch.Tensor:
        """Positions of the next `count` rows, on the device."""
        return torch.from_numpy(self._change.positions[self.done : self.done + count]).to(self.run.place[0])

    def longest(self, count: int) -> int:
        """The largest of the next `count` positions."""
        return int(self._change.positions[self.done : self.done + count].max())

    def share(self, first: int, count: int) -> Share:
        """The next `count` rows as a part of a batch, in which they stand from `first` on."""
        start = self._change.start + self.done
        end = start + count
        views = {window: view(self._table, start, window, *self.run.place, end) for window in self.run.windows}
        return Share(first, first + count, start, end, views, self._cache.keys, self._cache.values, self.run.first_layer)

    def came_through(self, rows: torch.Tensor) -> None:
        """Take the next rows as they come out of the last layer."""
        self._answers.append(rows)
        self.done += len(rows)


Portion = tuple[UnderWay, int]


def advance(portions: Sequence[Portion], stale: Callable[[], bool] | None = None) -> None:
    """Take the next rows of each step, so many as it says, through all of its layers, as one batch where layers are the same.

    Before each layer `stale` is asked whether any of it is still wanted; if not, `StepDropped` is raised. Where this raises,
    nothing has happened: the same rows can come again. Call it in inference mode.
    """
    rows = [step.rows[step.done : step.done + count] for step, count in portions]
    borders = sorted({border for step, _ in portions for border in (step.run.first_layer, step.run.last_layer)})
    for first, last in pairwise(borders):
        groups: dict[int, list[int]] = {}
        for number, (step, _) in enumerate(portions):
            if step.run.first_layer <= first < step.run.last_layer:
                # An adapter's layers are others, though their indices are the same.
                groups.setdefault(id(step.run.layer(first)), []).append(number)
        for members in groups.values():
            together = [portions[number] for number in members]
            packed = rows[members[0]] if len(members) == 1 else torch.cat([rows[number] for number in members])
            packed = _through(range(first, last), packed, together, stale)
            for number, part in zip(members, torch.split(packed, [count for _, count in together]), strict=True):
                rows[number] = part
    for (step, _), part in zip(portions, rows, strict=True):
        step.came_through(part)


def _through(span: range, rows: torch.Tensor, portions: Sequence[Portion], stale: Callable[[], bool] | None) -> torch.Tensor:
    """Rows of several steps, one behind the other, after these layers, which are the same for all."""
    batch, run = _batch(portions), portions[0][0].run
    for index in span:
        if stale is not None and stale():
            raise StepDropped("A newer step took the place of this one.")
        rows = run.layer(index)(rows, batch)
    return rows


def _batch(portions: Sequence[Portion]) -> Batch:
    shares, first = [], 0
    for step, count in portions:
        shares.append(step.share(first, count))
        first += count
    positions = torch.cat([step.positions(count) for step, count in portions])
    longest = max(step.longest(count) for step, count in portions)
    ropes = portions[0][0].run.ropes
    return Batch(shares, {rope: table.at(positions, longest) for rope, table in ropes.items()})
