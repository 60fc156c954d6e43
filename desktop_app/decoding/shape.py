"""A decoder whose steps all look alike to whoever sees their sizes, their number and their times.

Unshaped, the size of a step tells how many guesses it carries, a step that is given up has no answer, and the last step is the
end of the reply: from such traces the prompt can be told among 50 (research, section 4.5). Here

- a slice of the prompt always has `limits.prompt_slice` rows, every later step `rows`; what the decoder does not fill is padding;
- after the prompt one step of the decoder is in flight at a time, so that none is ever given up and each is answered;
- a step that finds nothing in flight opens an epoch. So all caches have dropped what is not on the path, and a step costs the
  same to run whatever became of the guesses before it (but for a draw that is made again, which is rare: its rows must stay);
- where a clock asks for a step and there is nothing to say (`tick`), a *dummy* goes: a step of padding alone;
- when the reply has ended, dummies go on until it has as many steps after the prompt (`ticks`) as `length` says. A `stop` too is
  followed by them. It does end the prompt: what a person does not want sent is not sent, so a stop while the prompt is being
  read can be seen.

Padding is a chain that continues the step's last row, as the guesses of most drafters do: so what share of a step is padding
makes no difference to its cost either. Where the model's context ends, the rest hangs beside the step's first row. Nobody keeps
padding: it is in no tree, is never drawn, and caches drop it with the next epoch or the first `commit` beside it. A dummy hangs
on the last `commit`. Where one follows another after the end while the first is in flight, it continues that one and commits it,
so that they do not pile up.

Rounding depends on how many rows a step has. As all steps have one size, the first row of a chain comes out the same whatever
follows it, and is the reference here; only the draw at a guess may have to be made again, at a row among padding. Where two
tokens lie within rounding of each other, a shaped reply may thus say what an unshaped one does not.

What the agent still sees: `commit` tells it how many tokens were accepted at each step and how long the prompt is, and so where
the reply stopped making sense to whoever can read rows. The tokens of padding are drawn from those of the conversation, which it
has had before: they are neither a constant nor news.
"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from random import Random, SystemRandom

from desktop_app.decoding.budget import FixedBudget
from desktop_app.decoding.decoder import Decoder, FinishReason
from desktop_app.decoding.errors import BrokenRule
from desktop_app.decoding.step import Draw, Step

LENGTHS = (64, 128, 256)
MOST_IN_FLIGHT = 8


def length(steps: int, least: int) -> int:
    """How many steps a reply of so many is to have: 64, 128, 256 or a multiple of 256, at least `least`; as many if that is 0."""
    if not least:
        return steps
    return next((size for size in LENGTHS if size >= max(steps, least)), -(-steps // LENGTHS[-1]) * LENGTHS[-1])


@dataclass(eq=False, repr=False)
class ShapedDecoder(Decoder):
    """Decodes one reply in steps of one size; raises NoRoom as a `Decoder` does, BrokenRule for a shape that cannot be.

    `rows` is the size of each step after the prompt, `least_ticks` the least number of them (0: the reply ends where it ends),
    `ticks` how many there were. `window` bounds slices of the prompt only, `plan` is not asked: rows that travel anyway are free.
    """

    _: KW_ONLY
    rows: int
    least_ticks: int = 0
    random: Random = field(default_factory=SystemRandom)
    may_pad: Callable[[int], bool] | None = None  # which tokens of the conversation padding is drawn from; None: all
    ticks: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        """Begin as a `Decoder` does, with as many guesses in each step as there is room for."""
        super().__post_init__()
        if self.rows < 1:
            raise BrokenRule("A shaped step has at least one row; choose another shape in the settings.")
        self.plan = FixedBudget(self.rows - 1)
        self._dummies: set[int] = set()
        self._commit = (-1, -1)  # the row that the last step committed, and its position
        self._target = 0

    @property
    def reading(self) -> bool:
        """Whether answers to the prompt are still to come."""
        return not (self.finished or self.reply)

    @property
    def ticks_left(self) -> int:
        """How many dummies are still to be sent after the end."""
        return max(0, self._target - self.ticks)

    @property
    def over(self) -> bool:
        """Whether the reply has ended, its last dummy was sent, and every answer has come."""
        return self.finished and not (self.ticks_left or self._dummies)

    def awaits(self, step: Step) -> bool:
        """Whether the answer to this step is still to come; that of a dummy is awaited, too."""
        return super().awaits(step) or (step.epoch == self._epoch and step.sequence in self._dummies)

    # Steps out

    def next_step(self) -> Step | None:
        """The next step where each is answered before the next one goes; None: wait for an answer, or it is over."""
        if self.finished:
            return None if self._dummies or not self.ticks_left else self._dummy()
        in_prompt = self._tree.in_prompt
        if self._tree.unsent and not (in_prompt or self._in_flight or self._dummies):
            self._open_epoch()
        step = super().next_step()
        if step is None:
            return None
        self.ticks += not in_prompt
        self._commit = (step.commit, self._tree.position(step.commit) if step.commit >= 0 else -1)
        return self._padded(step, self.limits.prompt_slice if in_prompt else self.rows)

    def tick(self) -> Step | None:
        """The step for one beat of a clock, a dummy where there is nothing to say; None: too many in flight, or it is over."""
        if not self.finished and (step := self.next_step()) is not None:
            return step
        if len(self._in_flight) + len(self._dummies) >= MOST_IN_FLIGHT or (self.finished and not self.ticks_left):
            return None
        return self._dummy()

    def _further_guesses(self) -> Step | None:
        """None: what would hang on rows in flight may have to be given up."""
        return None

    def _padded(self, step: Step, size: int) -> Step:
        """The step with padding up to this size."""
        last = self._next_row - 1
        tokens, parents = self._padding(last, self._tree.position(last), step.commit, size - len(step.tokens))
        return replace(step, tokens=step.tokens + tokens, parents=step.parents + parents, padding=len(tokens))

    def _dummy(self) -> Step | None:
        """A step of padding; None while there is no room for it beside what is in flight."""
        if not (self._in_flight or self._dummies):
            self._open_epoch()
            self._commit = self._last_kept()
        row, position = self._commit
        if position + 1 >= self.limits.context:
            return None
        first = self._next_row
        tokens, parents = self._padding(row, position, row, self.rows)
        step = Step(self.session, self._epoch, self._sequence, row, first, tokens, parents, (), self.rows)
        self._dummies.add(self._sequence)
        self._sequence += 1
        self.ticks += 1
        if self.finished:
            self._commit = (first, position + 1)
        return step

    def _padding(self, row: int, position: int, beside: int, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Tokens and parents of so many rows that continue `row` at `position`, or hang on `beside` where the context ends."""
        chain = min(count, self.limits.context - 1 - position)
        first = self._next_row
        self._next_row += count
        parents = (row, *range(first, first + chain - 1))[:chain] + (beside,) * (count - chain)
        tokens = self._tree.tokens if self.may_pad is None else [token for token in self._tree.tokens if self.may_pad(token)]
        return tuple(self.random.choices(tokens, k=count)), parents

    # Draws in

    def receive(self, step: Step, draws: Sequence[Draw]) -> list[int]:
        """As a `Decoder` does; the answer to a dummy changes nothing, whatever is drawn there."""
        if step.epoch == self._epoch and step.sequence in self._dummies:
            self._dummies.remove(step.sequence)
            return []
        return super().receive(step, draws)

    def _runs_alone(self, step: Step, row: int) -> bool:
        """The first row of a chain is computed alike whatever follows it; the only row of its own is what there is to believe."""
        is_chain = step.parents[1:] == tuple(range(step.first_row, step.first_row + len(step.tokens) - 1))
        return row == step.first_row and (is_chain or len(step.tokens) - step.padding == 1)

    # Ends

    def _end(self, reason: FinishReason) -> None:
        super()._end(reason)
        self._target = length(self.ticks, self.least_ticks)
        # Dummies commit what they hang on, and that must not drop the reply's last row.
        self._commit = max(self._commit, self._last_kept(), key=lambda place: place[1])

    def _last_kept(self) -> tuple[int, int]:
        """The last row that the next reply may go on from, and its position."""
        ids = self._tree.ids
        return (ids[-1], len(ids) - 1) if ids else (-1, -1)

    def _leave_behind(self) -> None:
        """What is in flight at the end is a dummy now: its answer is awaited, and nothing is given up."""
        self._dummies.update(self._in_flight)
        self._give_up()
