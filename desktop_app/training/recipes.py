"""What is trained, by which recipe: each function takes a run apart into parameters, the rows that they make, and what is kept.

sotto   the likeliest text under the model stands for a noisy prompt; a soft prompt and a low-rank adapter are trained on that,
        by distillation, for a level; so is a local denoiser, on answers that go back as codes
del     Gu et al. 2026 (arXiv 2602.11513), rebuilt from its description: a linear encoder and a linear decoder, trained without
        noise on the text that follows; then for each level one soft prompt, with noise, on rows that the decoder makes of
        codes whose norm is capped. The cap is ours (NORM of clean codes): the paper gives one for each of its models
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.open_weights.low_rank import LowRank
from desktop_app.open_weights.trainable import Trainable
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.training.denoiser import Denoiser, Denoising
from desktop_app.training.distillation import Distillation, Plan, Target
from desktop_app.training.noising import drawn, likeliest, linear_rows
from desktop_app.training.samples import Sample
from remote_agent.segment.code_table import CodeTable

NORM = 0.95  # of clean codes have at most the norm that is the cap
SENTENCE = (
    "Some words of the following text were read wrongly. Read over what makes no sense, guess what was meant, and answer as if "
    "the text had been clear."
)
RANK = 8
RATES = {"soft_prompt": 1e-2, "adapter": 1e-3, "ends": 2e-4, "denoiser": 1e-3}
DENOISER_ROUNDS = 3  # it starts from nothing
BATCH = 4

Tell = Callable[[int, float], None]


@dataclass
class Run:
    """One training: what it learns from, and where it goes on from."""

    model: Trainable
    tokenizer: ChatTokenizer
    samples: Sequence[Sample]
    seed: int
    checkpoint: Path | None = None
    signature: str = ""
    tell: Tell = lambda step, loss: None

    def plan(self, rate: float, target: Target = "clean", rounds: int = 1) -> Plan:
        """Each sample so many times."""
        steps = max(1, rounds * len(self.samples) // BATCH)
        return Plan(steps, rate, BATCH, min(10, steps // 4), self.seed, target)

    def around(self, number: int, words: Tensor) -> Tensor:
        """The rows before a reply: the template's, and `words` [n, d] for the prompt's."""
        sample, table = self.samples[number], self.model.table
        return torch.cat((table[list(sample.before)], words, table[list(sample.between)]))


def ends(run: Run, matrix: Tensor, clip: float) -> tuple[dict[str, Tensor], list[float]]:
    """DEL's linear encoder and decoder, trained together without noise from `matrix` [d', d] on; and the losses."""
    parameters = {"projection": matrix.clone(), "decoder": torch.linalg.pinv(matrix.double()).float()}
    made = Distillation(run.model, run.samples, parameters, run.plan(RATES["ends"], "text"))

    def rows(number: int) -> Tensor:
        codes = (run.model.table[list(run.samples[number].prompt)] @ parameters["projection"].T).clamp(-clip, clip)
        return run.around(number, codes @ parameters["decoder"].T)

    made.run(rows, run.checkpoint, run.signature, run.tell)
    return {name: tensor.detach() for name, tensor in parameters.items()}, made.losses


def norm_cap(table: CodeTable) -> float:
    """The norm that clean codes rarely exceed."""
    return float(torch.quantile(table.codes.norm(dim=1) * table.projection.clip, NORM))


def soft_prompt_of_del(run: Run, table: CodeTable, level: Level, decoder: Tensor, length: int) -> tuple[Tensor, list[float]]:
    """DEL's soft prompt [length, d] for a level, with noise that is drawn anew for each sample; and the losses."""
    cap = norm_cap(table)

    def words(number: int) -> Tensor:
        counts = drawn(table, run.samples[number].prompt, level, run.seed * 1_000_003 + number)
        return linear_rows(table, counts, level, decoder, cap)

    return _soft_prompt(run, words, length, "text")


def soft_prompt(run: Run, table: CodeTable, level: Level, length: int) -> tuple[Tensor, list[float]]:
    """Our soft prompt [length, d] for a level, by distillation; and the losses."""
    tokens = decoded(run, table, level)
    return _soft_prompt(run, lambda number: run.model.table[tokens[number]], length, "clean")


def adapter(run: Run, table: CodeTable, level: Level, soft: Tensor | None = None) -> tuple[dict[str, Tensor], list[float]]:
    """A low-rank adapter for a level, by distillation, behind the soft prompt `soft` [s, d] if there is one; and the losses."""
    tokens = decoded(run, table, level)
    low_rank = LowRank(run.model, RANK, run.seed)
    made = Distillation(run.model, run.samples, low_rank.tensors, run.plan(RATES["adapter"]), low_rank)
    before = [] if soft is None else [soft]

    def rows(number: int) -> Tensor:
        return torch.cat((*before, run.around(number, run.model.table[tokens[number]])))

    made.run(rows, run.checkpoint, run.signature, run.tell)
    return {name: tensor.detach() for name, tensor in low_rank.tensors.items()}, made.losses


def denoiser(run: Run, table: CodeTable, level: Level) -> tuple[dict[str, Tensor], list[float]]:
    """A local denoiser for a level, by distillation on answers that go back as codes; and the losses."""
    prompts = decoded(run, table, level)
    replies = replies_decoded(run, table, level, prompts)
    mends = Denoiser(run.model.table.shape[1], run.seed)
    made = Denoising(run.model, run.samples, mends, run.plan(RATES["denoiser"], rounds=DENOISER_ROUNDS), replies)
    made.run(lambda number: run.around(number, run.model.table[prompts[number]]), run.checkpoint, run.signature, run.tell)
    return {name: tensor.detach() for name, tensor in mends.state_dict().items()}, made.losses


def decoded(run: Run, table: CodeTable, level: Level) -> list[Tensor]:
    """The tokens [n] that each sample's prompt is read as, of one draw each."""
    return likeliest(run.model, table, run.samples, counts(run, table, level), level)


def counts(run: Run, table: CodeTable, level: Level) -> list[Tensor]:
    """Counts [n, d'] for each sample's prompt, of one draw each."""
    return [drawn(table, it.prompt, level, run.seed * 1_000_003 + number) for number, it in enumerate(run.samples)]


def replies_decoded(run: Run, table: CodeTable, level: Level, prompts: Sequence[Tensor]) -> list[Tensor]:
    """The tokens [n] that each sample's reply is read as where it goes back as codes, behind prompts read as `prompts`."""
    behind = [
        Sample((*it.before, *prompt.tolist(), *it.between), it.reply, (), ())
        for it, prompt in zip(run.samples, prompts, strict=True)
    ]
    return decoded(replace(run, samples=behind, seed=run.seed + 1), table, level)


def _soft_prompt(run: Run, words: Callable[[int], Tensor], length: int, target: Target) -> tuple[Tensor, list[float]]:
    ids = run.tokenizer.encode(SENTENCE)
    start = run.model.table[(ids * (1 + length // len(ids)))[:length]].clone()
    made = Distillation(run.model, run.samples, {"soft_prompt": start}, run.plan(RATES["soft_prompt"], target))
    made.run(lambda number: torch.cat((start, run.around(number, words(number)))), run.checkpoint, run.signature, run.tell)
    return start.detach(), made.losses
