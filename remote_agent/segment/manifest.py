"""The manifest: which model this is, tensor by tensor, so that two sides can tell whether they hold the same.

It names the source, the config, the storage dtype and a hash for each tensor of the whole model, also of those that this side
does not hold. Both sides therefore have the same manifest whatever layers each keeps, and compare 32 bytes of it, the digest.
"""

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import torch
from msgspec import Struct

from remote_agent.segment.errors import BadModelFile
from remote_agent.segment.files import write_bytes

FORMAT = 1
FILE_NAME = "manifest.json"

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


class Manifest(Struct, frozen=True, kw_only=True):
    """Which model a directory holds. `source` and the values of `tensors` are 64 hex digits; `config` has Hugging Face's keys."""

    format: int = FORMAT
    source: str
    config: dict[str, Any]
    dtype: str
    tensors: dict[str, str]

    def digest(self) -> bytes:
        """32 bytes that differ as soon as anything in the manifest does; the handshake compares them."""
        return hashlib.sha256(self.encoded()).digest()

    def encoded(self) -> bytes:
        """The manifest as JSON with sorted keys: equal manifests are equal bytes."""
        return msgspec.json.encode(self, order="deterministic")

    def save(self, directory: Path) -> None:
        """Write `manifest.json` into `directory`, whole or not at all. Raises `DiskFull`, `BadModelFile`."""
        write_bytes(directory / FILE_NAME, self.encoded())

    @classmethod
    def load(cls, directory: Path) -> "Manifest":
        """Read `manifest.json` of `directory`. Raises `BadModelFile`."""
        path = directory / FILE_NAME
        advice = f"Delete the folder {directory}; it is made again from the model file at the next start."
        try:
            manifest = msgspec.json.decode(path.read_bytes(), type=cls)
        except OSError as error:
            raise BadModelFile(f"{path} cannot be read ({error.strerror}). {advice}") from error
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise BadModelFile(f"{path} is damaged. {advice}") from error
        if manifest.format != FORMAT or manifest.dtype not in DTYPES:
            raise BadModelFile(f"{path} was written by another version of Sotto. {advice}")
        return manifest


class TensorHash:
    """The hash of one tensor: its dtype and shape, then its bytes, fed in as many pieces as one likes."""

    def __init__(self, dtype: torch.dtype, shape: tuple[int, ...]) -> None:
        header = f"{str(dtype).removeprefix('torch.')} {list(shape)}\n"
        self._hash = hashlib.sha256(header.encode())

    def update(self, piece: torch.Tensor) -> None:
        """Feed the next rows of the tensor, in the tensor's dtype."""
        self._hash.update(piece.contiguous().view(-1).view(torch.uint8).numpy().data)

    def hexdigest(self) -> str:
        """64 hex digits."""
        return self._hash.hexdigest()


def tensor_hash(tensor: torch.Tensor) -> str:
    """The hash of a whole tensor, as the manifest keeps it."""
    digest = TensorHash(tensor.dtype, tuple(tensor.shape))
    digest.update(tensor)
    return digest.hexdigest()
