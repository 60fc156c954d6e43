"""What rows see against their paths, for windows and trees, and no mask where none is needed."""

import random

import pytest
import torch

from remote_agent.segment.masks import View, view
from remote_agent.segment.rows import RowTable

CPU = torch.device("cpu")


def path(table: RowTable, slot: int) -> list[int]:
    found = []
    while slot != -1:
        found.append(slot)
        slot = int(table.parents[slot])
    return found


def expected(table: RowTable, start: int, window: int | None) -> list[set[int]]:
    """For each row the slots on its path within the window."""
    sees = []
    for slot in range(start, table.used):
        reach = table.positions[slot] - (window or 10**9)
        sees.append({other for other in path(table, slot) if table.positions[other] > reach})
    return sees


def seen(table: RowTable, start: int, what: View) -> list[set[int]]:
    rows, keys = table.used - start, table.used - what.first
    mask = torch.zeros(rows, keys) if what.mask is None else what.mask
    if what.causal:
        assert rows == keys
        mask = torch.full((rows, keys), -1.0).triu(1)
    assert mask.shape == (rows, keys)
    return [{what.first + key for key, value in enumerate(row) if value == 0} for row in mask.tolist()]


@pytest.mark.parametrize("window", [None, 1, 2, 3, 5, 8, 50])
@pytest.mark.parametrize("seed", range(12))
def test_every_row_sees_its_path_within_the_window(seed: int, window: int | None) -> None:
    draw = random.Random(seed)
    table = RowTable(200)
    table.admit(0, -1, 0, range(-1, draw.choice((1, 4, 9))))
    for _ in range(4):
        first = table.next_row
        alive = table.ids.tolist()
        parents = [first + i - 1 if i and draw.random() < 0.5 else draw.choice(alive) for i in range(draw.choice((1, 1, 4, 7)))]
        start = table.admit(0, draw.choice((-1, 0)), first, parents).start
        what = view(table, start, window, CPU, torch.float32)
        assert seen(table, start, what) == expected(table, start, window)


def test_chains_need_no_mask_for_one_row_and_causal_for_a_prefill() -> None:
    table = RowTable(100)
    table.admit(0, -1, 0, range(-1, 9))
    assert view(table, 0, None, CPU, torch.float32) == View(0, causal=True)
    assert view(table, 0, 10, CPU, torch.float32) == View(0, causal=True)
    start = table.admit(0, 9, 10, [9]).start
    assert view(table, start, None, CPU, torch.float32) == View(0)
    assert view(table, start, 4, CPU, torch.float32) == View(7)  # a window is a slice, not a mask


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_masks_are_additive_in_the_dtype_computed_in(dtype: torch.dtype) -> None:
    table = RowTable(100)
    table.admit(0, -1, 0, [-1, 0, 0])
    mask = view(table, 1, None, CPU, dtype).mask
    assert mask is not None
    assert mask.dtype == dtype
    assert mask.tolist() == [[0, 0, torch.finfo(dtype).min], [0, torch.finfo(dtype).min, 0]]
