"""Writes what was trained as the files that `remote_agent.segment.artefacts` reads, with the command that made them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from safetensors.torch import save
from torch import Tensor

from desktop_app.model import listed
from desktop_app.settings.paths import write_atomically


@dataclass(frozen=True, slots=True)
class Made:
    """What a file says of itself: `model` and `table` are digests, `level` mu in sixteenths; "" and 0 where there is none."""

    kind: str
    model: bytes
    command: str
    recipe: str = "sotto"
    table: bytes = b""
    level: int = 0


def write(path: Path, made: Made, tensors: Mapping[str, Tensor]) -> bytes:
    """Write an artefact, list it, and return its digest. Raises `OSError`."""
    metadata = {"kind": made.kind, "model": made.model.hex(), "command": made.command, "recipe": made.recipe}
    if made.table:
        metadata["table"] = made.table.hex()
    if made.level:
        metadata["level"] = str(made.level)
    content = save({name: tensor.detach().contiguous() for name, tensor in tensors.items()}, metadata)
    listed.write(path, content, write_atomically)
    return hashlib.sha256(content).digest()
