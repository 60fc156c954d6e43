"""A run of decoder layers with a cache for each session: what the agent runs in the middle and the desktop at both ends.

    segment = Segment(plan, weights, first_layer=4, last_layer=28)
    segment.open(session=1, max_positions=8192)
    answers = segment.run(session=1, epoch=0, commit=-1, first_row=0, parents=[-1, 0, 1], hidden=rows)

A step is admitted (rows kept and dropped by its `commit`, slots found for the new ones), what it may see is worked out once, and
each layer then does its part (`batch`). A step that fails or is given up leaves its session as if it had only committed: the same
step can come again. Not for several threads at once.

The parameter lists of `Segment` and `run` are longer because they name what a model is run with, and the fields of a step as
they stand on the wire.

`Segment`, `run` and `begin` take more than six parameters: the first names a model, a part of it and how it is computed, the
others are a step, field by field.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Literal

import torch

from remote_agent.segment.batch import LayerRun, UnderWay, advance
from remote_agent.segment.cache import KVCache
from remote_agent.segment.device import choose_device, choose_dtype
from remote_agent.segment.errors import OutOfMemory, RowUnknown, SegmentError
from remote_agent.segment.layers import DecoderLayer
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.projection import TensorSource
from remote_agent.segment.rope import RopeTable
from remote_agent.segment.rows import RowTable

Attention = Literal["sdpa", "eager"]

ROOM_FOR_GUESSES = 1024  # rows of a session that are not on its main line: no step has more


@dataclass(slots=True)
class _Session:
    table: RowTable
    cache: KVCache


@contextmanager
def enough_memory(what: str) -> Iterator[None]:
    """Turn every kind of running out of memory into `OutOfMemory` with advice; `what` completes “There is not enough memory”."""
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError) as error:
        raise OutOfMemory(_advice(what)) from error
    except RuntimeError as error:
        # The CPU's allocator has no error class of its own.
        if any(words in str(error).lower() for words in ("out of memory", "not enough memory", "can't allocate")):
            raise OutOfMemory(_advice(what)) from error
        raise


def _advice(what: str) -> str:
    return (
        f"There is not enough memory {what}. Close other programs or conversations, shorten the text, "
        "or give this machine fewer layers or a smaller model."
    )


class Segment:
    """Layers [first_layer, last_layer) of a model, on one device; raises `SegmentError`s with sentences."""

    def __init__(
        self,
        plan: ModelPlan,
        weights: TensorSource,
        first_layer: int,
        last_layer: int,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        attention: Attention = "sdpa",
    ) -> None:
        """Reads only the tensors of these layers; `weights` is not kept.

        Where `device` or `dtype` is not given it is chosen (see `device`).
        """
        if not 0 <= first_layer <= last_layer <= plan.layers:
            raise SegmentError(
                f"Layers {first_layer} to {last_layer} were asked for, and the model has {plan.layers}. Choose another split."
            )
        if attention not in ("sdpa", "eager"):
            raise SegmentError(f"There is no attention called “{attention}”. Choose sdpa or eager.")
        self.plan, self.first_layer, self.last_layer = plan, first_layer, last_layer
        self.device = device if isinstance(device, torch.device) else choose_device(device)
        self.dtype = choose_dtype(self.device, plan.parameters) if dtype is None else dtype
        self._sessions: dict[int, _Session] = {}
        place = (self.device, self.dtype)
        with torch.inference_mode(), enough_memory("for the model's layers"):
            span = range(first_layer, last_layer)
            layers = [DecoderLayer(plan, weights, index, place, attention == "sdpa") for index in span]
            ropes = {rope for rope in plan.ropes[first_layer:last_layer] if rope is not None}
            tables = {rope: RopeTable(rope, plan.head_dim, *place) for rope in ropes}
        self._run = LayerRun(layers, first_layer, frozenset(plan.windows[first_layer:last_layer]), tables, place)

    @property
    def sessions(self) -> list[int]:
        """The open sessions."""
        return list(self._sessions)

    @property
    def bytes_held(self) -> int:
        """Bytes of all sessions' caches; memory that forks share counts once."""
        return sum(dict(session.cache.share for session in self._sessions.values()).values())

    def share_of(self, session: int) -> dict[int, int]:
        """The memory that a session's cache is in, by identity, and its bytes; forks may share it. Empty for none."""
        held = self._sessions.get(session)
        return {} if held is None else dict([held.cache.share])

    def part(self, first_layer: int, last_layer: int) -> "Segment":
        """Some of these layers as a segment with sessions of its own; the weights are the same, nothing is loaded."""
        if not self.first_layer <= first_layer <= last_layer <= self.last_layer:
            raise SegmentError(f"Layers {first_layer} to {last_layer} are not all in this segment. Choose another split.")
        part = copy(self)
        part.first_layer, part.last_layer = first_layer, last_layer
        part._run = self._run.part(first_layer, last_layer)
        part._sessions = {}
        return part

    def open(self, session: int, max_positions: int) -> None:
        """A new, empty session for a text of at most `max_positions` rows; one of that number that is open is closed first.

        Guesses beside the text have room of their own, so that drafting works up to the last position.
        """
        max_positions = min(max_positions, self.plan.max_positions)
        max_rows = max_positions + ROOM_FOR_GUESSES
        self.close(session)
        shape = (self.last_layer - self.first_layer, self.plan.kv_heads, self.plan.head_dim)
        with torch.inference_mode(), enough_memory("for another conversation"):
            cache = KVCache(shape, max_rows, self.device, self.dtype)
        self._sessions[session] = _Session(RowTable(max_rows, max_positions), cache)

    def fork(self, session: int, source: int, row: int) -> None:
        """A new session that shares the rows of `source` up to and including `row`; raises `RowUnknown`."""
        origin = self._session(source)
        if not self._run.layers:
            self.open(session, origin.table.max_positions)
            return
        table, kept, moved = origin.table.fork(row)
        with torch.inference_mode(), enough_memory("for another conversation"):
            cache = origin.cache.fork(kept, moved)
        self.close(session)
        self._sessions[session] = _Session(table, cache)

    def close(self, session: int) -> None:
        """Forget a session and free its cache; one that is not open is no error."""
        closed = self._sessions.pop(session, None)
        if closed is not None:
            closed.cache.release()

    def length(self, session: int) -> int:
        """How many rows a session holds."""
        return self._session(session).table.used

    def run(
        self,
        session: int,
        epoch: int,
        commit: int,
        first_row: int,
        parents: Sequence[int],
        hidden: torch.Tensor,
        *,
        stale: Callable[[], bool] | None = None,
    ) -> torch.Tensor:
        """Rows [n, hidden_size] after the last layer, on the segment's device in its dtype; the parameters are a step's fields.

        A step without rows only commits. Before each layer `stale` is asked whether the answer is still wanted; if not,
        `StepDropped` is raised. Also raises `RowUnknown`, `ContextFull`, `OutOfMemory`.
        """
        step = self.begin(session, epoch, commit, first_row, parents, hidden)
        try:
            with torch.inference_mode(), enough_memory("for this step"):
                if step.left:
                    advance([(step, step.left)], stale)
                return step.answer()
        except BaseException:
            step.give_up()
            raise

    def begin(
        self, session: int, epoch: int, commit: int, first_row: int, parents: Sequence[int], hidden: torch.Tensor
    ) -> UnderWay:
        """Admit a step, whose rows then go through the layers by `batch.advance`, together with others and in slices if need be.

        Until it has come through or is given up, nothing else may be begun or forked in its session. Raises as `run` does.
        """
        held = self._session(session)
        if hidden.dim() != 2 or hidden.shape != (len(parents), self.plan.hidden_size):
            raise SegmentError("The step's rows do not have the model's shape. Start the session again.")
        if not self._run.layers:
            return UnderWay.through(hidden)
        with torch.inference_mode(), enough_memory("for this step"):
            change = held.table.plan(epoch, commit, first_row, parents)
            held.cache.prepare(change.kept, change.moved, change.count)
            held.table.apply(change)
            return UnderWay(self._run, held.table, held.cache, change, hidden.to(self.device, self.dtype))

    def _session(self, session: int) -> _Session:
        try:
            return self._sessions[session]
        except KeyError:
            raise RowUnknown(f"Session {session} is not held here any more. Send the conversation again.") from None
