"""What the rows of a step may look at, as slices and additive masks, built once a step and used by every layer.

The trunk of a row table needs comparisons only, the branches a small matrix; nothing here loops over the context. Masks are
additive (0 or the dtype's lowest number): eager attention adds them, and SDPA would turn a boolean one into this for every layer
anew. A row always sees itself, so no row is ever masked entirely. Windows count positions: in a tree, the distance between two
slots says nothing.
"""

from dataclasses import dataclass

import numpy as np
import torch

from remote_agent.segment.rows import RowTable


@dataclass(frozen=True, slots=True)
class View:
    """Keys [first, end) are looked at, through `mask` [rows, end - first]; without a mask all of them, or, `causal`, the
    lower triangle."""

    first: int
    mask: torch.Tensor | None = None
    causal: bool = False


def view(
    table: RowTable, start: int, window: int | None, device: torch.device, dtype: torch.dtype, end: int | None = None
) -> View:
    """What the rows in slots [start, end) see in a layer with that window (None: everything before them); `end`: None for all."""
    end = table.used if end is None else end
    trunk = min(table.trunk, end)
    positions = table.positions[start:end]
    first = 0
    if window is not None:
        lowest = int(positions.min()) - window + 1
        if lowest <= 0 and int(positions.max()) < window:
            window = None
        # A trunk slot is its position, so trunk slots before the window of the lowest row are seen by no row.
        first = min(max(lowest, 0), trunk)
    if end == trunk:
        return _chain(end, start, first, window, device, dtype)
    seen = _tree(table, start, end, first)
    if window is not None:
        seen &= table.positions[None, first:end] > (positions - window)[:, None]
    if seen.all():
        return View(first)
    return View(first, _additive(torch.from_numpy(seen).to(device), dtype))


def _chain(end: int, start: int, first: int, window: int | None, device: torch.device, dtype: torch.dtype) -> View:
    """All rows lie in the trunk: a row sees the slots up to its own."""
    if end - start == 1:
        return View(first)
    if start == first and window is None:
        return View(first, causal=True)
    slots = torch.arange(first, end, device=device)
    own = torch.arange(start, end, device=device)[:, None]
    seen = slots <= own
    if window is not None:
        seen &= slots > own - window
    return View(first, _additive(seen, dtype))


def _tree(table: RowTable, start: int, end: int, first: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Who sees whom, [rows, end - first], before windows."""
    trunk, count = table.trunk, end - start
    stems, sees = table.branches()
    own = slice(max(start - trunk, 0), end - trunk)  # the rows of [start, end) among the branches
    in_trunk = max(trunk - start, 0)  # those that are trunk themselves see the trunk up to their own slot
    limits = np.concatenate((np.arange(start, start + in_trunk) + 1, stems[own]))
    seen = np.zeros((count, end - first), dtype=np.bool_)
    seen[:, : trunk - first] = np.arange(first, trunk) < limits[:, None]
    seen[in_trunk:, trunk - first :] = sees[own, : end - trunk]
    return seen


def _additive(seen: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return torch.where(seen, 0.0, torch.finfo(dtype).min).to(dtype)
