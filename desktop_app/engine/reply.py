"""One reply: the decoder's steps through head, middle and tail, and the text that comes of them.

Everything runs in the torch thread, one job an answer: tail, draw, accept, text, next step, head, send. So between an answer and
the next step on the wire there is not a single hop between threads. `Reply` is a chain of such jobs and never waits; the middle
calls `answered`, the window's wishes come as the jobs `stop` and `begin`.

Where the agent has lost what it held (`CacheLost`), whoever has asked for that (`on_lost`) may prepare other parts, whose prompt
is the old one with the reply so far, and have the reply `go_on`. Each draw depends on seed, position and path alone, so it goes
on with the very tokens that it would have had.
"""

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
import torch

from desktop_app.chat.events import (
    Progress,
    ReplyEvent,
    ReplyFailed,
    ReplyFinished,
    Statistics,
    StatisticsChanged,
    TextAdded,
)
from desktop_app.decoding.decoder import Decoder
from desktop_app.decoding.step import Draw, Step
from desktop_app.engine.agent_client import LOST
from desktop_app.engine.errors import AgentLost, CacheLost, EngineError
from desktop_app.engine.middle import Beat, Middle
from desktop_app.engine.noisy_rows import NoisyHead
from desktop_app.engine.sampling import Sampler
from desktop_app.engine.stop_strings import StopStrings
from desktop_app.model.detokenizer import StreamingText
from desktop_app.model.local import HeadSegment, TailSegment

FIGURES_EVERY = 0.2  # seconds


@dataclass(slots=True, kw_only=True)
class Parts:
    """What a reply is made with; `session` is the number of its rows in the caches of head and tail."""

    head: HeadSegment | NoisyHead
    tail: TailSegment
    middle: Middle
    session: int
    decoder: Decoder
    sampler: Sampler
    text: StreamingText
    stops: StopStrings
    statistics: Statistics
    started: float  # when the question was taken up, in seconds of `time.perf_counter`
    traffic: Callable[[], tuple[int, int, float]]  # bytes up, bytes down, round trip in seconds


