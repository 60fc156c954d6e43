"""Which rows of which conversation the caches hold, here and at the agent, so that a next turn sends only what is new."""

from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import count

from desktop_app.decoding.budget import AdaptiveBudget, RowBudget
from desktop_app.decoding.drafter import Drafter
from desktop_app.decoding.lookup import Lookup
from desktop_app.decoding.start import Start
from desktop_app.engine.middle import Middle
from desktop_app.engine.noisy_rows import NoisyRows
from desktop_app.model.local import HeadSegment, TailSegment

LIMIT = 16  # conversations whose rows are kept


@dataclass(eq=False, slots=True)
class Held:
    """The rows of one conversation: `session` in head and tail, `middle` at the agent, `start` as the decoder knows them.

    `tokens` are those of the last prompt and reply, as they were made. `drafters` and `plan` keep what they have learnt. With
    noise, `noisy` knows what the numbers of its prompts stand for.
    """

    head: HeadSegment
    tail: TailSegment
    session: int
    middle: Middle
    noisy: NoisyRows | None = None
    start: Start = field(default_factory=Start)
    tokens: list[int] = field(default_factory=list)
    drafters: list[Drafter] = field(default_factory=lambda: [Lookup()])
    plan: RowBudget = field(default_factory=AdaptiveBudget)
    busy: bool = False

    def close(self) -> None:
        """Free the rows, here and at the agent."""
        self.middle.close()
        self.head.close(self.session)
        self.tail.close(self.session)


class Conversations:
    """Held rows by conversation, least recently used first out. Belongs to the torch thread, as the caches do."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._numbers = count(1)

    def find(self, conversation: str, head: HeadSegment, tail: TailSegment, noisy: bool = False) -> Held | None:
        """Return what is held for this conversation, now busy, if the same segments made it and the agent still has its part.

        `noisy`: whether its prompts are to be noisy; of those that were otherwise no row can be used again.
        """
        held = self._held.get(conversation)
        if held is None:
            return None
        same = held.head is head and held.tail is tail and (held.noisy is not None) == noisy
        if same and held.middle.alive:
            self._held.move_to_end(conversation)
            held.busy = True
            return held
        self.forget(conversation)
        return None

    def open(
        self, conversation: str, head: HeadSegment, tail: TailSegment, middle: Middle, rows: int, noisy: NoisyRows | None = None
    ) -> Held:
        """Make room for a conversation of at most this many rows, and hold it; it is busy until its reply ends."""
        self.forget(conversation)
        idle = [name for name, held in self._held.items() if not held.busy]
        for name in idle[: max(0, len(self._held) - self._limit + 1)]:
            self.forget(name)
        session = next(self._numbers)
        head.open(session, rows)
        tail.open(session, rows)
        held = self._held[conversation] = Held(head, tail, session, middle, noisy, busy=True)
        return held

    def forget_idle(self) -> None:
        """Free everything that no reply is using right now."""
        for conversation in [name for name, held in self._held.items() if not held.busy]:
            self.forget(conversation)

    def forget(self, conversation: str) -> None:
        """Free what is held for this conversation, if anything."""
        held = self._held.pop(conversation, None)
        if held is not None:
            held.close()
