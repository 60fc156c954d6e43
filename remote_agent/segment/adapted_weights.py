"""A model's weights with a low-rank adapter merged in: W + b a (LoRA, Hu et al. 2021, arXiv 2106.09685).

Merged while the layers are loaded, so that a step costs what it costs without; an agent keeps such layers beside the plain ones.
"""

from collections.abc import Mapping

import torch

from remote_agent.segment.artefacts import Artefact, UnknownArtefact, check_belongs
from remote_agent.segment.projection import TensorSource

Adapter = Mapping[str, torch.Tensor]
"""For each layer that changes, by its Hugging Face name, `<name>.a` [r, in] and `<name>.b` [out, r]."""


class AdaptedWeights:
    """A source of tensors in which those of an adapter are changed."""

    def __init__(self, weights: TensorSource, adapter: Adapter) -> None:
        self._weights, self._adapter = weights, adapter

    def tensor(self, name: str) -> torch.Tensor:
        """See `TensorSource`. Raises `UnknownArtefact` where the adapter is for layers of another shape."""
        tensor = self._weights.tensor(name)
        layer = name.removesuffix(".weight")
        if layer == name or f"{layer}.a" not in self._adapter:
            return tensor
        a, b = self._adapter[f"{layer}.a"].float(), self._adapter[f"{layer}.b"].float()
        if (b.shape[0], a.shape[1]) != tuple(tensor.shape):
            raise UnknownArtefact("This adapter was made for layers of another shape. Fetch it again.")
        return (tensor.float() + b @ a).to(tensor.dtype)


def adapter_of(artefact: Artefact, model: bytes, table: bytes) -> Adapter:
    """The adapter in a file that is for this model and projection. Raises `UnknownArtefact`."""
    check_belongs(artefact, "adapter", model, table)
    tensors = artefact.tensors
    for name, tensor in tensors.items():
        layer, _, part = name.rpartition(".")
        fits = part in ("a", "b") and tensor.dim() == 2 and f"{layer}.{'b' if part == 'a' else 'a'}" in tensors
        if not fits or tensors[f"{layer}.a"].shape[0] != tensors[f"{layer}.b"].shape[-1]:
            raise UnknownArtefact("This adapter is not whole. Fetch it again.")
    if not tensors:
        raise UnknownArtefact("This adapter is empty. Fetch it again.")
    return tensors
