"""Rows to bytes and back: exact where the format holds the numbers, and nothing believed that comes in."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from remote_agent.segment.payload import BadRows, format_of, from_payload, to_payload
from remote_agent.wire.codec import row_bytes
from remote_agent.wire.messages import RowFormat

DTYPES = {RowFormat.FLOAT32: torch.float32, RowFormat.FLOAT16: torch.float16, RowFormat.BFLOAT16: torch.bfloat16}


@given(st.sampled_from(RowFormat), st.integers(0, 9), st.integers(1, 33), st.integers(0, 1000))
def test_rows_survive_the_way_there_and_back(row_format: RowFormat, rows: int, hidden: int, seed: int) -> None:
    tensor = torch.randn(rows, hidden, generator=torch.Generator().manual_seed(seed)).to(DTYPES[row_format])
    payload = to_payload(tensor, row_format)
    assert len(payload) == rows * row_bytes(row_format, hidden)
    assert torch.equal(from_payload(payload, row_format, rows, hidden), tensor)
    assert format_of(tensor.dtype) is row_format


def test_rows_that_are_not_contiguous_or_of_another_dtype_are_converted() -> None:
    tensor = torch.arange(12.0, dtype=torch.float64).view(3, 4).t()
    assert torch.equal(from_payload(to_payload(tensor, RowFormat.FLOAT32), RowFormat.FLOAT32, 4, 3), tensor.float())


@given(st.integers(0, 200), st.integers(0, 9), st.integers(1, 9))
def test_a_payload_of_another_size_is_refused(size: int, rows: int, hidden: int) -> None:
    if size != rows * hidden * 4:
        with pytest.raises(BadRows):
            from_payload(bytes(size), RowFormat.FLOAT32, rows, hidden)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("row_format", list(RowFormat))
def test_numbers_that_are_not_finite_are_refused(value: float, row_format: RowFormat) -> None:
    tensor = torch.zeros(2, 3)
    tensor[1, 2] = value
    with pytest.raises(BadRows):
        from_payload(to_payload(tensor, row_format), row_format, 2, 3)
