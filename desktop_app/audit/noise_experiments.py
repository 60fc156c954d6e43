"""An audit of noise from beginning to end: every system at every level over the same texts, then all of them at equal recovery.

What a system measures at a level is one entry of the checkpoint, under the digests of its files, so an interrupted audit goes on
where it was, and a system that was trained anew is measured anew. Results, intervals and comparisons are made from the entries.

The same mu means other things for other projections, so each system climbs the ladder as far as it tells something: from below a
guess + 0.1, where a level of the ladder is that low, to where nearly all is recovered.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import torch
from msgspec import Struct, field
from torch import Tensor

from desktop_app.audit.batches import Batches
from desktop_app.audit.errors import AuditError
from desktop_app.audit.intervals import prior_hits
from desktop_app.audit.noise_measures import Bench, Clean, Measured
from desktop_app.audit.noise_systems import LINEAR, OURS, UNTRAINED, System, Systems
from desktop_app.audit.noise_texts import NoiseTexts
from desktop_app.audit.recovery_curves import ABOVE_PRIOR, Ground
from desktop_app.audit.reply_ways import ReplyWays
from desktop_app.audit.sizes import NoiseSizes
from desktop_app.model.local import LocalModel
from desktop_app.open_weights import corpus
from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.open_weights.public_model import PublicModel
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.training.samples import Sample

SMOOTHING = 1e-3  # of a token, for each of the vocabulary
ROWS_AT_ONCE = 256
ENOUGH = 0.8  # recovered above a guess: more noise-free levels would tell nothing more
START = 20.0  # mu: about half is recovered there

T = TypeVar("T")
Tell = Callable[[str], None]


class Entry(Struct):
    """A system at a level."""

    system: str
    mu: float
    measured: Measured


class Back(Struct):
    """Ours at a level, and how many tokens of each reply agree, by the way in which answers go back (`reply_ways`)."""

    mu: float
    agreed: dict[str, list[float]]


class Evidence(Struct):
    """All that an audit of noise has seen. `missing` says in sentences what could not be measured.

    `soft_prompts`: the lengths, in rows, of those that systems have, by system.
    """

    clean: Clean
    ground: Ground
    prompts: list[list[int]]
    entries: list[Entry]
    missing: list[str]
    code_bytes: int
    row_bytes: int
    back: list[Back] = field(default_factory=list)
    soft_prompts: dict[str, list[int]] = field(default_factory=dict)


class NoiseAudit:
    """One audit of one model."""

    seed = 7

    def __init__(
        self, local: LocalModel, model: Batches, texts: NoiseTexts, sizes: NoiseSizes, keep: tuple[Checkpoint, Tell]
    ) -> None:
        """`local` has all layers, `model` is a copy of it."""
        self._local, self._model, self._texts, self._sizes = local, model, texts, sizes
        self._checkpoint, self._tell = keep

    def seen(self, names: Sequence[str], folders: Sequence[Path], mus: Sequence[float] | None = None) -> Evidence:
        """Measure these systems (`untrained del ours`), at these levels where they are given, else at those that tell something.

        Raises `AuditError` where there is no such system.
        """
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
        lengths = {it.name: sorted({len(rows) for rows in it.soft_prompts.values()}) for it in systems}
        found.soft_prompts = {name: rows for name, rows in lengths.items() if rows}
        for system in (it for it in systems if it.name != LINEAR):
            together = [system, *(it for it in systems if (system.name, it.name) == (UNTRAINED, LINEAR))]
            if mus is not None:
                for mu in mus:
                    self._measure(bench, together, mu, found)
            else:
                self._climb(bench, together, found)
            if system.name == OURS:
                self._back(system, found)
        return found

    def _back(self, system: System, found: Evidence) -> None:
        """The ways in which answers can go back, at the levels that a denoiser was trained for."""
        if not system.denoisers:
            found.missing.append("Other ways for answers to go back: no denoiser is trained. sotto train denoiser makes one.")
            return
        prompts = self._texts.documents[: self._texts.attacked]
        texts = [
            Sample(*map(tuple, (it.before, it.own, it.after, reply)))
            for it, reply in zip(prompts, found.clean.replies, strict=True)
        ]
        ways = ReplyWays(self._model.trainable, self._local.tokenizer, texts, self.seed)
        for mu16, denoiser in sorted(system.denoisers.items()):
            level = Level(mu16 / 16, system.table.bits, system.table.dimensions)
            key = f"ways back at mu {level.mu:g} {system.files[0]} {denoiser.digest.hex()}"
            agreed = self._kept(key, dict[str, list[float]], partial(ways.agreed, system.table, level, denoiser.tensors))
            found.back.append(Back(level.mu, agreed))
            self._tell(f"ways for answers to go back at mu {level.mu:g} are done")

    def _climb(self, bench: Bench, together: Sequence[System], found: Evidence) -> None:
        """From `START` up the ladder until nearly all is recovered, and down it until hardly anything is.

        DEL's recipe has the levels that it was trained for, and no others.
        """
        prior = sum(found.ground.prior) / sum(found.ground.tokens)
        ladder = together[0].levels or list(self._sizes.mus)
        start = 0 if together[0].levels else sum(mu < START for mu in ladder[:-1])
        first = above = self._measure(bench, together, ladder[start], found)
        for mu in ladder[start + 1 :]:
            if above > prior + ENOUGH:
                break
            above = self._measure(bench, together, mu, found)
        for mu in reversed(ladder[:start]):
            if first <= prior + min(ABOVE_PRIOR):
                break
            first = self._measure(bench, together, mu, found)

    def _measure(self, bench: Bench, together: Sequence[System], mu: float, found: Evidence) -> float:
        """A system at a level, and what else is made of its codes. Return the share that the best attack recovers."""
        mu16, recovered = round(16 * mu), dict[str, list[float]]()
        for system in together:
            if not system.trained_for(mu16):
                found.missing.append(f"DEL's recipe: no soft prompt was trained for mu {mu:g}, so it is not measured there.")
                return 0.0
            name = f"{system.name} at mu {mu:g}"
            measure = bench.agreed if system.name == LINEAR else bench.measured
            measured = self._kept(f"{name} {' '.join(system.files)}", Measured, partial(measure, system, mu16, found.clean))
            recovered = measured.recovered = measured.recovered or recovered  # of the same codes attackers get the same
            found.entries.append(Entry(system.name, mu, measured))
            self._tell(f"{name} is done")
        return sum(recovered["map_with_model"]) / sum(found.ground.tokens)

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
