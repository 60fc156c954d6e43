"""One decoder layer, for every supported family: norm, attention, norm, gated MLP, on plain tensors.

    rows -> norm -> queries, keys, values -> (norm of heads) -> rotation -> cache -> attention -> out -> (norm) -> + rows
         -> norm -> gate, up -> act(gate) x up -> down -> (norm) -> + rows

The parts in brackets exist where the plan says so. Rows of several sessions go through as one batch: everything but attention is
done for all rows at once, since one row costs nearly what eight cost; attention is each session's own. A layer keeps no state:
whose rows they are and what they see is in their `Batch`, keys and values are in the sessions' caches.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch.nn.functional import gelu, rms_norm, silu

from remote_agent.segment import attention
from remote_agent.segment.masks import View
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.projection import TensorSource, project
from remote_agent.segment.rope import Rope, rotate

ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "silu": silu,
    "gelu": gelu,
    "gelu_pytorch_tanh": lambda rows: gelu(rows, approximate="tanh"),
}


@dataclass(frozen=True, slots=True)
class Share:
    """One session's part of a batch: the rows [first, last) of it, which take the slots [start, end) of the session's cache.

    `keys` and `values` are the cache's, [layers, kv_heads, capacity, head_dim], from layer `first_layer` on; `views` is what the
    rows see, by window.
    """

    first: int
    last: int
    start: int
    end: int
    views: dict[int | None, View]
    keys: torch.Tensor
    values: torch.Tensor
    first_layer: int

    def of_layer(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Keys and values of one layer of the model, each [kv_heads, capacity, head_dim]."""
        return self.keys[index - self.first_layer], self.values[index - self.first_layer]


@dataclass(frozen=True, slots=True)
class Batch:
    """What all layers need of the rows that go through them together: whose they are, and how they turn, by rope."""

    shares: Sequence[Share]
    turns: dict[Rope, tuple[torch.Tensor, torch.Tensor]]


class Norm:
    """Root-mean-square norm over the last dimension; Gemma's multiplies by 1 + weight, in float32."""

    def __init__(self, plan: ModelPlan, weight: torch.Tensor, device: torch.device, dtype: torch.dtype) -> None:
        self._eps, self._dtype = plan.norm_eps, dtype
        self._in_float32 = plan.norm_plus_one and dtype != torch.float32  # 1 + weight loses too much in 16 bits
        plus = 1.0 if plan.norm_plus_one else 0.0
        self._weight = (weight.to(device, torch.float32) + plus).to(torch.float32 if self._in_float32 else dtype)
        self._shape = weight.shape[-1:]

    def __call__(self, rows: torch.Tensor) -> torch.Tensor:
        """Same shape and dtype as `rows`."""
        if self._in_float32 or self._weight.dim() > 1:
            rows = rows.float() if self._in_float32 else rows
            return (rms_norm(rows, self._shape, None, self._eps) * self._weight).to(self._dtype)
        return rms_norm(rows, self._shape, self._weight, self._eps)


class DecoderLayer:
    """Layer `index` of the model, its weights on `device` in `dtype`."""

    def __init__(
        self, plan: ModelPlan, source: TensorSource, index: int, place: tuple[torch.device, torch.dtype], sdpa: bool
    ) -> None:
        """Reads the tensors `model.layers.{index}.*` from `source`."""
        self._plan, self._index = plan, index
        self.window, self._rope = plan.windows[index], plan.ropes[index]
        self._sdpa = sdpa and plan.attention_softcap is None
        self._act = ACTIVATIONS[plan.activation]
        prefix = f"model.layers.{index}."

        def norm(name: str) -> Norm:
            return Norm(plan, source.tensor(f"{prefix}{name}.weight"), *place)

        attention_names = [f"{prefix}self_attn.{part}_proj" for part in "qkv"]
        self._qkv = project(source, attention_names, plan.qkv_bias, *place)
        self._out = project(source, [f"{prefix}self_attn.o_proj"], plan.output_bias, *place)
        self._gate_up = project(source, [f"{prefix}mlp.{part}_proj" for part in ("gate", "up")], plan.mlp_bias, *place)
        self._down = project(source, [f"{prefix}mlp.down_proj"], plan.mlp_bias, *place)
        self._attention_norm, second = norm("input_layernorm"), norm("post_attention_layernorm")
        self._mlp_norm = norm("pre_feedforward_layernorm") if plan.output_norms else second
        self._after_attention = second if plan.output_norms else None
        self._after_mlp = norm("post_feedforward_layernorm") if plan.output_norms else None
        self._head_norm = self._query_key_norm(source, prefix, place) if plan.query_key_norm else None

    def _query_key_norm(self, source: TensorSource, prefix: str, place: tuple[torch.device, torch.dtype]) -> Norm:
        """Queries' and keys' norms as one, its weight [heads + kv_heads, head_dim]."""
        query, key = (source.tensor(f"{prefix}self_attn.{part}_norm.weight") for part in "qk")
        weight = torch.cat((query.expand(self._plan.heads, -1), key.expand(self._plan.kv_heads, -1)))
        return Norm(self._plan, weight, *place)

    def __call__(self, rows: torch.Tensor, batch: Batch) -> torch.Tensor:
        """Rows [n, hidden] after this layer; writes this layer of the sessions' caches."""
        attended = self._out(self._attend(self._attention_norm(rows), batch))
        rows = rows + (attended if self._after_attention is None else self._after_attention(attended))
        gate, up = self._gate_up(self._mlp_norm(rows)).chunk(2, dim=-1)
        changed = self._down(self._act(gate) * up)
        return rows + (changed if self._after_mlp is None else self._after_mlp(changed))

    def _attend(self, rows: torch.Tensor, batch: Batch) -> torch.Tensor:
        plan = self._plan
        heads = self._qkv(rows).view(rows.shape[0], plan.heads + 2 * plan.kv_heads, plan.head_dim)
        turned, fresh = heads[:, : plan.heads + plan.kv_heads], heads[:, plan.heads + plan.kv_heads :]
        if self._head_norm is not None:
            turned = self._head_norm(turned)
        if self._rope is not None:
            turned = rotate(turned, batch.turns[self._rope])
        if len(batch.shares) == 1:
            return self._attend_alone(turned, fresh, batch.shares[0])
        parts = [(share, slice(share.first, share.last)) for share in batch.shares]
        return torch.cat([self._attend_alone(turned[rows], fresh[rows], share) for share, rows in parts])

    def _attend_alone(self, turned: torch.Tensor, fresh: torch.Tensor, share: Share) -> torch.Tensor:
        """Attention of one session's rows, [n, heads x head_dim], from queries and keys in one and values."""
        plan = self._plan
        keys, values = share.of_layer(self._index)
        keys[:, share.start : share.end] = turned[:, plan.heads :].transpose(0, 1)
        values[:, share.start : share.end] = fresh.transpose(0, 1)
        view = share.views[self.window]
        query, keys, values = turned[:, : plan.heads], keys[:, view.first : share.end], values[:, view.first : share.end]
        if self._sdpa:
            return attention.fused(query, keys, values, view, plan.attention_scale)
        return attention.written_out(query, keys, values, view, plan.attention_scale, plan.attention_softcap)
