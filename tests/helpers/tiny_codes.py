"""Tables of codes for tiny models: random projections, saved as artefacts, and codes drawn from them."""

import hashlib
from pathlib import Path

import torch
from safetensors.torch import save

from desktop_app.model import listed
from desktop_app.settings.paths import write_atomically
from remote_agent.segment.artefacts import Projection
from remote_agent.segment.code_table import GRID, CodeTable, thresholds

DIMENSIONS = 12


def tiny_projection(hidden_size: int, dimensions: int = DIMENSIONS, seed: int = 0) -> Projection:
    """A random projection whose clip cuts a few coordinates of random embeddings."""
    generator = torch.Generator().manual_seed(seed)
    return Projection(torch.randn(dimensions, hidden_size, generator=generator) / hidden_size**0.5, 2.0)


def save_artefact(path: Path, kind: str, tensors: dict[str, torch.Tensor], model: bytes, **metadata: str) -> bytes:
    """Write an artefact, list it, and return its digest."""
    content = save(tensors, {"kind": kind, "model": model.hex(), **metadata})
    listed.write(path, content, write_atomically)
    return hashlib.sha256(content).digest()


def save_projection(path: Path, projection: Projection, model: bytes, **metadata: str) -> bytes:
    """Write a projection and return its digest."""
    tensors = {"projection": projection.matrix, "clip": torch.tensor([projection.clip])}
    if projection.log_prior is not None:
        tensors["log_prior"] = projection.log_prior
    return save_artefact(path, "projection", tensors, model, **metadata)


def drawn(table: CodeTable, tokens: list[int], mu16: int, seed: int = 0) -> torch.Tensor:
    """Counts [n, d'] uint8 that these tokens would send at a level; coins from a seed, so for tests only."""
    generator = torch.Generator().manual_seed(seed)
    limits = thresholds(table.codes[tokens], mu16, table.bits)
    coins = torch.randint(GRID, (*limits.shape, table.steps), generator=generator)
    return (coins < limits[..., None]).sum(dim=-1).to(torch.uint8)


def packed(counts: torch.Tensor, bits: int) -> bytes:
    """The bytes in which codes travel, coordinate by coordinate."""
    rows = []
    for row in counts.tolist():
        number = sum(count << (bits * place) for place, count in enumerate(row))
        rows.append(number.to_bytes(-(-bits * len(row) // 8), "little"))
    return b"".join(rows)
