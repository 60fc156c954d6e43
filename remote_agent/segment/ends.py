"""What stands before the first and behind the last layer, and never leaves the desktop: the embedding and the LM head."""

from collections.abc import Sequence

import torch

from remote_agent.segment.device import choose_device, choose_dtype
from remote_agent.segment.errors import SegmentError
from remote_agent.segment.layers import Norm
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.projection import TensorSource, project
from remote_agent.segment.segment import enough_memory

EMBEDDING = "model.embed_tokens"


class Embedding:
    """Token ids to rows. The table stays where it is mapped; only the rows of tokens that occur are ever read from disk."""

    def __init__(self, plan: ModelPlan, weights: TensorSource, dtype: torch.dtype = torch.float32) -> None:
        self._plan, self._dtype = plan, dtype
        self._table = weights.tensor(f"{EMBEDDING}.weight")
        # Gemma's factor is rounded to the numbers that are computed in, as the model was trained.
        self._scale = torch.tensor(plan.embedding_scale, dtype=dtype)

    def __call__(self, tokens: Sequence[int]) -> torch.Tensor:
        """Rows [n, hidden_size] on the CPU; raises `SegmentError` for an id that the model does not have."""
        with torch.inference_mode():
            ids = torch.tensor(list(tokens), dtype=torch.int64)
            if len(ids) and not 0 <= int(ids.min()) <= int(ids.max()) < self._table.shape[0]:
                raise SegmentError("The text has a token that the model does not know. Tokenizer and model do not go together.")
            rows = self._table.index_select(0, ids).to(self._dtype)
            return rows if self._plan.embedding_scale == 1.0 else rows * self._scale


class Output:
    """Rows behind the last layer to logits: final norm, LM head (the embedding itself where tied), final soft cap."""

    def __init__(
        self,
        plan: ModelPlan,
        weights: TensorSource,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        self.device = device if isinstance(device, torch.device) else choose_device(device)
        self.dtype = choose_dtype(self.device, plan.parameters) if dtype is None else dtype
        self._softcap = plan.logit_softcap
        head = EMBEDDING if plan.tied_embeddings else "lm_head"
        with torch.inference_mode(), enough_memory("for the model's last part"):
            self._norm = Norm(plan, weights.tensor("model.norm.weight"), self.device, self.dtype)
            self._head = project(weights, [head], False, self.device, self.dtype)

    def __call__(self, rows: torch.Tensor) -> torch.Tensor:
        """Logits [n, vocab_size], float32, on the device, of rows [n, hidden_size]: hand over only rows that are drawn from."""
        with torch.inference_mode(), enough_memory("for this step"):
            logits = self._head(self._norm(rows.to(self.device, self.dtype))).float()
            return logits if self._softcap is None else torch.tanh(logits / self._softcap) * self._softcap
