"""Hidden states to and from the bytes that travel: one row of numbers a position, little-endian, in the session's row format."""

import torch

from remote_agent.wire.messages import RowFormat

_DTYPES = {RowFormat.FLOAT32: torch.float32, RowFormat.FLOAT16: torch.float16, RowFormat.BFLOAT16: torch.bfloat16}
_FORMATS = {dtype: row_format for row_format, dtype in _DTYPES.items()}


class BadRows(ValueError):
    """A payload that does not hold the rows it should: another size, or numbers that are not finite."""


def format_of(dtype: torch.dtype) -> RowFormat:
    """Return the row format that carries `dtype` without loss."""
    return _FORMATS[dtype]


def to_payload(hidden: torch.Tensor, row_format: RowFormat) -> memoryview:
    """Return the bytes of `hidden` [rows, hidden size] in `row_format`; copies only where device or dtype must change."""
    rows = hidden.detach().to("cpu", _DTYPES[row_format]).contiguous()
    return memoryview(rows.view(torch.uint8).reshape(-1).numpy())  # type: ignore[arg-type]


def from_payload(payload: memoryview | bytes, row_format: RowFormat, rows: int, hidden_size: int) -> torch.Tensor:
    """Return the rows [rows, hidden size] that `payload` holds, on the CPU. Raises `BadRows`: the other side is not believed."""
    dtype = _DTYPES[row_format]
    if len(payload) != rows * hidden_size * dtype.itemsize:
        raise BadRows(f"{len(payload)} bytes came for {rows} rows of {hidden_size} numbers in {dtype}.")
    if rows == 0:
        return torch.empty((0, hidden_size), dtype=dtype)
    hidden = torch.frombuffer(bytearray(payload), dtype=dtype).view(rows, hidden_size)
    if not torch.isfinite(hidden).all():
        raise BadRows("The rows hold numbers that are not finite.")
    return hidden
