"""An audit of noise from beginning to end: every system at every level over the same texts, then all of them at equal recovery.

What a system measures at a level is one entry of the checkpoint, under the digests of its files, so an interrupted audit goes on
where it was, and a system that was trained anew is measured anew. Results, intervals and comparisons are made from the entries.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import torch
from msgspec import Struct
from torch import Tensor

from desktop_app.audit.batches import Batches
from desktop_app.audit.errors import AuditError
from desktop_app.audit.intervals import prior_hits
from desktop_app.audit.noise_measures import Bench, Clean, Measured
from desktop_app.audit.noise_systems import LINEAR, UNTRAINED, System, Systems
from desktop_app.audit.noise_texts import NoiseTexts
from desktop_app.audit.recovery_curves import Ground
from desktop_app.audit.sizes import NoiseSizes
from desktop_app.model.local import LocalModel
from desktop_app.open_weights import corpus
from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.open_weights.public_model import PublicModel

SMOOTHING = 1e-3  # of a token, for each of the vocabulary
ROWS_AT_ONCE = 256

T = TypeVar("T")
Tell = Callable[[str], None]


class Entry(Struct):
    """A system at a level."""

    system: str
    mu: float
    measured: Measured


class Evidence(Struct):
    """All that an audit of noise has seen. `missing` says in sentences what could not be measured."""

    clean: Clean
    ground: Ground
    prompts: list[list[int]]
    entries: list[Entry]
    missing: list[str]
    code_bytes: int
    row_bytes: int


class NoiseAudit:
    """One audit of one model."""

    seed = 7

    def __init__(
        self, local: LocalModel, model: Batches, texts: NoiseTexts, sizes: NoiseSizes, keep: tuple[Checkpoint, Tell]
    ) -> None:
        """`local` has all layers, `model` is a copy of it."""
        self._local, self._model, self._texts, self._sizes = local, model, texts, sizes
        self._checkpoint, self._tell = keep

    def seen(self, names: Sequence[str], folders: Sequence[Path], mus: Sequence[float]) -> Evidence:
        """Measure these systems (`untrained del ours`) at these levels. Raises `AuditError` where there is none of them."""
        own = [prompt.own for prompt in self._texts.documents[: self._texts.attacked]]
        bench = Bench(self._model, self._local.tokenizer, self._texts, self._sizes, self.seed)
        clean = self._kept("clean", Clean, bench.clean)
        ground = Ground(
            [float(len(tokens)) for tokens in own],
            [float(hits) for hits in prior_hits(own)],
            [float(len(reply)) for reply in clean.replies],
            clean.agreed,
        )
        systems, missing = Systems(self._local, self._model.table, folders, self._prior()).find(names)
        if not systems:
            raise AuditError(f"Nothing can be audited. {missing[0]}")
        codes = systems[0].table
        found = Evidence(clean, ground, own, [], missing, -(-codes.bits * codes.dimensions // 8), 2 * self._model.table.shape[1])
        for mu in mus:
            for system in systems:
                self._measure(bench, system, mu, found)
        return found

    def _measure(self, bench: Bench, system: System, mu: float, found: Evidence) -> None:
        mu16 = round(16 * mu)
        if not system.trained_for(mu16):
            found.missing.append(f"DEL's recipe: no soft prompt was trained for mu {mu:g}, so it is not measured there.")
            return
        name = f"{system.name} at mu {mu:g}"
        measure = bench.agreed if system.name == LINEAR else bench.measured
        measured = self._kept(f"{name} {' '.join(system.files)}", Measured, lambda: measure(system, mu16, found.clean))
        if system.name == LINEAR:  # the same codes: attackers get the same
            twin = next(it.measured for it in found.entries if (it.system, it.mu) == (UNTRAINED, mu))
            measured.recovered = twin.recovered
        found.entries.append(Entry(system.name, mu, measured))
        self._tell(f"{name} is done")

    def _kept(self, key: str, kind: type[T], make: Callable[[], T]) -> T:
        value = self._checkpoint.get(key, kind)
        if value is None:
            value = make()
            self._checkpoint.put(key, value)
        return value

    def _prior(self) -> Tensor:
        """ln of how usual each token [V] is in texts that the model writes, as its own distributions tell."""
        start = corpus.opening(self._local.tokenizer)

        def write() -> list[list[int]]:
            writer = PublicModel(self._local.plan, self._local.weights, torch.bfloat16)
            return corpus.written(writer, start, self._sizes.prior_tokens, self.seed)

        expected = torch.full((len(self._model.table),), SMOOTHING, dtype=torch.float64)
        texts = self._kept("texts", list[list[int]], write)
        for states in self._model.states([self._model.rows([*start, *text]) for text in texts]):
            for some in torch.split(states[len(start) - 1 : -1], ROWS_AT_ONCE):
                expected += torch.softmax(self._model.logits(some), -1).double().sum(0)
        self._tell(f"how usual each token is: learned from {sum(map(len, texts)):,} tokens that the model wrote")
        return (expected / expected.sum()).log().float()
