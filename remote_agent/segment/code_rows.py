"""Rows that travel as codes, from the bytes of a payload: counts, and exact rows where they stand between them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from remote_agent.segment.payload import BadRows, from_payload
from remote_agent.wire.codec import code_bytes, row_bytes
from remote_agent.wire.messages import Codes, RowFormat


@dataclass(frozen=True, slots=True)
class MixedRows:
    """The n rows of a step. `levels` [n] int64: mu in sixteenths where a row is codes, else 0.

    `hidden` [n, d] holds the exact rows, `counts` [n, d'] uint8 the codes; each is zero where the other one speaks.
    """

    hidden: torch.Tensor
    counts: torch.Tensor
    levels: torch.Tensor

    def part(self, start: int, end: int) -> "MixedRows":
        """Rows [start, end)."""
        return MixedRows(self.hidden[start:end], self.counts[start:end], self.levels[start:end])


def unpacked(payload: bytes | memoryview, rows: int, bits: int, dimensions: int) -> torch.Tensor:
    """Counts [rows, d'] uint8, 0 to 2^bits - 1, of codes as they travel: `bits` a coordinate, the first in the lowest bits.

    Raises `BadRows` where the size is another one, or what is left over of a row's last byte is not zero: nothing may hide there.
    """
    size = -(-bits * dimensions // 8)
    if len(payload) != rows * size:
        raise BadRows(f"{len(payload)} bytes came for {rows} rows of {size}.")
    planes = np.unpackbits(np.frombuffer(payload, dtype=np.uint8).reshape(rows, size), axis=1, bitorder="little")
    if planes[:, bits * dimensions :].any():
        raise BadRows("A row of codes does not end with zeros.")
    counts = planes[:, : bits * dimensions].reshape(rows, dimensions, bits) << np.arange(bits, dtype=np.uint8)
    return torch.from_numpy(counts.sum(axis=2, dtype=np.uint8))


def mixed(payload: memoryview, levels: Sequence[int], row_format: RowFormat, hidden_size: int, codes: Codes) -> MixedRows:
    """The rows of a payload, of which those with a level other than 0 are codes. Raises `BadRows`."""
    coded = np.asarray(levels, dtype=np.int64) > 0
    sizes = np.where(coded, code_bytes(codes), row_bytes(row_format, hidden_size))
    if len(payload) != int(sizes.sum()):
        raise BadRows(f"{len(payload)} bytes came for rows of {int(sizes.sum())}.")
    ends = np.cumsum(sizes)
    places = list(zip((ends - sizes).tolist(), ends.tolist(), coded.tolist(), strict=True))
    bytes_of = {
        kind: memoryview(b"".join(payload[start:end] for start, end, is_coded in places if is_coded is kind))
        for kind in (False, True)
    }
    exact = from_payload(bytes_of[False], row_format, int((~coded).sum()), hidden_size)
    where = torch.from_numpy(coded)
    hidden = torch.zeros(len(coded), hidden_size, dtype=exact.dtype)
    counts = torch.zeros(len(coded), codes.dimensions, dtype=torch.uint8)
    hidden[~where] = exact
    counts[where] = unpacked(bytes_of[True], int(coded.sum()), codes.bits, codes.dimensions)
    return MixedRows(hidden, counts, torch.tensor(levels, dtype=torch.int64))
