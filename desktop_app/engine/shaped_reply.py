"""A reply whose traffic looks like that of any other: its steps are those of a `ShapedDecoder`, and so are their times.

Without a clock a step leaves when the answer to the one before has come. The work between the two is made the same for each: the
tail draws at as many rows whatever a step holds, a dummy is run like any other step, and the text is shown after the next step
has left. What is left in the times is noise, and what little the length of a text or the spread of its next tokens costs.

With a clock the prompt goes as without one; each later step leaves on a beat, real or dummy, and its answer is held back at the
agent, so that neither this computer's time nor the agent's shows. What goes is decided a little before the beat, as the head and
whoever else uses this thread take their time. Where `HOLD` of a beat is shorter than the agent takes for a step, or the network
delays, that shows: choose a longer beat.

The window is told the end when the text has ended; `over` comes when the last dummy has been answered. A person who asks on
meanwhile waits for it (else the moment of the next question would tell when the reply ended at the latest), one who deletes the
conversation or closes Sotto ends it. A failure ends it, too.
"""

import math
import time
from collections.abc import Callable

import msgspec
import torch

from desktop_app.chat.events import ReplyEvent, ReplyFailed, ReplyFinished, Shape, Statistics
from desktop_app.decoding.shape import ShapedDecoder
from desktop_app.decoding.step import Draw, Step
from desktop_app.engine.errors import EngineError
from desktop_app.engine.middle import Beat
from desktop_app.engine.reply import Parts, Reply

HOLD = 1 / 3  # of a beat: how long the agent holds an answer back
LEAD = 1 / 5  # of a beat: how long before it a step is chosen

Emit = Callable[[ReplyEvent], None]
Done = Callable[[Reply, ReplyEvent], None]
Over = Callable[[Reply], None]


def reply_of(parts: Parts, emit: Emit, done: Done, over: Over, shape: Shape) -> Reply:
    """The reply that these parts make: a shaped one, in this shape, if their decoder is."""
    if isinstance(parts.decoder, ShapedDecoder):
        return ShapedReply(parts, emit, done, over, (shape, parts.decoder))
    return Reply(parts, emit, done, over)


class ShapedReply(Reply):
    """As a `Reply`; `shaping` is its shape and the decoder that its parts hold."""

    def __init__(self, parts: Parts, emit: Emit, done: Done, over: Over, shaping: tuple[Shape, ShapedDecoder]) -> None:
        super().__init__(parts, emit, done, over)
        self._shape, self._decoder = shaping
        self._padding_before = parts.middle.padding_bytes
        self._began = 0.0
        self._first_tick_at = 0.0
        self._beat = 0
        self._beating = False

    def begin(self) -> None:
        """Send the first steps; the clock's beats are counted from here."""
        self._began = time.perf_counter()
        super().begin()

    def failed(self, error: EngineError) -> None:
        """End the reply with a sentence, and what was to follow its end."""
        super().failed(error)
        self._close()

    def _pump(self) -> None:
        if self._shape.tick and not self._decoder.reading:
            if not self._beating:
                self._beating = True
                self._await_beat()
        else:
            super()._pump()
            while self._ended and (step := self._decoder.next_step()) is not None:
                self._send(step)

    def _await_beat(self) -> None:
        tick = self._shape.tick
        self._beat = max(self._beat + 1, math.ceil((time.perf_counter() - self._began) / tick + LEAD))
        self._parts.middle.call_at(self._began + (self._beat - LEAD) * tick, lambda: self._guarded(self._on_beat))

    def _on_beat(self) -> None:
        if self._is_over:
            return
        step = self._decoder.tick()
        if step is not None:
            tick = self._shape.tick
            self._send(step, Beat(self._began + self._beat * tick, HOLD * tick))
        if not self._decoder.finished or self._decoder.ticks_left:
            self._await_beat()

    def _send(self, step: Step, beat: Beat | None = None) -> None:
        if self._decoder.ticks == 1:
            self._first_tick_at = time.perf_counter()
        super()._send(step, beat)

    def _advance(self, step: Step, hidden: torch.Tensor) -> None:
        super()._advance(step, hidden)
        if self._ended and self._decoder.over:
            self._close()

    def _take(self, tokens: list[int]) -> None:
        self._pump()
        self._accept(tokens)

    def _draw(self, step: Step, hidden: torch.Tensor) -> list[Draw]:
        if len(step.tokens) != self._decoder.rows:
            return super()._draw(step, hidden)
        # As many draws at every step, whatever they are for: how long they take would tell how many guesses it holds.
        decoder, sampler = self._decoder, self._parts.sampler
        rows = () if self._ended else step.drawn
        spare = len(step.tokens) - len(rows)
        indices = [*(row - step.first_row for row in rows), *[0] * spare]
        paths = [decoder.path(row) if sampler.needs_path else () for row in rows]
        paths += [self._tokens if sampler.needs_path else ()] * spare
        positions = [*(decoder.position(row) + 1 for row in rows), *[0] * spare]
        draws = sampler.draw(self._logits(step, hidden, indices), [*rows, *[-1] * spare], positions, paths)
        return draws[: len(rows)]

    def _end(self, event: ReplyFinished | ReplyFailed) -> None:
        self._ended = True
        if self._decoder.over or isinstance(event, ReplyFailed):
            self._close()
        self._done(self, event)

    def figures(self) -> Statistics:
        """The figures so far, with the dummy steps that will follow the end once it has come."""
        figures = super().figures()
        decoder, middle = self._decoder, self._parts.middle
        padding = middle.padding_bytes - self._padding_before
        if not decoder.finished:
            return msgspec.structs.replace(figures, shape=self._shape.name, padding_bytes=padding)
        up, down = middle.step_bytes(decoder.rows)
        awaited = sum(len(step.tokens) == decoder.rows for step in self._in_flight.values())
        up, down = up * decoder.ticks_left, down * (decoder.ticks_left + awaited)
        since_first = time.perf_counter() - self._first_tick_at if decoder.ticks else 0.0
        a_tick = self._shape.tick or since_first / max(1, decoder.ticks)
        return msgspec.structs.replace(
            figures,
            shape=self._shape.name,
            bytes_up=figures.bytes_up + up,
            bytes_down=figures.bytes_down + down,
            rows=figures.rows + decoder.rows * decoder.ticks_left,
            padding_bytes=padding + up + down,
            padding_seconds=a_tick * decoder.ticks_left,
        )
