"""The projection from embeddings to codes: in closed form, and trained from there with the mechanism in the loop.

Theory of operation. What a projection must do is keep apart, under noise, words whose confusion would cost an answer most, while
no two words of the whole vocabulary lie far from each other: the guarantee depends on the largest distance of a pair only
(`privacy.noise.vocabulary`). How far two words are apart is measured by how much an answer hangs on the difference
(`training.sensitivity`). So the loss is, over the tokens of the vocabulary, the expected squared distance between the embedding
that was meant and those that the codes leave likely, of a draw from the deployed mechanism; and beside it a spread regulariser,
the mean of the largest norms of centred codes, which pulls in the outliers that make the worst pair. Draws are replaced by a
normal variable of their mean and variance, through which gradients pass (Jin et al. 2023, arXiv 2302.09624: a binomial of u
trials; at u = 15 and chances within [0.15, 0.85] the two are close). The guarantee does not lean on that: it is proven
afterwards, of the table that came out.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from safetensors.torch import load, save
from torch import Tensor

from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.privacy.noise.quantiser import Level
from remote_agent.segment.artefacts import Projection

CLIP = 2.0  # standard deviations of the projected embeddings
RATE = 1e-3
BATCH, OTHERS = 128, 2048  # tokens of a step, and those that they are confused with
SPREAD = 0.5  # weight of the regulariser
KEPT = 50  # steps between two checkpoints
FARTHEST = 0.02  # the share of tokens whose norms it holds


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """What codes are for: embeddings [V, d], how usual each token is (ln, [V]), and a metric M [d, d] of them: |M (x - y)|."""

    embeddings: Tensor
    log_prior: Tensor
    metric: Tensor


def principal(embeddings: Tensor, dimensions: int, metric: Tensor | None = None) -> Projection:
    """The projection [d', d] on the directions in which embeddings [V, d] differ most, in a metric [d, d]; nothing is trained."""
    measured = embeddings if metric is None else embeddings @ metric.T
    centred = (measured - measured.mean(0)).double()
    _, directions = torch.linalg.eigh(centred.T @ centred)  # rising
    matrix = directions.T.flip(0)[:dimensions]
    # Of a direction and its opposite one is chosen, so that it repeats.
    matrix = matrix * matrix.gather(1, matrix.abs().argmax(1, keepdim=True)).sign()
    if metric is not None:
        matrix = matrix @ metric.double()
        matrix = matrix * dimensions**0.5 / matrix.norm()  # as large as one with orthonormal rows
    matrix = matrix.float().contiguous()
    return Projection(matrix, CLIP * float((embeddings @ matrix.T).std()))


def trained(
    words: Words,
    level: Level,
    steps: int,
    seed: int,
    tell: Callable[[int, float], None] = lambda step, loss: None,
    kept: Checkpoint | None = None,
) -> Projection:
    """A projection trained for a level, from the principal one on. Repeats for a seed; `tell` gets each step and its loss.

    With `kept` one that was cut off goes on near where it was, and ends the same. Raises `OSError` where that is written.
    """
    embeddings, log_prior = words.embeddings, words.log_prior
    measured = embeddings @ words.metric.T
    start = principal(embeddings, level.dimensions, words.metric)
    matrix = start.matrix.clone().requires_grad_()
    optimiser = torch.optim.Adam([matrix], lr=RATE)
    generator = torch.Generator().manual_seed(seed)
    usual = log_prior.exp()
    width, scale = level.half_width, float(measured.square().sum(1).mean())
    losses = [] if kept is None else _resumed(kept, matrix, optimiser, generator)
    for step, loss in enumerate(losses, start=1):
        tell(step, loss)
    for step in range(len(losses), steps):
        meant = torch.randint(0, len(embeddings), (BATCH,), generator=generator)
        others = torch.cat(
            (
                meant,
                torch.multinomial(usual, min(OTHERS // 2, len(usual)), generator=generator),
                torch.randperm(len(embeddings), generator=generator)[: OTHERS // 2],
            )
        )
        codes = (embeddings[others] @ matrix.T / start.clip).clamp(-1.0, 1.0)
        own = codes[:BATCH]
        noise = torch.randn(own.shape, generator=generator)
        counts = level.steps * (width + own + ((width**2 - own**2) / level.steps).sqrt() * noise) / (2 * width)
        chances = (width + codes) / (2 * width)
        gains = counts @ torch.logit(chances).T + level.steps * torch.log1p(-chances).sum(1)
        posterior = torch.softmax(gains + log_prior[others], 1)
        distances = torch.cdist(measured[meant], measured[others]).square() / scale
        norms = (codes - codes.mean(0)).norm(dim=1)
        spread = norms.topk(max(1, int(FARTHEST * len(norms)))).values.mean() / level.dimensions**0.5
        loss = (posterior * distances).sum(1).mean() + SPREAD * spread
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
        if kept is not None and (step + 1) % KEPT == 0:
            _keep(kept, matrix, optimiser, generator, losses)
        tell(step + 1, losses[-1])
    return Projection(matrix.detach().contiguous(), start.clip, log_prior)


def _keep(kept: Checkpoint, matrix: Tensor, optimiser: torch.optim.Adam, generator: torch.Generator, losses: list[float]) -> None:
    moments = optimiser.state[matrix]
    state = {"value": matrix.detach(), "first": moments["exp_avg"], "second": moments["exp_avg_sq"]}
    state |= {"generator": generator.get_state(), "losses": torch.tensor(losses, dtype=torch.float64)}
    kept.put("projection", save(state))


def _resumed(kept: Checkpoint, matrix: Tensor, optimiser: torch.optim.Adam, generator: torch.Generator) -> list[float]:
    """The losses so far; what is trained, its moments and the generator are as they were then."""
    content = kept.get("projection", bytes)
    if content is None:
        return []
    state = load(content)
    losses: list[float] = state["losses"].tolist()
    with torch.no_grad():
        matrix.copy_(state["value"])
    moments = {"exp_avg": state["first"], "exp_avg_sq": state["second"]}
    optimiser.state[matrix] = {"step": torch.tensor(float(len(losses))), **moments}
    generator.set_state(state["generator"])
    return losses


def unigram(texts: list[list[int]], vocabulary: int) -> Tensor:
    """ln of how usual each token [V] is in texts, every token counted once more."""
    counts = torch.ones(vocabulary, dtype=torch.float64)
    counts += torch.bincount(torch.tensor([token for text in texts for token in text]), minlength=vocabulary)
    return torch.log(counts / counts.sum()).float()
