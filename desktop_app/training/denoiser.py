"""A local denoiser: layers on this machine that see the clean text beside the noisy rows that come back.

Split-and-Denoise (Mai et al. 2024, arXiv 2310.09130) has the client mend what a server computed of noisy inputs, with a small
transformer that knows the clean ones. Here it stands before the last local layers: it gets the rows that leave the middle layers
and the embeddings of the words that were really said, and what it makes of them is added to the rows. Its answer depends on the
clean text, so it may not go back exact: its tokens leave as codes, charged to every value that is protected.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from desktop_app.open_weights.trainable import Trainable
from desktop_app.training.distillation import Distillation, Plan
from desktop_app.training.samples import Sample

WIDTH, LAYERS, HEADS = 256, 2, 4
TAIL = 2  # last layers of the model that stay here, behind the denoiser


class Denoiser(torch.nn.Module):
    """A causal transformer from noisy rows and clean embeddings to what is added to the rows; at first nothing."""

    def __init__(self, hidden_size: int, seed: int = 0) -> None:
        super().__init__()
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            layer = torch.nn.TransformerEncoderLayer(
                WIDTH, HEADS, 2 * WIDTH, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
            )
            self.enter = torch.nn.Linear(2 * hidden_size, WIDTH)
            self.layers = torch.nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
            self.leave = torch.nn.Linear(WIDTH, hidden_size)
        torch.nn.init.zeros_(self.leave.weight)
        torch.nn.init.zeros_(self.leave.bias)

    @classmethod
    def of(cls, tensors: Mapping[str, Tensor], hidden_size: int) -> "Denoiser":
        """The one with these weights. Raises `RuntimeError` where they are of another shape."""
        made = cls(hidden_size)
        made.load_state_dict(dict(tensors))
        return made

    def forward(self, noisy: Tensor, clean: Tensor) -> Tensor:
        """What is added to the rows [n, d] `noisy`; `clean` [n, d] are the embeddings of the same places."""
        size = noisy.square().mean(-1, keepdim=True).sqrt().clamp_min(1e-6)
        rows = torch.cat((noisy / size, torch.nn.functional.rms_norm(clean, clean.shape[-1:])), -1)
        later = torch.nn.Transformer.generate_square_subsequent_mask(len(rows))
        made: Tensor = self.leave(self.layers(self.enter(rows)[None], mask=later, is_causal=True)[0]) * size
        return made


@contextmanager
def standing_before_the_tail(model: Trainable, denoiser: Denoiser, clean: Tensor) -> Iterator[None]:
    """Within it, the model's rows [1, n, d] are denoised where they enter the tail; `clean` [n, d] is what was really said."""

    def denoise(layer: torch.nn.Module, arguments: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        rows, *others = arguments
        return rows + denoiser(rows[0], clean)[None], *others

    hook = model.network.model.layers[-TAIL].register_forward_pre_hook(denoise)
    try:
        yield
    finally:
        hook.remove()


class Denoising(Distillation):
    """Trains a denoiser; the rows of a reply are those that its codes are read as, not its own."""

    def __init__(
        self, model: Trainable, samples: Sequence[Sample], denoiser: Denoiser, plan: Plan, replies: Sequence[Tensor]
    ) -> None:
        """`replies`: the tokens [n] that each sample's reply is read as."""
        super().__init__(model, samples, dict(denoiser.named_parameters()), plan)
        self._denoiser, self._replies = denoiser, replies

    def states(self, number: int, before: Tensor) -> Tensor:
        """See `Distillation`."""
        sample, table = self._samples[number], self._model.table
        with standing_before_the_tail(self._model, self._denoiser, table[sample.ids]):
            return self._behind(torch.cat((before, table[self._replies[number]])), len(before))
