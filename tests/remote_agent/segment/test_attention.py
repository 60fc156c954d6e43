"""Fused and written-out attention are the same function, by blocks or at once."""

import pytest
import torch

from remote_agent.segment import attention
from remote_agent.segment.masks import View


@pytest.mark.parametrize("kv_heads", [1, 2, 6])
@pytest.mark.parametrize(("rows", "slots"), [(1, 30), (5, 30), (20, 30), (20, 20)])
def test_fused_equals_written_out(rows: int, slots: int, kv_heads: int) -> None:
    query, keys, values = torch.randn(rows, 6, 8), torch.randn(kv_heads, slots, 8), torch.randn(kv_heads, slots, 8)
    tree = torch.where(torch.rand(rows, slots) < 0.5, 0.0, torch.finfo(torch.float32).min)
    tree[:, 0] = 0
    for view in [View(0), View(0, tree), *([View(0, causal=True)] if rows == slots else [])]:
        fused = attention.fused(query, keys, values, view, 0.3)
        assert torch.allclose(fused, attention.written_out(query, keys, values, view, 0.3), atol=1e-5)


def test_blocks_of_rows_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    query, keys = torch.randn(20, 4, 8), torch.randn(2, 20, 8)
    whole = attention.written_out(query, keys, keys, View(0, causal=True), 0.3, 5.0)
    monkeypatch.setattr(attention, "SCORES_AT_ONCE", 4 * 20 * 3)
    assert torch.allclose(attention.written_out(query, keys, keys, View(0, causal=True), 0.3, 5.0), whole, atol=1e-6)
