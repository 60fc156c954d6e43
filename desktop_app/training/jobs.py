"""One training from the command line to its file: the model, the texts, the run, what is written and where.

Texts are kept by model, length and seed, so that everything is trained on the same; so is a run that was cut off, until its end.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from desktop_app.model.codes import DEL, ModelCodes, find_codes, find_decoder
from desktop_app.model.store import ModelStore
from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.open_weights.public_model import PublicModel
from desktop_app.open_weights.trainable import Trainable
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.settings.paths import Paths, write_atomically
from desktop_app.training import projection, recipes, sensitivity
from desktop_app.training.artefact_files import Made, write
from desktop_app.training.command import length
from desktop_app.training.curve import curve_svg
from desktop_app.training.errors import TrainingError
from desktop_app.training.recipes import Run
from desktop_app.training.samples import Sample, samples
from remote_agent.segment.artefacts import Projection
from remote_agent.segment.code_table import CodeTable

BAR = 30  # characters
STARTER = "smollm2-135m-instruct"

Files = dict[Path, bytes]
"""What was written, with its digest."""


class Job:
    """What `sotto train` was asked for. Raises `NoCodes`, `TrainingError`, `OSError`, and the errors of models."""

    def __init__(self, arguments: argparse.Namespace, paths: Paths) -> None:
        self._arguments, self._paths = arguments, paths
        self._local = ModelStore(paths.models).prepare(arguments.model, 2**16, 0)
        self._model = Trainable.of(self._local)
        self._digest = self._local.manifest.digest()
        self._losses: list[float] = []

    def run(self) -> Files:
        """Train, and write the file and the picture of the losses."""
        texts = self._samples()
        match self._arguments.what:
            case "projection":
                return self._projection(texts)
            case "decoder":
                return self._ends(texts)
            case _:
                return self._for_level(texts)

    def _projection(self, texts: list[Sample]) -> Files:
        asked, embeddings = self._arguments, self._model.table
        prior = projection.unigram([[*sample.prompt, *sample.reply] for sample in texts], len(embeddings))
        if asked.steps:
            level = Level(asked.mu, asked.bits, asked.dimensions)
            bar, kept = Bar("projection", asked.steps), self._parts(f"projection {self._command}")

            def tell(step: int, loss: float) -> None:
                self._losses.append(loss)
                bar(step, loss)

            metric = Bar("metric", min(len(texts), sensitivity.SAMPLES))
            hangs_on = sensitivity.information(self._model, texts, asked.seed, metric, kept)
            words = projection.Words(embeddings, prior, sensitivity.metric(hangs_on))
            found = projection.trained(words, level, asked.steps, asked.seed, tell, kept)
        else:
            found = projection.principal(embeddings, asked.dimensions)
        tensors = {"projection": found.matrix, "clip": torch.tensor([found.clip]), "log_prior": prior}
        return self._written("projection", tensors)

    def _ends(self, texts: list[Sample]) -> Files:
        """DEL's two ends: its encoder is a projection, which the decoder names."""
        start = projection.principal(self._model.table, self._arguments.dimensions)
        found, self._losses = recipes.ends(self._run_of(texts, ""), start.matrix, start.clip)
        files = self._written("projection", {"projection": found["projection"], "clip": torch.tensor([start.clip])})
        (digest,) = files.values()
        table = CodeTable(Projection(found["projection"], start.clip), self._model.table, self._arguments.bits)
        tensors = {"decoder": found["decoder"], "norm_cap": torch.tensor([recipes.norm_cap(table)])}
        return files | self._written("decoder", tensors, digest)

    def _for_level(self, texts: list[Sample]) -> Files:
        asked = self._arguments
        codes, decoder = self._codes()
        level = Level(asked.mu, asked.bits, codes.table.dimensions)
        run = self._run_of(texts, codes.digest.hex())
        if asked.what == "adapter":
            tensors, self._losses = recipes.adapter(run, codes.table, level)
        elif asked.what == "denoiser":
            tensors, self._losses = recipes.denoiser(run, codes.table, level)
        elif decoder is not None:
            soft, self._losses = recipes.soft_prompt_of_del(run, codes.table, level, decoder, length(asked))
            tensors = {"soft_prompt": soft}
        else:
            soft, self._losses = recipes.soft_prompt(run, codes.table, level, length(asked))
            tensors = {"soft_prompt": soft}
        return self._written(asked.what.replace("-", "_"), tensors, codes.digest, round(asked.mu * 16))

    def _codes(self) -> tuple[ModelCodes, Tensor | None]:
        """The table that something is trained for, and DEL's decoder where it is for that recipe."""
        if self._arguments.recipe != DEL:
            return find_codes(self._local, self._paths.codes, self._arguments.bits), None
        codes = find_codes(self._local, (self._folder,), self._arguments.bits, of_del=True)
        decoder = find_decoder(self._local, (self._folder,), codes)
        if decoder is None:
            raise TrainingError("DEL's decoder is not trained yet. Run sotto train decoder --recipe del first.")
        return codes, decoder

    def _samples(self) -> list[Sample]:
        """What the model has written for this seed and length."""
        asked = self._arguments
        path = self._paths.data / "training" / f"{self._digest.hex()[:16]}-{asked.tokens}-{asked.seed}.json"
        if path.exists():
            return [Sample(*(tuple(part) for part in parts)) for parts in json.loads(path.read_bytes())]
        bar = Bar("texts", asked.tokens)
        model = PublicModel(self._local.plan, self._local.weights)
        kept = self._parts(f"texts {asked.tokens} {asked.seed}")

        def tell(done: int) -> None:
            bar(min(done, asked.tokens), 0.0)

        made = samples(model, self._local.tokenizer, asked.tokens, asked.seed, tell, kept)
        write_atomically(path, json.dumps([[it.before, it.prompt, it.between, it.reply] for it in made]).encode())
        kept.clear()
        return made

    def _parts(self, of: str) -> Checkpoint:
        """What is kept of something that is not done yet."""
        return Checkpoint(self._checkpoint.with_suffix(".json"), f"{of} {self._digest.hex()}")

    def _run_of(self, texts: list[Sample], table: str) -> Run:
        bar = Bar(self._arguments.what, max(1, len(texts) // recipes.BATCH))
        signature = f"{self._command} {self._digest.hex()} {table}"
        return Run(self._model, self._local.tokenizer, texts, self._arguments.seed, self._checkpoint, signature, bar)

    def _written(self, kind: str, tensors: Mapping[str, Tensor], table: bytes = b"", level: int = 0) -> Files:
        name = self._name(kind.replace("_", "-"))
        path: Path = self._folder / f"{name}.safetensors"
        if self._arguments.out is not None and kind == self._arguments.what.replace("-", "_"):
            path = self._arguments.out
        digest = write(path, Made(kind, self._digest, self._command, self._arguments.recipe, table, level), tensors)
        if self._losses:
            write_atomically(path.with_suffix(".svg"), curve_svg(name, self._losses).encode())
        for kept in (self._checkpoint, self._checkpoint.with_suffix(".json")):
            kept.unlink(missing_ok=True)
        return {path: digest}

    @property
    def _folder(self) -> Path:
        """Where what is trained goes; DEL's, which is only compared with, apart."""
        return self._paths.codes[0] / DEL if self._arguments.recipe == DEL else self._paths.codes[0]

    @property
    def _checkpoint(self) -> Path:
        return self._paths.data / "training" / f"{self._arguments.recipe}-{self._name(self._arguments.what)}.part.safetensors"

    @property
    def _command(self) -> str:
        """The command line that trains this again."""
        words = ["sotto", "train", self._arguments.what]
        for name in ("model", "mu", "dimensions", "bits", "steps", "tokens", "length", "recipe", "seed"):
            value = length(self._arguments) if name == "length" else getattr(self._arguments, name)
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)] if value != "" else []
        return shlex.join(words)

    def _name(self, kind: str) -> str:
        stem = Path(self._arguments.model).stem.casefold() if self._arguments.model else STARTER
        level = f"-mu{self._arguments.mu:g}" if kind in ("soft-prompt", "adapter", "denoiser") else ""
        return f"{stem}-{kind}{level}"


class Bar:
    """A progress bar on standard error."""

    def __init__(self, name: str, total: int) -> None:
        self._name, self._total = name, total

    def __call__(self, done: int, loss: float) -> None:
        """So many of the total are done."""
        full = round(BAR * done / self._total)
        line = f"\r{self._name} [{'#' * full}{'.' * (BAR - full)}] {done:,}/{self._total:,}" + (
            f" loss {loss:.4f}" if loss else ""
        )
        print(line, end="\n" if done >= self._total else "", file=sys.stderr, flush=True)
