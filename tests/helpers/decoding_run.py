"""Runs a decoder against a scripted model over a network that delays, reorders and repeats."""

from random import Random

from desktop_app.decoding.decoder import Decoder
from desktop_app.decoding.step import Draw, Step
from tests.helpers.scripted_model import Cache, ScriptedModel


class ScriptedSession:
    """A session whose replies are decoded one after the other; what the network holds of one reply comes late in the next.

    `in_order` hands the answers of an epoch in by sequence, as the engine does; else as they come.
    `shown` and `steps` are what the last reply showed and sent.
    """

    def __init__(self, model: ScriptedModel, random: Random, in_order: bool = True) -> None:
        self.model = model
        self.shown: list[int] = []
        self.steps: list[Step] = []
        self.decoder: Decoder
        self._random = random
        self.in_order = in_order
        self._uplink: list[Step] = []
        self._answers: list[tuple[Step, list[Draw]]] = []
        self._handed: list[Step] = []
        self._epoch = -1
        self._in_flight: dict[int, list[list[int]]] = {}  # the paths of the rows of each step of this epoch
        self._tail_at = (-1, 0)

    def reply(self, decoder: Decoder, stop_after: int | None = None) -> list[int]:
        """Run it to its end, or call `stop()` after so many events; what was shown."""
        self.decoder, self.shown, self.steps = decoder, [], []
        events = 0
        while not decoder.finished:
            if events == stop_after:
                decoder.stop()
                break
            self._event()
            events += 1
            assert events < 20_000, "the loop does not end"
        self._pull()
        assert decoder.next_step() is None, "after the end there is at most one step"
        return self.shown

    def _event(self) -> None:
        chance = self._random.random()
        if chance < 0.05 and self._handed:
            again = self._random.choice(self._handed)
            assert self.decoder.receive(again, self.model.garbage(again)) == []
        elif chance < 0.4 and self._uplink:
            step = self._uplink.pop(self._random.randrange(len(self._uplink)))
            self._answers += self.model.arrive(step)
        elif chance < 0.7 and self._answers:
            self._hand_in(self._random.randrange(len(self._answers)))
        else:
            self._pull()

    def _pull(self) -> None:
        step = self.decoder.next_step()
        if step is None:
            return
        if self.in_order and self.model.doubt == 0 and not self.decoder.finished:
            self._check_epoch(step)
        if step.epoch != self._epoch:
            self._epoch = step.epoch
            self._in_flight.clear()
        self.model.send(step)
        self.steps.append(step)
        rows = range(step.first_row, step.first_row + len(step.tokens))
        self._in_flight[step.sequence] = [list(self.model.head.rows[row].path) for row in rows]
        assert len(self._in_flight) <= self.decoder.window, "more steps in flight than allowed"
        self._uplink.append(step)

    def _hand_in(self, index: int) -> None:
        step, draws = self._answers[index]
        if not self.decoder.awaits(step):
            del self._answers[index]
            assert self.decoder.receive(step, self.model.garbage(step)) == []
            return
        cache = self.model.agent
        if self.in_order:
            if self._tail_at[0] < step.epoch:
                self._tail_at = (step.epoch, 0)
            if self._tail_at != (step.epoch, step.sequence):
                return
            self._tail_at = (step.epoch, step.sequence + 1)
            self.model.tail.run(step)
            cache = self.model.tail
            draws = self.model.draw(step, cache)
        del self._answers[index]
        for row in step.drawn:
            self._check_path(row, cache)
        self.shown += self.decoder.receive(step, draws)
        self._in_flight.pop(step.sequence, None)
        self._handed.append(step)

    def _check_epoch(self, step: Step) -> None:
        """Within a reply an epoch opens exactly when steps are in flight and none of their rows continues the right path."""
        if not self.steps:
            return
        right = [*self.decoder.prompt, *self.decoder.reply]
        paths = [path for rows in self._in_flight.values() for path in rows]
        continued = any(path[: len(right)] == right[: len(path)] for path in paths)
        assert (step.epoch > self._epoch) == (bool(paths) and not continued)

    def _check_path(self, row: int, cache: Cache) -> None:
        """What the decoder says about a row is what the cache holds, unless a step that already ran there has dropped it."""
        position = self.decoder.position(row)
        assert len(self.decoder.path(row)) == position + 1
        if row in cache.rows:
            start = self._random.randrange(position + 2)
            assert self.decoder.path(row, start) == list(cache.rows[row].path[start:])
