"""What in an embedding the model's answers hang on: the metric in which a confusion of words is measured.

Theory of operation. Where a prompt's embedding x is moved by a little u, the model's distribution of the answer moves by
KL = u' G u / 2 with Fisher's information G = E[g g'], g the gradient of ln P(answer) by x (Amari 1998, "Natural gradient works
efficiently in learning"). The expectation is over answers that the model itself draws, which is what it is trained on here. The
places of an answer are drawn apart, so the mean of their products is wanted and not the product of their sum: each place's
logarithm gets a sign from a coin, under which what two places have in common vanishes in the mean. Directions in which G is
large are those that an answer depends on; distances in them are those that codes should keep.
"""

from collections.abc import Callable, Sequence

import torch
from safetensors.torch import load, save
from torch import Tensor

from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.open_weights.trainable import Trainable
from desktop_app.training.samples import Sample

SAMPLES = 160  # that the expectation is taken over
KEPT = 20  # samples between two checkpoints
POWER = 0.5  # of the information: it is local, and confusions are not, so directions that it says nothing about keep some weight


def information(
    model: Trainable,
    samples: Sequence[Sample],
    seed: int,
    tell: Callable[[int, float], None] = lambda done, loss: None,
    kept: Checkpoint | None = None,
) -> Tensor:
    """G [d, d] in 64 bits, by the first samples. Repeats for a seed.

    With `kept` one that was cut off goes on near where it was, and ends the same. Raises `OSError` where that is written.
    """
    generator = torch.Generator().manual_seed(seed)
    found = torch.zeros(model.table.shape[1], model.table.shape[1], dtype=torch.float64)
    first = 0
    if kept is not None and (state := kept.get("information", bytes)) is not None:
        begun = load(state)
        first, found = int(begun["done"]), begun["found"]
        generator.set_state(begun["generator"])
    for done, sample in enumerate(samples[first:SAMPLES], start=first + 1):
        rows = model.table[sample.ids].clone().requires_grad_()
        states = model.states(rows.unsqueeze(0))[0, sample.reply_start - 1 : -1]
        chances = torch.log_softmax(model.logits_of(states), -1)
        tokens = torch.multinomial(chances.detach().exp(), 1, generator=generator)
        signs = 2.0 * torch.randint(0, 2, tokens.shape, generator=generator) - 1.0
        (gradient,) = torch.autograd.grad((chances.gather(1, tokens) * signs).sum(), rows)
        own = gradient[len(sample.before) : len(sample.before) + len(sample.prompt)].double()
        found += own.T @ own
        if kept is not None and (done % KEPT == 0 or done == min(len(samples), SAMPLES)):
            kept.put("information", save({"done": torch.tensor(done), "found": found, "generator": generator.get_state()}))
        tell(done, 0.0)
    return found


def metric(information: Tensor) -> Tensor:
    """M [d, d] float32, symmetric: |M (x - y)| is how far two embeddings are apart. The root of G to the power `POWER`."""
    values, directions = torch.linalg.eigh(information.double())
    root: Tensor = (directions * values.clamp(min=0.0) ** (POWER / 2)) @ directions.T
    return root.float()
