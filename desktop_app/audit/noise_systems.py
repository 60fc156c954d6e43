"""The systems that are compared under noise: each a projection, and what an agent makes of its codes.

    untrained          principal components of the embeddings, in closed form; the likeliest text under the model
    untrained_linear   the same codes and the pseudo-inverse: DEL's way before anything is trained
    del                DEL's own recipe, rebuilt (arXiv 2602.11513): its projection, its linear decoder with a cap on the norm of
                       what codes stand for, and its soft prompt for each level
    ours               what the application itself uses (`model.codes.find_codes`), with the soft prompt and the adapter that go
                       with it, where there are any

All attackers have the same prior, so that no system looks safe for want of one. A file belongs to DEL's recipe where its metadata
say `recipe: del`, or where it lies in the folder `del` below one of those for codes.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from torch import Tensor

from desktop_app.model import listed
from desktop_app.model.codes import DEL, NoCodes, find_codes
from desktop_app.model.local import LocalModel
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.training.noising import linear_rows
from desktop_app.training.projection import principal
from remote_agent.segment.artefacts import Artefact, Projection, UnknownArtefact, decoder_of, projection_of, read
from remote_agent.segment.code_table import CodeTable

UNTRAINED, LINEAR, OURS = "untrained", "untrained_linear", "ours"  # and DEL
BITS = 4
DIMENSIONS = 128
NORM_CAP = "norm_cap"  # a tensor of DEL's decoder: the largest norm of what codes stand for

Adapter = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """A projection's table, and what is made of its codes at a level (mu in sixteenths; None stands for all levels)."""

    name: str
    table: CodeTable
    searches: bool = True
    """Whether its agent decodes with the model's own search; else with a matrix."""
    decoders: Mapping[int | None, Tensor] = field(default_factory=dict)
    soft_prompts: Mapping[int | None, Tensor] = field(default_factory=dict)
    adapters: Mapping[int | None, Adapter] = field(default_factory=dict)
    denoisers: Mapping[int, Artefact] = field(default_factory=dict)
    norm_cap: float = math.inf
    files: tuple[str, ...] = ()
    """The digests of all files, in hex."""

    def trained_for(self, mu16: int) -> bool:
        """Whether it is itself at this level: DEL's recipe is not, without the soft prompt for it."""
        return self.name != DEL or self.soft_prompt(mu16) is not None

    @property
    def levels(self) -> list[float]:
        """The only levels that it is itself at, rising; none: it is at all."""
        return sorted(mu16 / 16 for mu16 in self.soft_prompts if mu16) if self.name == DEL else []

    def soft_prompt(self, mu16: int) -> Tensor | None:
        """Rows [s, d] before all others."""
        return self.soft_prompts.get(mu16, self.soft_prompts.get(None))

    def adapter(self, mu16: int) -> Adapter:
        """What its agent adds to the weights."""
        return self.adapters.get(mu16, self.adapters.get(None, {}))

    def linear(self, counts: Tensor, mu16: int) -> Tensor:
        """Rows [n, d] of counts [n, d'] by its matrix, the pseudo-inverse where it has none."""
        level = Level(mu16 / 16, self.table.bits, self.table.dimensions)
        return linear_rows(self.table, counts, level, self.decoders.get(mu16, self.decoders.get(None)), self.norm_cap)


@dataclass(frozen=True, slots=True)
class Files:
    """All artefacts of one model in some folders, DEL's apart."""

    own: list[Artefact]
    of_del: list[Artefact]

    @classmethod
    def of(cls, model: bytes, folders: Sequence[Path]) -> "Files":
        """Those for the model with this digest; what cannot be read is as good as none. Raises `NotListed`."""
        own: list[Artefact] = []
        of_del: list[Artefact] = []
        for path in (path for folder in folders for it in (folder, folder / DEL) for path in sorted(it.glob("*.safetensors"))):
            try:
                artefact = read(listed.read(path))
            except (OSError, UnknownArtefact):
                continue
            if artefact.model == model:
                (of_del if path.parent.name == DEL or artefact.recipe == DEL else own).append(artefact)
        return cls(own, of_del)


