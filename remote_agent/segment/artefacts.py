"""Files trained for one model's codes: found by digest, believed in nothing but the numbers in them.

An artefact is a safetensors file with string metadata: `kind`, `model` (hex of the digest of the model's manifest), for all but
projections `table` (hex of the digest of the projection's file), `level` where it is for one noise level only, in sixteenths of
mu, and `recipe`, how it was trained. Its digest is the SHA-256 of the file's bytes, so a file changed by one byte is another one
and is not found. The bytes hashed are the bytes parsed. Nothing is unpickled.

    projection   `projection` [d', d], `clip` [1], where there is one also `log_prior` [V]: how usual each token is
    decoder      `decoder` [d, d'], from what codes stand for back to embeddings
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load

from remote_agent.segment.errors import SegmentError

KINDS = ("projection", "decoder", "soft_prompt", "adapter", "denoiser")
MAX_BYTES = 512 * 1024 * 1024
MAX_LEVEL = 65_535

Tensors = dict[str, torch.Tensor]


class UnknownArtefact(SegmentError):
    """An artefact is not there, is damaged, or was made for another model, table, level or shape."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """What a file holds. `model` and `table` are digests, `level` is in sixteenths of mu; None where the file names none.

    `recipe` is empty where it names none.
    """

    kind: str
    model: bytes
    table: bytes | None
    level: int | None
    digest: bytes
    tensors: Tensors
    recipe: str = ""


@dataclass(frozen=True, slots=True)
class Projection:
    """From embeddings to codes: `matrix` [d', d] float32, and the clip. `log_prior` [V] is normalised; None: nothing is known."""

    matrix: torch.Tensor
    clip: float
    log_prior: torch.Tensor | None = None


class Artefacts:
    """The artefacts in some folders, looked for anew each time; what was hashed once is remembered with its size and time."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._digests: dict[tuple[Path, int, int], bytes] = {}

    def find(self, digest: bytes) -> Artefact:
        """The artefact with this digest. Raises `UnknownArtefact`."""
        for path in (path for folder in self._folders for path in sorted(folder.glob("*.safetensors"))):
            data = self._read_if(path, digest)
            if data is not None:
                return read(data)
        raise UnknownArtefact(
            f"No file here has the digest {digest.hex()[:12]}…, which the codes were made with. Copy it from the desktop."
        )

    def _read_if(self, path: Path, digest: bytes) -> bytes | None:
        """The bytes of a file whose digest this is."""
        try:
            status = path.stat()
            key = (path, status.st_size, status.st_mtime_ns)
            if status.st_size > MAX_BYTES or self._digests.get(key, digest) != digest:
                return None
            data = path.read_bytes()
        except OSError:
            return None
        self._digests[key] = hashlib.sha256(data).digest()
        return data if self._digests[key] == digest else None


def read(data: bytes) -> Artefact:
    """The artefact that these bytes of a file are. Raises `UnknownArtefact`."""
    try:
        said = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
        tensors: Tensors = load(data)
        kind, model = said["kind"], bytes.fromhex(said["model"])
        table = bytes.fromhex(said["table"]) if "table" in said else None
        level = int(said["level"]) if "level" in said else None
        recipe = str(said.get("recipe", ""))
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnknownArtefact("A file with codes is damaged, or is none of Sotto's. Fetch it again.") from error
    if kind not in KINDS or (table is None) != (kind == "projection") or not 1 <= (1 if level is None else level) <= MAX_LEVEL:
        raise UnknownArtefact("A file with codes was made by another version of Sotto. Update the older of the two.")
    if not all(tensor.is_floating_point() and bool(tensor.isfinite().all()) for tensor in tensors.values()):
        raise UnknownArtefact("A file with codes holds numbers that are not finite. Fetch it again.")
    return Artefact(kind, model, table, level, hashlib.sha256(data).digest(), tensors, recipe)


def check_belongs(artefact: Artefact, kind: str, model: bytes, table: bytes | None = None) -> None:
    """Raise `UnknownArtefact` where a file is of another kind, model or table than these."""
    if artefact.kind != kind:
        raise UnknownArtefact(f"A {_words(kind)} is needed, and this file holds a {_words(artefact.kind)}. Choose another file.")
    if artefact.model != model:
        raise UnknownArtefact(f"This {_words(kind)} was made for another model. Choose that model, or another file.")
    if artefact.table != table:
        raise UnknownArtefact(f"This {_words(kind)} was made for another projection. Choose the one that goes with it.")


def projection_of(artefact: Artefact, model: bytes, hidden_size: int, vocabulary: int) -> Projection:
    """The projection in a file that is for this model. Raises `UnknownArtefact`."""
    check_belongs(artefact, "projection", model)
    matrix, clip, prior = (artefact.tensors.get(name) for name in ("projection", "clip", "log_prior"))
    if matrix is None or matrix.dim() != 2 or not 1 <= matrix.shape[0] <= hidden_size or matrix.shape[1] != hidden_size:
        raise UnknownArtefact("This projection has another shape than the model's embeddings. Fetch it again.")
    if clip is None or clip.shape != (1,) or not float(clip) > 0:
        raise UnknownArtefact("This projection has no clip, and without one nothing is protected. Fetch it again.")
    if prior is not None and prior.shape != (vocabulary,):
        raise UnknownArtefact("This projection was made for another vocabulary. Fetch it again.")
    log_prior = None if prior is None else torch.log_softmax(prior.double(), dim=0).float()
    return Projection(matrix.float(), float(clip), log_prior)


def decoder_of(artefact: Artefact, model: bytes, table: bytes, shape: tuple[int, int]) -> torch.Tensor:
    """The linear decoder [d, d'] in a file that is for this model and projection. Raises `UnknownArtefact`."""
    check_belongs(artefact, "decoder", model, table)
    matrix = artefact.tensors.get("decoder")
    if matrix is None or tuple(matrix.shape) != shape:
        raise UnknownArtefact("This decoder has another shape than the model's embeddings and codes. Fetch it again.")
    return matrix.float()


def _words(kind: str) -> str:
    return kind.replace("_", " ")
