"""The part of a model that runs on this machine: the head (embedding and first layers) and the tail (last layers and LM head).

Token ids exist only here: the head turns them into rows before anything leaves the machine, the tail turns rows into logits. The
tail runs the LM head, the dearest product of a small model, on drawn rows alone. Its `run` is one parameter longer because it
takes the fields of a step, as `Segment.run` does, and then which of the rows are drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from desktop_app.model.tokenizer import ChatTokenizer
from remote_agent.segment.ends import Embedding, Output
from remote_agent.segment.manifest import Manifest
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.segment import Segment
from remote_agent.segment.weights import Weights

Device = torch.device | str | None


class _LocalSegment:
    """Sessions are those of the layers within."""

    def __init__(self, segment: Segment) -> None:
        self.segment = segment

    @property
    def layers(self) -> int:
        """How many layers run here."""
        return self.segment.last_layer - self.segment.first_layer

    @property
    def device(self) -> torch.device:
        """What they run on."""
        return self.segment.device

    @property
    def dtype(self) -> torch.dtype:
        """The numbers they compute in."""
        return self.segment.dtype

    def open(self, session: int, max_positions: int) -> None:
        """A new, empty session for a text of at most `max_positions` tokens. Raises `OutOfMemory`."""
        self.segment.open(session, max_positions)

    def fork(self, session: int, source: int, row: int) -> None:
        """A new session that shares the rows of `source` up to and including `row`. Raises `RowUnknown`."""
        self.segment.fork(session, source, row)

    def close(self, session: int) -> None:
        """Forget a session; one that is not open is no error."""
        self.segment.close(session)


class HeadSegment(_LocalSegment):
    """The embedding and the layers [0, head)."""

    def __init__(self, embedding: Embedding, segment: Segment) -> None:
        super().__init__(segment)
        self._embedding = embedding

    def run(self, session: int, epoch: int, commit: int, first_row: int, parents: Sequence[int], tokens: Sequence[int]) -> Tensor:
        """Rows [n, hidden size] behind the head of `tokens`, on its device. Raises `SegmentError`."""
        return self.segment.run(session, epoch, commit, first_row, parents, self._embedding(tokens))


class TailSegment(_LocalSegment):
    """The layers [layers - tail, layers), the final norm and the LM head."""

    def __init__(self, segment: Segment, output: Output) -> None:
        super().__init__(segment)
        self._output = output

    def run(
        self,
        session: int,
        epoch: int,
        commit: int,
        first_row: int,
        parents: Sequence[int],
        hidden: Tensor,
        drawn_indices: Sequence[int],
    ) -> Tensor:
        """Logits [drawn, vocabulary] in float32 at the rows of the step with these indices. Raises `SegmentError`."""
        rows = self.segment.run(session, epoch, commit, first_row, parents, hidden)
        if not drawn_indices:
            return torch.empty(0, self.segment.plan.vocab_size, device=rows.device)
        return self._output(rows[list(drawn_indices)])


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model whose end layers lie on this machine; `name` is fit to be shown."""

    plan: ModelPlan
    weights: Weights
    tokenizer: ChatTokenizer
    name: str
    manifest: Manifest

    def segments(
        self, head: int, tail: int, *, device: Device = None, dtype: torch.dtype | None = None
    ) -> tuple[HeadSegment, TailSegment]:
        """Load the first `head` and the last `tail` layers; where they meet the head runs all layers ("only here").

        Raises `BadModelFile` for layers that `ModelStore.prepare` was not asked for, `OutOfMemory`.
        """
        first_of_tail = self.plan.layers - tail
        if head >= first_of_tail:
            head = first_of_tail = self.plan.layers
        begin = Segment(self.plan, self.weights, 0, head, device=device, dtype=dtype)
        end = Segment(self.plan, self.weights, first_of_tail, self.plan.layers, device=begin.device, dtype=begin.dtype)
        embedding = Embedding(self.plan, self.weights, begin.dtype)
        output = Output(self.plan, self.weights, device=begin.device, dtype=begin.dtype)
        return HeadSegment(embedding, begin), TailSegment(end, output)
