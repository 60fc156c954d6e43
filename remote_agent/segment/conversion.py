"""A GGUF file becomes safetensors files, once: one for each layer, one for the embedding, one for the final norm and LM head.

Each side writes only the files it will run and hashes the rest, so that both end up with the same manifest. No more than one
layer (or one end) is in memory at a time. Files appear whole or not at all, and the manifest last: a directory without one is an
interrupted conversion, which the next call goes on with. Later wishes for more layers convert those alone.
"""

import re
import shutil
from collections.abc import Callable, Iterable
from math import prod
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file

from remote_agent.segment.errors import BadModelFile, DiskFull, OtherModel
from remote_agent.segment.files import locked, remove_leftovers, storage_error, written_whole
from remote_agent.segment.gguf_source import GgufSource
from remote_agent.segment.manifest import FILE_NAME, Manifest, TensorHash, tensor_hash

Progress = Callable[[int, int], None]
"""Called with the bytes done and the bytes to do."""

EMBEDDING_FILE = "embedding.safetensors"
OUTPUT_FILE = "output.safetensors"
LOCK_FILE = ".lock"


def file_of(name: str) -> str:
    """The file of a converted model that holds the tensor `name`."""
    layer = layer_of(name)
    if layer is not None:
        return f"layer-{layer:05d}.safetensors"
    return EMBEDDING_FILE if name == "model.embed_tokens.weight" else OUTPUT_FILE


def layer_of(name: str) -> int | None:
    """The layer that a tensor belongs to, None for the ends."""
    found = re.match(r"model\.layers\.(\d+)\.", name)
    return int(found[1]) if found else None


def convert(
    source: GgufSource, target: Path, *, identity: str, layers: Iterable[int], ends: bool, progress: Progress | None = None
) -> Manifest:
    """Make `target` hold these layers, with `ends` also both ends, and the manifest of the whole model.

    `identity` is the SHA-256 of the source file in hex. Raises `DiskFull`, `BadModelFile`, `OtherModel`.
    """
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error(error, target) from error
    with locked(target / LOCK_FILE):
        remove_leftovers(target)
        wanted = {f"layer-{layer:05d}.safetensors" for layer in layers} | ({EMBEDDING_FILE, OUTPUT_FILE} if ends else set())
        manifest = Manifest.load(target) if (target / FILE_NAME).exists() else None
        if manifest is not None and manifest.source != identity:
            raise OtherModel(f"{target} was made from another file. Delete that folder; it is made again at the next start.")
        return _Conversion(source, target, progress).run(wanted, identity, manifest)


class _Conversion:
    def __init__(self, source: GgufSource, target: Path, progress: Progress | None) -> None:
        self._source, self._target = source, target
        self._progress = progress or (lambda done, total: None)
        self._done = 0
        self._total = 0

    def run(self, wanted: set[str], identity: str, known: Manifest | None) -> Manifest:
        files: dict[str, list[str]] = {}
        for name in self._source.names:
            files.setdefault(file_of(name), []).append(name)
        missing = {file for file in wanted if file in files and not (self._target / file).exists()}
        self._check_space([name for file in missing for name in files[file]])
        todo = {file: names for file, names in files.items() if known is None or file in missing}
        self._total = sum(self._size(name) for names in todo.values() for name in names)
        hashes: dict[str, str] = {}
        for file, names in todo.items():
            hashes |= self._written(file, names, known) if file in missing else self._hashed(names)
        if known is not None:
            return known
        dtype = str(self._source.dtype).removeprefix("torch.")
        manifest = Manifest(source=identity, config=self._source.config, dtype=dtype, tensors=hashes)
        manifest.save(self._target)
        return manifest

    def _written(self, file: str, names: list[str], known: Manifest | None) -> dict[str, str]:
        """Convert the tensors of one file, and write it if they are what the manifest (where there is one) says."""
        tensors: dict[str, torch.Tensor] = {}
        for name in names:
            tensors[name] = self._source.tensor(name)
            self._advance(self._size(name))
        hashes = {name: tensor_hash(tensor) for name, tensor in tensors.items()}
        if known is not None and any(known.tensors.get(name) != value for name, value in hashes.items()):
            raise OtherModel(
                f"The model file no longer gives what {self._target} was made from. Delete that folder and start again."
            )
        with written_whole(self._target / file) as part:
            try:
                save_file(tensors, part, metadata={"format": "pt"})
            except SafetensorError as error:
                raise self._refused(error, file) from error
        return hashes

    def _hashed(self, names: list[str]) -> dict[str, str]:
        hashes = {}
        for name in names:
            digest = TensorHash(self._source.dtype, self._source.names[name])
            for piece in self._source.pieces(name):
                digest.update(piece)
                self._advance(piece.nbytes)
            hashes[name] = digest.hexdigest()
        return hashes

    def _size(self, name: str) -> int:
        return prod(self._source.names[name]) * self._source.dtype.itemsize

    def _advance(self, size: int) -> None:
        self._done += size
        self._progress(self._done, self._total)

    def _check_space(self, names: list[str]) -> None:
        needed, free = sum(self._size(name) for name in names), shutil.disk_usage(self._target).free
        if needed > free:
            text = f"The converted model needs {needed / 1e9:.1f} GB in {self._target}, and {free / 1e9:.1f} GB are free there."
            raise DiskFull(f"{text} Free some space, then try again.")

    def _refused(self, error: SafetensorError, file: str) -> DiskFull | BadModelFile:
        """safetensors tells an error of the operating system only in its text."""
        if "os error 28" in str(error) or "os error 112" in str(error):
            return DiskFull(f"The disk that holds {self._target} is full. Free some space there, then try again.")
        return BadModelFile(f"{self._target / file} could not be written. Check that you may write to that folder.")
