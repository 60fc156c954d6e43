"""Where rows lie in memory: in place for chains, moved by one gather, shared by forks until somebody writes."""

import numpy as np
import torch

from remote_agent.segment.cache import KVCache
from remote_agent.segment.rows import Ints

NONE: Ints = np.zeros(0, dtype=np.int64)


def cache_with(rows: int, max_rows: int = 64) -> KVCache:
    """A cache whose slot i holds the number i."""
    cache = KVCache((2, 1, 4), max_rows, torch.device("cpu"), torch.float32)
    cache.prepare(0, NONE, rows)
    write(cache, 0, range(rows))
    return cache


def write(cache: KVCache, start: int, numbers: range | list[int]) -> None:
    filled = torch.tensor(list(numbers), dtype=torch.float32)[None, None, :, None]
    cache.keys[:, :, start : start + len(numbers)] = filled
    cache.values[:, :, start : start + len(numbers)] = -filled


def content(cache: KVCache, rows: int | None = None) -> list[int]:
    rows = cache.used if rows is None else rows
    keys, values = cache.keys[:, :, :rows], cache.values[:, :, :rows]
    assert torch.equal(keys, -values)
    assert (keys == keys[:1, :, :, :1]).all()
    return [int(number) for number in keys[0, 0, :, 0]]


def test_a_chain_stays_where_it_is() -> None:
    cache = cache_with(10)
    before = cache.keys.data_ptr()
    cache.prepare(6, NONE, 3)
    assert cache.keys.data_ptr() == before
    assert (content(cache, 6), cache.used) == (list(range(6)), 9)


def test_kept_rows_close_up_in_place() -> None:
    cache = cache_with(10)
    before = cache.keys.data_ptr()
    cache.prepare(3, np.array([5, 6, 9]), 0)
    assert content(cache) == [0, 1, 2, 5, 6, 9]
    assert cache.keys.data_ptr() == before


def test_growing_keeps_rows_and_closes_up_on_the_way() -> None:
    cache = KVCache((2, 1, 4), 1000, torch.device("cpu"), torch.float32)
    cache.prepare(0, NONE, 200)
    write(cache, 0, range(200))
    cache.prepare(100, np.array([150, 199]), 400)
    assert cache.capacity == 512
    assert content(cache, 102) == [*range(100), 150, 199]
    cache.prepare(502, NONE, 400)
    assert cache.capacity == 1000  # never beyond the session's rows


def test_a_fork_shares_memory_until_one_side_writes_over_the_others_rows() -> None:
    cache = cache_with(10)
    fork = cache.fork(7, NONE)
    assert fork.share == cache.share
    cache.prepare(10, NONE, 1)  # the source goes on behind its own rows: nobody else's slot
    assert fork.share == cache.share
    fork.prepare(7, NONE, 1)  # slot 7 belongs to the source
    write(fork, 7, [77])
    assert fork.share != cache.share
    assert content(cache, 10) == list(range(10))
    assert content(fork) == [*range(7), 77]


def test_a_source_that_rolls_back_under_its_fork_moves_away() -> None:
    cache = cache_with(10)
    fork = cache.fork(10, NONE)
    cache.prepare(4, NONE, 2)
    write(cache, 4, [44, 45])
    assert content(cache) == [0, 1, 2, 3, 44, 45]
    assert content(fork) == list(range(10))


def test_a_fork_through_a_branch_gathers_its_own_rows() -> None:
    cache = cache_with(10)
    fork = cache.fork(3, np.array([5, 8]))
    assert content(fork) == [0, 1, 2, 5, 8]
    assert content(cache) == list(range(10))


def test_the_last_holder_writes_in_place() -> None:
    cache = cache_with(10)
    fork = cache.fork(5, NONE)
    before = fork.keys.data_ptr()
    cache.release()
    fork.prepare(5, NONE, 1)
    assert fork.keys.data_ptr() == before
