"""The model as anybody can download it: what an attacker with the public weights computes with."""

import torch
from torch import Tensor

from desktop_app.model.store import ModelStore
from remote_agent.segment.ends import EMBEDDING, Embedding, Output
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.projection import TensorSource
from remote_agent.segment.segment import Segment

SESSION = 1


class PublicModel:
    """All layers, the embedding and the LM head of one model, on this machine."""

    def __init__(self, plan: ModelPlan, weights: TensorSource, dtype: torch.dtype | None = None) -> None:
        """`dtype` is best the one that the desktop computes in: the row format tells it."""
        self.plan = plan
        self._layers = Segment(plan, weights, 0, plan.layers, dtype=dtype)
        self.embedding = Embedding(plan, weights, self._layers.dtype)
        self.output = Output(plan, weights, device=self._layers.device, dtype=self._layers.dtype)
        self.table: Tensor = weights.tensor(f"{EMBEDDING}.weight").float()

    @classmethod
    def load(cls, store: ModelStore, model: str, dtype: torch.dtype | None = None) -> "PublicModel":
        """The model that `model` names, with all its layers."""
        local = store.prepare(model, 2**16, 0)
        return cls(local.plan, local.weights, dtype)

    def head(self, layers: int) -> Segment:
        """The first `layers`, with sessions of their own."""
        return self._layers.part(0, layers)

    def middle(self, first_layer: int, last_layer: int) -> Segment:
        """The layers [first_layer, last_layer), with sessions of their own."""
        return self._layers.part(first_layer, last_layer)

    def tail(self, layers: int) -> Segment:
        """The last `layers`, with sessions of their own."""
        return self._layers.part(self.plan.layers - layers, self.plan.layers)


def run_chain(segment: Segment, hidden: Tensor) -> Tensor:
    """Rows [n, hidden size] behind the segment of one text's rows, each continuing the one before, in float32."""
    count = len(hidden)
    segment.open(SESSION, count)
    try:
        return segment.run(SESSION, 0, -1, 0, range(-1, count - 1), hidden).float()
    finally:
        segment.close(SESSION)
