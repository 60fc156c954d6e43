"""Low-rank adapters on linear layers: W + b a, with a [r, in] and b [out, r] (LoRA, Hu et al. 2021, arXiv 2106.09685)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from desktop_app.open_weights.trainable import Trainable

LAYERS = ("q_proj", "v_proj", "o_proj")


class LowRank:
    """An adapter that hangs on a model's copy, with gradients; its tensors by the name of the layer and `.a` or `.b`."""

    def __init__(self, model: Trainable, rank: int, seed: int, layers: Sequence[str] = LAYERS) -> None:
        """It changes nothing at first: b is zero."""
        generator = torch.Generator().manual_seed(seed)
        self.tensors: dict[str, Tensor] = {}
        self._attached = True
        for name, module in model.network.named_modules():
            if name.rsplit(".", 1)[-1] in layers:
                out, into = module.weight.shape
                self.tensors[f"{name}.a"] = torch.randn(rank, into, generator=generator) / into**0.5
                self.tensors[f"{name}.b"] = torch.zeros(out, rank)
                module.register_forward_hook(self._hook(name))

    def load(self, tensors: dict[str, Tensor]) -> None:
        """Take these values."""
        for name, tensor in self.tensors.items():
            with torch.no_grad():
                tensor.copy_(tensors[name])

    @contextmanager
    def off(self) -> Iterator[None]:
        """The model is as it was without the adapter meanwhile."""
        self._attached = False
        try:
            yield
        finally:
            self._attached = True

    def _hook(self, name: str) -> Any:
        def add(module: Any, inputs: tuple[Tensor, ...], output: Tensor) -> Tensor:
            if not self._attached:
                return output
            return output + (inputs[0] @ self.tensors[f"{name}.a"].T) @ self.tensors[f"{name}.b"].T

        return add
