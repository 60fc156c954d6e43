"""Learned inverters: attackers without the desktop's own layers, who have seen pairs of rows and texts.

Whoever runs an agent can chat with it like anybody else, and so knows the texts behind some rows. Two networks learn from that:

- `paper_inverter` is that of Cunningham 2026 (arXiv 2602.16760, section on inversion), word for word: H -> 2048 -> 2048 -> V with
  GELU and LayerNorm, AdamW 1e-3 with weight decay 0.01, 50 epochs on a cosine, batch 256, about 1,100 pairs from 16 texts, and
  training and test rows are random positions *of the same texts*. What it cannot have seen it cannot say, so its figures tell how
  little it was given, not how little the rows hold. (Only tokens that occur among its pairs are classes here: one without an
  example is never its answer.)
- `SequenceInverter` is the honest one: a small transformer over the rows of a text, far more pairs, texts that it has never seen.
"""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

PAPER_HIDDEN = 2048
PAPER_EPOCHS = 50
PAPER_BATCH = 256
WIDTH = 384
HEADS = 6
LAYERS = 2
BATCH = 16  # texts
RATE = 1e-3
WARM_UP = 0.05  # of all batches


def paper_inverter(rows: Tensor, tokens: Sequence[int], train: Sequence[int], seed: int = 0) -> list[int]:
    """The tokens that the paper's network says for all `rows` [n, hidden size], after training on the places in `train`."""
    places = torch.tensor(list(train))
    classes, targets = torch.unique(torch.tensor(list(tokens))[places], return_inverse=True)
    mean, spread = _scale(rows[places])
    inputs = (rows - mean) / spread
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = nn.Sequential(
            nn.Linear(rows.shape[1], PAPER_HIDDEN), nn.GELU(), nn.LayerNorm(PAPER_HIDDEN),
            nn.Linear(PAPER_HIDDEN, PAPER_HIDDEN), nn.GELU(), nn.LayerNorm(PAPER_HIDDEN),
            nn.Linear(PAPER_HIDDEN, len(classes)),
        )  # fmt: skip
        batches = math.ceil(len(places) / PAPER_BATCH)
        optimiser = torch.optim.AdamW(network.parameters(), 1e-3, weight_decay=0.01)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, PAPER_EPOCHS * batches)
        for _ in range(PAPER_EPOCHS):
            for batch in torch.randperm(len(places)).chunk(batches):
                optimiser.zero_grad()
                _descend(nn.functional.cross_entropy(network(inputs[places[batch]]), targets[batch]))
                optimiser.step()
                schedule.step()
    with torch.inference_mode():
        said: list[int] = classes[network(inputs).argmax(1)].tolist()
    return said


class SequenceInverter(nn.Module):
    """Says a token for each row of a text, looking at the rows around it."""

    def __init__(self, texts: Sequence[Tensor], tokens: Sequence[Sequence[int]], *, epochs: int, seed: int = 0) -> None:
        """Trains on texts: rows [n, hidden size] and the n tokens behind them."""
        super().__init__()
        self._mean, self._spread = _scale(torch.cat(list(texts)))
        self._classes = torch.unique(torch.tensor([token for text in tokens for token in text]))
        longest = max(map(len, texts))
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self._begin = nn.Linear(texts[0].shape[1], WIDTH)
            self._places = nn.Parameter(0.02 * torch.randn(longest, WIDTH))
            layer = nn.TransformerEncoderLayer(
                WIDTH, HEADS, 4 * WIDTH, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
            )
            self._layers = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
            self._direct = nn.Linear(texts[0].shape[1], WIDTH)
            self._end = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, len(self._classes)))
            self._train_on(texts, tokens, epochs)

    def forward(self, rows: Tensor, padding: Tensor) -> Tensor:
        """Scores [texts, places, classes] of rows [texts, places, hidden size]; `padding` [texts, places] marks what is none."""
        inputs = (rows - self._mean) / self._spread
        hidden = self._begin(inputs) + self._places[: rows.shape[1]]
        scores: Tensor = self._end(self._layers(hidden, src_key_padding_mask=padding) + self._direct(inputs))
        return scores

    def read(self, rows: Tensor) -> list[int]:
        """The likeliest token for each row of one text; a longer text than any in training is read piece by piece."""
        said: list[int] = []
        with torch.inference_mode():
            for piece in torch.split(rows, len(self._places)):
                scores = self(piece[None], torch.zeros(1, len(piece), dtype=torch.bool))
                said += self._classes[scores[0].argmax(-1)].tolist()
        return said

    def _train_on(self, texts: Sequence[Tensor], tokens: Sequence[Sequence[int]], epochs: int) -> None:
        steps = epochs * math.ceil(len(texts) / BATCH)
        optimiser = torch.optim.AdamW(self.parameters(), RATE, weight_decay=0.01)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, _warm_cosine(steps))
        targets = [torch.searchsorted(self._classes, torch.tensor(list(text))) for text in tokens]
        for _ in range(epochs):
            for chosen in torch.split(torch.randperm(len(texts)), BATCH):
                rows = nn.utils.rnn.pad_sequence([texts[place] for place in chosen.tolist()], batch_first=True)
                wanted = nn.utils.rnn.pad_sequence([targets[place] for place in chosen.tolist()], True, -1)
                optimiser.zero_grad()
                scores = self(rows, wanted < 0)
                _descend(nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten(), ignore_index=-1))
                nn.utils.clip_grad_norm_(self.parameters(), 1.0)
                optimiser.step()
                schedule.step()


def _descend(loss: Tensor) -> None:
    loss.backward()  # type: ignore[no-untyped-call]


def _scale(rows: Tensor) -> tuple[Tensor, Tensor]:
    return rows.mean(0), rows.std(0).clamp_min(1e-6)


def _warm_cosine(steps: int) -> Callable[[int], float]:
    warm = max(1, int(WARM_UP * steps))
    return lambda step: min((step + 1) / warm, 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps))))