class Reply:
    """Makes one reply and tells its events to `emit`, the last one excepted: with that `done(reply, event)` is called, once.

    When its last row has come back, `over(reply)` is called, once, here just before `done`: the rows may be used again.
    Whoever is told the end may ask the next question at once, so it is told by the one who has cleared everything away.
    """

    def __init__(
        self,
        parts: Parts,
        emit: Callable[[ReplyEvent], None],
        done: Callable[["Reply", ReplyFinished | ReplyFailed], None],
        over: Callable[["Reply"], None],
    ) -> None:
        self._parts = parts
        self._emit = emit
        self._done = done
        self._over = over
        self._lost: Callable[[], None] | None = None
        self._waits = False
        self._before = 0  # tokens that an earlier decoder made
        self._is_over = False
        self._in_flight: dict[tuple[int, int], Step] = {}
        self._statistics = parts.statistics
        self._prompt_rows = 0
        self._tokens: list[int] = []
        self._shown: list[str] = []
        self._steps = 0
        self._ended = False
        self._started = parts.started
        self._first_token_at = 0.0
        self._last_figures = 0.0
        self._up, self._down, _ = parts.traffic()
        self._rows = parts.middle.rows_sent

    @property
    def tokens(self) -> list[int]:
        """The ids of the reply so far."""
        return self._tokens

    @property
    def all_tokens(self) -> list[int]:
        """The prompt and the reply so far; under noise the prompt's are numbers."""
        return [*self._parts.decoder.prompt, *self._tokens[self._before :]]

    @property
    def text(self) -> str:
        """The text of the reply so far."""
        return "".join(self._shown)

    @property
    def ended(self) -> bool:
        """Whether the last event was told."""
        return self._ended

    def on_lost(self, lost: Callable[[], None]) -> None:
        """Have `lost()` called where the agent has lost what it held, instead of the end: `go_on` or `failed` is to follow."""
        self._lost = lost

    def go_on(self, parts: Parts) -> bool:
        """Go on with other parts, whose prompt ends with the reply so far; what shows and draws stays. False: it has ended."""
        if self._ended:
            return False
        own = self._parts
        (up, down, _), (new_up, new_down, _) = own.traffic(), parts.traffic()
        self._up, self._down = self._up + new_up - up, self._down + new_down - down
        self._rows += parts.middle.rows_sent - own.middle.rows_sent
        self._parts = dataclasses.replace(
            own,
            head=parts.head,
            tail=parts.tail,
            middle=parts.middle,
            session=parts.session,
            decoder=parts.decoder,
            traffic=parts.traffic,
        )
        self._waits = False
        self._before = len(self._tokens)
        self.begin()
        return True

    def begin(self) -> None:
        """Send the first steps."""
        self._parts.middle.receiver = self
        if self._parts.middle.alive:
            self._guarded(self._pump)
        else:
            # It went while the prompt was being prepared, when nobody was there to be told.
            self.failed(AgentLost(LOST))

    def stop(self) -> None:
        """End the reply here; what is in flight is dropped, at the agent too."""
        if not self._ended:
            self._guarded(self._stop)

    def answered(self, epoch: int, sequence: int, hidden: torch.Tensor) -> None:
        """Take the rows of a step as they leave the middle layers."""
        step = self._in_flight.pop((epoch, sequence), None)
        if step is not None and not self._is_over and self._parts.decoder.awaits(step):
            self._guarded(lambda: self._advance(step, hidden))

    def failed(self, error: EngineError) -> None:
        """End the reply with a sentence; the text that came is the window's already."""
        if self._lost is not None and isinstance(error, CacheLost) and not self._ended:
            self._wait(self._lost)
        elif not self._ended:
            self._flush_text()
            self._end(ReplyFailed(str(error), self.figures(), "interrupted"))

    def give_up(self, error: EngineError) -> None:
        """End the reply with a sentence, whatever has been asked for."""
        self._lost = None
        self.failed(error)

    def _wait(self, lost: Callable[[], None]) -> None:
        """Nothing is under way any more, until `go_on`."""
        if not self._waits:
            self._waits = True
            self._in_flight.clear()
            self._parts.middle.receiver = None
            lost()

    def _guarded(self, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:
            self.failed(error if isinstance(error, EngineError) else EngineError(_sentence(error)))

    def _pump(self) -> None:
        while not self._ended and (step := self._parts.decoder.next_step()) is not None:
            self._send(step)

    def _send(self, step: Step, beat: Beat | None = None) -> None:
        parts = self._parts
        self._steps += bool(step.drawn)
        if step.sequence == 0:
            self._in_flight.clear()
        self._in_flight[step.epoch, step.sequence] = step
        hidden = parts.head.run(parts.session, step.epoch, step.commit, step.first_row, step.parents, step.tokens)
        parts.middle.send(step, hidden, beat)

    def _advance(self, step: Step, hidden: torch.Tensor) -> None:
        draws = self._draw(step, hidden)
        if not (step.drawn or self._tokens or self._ended):
            self._prompt_rows += len(step.tokens)
            total = self._statistics.prompt_tokens - self._statistics.reused_tokens
            self._emit(Progress("prompt", self._prompt_rows, total))
        self._take(self._parts.decoder.receive(step, draws))
        if self._parts.decoder.finished and not self._ended:
            self._finish()

    def _take(self, tokens: list[int]) -> None:
        self._accept(tokens)
        self._pump()

    def _draw(self, step: Step, hidden: torch.Tensor) -> list[Draw]:
        decoder, sampler = self._parts.decoder, self._parts.sampler
        logits = self._logits(step, hidden, [row - step.first_row for row in step.drawn])
        if not step.drawn:
            return []
        paths = [decoder.path(row) if sampler.needs_path else () for row in step.drawn]
        return sampler.draw(logits, step.drawn, [decoder.position(row) + 1 for row in step.drawn], paths)

    def _logits(self, step: Step, hidden: torch.Tensor, indices: list[int]) -> torch.Tensor:
        """The logits at these rows of the step; all of its rows go through the tail."""
        parts = self._parts
        logits = parts.tail.run(parts.session, step.epoch, step.commit, step.first_row, step.parents, hidden, indices)
        if not torch.isfinite(logits).all():
            # Finite rows can still be too large for what comes after them; nothing drawn from that would be an answer.
            raise EngineError("The agent sent numbers that cannot be right. Ask again, or choose another agent.")
        return logits

    def _accept(self, tokens: list[int]) -> None:
        if not tokens:
            return
        if not self._tokens:
            self._first_token_at = time.perf_counter()
        self._tokens += tokens
        self._show(self._parts.stops.add(self._parts.text.add(tokens)))
        if self._parts.stops.found:
            self._parts.decoder.finish(len(self._tokens) - self._before, "end")
        now = time.perf_counter()
        if now - self._last_figures > FIGURES_EVERY:
            self._last_figures = now
            self._emit(StatisticsChanged(self.figures()))

    def _show(self, text: str) -> None:
        if text:
            self._shown.append(text)
            self._emit(TextAdded(text))

    def _flush_text(self) -> None:
        if not self._parts.stops.found:
            self._show(self._parts.stops.add(self._parts.text.finish()))
            self._show(self._parts.stops.finish())

    def _stop(self) -> None:
        self._parts.decoder.stop()
        if not self._waits:
            self._pump()
        self._finish()

    def _finish(self) -> None:
        self._flush_text()
        reason = self._parts.decoder.finish_reason or "stopped"
        self._end(ReplyFinished(reason, self.figures()))

    def _end(self, event: ReplyFinished | ReplyFailed) -> None:
        self._ended = True
        self._close()
        self._done(self, event)

    def _close(self) -> None:
        if not self._is_over:
            self._is_over = True
            self._parts.middle.receiver = None
            self._over(self)

    def figures(self) -> Statistics:
        """The figures so far; in another thread than the reply's, perhaps not all of one moment."""
        seconds = time.perf_counter() - self._started
        count = len(self._tokens)
        since_first = time.perf_counter() - self._first_token_at if count else 0.0
        up, down, round_trip = self._parts.traffic()
        return msgspec.structs.replace(
            self._statistics,
            reply_tokens=count,
            steps=self._steps,
            seconds=seconds,
            # The first token is the prompt's: the speed is that of the tokens after it.
            tokens_per_second=(count - 1) / since_first if count > 1 and since_first > 0 else 0.0,
            tokens_per_step=count / self._steps if self._steps else 0.0,
            time_to_first_token=self._first_token_at - self._started if count else 0.0,
            round_trip=round_trip,
            bytes_up=up - self._up,
            bytes_down=down - self._down,
            rows=self._parts.middle.rows_sent - self._rows,
        )


def _sentence(error: Exception) -> str:
    from desktop_app.model.errors import ModelError
    from remote_agent.segment.errors import SegmentError

    if isinstance(error, SegmentError | ModelError):
        return str(error)
    return f"Something failed inside Sotto ({type(error).__name__}). Please ask again."
