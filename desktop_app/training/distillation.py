"""Training by distillation: with what is trained, the model shall say of a noisy prompt what it says of the clean one.

The loss is the divergence KL(clean || noisy) of the distributions of the next token, over the places of the reply, whose own rows
are exact, as they are when replies go back by post-processing (Hinton et al. 2015, arXiv 1503.02531). Everything that is random
follows from the seed and the step, so a run that was cut off and goes on from its checkpoint ends like one that was not.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save
from torch import Tensor

from desktop_app.open_weights.low_rank import LowRank
from desktop_app.open_weights.trainable import Trainable
from desktop_app.settings.paths import write_atomically
from desktop_app.training.samples import Sample

CHECKPOINT_STEPS = 20
WEIGHT_DECAY = 1e-4
BETAS = (0.9, 0.95)
MOST_NORM = 1.0  # of a step's gradient

Rows = Callable[[int], Tensor]
"""Rows [n, d] of all that comes before a sample's reply, given the sample's number; with gradients where they are trained."""

Target = Literal["clean", "text"]
"""Of the loss: the clean model's distributions, or the text itself (cross-entropy, as DEL's recipe has it)."""


@dataclass
class Plan:
    """`steps` of `batch` samples each; the learning rate rises to `rate` over `warm_up` steps and falls to 0 by a cosine."""

    steps: int
    rate: float
    batch: int = 4
    warm_up: int = 10
    seed: int = 7
    target: Target = "clean"


class Distillation:
    """One run. `parameters` are trained, by name; `signature` is what the run is of: another's checkpoint is not gone on from."""

    def __init__(
        self,
        model: Trainable,
        samples: Sequence[Sample],
        parameters: dict[str, Tensor],
        plan: Plan,
        adapter: LowRank | None = None,
    ) -> None:
        """`adapter`: what hangs on the model; its tensors are among the parameters, or stay as they are."""
        self._model, self._samples, self._plan, self._adapter = model, samples, plan, adapter
        self._parameters = {name: tensor.requires_grad_() for name, tensor in parameters.items()}
        self._optimiser = torch.optim.AdamW(self._parameters.values(), lr=plan.rate, betas=BETAS, weight_decay=WEIGHT_DECAY)
        self.losses: list[float] = []
        """Of each step so far."""

    def run(
        self,
        rows: Rows,
        checkpoint: Path | None = None,
        signature: str = "",
        tell: Callable[[int, float], None] = lambda step, loss: None,
    ) -> None:
        """Train to the end, from the checkpoint where there is one of the same signature; `tell` gets each step and its loss."""
        if checkpoint is not None:
            self._resume(checkpoint, signature)
        for step in range(len(self.losses), self._plan.steps):
            chosen = self._chosen(step)
            self._optimiser.param_groups[0]["lr"] = self._rate(step)
            self._optimiser.zero_grad()
            total = 0.0
            for number in chosen:
                loss = self.loss(number, rows(number)) / len(chosen)
                loss.backward()  # type: ignore[no-untyped-call]
                total += float(loss.detach())
            torch.nn.utils.clip_grad_norm_(list(self._parameters.values()), MOST_NORM)
            self._optimiser.step()
            self.losses.append(total)
            tell(step + 1, total)
            if checkpoint is not None and (step + 1) % CHECKPOINT_STEPS == 0:
                self._keep(checkpoint, signature)

    def loss(self, number: int, before: Tensor) -> Tensor:
        """The loss at a place of the reply, on average, in nats; `before` [n, d] are the rows before the reply."""
        noisy = torch.log_softmax(self._model.logits_of(self.states(number, before)), -1)
        if self._plan.target == "text":
            return -noisy.gather(1, torch.tensor(self._samples[number].reply).unsqueeze(1)).mean()
        clean = self._clean_of(number)
        return (clean.exp() * (clean - noisy)).sum(-1).mean()

    def states(self, number: int, before: Tensor) -> Tensor:
        """States [reply, d] that say a sample's reply, token by token, behind rows `before` [n, d] and its own exact rows."""
        return self._behind(torch.cat((before, self._model.table[list(self._samples[number].reply)])), len(before))

    def _behind(self, rows: Tensor, start: int) -> Tensor:
        return self._model.states(rows.unsqueeze(0))[0, start - 1 : -1]

    def _clean_of(self, number: int) -> Tensor:
        """The clean model's log-probabilities [reply, V]: the untrained model's, whatever hangs on it."""
        sample = self._samples[number]
        with torch.no_grad(), self._adapter.off() if self._adapter is not None else nullcontext():
            states = self._model.states(self._model.table[sample.ids].unsqueeze(0))[0, sample.reply_start - 1 : -1]
            return torch.log_softmax(self._model.logits_of(states), -1)

    def _chosen(self, step: int) -> list[int]:
        """The samples of a step: each once before any is taken again."""
        first = step * self._plan.batch
        rounds = range(first // len(self._samples), (first + self._plan.batch - 1) // len(self._samples) + 1)
        orders = {
            it: torch.randperm(len(self._samples), generator=torch.Generator().manual_seed(self._plan.seed + it)) for it in rounds
        }
        places = range(first, first + self._plan.batch)
        return [int(orders[place // len(self._samples)][place % len(self._samples)]) for place in places]

    def _rate(self, step: int) -> float:
        plan = self._plan
        if step < plan.warm_up:
            return plan.rate * (step + 1) / plan.warm_up
        done = (step - plan.warm_up) / max(1, plan.steps - plan.warm_up)
        return plan.rate * 0.5 * (1 + float(torch.cos(torch.tensor(torch.pi * done))))

    def _keep(self, path: Path, signature: str) -> None:
        state = {f"value.{name}": tensor.detach() for name, tensor in self._parameters.items()}
        for name, tensor in self._parameters.items():
            moments = self._optimiser.state[tensor]
            state |= {f"first.{name}": moments["exp_avg"], f"second.{name}": moments["exp_avg_sq"]}
        state["losses"] = torch.tensor(self.losses, dtype=torch.float64)
        write_atomically(path, save({name: tensor.contiguous() for name, tensor in state.items()}, {"signature": signature}))

    def _resume(self, path: Path, signature: str) -> None:
        if not path.exists():
            return
        with safe_open(path, "pt") as file:
            if (file.metadata() or {}).get("signature") != signature:
                return
        state = load_file(path)
        self.losses = state["losses"].tolist()
        for name, tensor in self._parameters.items():
            with torch.no_grad():
                tensor.copy_(state[f"value.{name}"])
            self._optimiser.state[tensor] = {
                "step": torch.tensor(float(len(self.losses))),
                "exp_avg": state[f"first.{name}"],
                "exp_avg_sq": state[f"second.{name}"],
            }