class Systems:
    """Makes the systems of one model. `log_prior` [V] is what all attackers expect of a token."""

    def __init__(self, local: LocalModel, embeddings: Tensor, folders: Sequence[Path], log_prior: Tensor) -> None:
        """`embeddings` [V, d]: the rows that the first layer sees."""
        self._local, self._embeddings, self._folders, self._log_prior = local, embeddings, folders, log_prior
        self._model = local.manifest.digest()
        self._files = Files.of(self._model, folders)

    def find(self, names: Sequence[str]) -> tuple[list[System], list[str]]:
        """Those of these names (`untrained del ours`) that there are, and a sentence for each that there is not."""
        found, missing = [], []
        ours = self._ours()
        for name in names:
            match name:
                case "untrained":
                    dimensions = ours.table.dimensions if ours else min(DIMENSIONS, self._embeddings.shape[1])
                    table = self._table(principal(self._embeddings, dimensions))
                    found += [System(UNTRAINED, table), System(LINEAR, table, searches=False)]
                case "ours":
                    found += [ours] if ours else []
                    missing += [] if ours else ["ours: there is no projection for this model; sotto train projection makes one."]
                case _:
                    rebuilt = self._rebuilt()
                    found += [rebuilt] if rebuilt else []
                    missing += [] if rebuilt else ["DEL's recipe: not trained yet, so nothing is compared with it."]
        return found, missing

    def _table(self, projection: Projection) -> CodeTable:
        return CodeTable(Projection(projection.matrix, projection.clip, self._log_prior), self._embeddings, BITS)

    def _soft_prompt(self, artefact: Artefact) -> Tensor:
        rows = artefact.tensors.get("soft_prompt")
        if rows is None or rows.dim() != 2 or rows.shape[1] != self._embeddings.shape[1]:
            raise UnknownArtefact("This soft prompt has another shape than the model's embeddings. Train it anew.")
        return rows.float()

    def _ours(self) -> System | None:
        try:
            codes = find_codes(self._local, self._folders, BITS)
        except NoCodes:
            return None
        of_table = [it for it in self._files.own if it.table == codes.digest]
        return System(
            OURS,
            self._table(codes.table.projection),
            soft_prompts={it.level: self._soft_prompt(it) for it in of_table if it.kind == "soft_prompt"},
            adapters={it.level: it.tensors for it in of_table if it.kind == "adapter"},
            denoisers={it.level: it for it in of_table if it.kind == "denoiser" and it.level is not None},
            files=(codes.digest.hex(), *sorted(it.digest.hex() for it in of_table if it.kind in ("soft_prompt", "adapter"))),
        )

    def _rebuilt(self) -> System | None:
        """DEL's recipe: the projection that its decoder names, and the soft prompts that name the same."""
        files = self._files
        decoders = [it for it in files.of_del if it.kind == "decoder"]
        tables = {it.table for it in decoders if it.table is not None}
        projections = [it for it in (*files.of_del, *files.own) if it.kind == "projection" and it.digest in tables]
        if not projections:
            return None
        hidden, vocabulary = self._embeddings.shape[1], len(self._embeddings)
        projection = projection_of(projections[0], self._model, hidden, vocabulary)
        digest, shape = projections[0].digest, (hidden, len(projection.matrix))
        decoders = [it for it in decoders if it.table == digest]
        prompts = [it for it in files.of_del if it.kind == "soft_prompt" and it.table == digest]
        caps = [float(it.tensors[NORM_CAP]) for it in decoders if NORM_CAP in it.tensors]
        return System(
            DEL,
            self._table(projection),
            searches=False,
            decoders={it.level: decoder_of(it, self._model, digest, shape) for it in decoders},
            soft_prompts={it.level: self._soft_prompt(it) for it in prompts},
            norm_cap=caps[0] if caps else math.inf,
            files=(digest.hex(), *sorted(it.digest.hex() for it in (*decoders, *prompts))),
        )
