"""The table of codes of a model on this machine: which projection it has, and each token's thresholds at a level.

The projection comes from a file that belongs to the model (`remote_agent.segment.artefacts`), never from an agent: what a code
gives away depends on it. Files are looked for by what they say they are for, so each
that is looked at must be listed (`listed`): one that was changed is refused, never passed over for another. Thresholds are those
of `privacy.noise.quantiser`, from the same table that an agent decodes with.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from desktop_app.model import listed
from desktop_app.model.errors import ModelError
from desktop_app.model.local import LocalModel
from remote_agent.segment.artefacts import Artefact, UnknownArtefact, decoder_of, projection_of, read
from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.ends import EMBEDDING

DEL = "del"  # a recipe: Gu et al. 2026, arXiv 2602.11513


class NoCodes(ModelError):
    """There is no projection for this model."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelCodes:
    """A model's table; `digest` is that of the projection's file, which names the table."""

    table: CodeTable
    digest: bytes

    @property
    def codes(self) -> NDArray[np.float64]:
        """The codes [V, d'] of the whole vocabulary, in clips."""
        array: NDArray[np.float64] = self.table.codes.numpy()
        return array


def find_codes(model: LocalModel, folders: Sequence[Path], bits: int, *, of_del: bool = False) -> ModelCodes:
    """The codes of a model, `bits` a coordinate, by the projection in one of these folders.

    Where there are several the one in the first folder counts, and of those the last by name. One of DEL's recipe is only for
    comparison, so it is none unless `of_del`, and then it alone is one. Raises `NoCodes`, `NotListed`, `UnknownArtefact`.
    """
    artefact = _projection(model.manifest.digest(), folders, of_del)
    if artefact is None:
        raise NoCodes(
            "For this model there is no projection yet, without which no noise can be added. Train one (sotto train projection "
            "--model …), or choose the starter model."
        )
    projection = projection_of(artefact, artefact.model, model.plan.hidden_size, model.plan.vocab_size)
    return ModelCodes(CodeTable(projection, _embeddings(model), bits), artefact.digest)


def find_table(model: bytes, folders: Sequence[Path]) -> tuple[str, int] | None:
    """The table that `find_codes` would make for the model with this digest: its name, in hex, and its dimensions d'.

    Nothing of the model is loaded. None where there is no projection. Raises `NotListed`.
    """
    artefact = _projection(model, folders)
    matrix = None if artefact is None else artefact.tensors.get("projection")
    return None if artefact is None or matrix is None else (artefact.digest.hex(), len(matrix))


def find_soft_prompt(model: LocalModel, folders: Sequence[Path], table: bytes, mu16: int) -> torch.Tensor | None:
    """The rows [s, d] that were trained for this model, table and level, to come before all others; None where there are none.

    One for another model, table, level or shape is as good as none. Looked for as projections are. Raises `NotListed`.
    """
    for artefact in _made_for(model.manifest.digest(), "soft_prompt", folders, table, mu16):
        rows = artefact.tensors.get("soft_prompt")
        if rows is not None and rows.dim() == 2 and rows.shape[1] == model.plan.hidden_size:
            return rows.float()
    return None


def find_adapter(model: LocalModel, folders: Sequence[Path], table: bytes, mu16: int) -> bytes | None:
    """The digest of the adapter of the agent's layers that was trained for this model, table and level; None without one.

    Raises `NotListed`.
    """
    return next((artefact.digest for artefact in _made_for(model.manifest.digest(), "adapter", folders, table, mu16)), None)


def find_decoder(model: LocalModel, folders: Sequence[Path], codes: ModelCodes) -> torch.Tensor | None:
    """The linear decoder [d, d'] that was trained for this model and table; None where there is none.

    Looked for likewise. Raises `NotListed`.
    """
    for artefact in _made_for(model.manifest.digest(), "decoder", folders, codes.digest):
        with suppress(UnknownArtefact):
            return decoder_of(artefact, artefact.model, codes.digest, (model.plan.hidden_size, codes.table.dimensions))
    return None


def _projection(model: bytes, folders: Sequence[Path], of_del: bool = False) -> Artefact | None:
    return next((it for it in _made_for(model, "projection", folders) if (it.recipe == DEL) is of_del), None)


def _made_for(
    model: bytes, kind: str, folders: Sequence[Path], table: bytes | None = None, mu16: int | None = None
) -> Iterator[Artefact]:
    """The files of a kind that belong to a model, a table and a level, the last by name first. Raises `NotListed`."""
    wanted = (kind, model, table, mu16)
    for path in (path for folder in folders for path in sorted(folder.glob("*.safetensors"), reverse=True)):
        artefact = _artefact_at(path)
        if artefact is not None and (artefact.kind, artefact.model, artefact.table, artefact.level) == wanted:
            yield artefact


def _embeddings(model: LocalModel) -> torch.Tensor:
    """The rows [V, d] float32 that the first layer sees."""
    table = model.weights.tensor(f"{EMBEDDING}.weight").float()
    return table if model.plan.embedding_scale == 1.0 else table * model.plan.embedding_scale


def _artefact_at(path: Path) -> Artefact | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return _read_at(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _read_at(path: Path, size: int, changed: int) -> Artefact | None:
    """What a listed file holds; None where it is gone, or of another version. Raises `NotListed`."""
    try:
        return read(listed.read(path))
    except (OSError, UnknownArtefact):
        return None
