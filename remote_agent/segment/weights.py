"""The tensors of a model that lie on this machine, mapped from disk and read only when asked for.

A prepared model is a directory with a manifest. Either it holds the tensors itself, converted from a GGUF file (`conversion`), or
its `origin.json` names the Hugging Face folder in which they lie. Only files whose tensors are asked for are ever opened.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open

from remote_agent.segment.conversion import file_of, layer_of
from remote_agent.segment.errors import BadModelFile, OtherModel
from remote_agent.segment.folder_source import FolderSource
from remote_agent.segment.manifest import DTYPES, Manifest, tensor_hash
from remote_agent.segment.origin import Origin
from remote_agent.segment.stamps import is_stamped, stamp


class Weights:
    """A source of tensors by Hugging Face's names, with the model's config and manifest."""

    def __init__(self, directory: Path, manifest: Manifest, places: dict[str, tuple[Path, str]]) -> None:
        """`places`: for each tensor its file and its name there."""
        self.directory = directory
        self.manifest = manifest
        self.config: dict[str, Any] = manifest.config
        self._places = places
        self._opened: dict[Path, Any] = {}

    @property
    def dtype(self) -> torch.dtype:
        """The storage dtype of the model."""
        return DTYPES[self.manifest.dtype]

    @property
    def layers(self) -> list[int]:
        """The layers whose tensors lie on this machine, ascending."""
        present = {file for file, _ in self._places.values() if file.exists()}
        found = {layer_of(name) for name, (file, _) in self._places.items() if file in present}
        return sorted(layer for layer in found if layer is not None)

    @property
    def has_ends(self) -> bool:
        """Whether embedding, final norm and LM head lie on this machine."""
        return all(file.exists() for name, (file, _) in self._places.items() if layer_of(name) is None)

    def tensor(self, name: str) -> torch.Tensor:
        """One tensor in the storage dtype, mapped from its file; do not write to it. Raises `BadModelFile`."""
        place = self._places.get(name)
        if place is None:
            raise BadModelFile(f"The model has no tensor '{name}'. Download it again, or choose another model.")
        file, stored = place
        if file not in self._opened:
            if not file.exists():
                raise BadModelFile(self._absent(name))
            try:
                self._opened[file] = safe_open(file, framework="pt")
            except (SafetensorError, OSError) as error:
                raise BadModelFile(f"{file} is damaged. Delete it and start again.") from error
            self._check(file)
        try:
            tensor: torch.Tensor = self._opened[file].get_tensor(stored)
        except SafetensorError as error:
            raise BadModelFile(f"{file} is damaged. Delete it and start again.") from error
        return tensor

    def _check(self, file: Path) -> None:
        """Hold a file that was just opened against the manifest, unless nothing has changed since that was done last."""
        if is_stamped(file, self.directory):
            return
        try:
            self.verify([name for name, (place, _) in self._places.items() if place == file])
        except BaseException:
            del self._opened[file]
            raise
        stamp(file, self.directory)

    def verify(self, names: Iterable[str] | None = None) -> None:
        """Compare these tensors (all that are here) with the manifest. Raises `OtherModel` at the first that differs."""
        for name in names if names is not None else [name for name, (file, _) in self._places.items() if file.exists()]:
            if tensor_hash(self.tensor(name)) != self.manifest.tensors.get(name):
                file = self._places[name][0]
                raise OtherModel(f"{file} does not hold what the manifest says of '{name}'. Delete it and start again.")

    def _absent(self, name: str) -> str:
        layer = layer_of(name)
        what = f"Layer {layer}" if layer is not None else "The model's first or last part"
        return f"{what} is not on this machine. Start again with a split that includes it; it is then taken from the model file."


def open_weights(directory: Path) -> Weights:
    """The weights of a prepared model. Raises `BadModelFile`, `UnsupportedModel`."""
    manifest = Manifest.load(directory)
    origin = Origin.load(directory)
    if origin is not None and origin.folder:
        return Weights(directory, manifest, FolderSource(Path(origin.path)).places)
    return Weights(directory, manifest, {name: (directory / file_of(name), name) for name in manifest.tensors})
