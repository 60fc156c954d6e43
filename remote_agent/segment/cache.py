"""Keys and values of one session's rows: preallocated, compacted in place, shared between forks until somebody writes over them.

One tensor for keys and one for values, each [layers, kv_heads, capacity, head_dim]; a row's slot is the index in `capacity`, and
`rows.RowTable` says who stands where. Capacity doubles as needed. A fork holds the same `_Block`; every holder says how many
leading slots it owns, and whoever is about to write a slot that another holder owns copies its own rows into a block of its own
first. So a fork costs nothing, nor does going on with either side while the other is only kept.
"""

import torch

from remote_agent.segment.rows import Ints

FIRST_SLOTS = 256


class _Block:
    """The two tensors, and the caches that hold them."""

    def __init__(self, keys: torch.Tensor, values: torch.Tensor) -> None:
        self.keys, self.values = keys, values
        self.holders: set[KVCache] = set()


class KVCache:
    """The cache of one session over the layers of one segment; `used` leading slots are its own."""

    def __init__(self, shape: tuple[int, int, int], max_rows: int, device: torch.device, dtype: torch.dtype) -> None:
        """`shape`: layers, kv_heads, head_dim. Allocates little; see `reserve`."""
        self._shape, self._max_rows = shape, max_rows
        self._device, self._dtype = device, dtype
        self.used = 0
        self._block = self._new_block(min(FIRST_SLOTS, max_rows))
        self._block.holders.add(self)

    @property
    def keys(self) -> torch.Tensor:
        """[layers, kv_heads, capacity, head_dim]."""
        return self._block.keys

    @property
    def values(self) -> torch.Tensor:
        """[layers, kv_heads, capacity, head_dim]."""
        return self._block.values

    @property
    def capacity(self) -> int:
        """Slots that are allocated."""
        return self._block.keys.shape[2]

    @property
    def share(self) -> tuple[int, int]:
        """(identity of the memory, its bytes): caches with the same identity share it."""
        return id(self._block), self._block.keys.nbytes + self._block.values.nbytes

    def prepare(self, kept: int, moved: Ints, count: int) -> None:
        """Make slots [0, kept) and then `moved` the first rows, and slots for `count` more writable behind them.

        Where rows stand right and there is room this does nothing; it either does all or, out of memory, nothing.
        """
        start = kept + len(moved)
        in_place = not len(moved) or int(moved[-1]) == start - 1
        first_written = start if in_place else kept
        writes = count > 0 or not in_place
        shared = writes and any(other.used > first_written for other in self._block.holders if other is not self)
        if shared or start + count > self.capacity:
            fits = start + count <= self.capacity
            capacity = self.capacity if fits else min(max(2 * self.capacity, start + count), self._max_rows)
            block = self._new_block(capacity)
            for source, target in ((self.keys, block.keys), (self.values, block.values)):
                target[:, :, :kept] = source[:, :, :kept]
                if len(moved):
                    target[:, :, kept:start] = source[:, :, self._index(moved)]
            self._block.holders.discard(self)
            self._block = block
            block.holders.add(self)
        elif not in_place:
            index = self._index(moved)
            rows = self.keys[:, :, index], self.values[:, :, index]  # both gathered before either is written
            self.keys[:, :, kept:start] = rows[0]
            self.values[:, :, kept:start] = rows[1]
        self.used = start + count

    def fork(self, kept: int, moved: Ints) -> "KVCache":
        """A cache that begins with these slots of this one and shares its memory, where no row has to move."""
        other = KVCache.__new__(KVCache)
        other._shape, other._max_rows = self._shape, self._max_rows
        other._device, other._dtype = self._device, self._dtype
        other.used, other._block = kept, self._block
        self._block.holders.add(other)
        if len(moved):
            other.prepare(kept, moved, 0)
        return other

    def release(self) -> None:
        """Let go of the memory; the cache must not be used any more."""
        self._block.holders.discard(self)

    def _index(self, slots: Ints) -> torch.Tensor:
        return torch.from_numpy(slots).to(self._block.keys.device)

    def _new_block(self, capacity: int) -> _Block:
        layers, kv_heads, head_dim = self._shape
        size = (layers, kv_heads, capacity, head_dim)
        keys, values = (torch.empty(size, device=self._device, dtype=self._dtype) for _ in range(2))
        return _Block(keys, values)
