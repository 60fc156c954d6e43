"""Multiplying rows by a weight matrix, in the layout that this device multiplies fastest.

Measured on two cores of an AVX-512 CPU, the linear layers of a 135M model, 30 layers, one row / eight / 32, milliseconds:
float32 `F.linear` 37 / 64 / 100, oneDNN with packed weights 25 / 26 / 44; bfloat16 21 / 22 / 39 against 14 / 13 / 27. So weights
are packed where oneDNN can multiply them: eight rows then cost what one costs, which is what speculation lives on, and a row's
result does not depend on how many others are with it. Packing copies, one matrix at a time, out of the memory-mapped file, whose
pages the system takes back. Matrices that are fed the same rows are joined while they are copied anyway.

Where oneDNN cannot (no AVX-512 for bfloat16, no oneDNN at all) and the file's dtype is the one computed in, the mapped tensors
are used where they lie, and nothing is copied.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import torch
from torch.nn.functional import linear


class TensorSource(Protocol):
    """Where weights come from; tensors may be memory-mapped, and are asked for one at a time."""

    def tensor(self, name: str) -> torch.Tensor:
        """The tensor of that Hugging Face name; raises `BadModelFile`."""
        ...


Projection = Callable[[torch.Tensor], torch.Tensor]
PACKED_FOR_ROWS = 16


def project(source: TensorSource, names: Sequence[str], bias: bool, device: torch.device, dtype: torch.dtype) -> Projection:
    """The function from rows [n, in] to the joined outputs [n, sum of out] of the named linear layers."""
    weights = [source.tensor(f"{name}.weight") for name in names]
    offset = torch.cat([source.tensor(f"{name}.bias").to(device, dtype) for name in names]) if bias else None
    if device.type == "cpu" and can_pack(dtype):
        return _packed(weights, offset, dtype)
    if device.type == "cpu" and len(weights) > 1 and all(weight.dtype == dtype for weight in weights):
        return _apart(weights, offset)
    joined = _joined(weights, device, dtype)
    return lambda rows: linear(rows, joined, offset)


def can_pack(dtype: torch.dtype) -> bool:
    """Whether oneDNN multiplies packed weights of that dtype on this CPU."""
    # mkldnn's operators have no types; the same three calls are what torch.compile freezes a linear layer into.
    operators = cast(Any, torch.ops.mkldnn)
    if not torch.backends.mkldnn.is_available() or not hasattr(operators, "_linear_pointwise"):  # type: ignore[no-untyped-call]
        return False
    if dtype == torch.bfloat16:
        return bool(operators._is_mkldnn_bf16_supported())
    if dtype == torch.float16:
        return bool(operators._is_mkldnn_fp16_supported())
    return dtype == torch.float32


def _joined(weights: Sequence[torch.Tensor], device: torch.device, dtype: torch.dtype) -> torch.Tensor:
    moved = [weight.to(device, dtype) for weight in weights]
    return moved[0] if len(moved) == 1 else torch.cat(moved)


def _packed(weights: Sequence[torch.Tensor], offset: torch.Tensor | None, dtype: torch.dtype) -> Projection:
    operators = cast(Any, torch.ops.mkldnn)
    joined = _joined(weights, torch.device("cpu"), dtype)
    packed = operators._reorder_linear_weight(joined, PACKED_FOR_ROWS)
    multiply = operators._linear_pointwise.default

    def multiplied(rows: torch.Tensor) -> torch.Tensor:
        return cast(torch.Tensor, multiply(rows, packed, offset, "none", [], ""))

    return multiplied


def _apart(weights: Sequence[torch.Tensor], offset: torch.Tensor | None) -> Projection:
    def multiplied(rows: torch.Tensor) -> torch.Tensor:
        out = torch.cat([linear(rows, weight) for weight in weights], dim=-1)
        return out if offset is None else out + offset

    return multiplied
