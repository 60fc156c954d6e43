"""Attention of a step's rows over a session's keys and values, by torch's fused kernels or written out.

Several query heads share one key head. For the few rows of a decoding step they become more rows of that head, which keeps the
kernel on its fast path (in bfloat16 on the CPU four times as fast); for many rows the keys are expanded without a copy, so
that the mask needs no repeating and `is_causal` works.
"""

import torch
from torch.nn.functional import scaled_dot_product_attention

from remote_agent.segment.masks import View

FEW_ROWS = 8
SCORES_AT_ONCE = 2**26
"""How many scores written-out attention holds at a time; a long prefill goes by blocks of rows."""


def fused(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, view: View, scale: float) -> torch.Tensor:
    """SDPA of query [n, heads, head_dim] over keys and values [kv_heads, slots, head_dim]; returns [n, heads x head_dim]."""
    rows, heads, head_dim = query.shape
    kv_heads, slots, _ = keys.shape
    group = heads // kv_heads
    grouped = query.view(rows, kv_heads, group, head_dim).permute(1, 2, 0, 3)
    if rows <= FEW_ROWS and not view.causal:
        mask = view.mask if view.mask is None or group == 1 else view.mask.repeat(group, 1)
        folded = grouped.reshape(1, kv_heads, group * rows, head_dim)
        out = scaled_dot_product_attention(folded, keys[None], values[None], mask, scale=scale)
        out = out.view(kv_heads, group, rows, head_dim)
    else:
        wide_keys = keys[:, None].expand(kv_heads, group, slots, head_dim)
        wide_values = values[:, None].expand(kv_heads, group, slots, head_dim)
        out = scaled_dot_product_attention(grouped, wide_keys, wide_values, view.mask, is_causal=view.causal, scale=scale)
    return out.permute(2, 0, 1, 3).reshape(rows, heads * head_dim)


def written_out(
    query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, view: View, scale: float, softcap: float | None = None
) -> torch.Tensor:
    """The same by plain products, softmax in float32; also where a model caps its scores, which SDPA cannot."""
    rows, heads, head_dim = query.shape
    kv_heads, slots, _ = keys.shape
    group = heads // kv_heads
    grouped = query.view(rows, kv_heads, group, head_dim).permute(1, 2, 0, 3)
    mask = _lower_triangle(rows, query) if view.causal else view.mask
    block = max(SCORES_AT_ONCE // (heads * slots), 1)
    out = torch.empty(rows, kv_heads, group, head_dim, dtype=query.dtype, device=query.device)
    for first in range(0, rows, block):
        part = grouped[:, :, first : first + block]
        count = part.shape[2]
        scores = torch.bmm(part.reshape(kv_heads, group * count, head_dim), keys.transpose(1, 2)) * scale
        scores = scores.view(kv_heads, group, count, slots)
        if softcap is not None:
            scores = torch.tanh(scores / softcap) * softcap
        if mask is not None:
            scores = scores + mask[first : first + count]
        weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)
        answer = torch.bmm(weights.view(kv_heads, group * count, slots), values)
        out[first : first + count] = answer.view(kv_heads, group, count, head_dim).permute(2, 0, 1, 3)
    return out.view(rows, heads * head_dim)


def _lower_triangle(rows: int, like: torch.Tensor) -> torch.Tensor:
    lowest = torch.full((rows, rows), torch.finfo(like.dtype).min, dtype=like.dtype, device=like.device)
    return lowest.triu(1)
