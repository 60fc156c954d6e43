"""A scripted model behind caches that follow the design's rules to the letter: the oracle for the decode loop.

`Script` is the model: the token after a path is a fixed function of the whole path. `Cache` is what head, agent and tail each
hold: it keeps and drops rows by `commit` and epoch and nothing else, so a wrong commit, parent or epoch shows as a missing row or
as another path. `ScriptedModel` is one session of three such caches with a network between them that may reorder steps; it
asserts every rule that a sender must keep.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from desktop_app.decoding.step import Draw, Step

STOP = 0


class Script:
    """The model. `repetitive` of 4 tokens depend on the last two only, so that the text repeats itself as real text does."""

    def __init__(self, seed: int, vocabulary: int, repetitive: int, stops_every: int) -> None:
        self._seed = seed
        self._vocabulary = vocabulary
        self._repetitive = repetitive
        self._stops_every = stops_every

    def next_token(self, path: tuple[int, ...]) -> int:
        """The token that follows this path; STOP about once in `stops_every` tokens."""
        whole = hash((self._seed, path))
        if self._stops_every and whole % self._stops_every == 0:
            return STOP
        source = hash((self._seed, path[-2:])) if whole // 8 % 4 < self._repetitive else whole // 64
        return 1 + source % (self._vocabulary - 1)

    def one_by_one(self, prompt: Sequence[int], most: int) -> tuple[list[int], str]:
        """What decoding without any speculation says, and why it ends."""
        path = tuple(prompt)
        while (token := self.next_token(path)) != STOP:
            path += (token,)
            if len(path) - len(prompt) == most:
                return list(path[len(prompt) :]), "length"
        return list(path[len(prompt) :]), "end"


@dataclass(frozen=True, slots=True)
class CachedRow:
    """A row as a cache sees it: its path is that of the parent that the cache holds, and its own token."""

    parent: int
    epoch: int
    path: tuple[int, ...]


class Cache:
    """The rows that one side holds of one session."""

    def __init__(self) -> None:
        self.rows: dict[int, CachedRow] = {}

    def run(self, step: Step) -> None:
        """Keep `commit`, its ancestors and its descendants of the step's epoch; then run the step's rows."""
        old = self.rows
        right: list[int] = []
        at = step.commit
        while at != -1:
            right.append(at)
            at = old[at].parent
        kept = {row: old[row] for row in reversed(right)}
        below = {step.commit}
        for row, cached in old.items():  # ids rise, so parents come first
            if cached.parent in below and cached.epoch == step.epoch and row not in kept:
                kept[row] = cached
                below.add(row)
        for index, (token, parent) in enumerate(zip(step.tokens, step.parents, strict=True)):
            assert parent in below, "a row must hang on commit or on a living descendant of it"
            path = kept[parent].path if parent != -1 else ()
            kept[step.first_row + index] = CachedRow(parent, step.epoch, (*path, token))
            below.add(step.first_row + index)
        self.rows = kept


class ScriptedModel:
    """One session at head, agent and tail.

    `doubt` is the share of rows in steps of several rows whose draw is not certain, and then wrong more often than not.
    """

    def __init__(self, script: Script, random: Random, doubt: float = 0.0) -> None:
        self.script = script
        self.head, self.agent, self.tail = Cache(), Cache(), Cache()
        self.steps_sent = 0
        self.rows_sent = 0
        self._random = random
        self.doubt = doubt
        self._last = Step(0, -1, -1, -1, -1, (), (), ())
        self._waiting: dict[int, Step] = {}
        self._agent_epoch = -1
        self._agent_next = 0

    def send(self, step: Step) -> None:
        """Check what a sender must keep to, and run the head."""
        last = self._last
        if step.epoch == last.epoch:
            assert step.sequence == last.sequence + 1
            assert step.tokens, "only a step that opens an epoch may be empty"
            assert step.commit >= last.commit, "commits only move down within an epoch"
        else:
            assert step.epoch > last.epoch
            assert step.sequence == 0
            assert step.tokens or last.epoch >= 0
        assert step.first_row >= last.first_row + len(last.tokens), "row ids rise"
        assert step.commit < step.first_row
        assert len(step.parents) == len(step.tokens)
        assert all(step.first_row <= row < step.first_row + len(step.tokens) for row in step.drawn)
        self._last = step
        self.steps_sent += 1
        self.rows_sent += len(step.tokens)
        self.head.run(step)

    def arrive(self, step: Step) -> list[tuple[Step, list[Draw]]]:
        """The step reaches the agent, maybe out of order; the steps that it can run now, in order, with draws from its cache."""
        if step.epoch < self._agent_epoch:
            return []
        if step.epoch > self._agent_epoch:
            self._agent_epoch, self._agent_next = step.epoch, 0
            self._waiting.clear()
        self._waiting[step.sequence] = step
        ran: list[tuple[Step, list[Draw]]] = []
        while (step := self._waiting.pop(self._agent_next, None)) is not None:
            self.agent.run(step)
            self._agent_next += 1
            ran.append((step, self.draw(step, self.agent)))
        return ran

    def draw(self, step: Step, cache: Cache) -> list[Draw]:
        """The draws of a step that this cache has run."""
        return [self._draw(row, cache.rows[row].path, len(step.tokens) > 1 and len(step.drawn) > 1) for row in step.drawn]

    def garbage(self, step: Step) -> list[Draw]:
        """Draws of the right shape that must never be believed."""
        return [Draw(row, self._random.randrange(100, 200)) for row in step.drawn]

    def _draw(self, row: int, path: tuple[int, ...], one_of_many: bool) -> Draw:
        token = self.script.next_token(path)
        certain = self._random.random() >= self.doubt
        if one_of_many and not certain and self._random.random() < 0.6:
            token = self._random.randrange(6)
        return Draw(row, token, certain, (token,), (1.0,))
