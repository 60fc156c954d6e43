"""Learned inverters: attackers without the desktop's own layers, who have seen pairs of rows and texts.

Whoever runs an agent can chat with it like anybody else, and so knows the texts behind some rows. Two networks learn from that:

- `paper_inverter` is that of Cunningham 2026 (arXiv 2602.16760, section on inversion), word for word: H -> 2048 -> 2048 -> V with
  GELU and LayerNorm, AdamW 1e-3 with weight decay 0.01, 50 epochs on a cosine, batch 256, about 1,100 pairs from 16 texts, and
  training and test rows are random positions *of the same texts*. What it cannot have seen it cannot say, so its figures tell how
  little it was given, not how little the rows hold. (Only tokens that occur among its pairs are classes here: one without an
  example is never its answer.)
- `SequenceInverter` is the honest one: far more pairs, every token of the vocabulary among them where there is time, texts
  that it has never seen; a linear discriminant in closed form, and a small transformer that adds what the rows around tell.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from desktop_app.audit.discriminant import BOTTOM, Discriminant, Moments

PAPER_HIDDEN = 2048
PAPER_EPOCHS = 50
PAPER_BATCH = 256
WIDTH = 256
HEADS = 4
LAYERS = 2
DROPOUT = 0.1
CANDIDATES = 16  # of the discriminant, for each row
FOLDS = 4  # of the texts; one of them chooses
BATCH = 8  # texts
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


@dataclass(frozen=True, slots=True)
class _Text:
    """Standardised rows [n, hidden size], the candidates of a discriminant for each and their scores, both [n, candidates].

    `answers` [n] tells which candidate is right; -1: none.
    """

    rows: Tensor
    candidates: Tensor
    scores: Tensor
    answers: Tensor

    @classmethod
    def of(cls, discriminant: Discriminant, rows: Tensor, targets: Tensor | None = None) -> "_Text":
        scores, candidates = discriminant.best(rows, CANDIDATES)
        if targets is None:
            return cls(rows, candidates, scores, torch.full((len(rows),), -1))
        right = (candidates == targets[:, None]) & (scores > BOTTOM / 2)
        return cls(rows, candidates, scores, torch.where(right.any(1), right.int().argmax(1), -1))


class SequenceInverter(nn.Module):
    """Says a token for each row of a text: a discriminant names candidates, and a network chooses by the rows around.

    The network tells what the rows around have added to a row, and so moves the candidates' scores. It starts at nothing, where
    it says what the discriminant says, and learns from candidates of discriminants that were fitted without the text at hand: one
    that knows a text leaves nothing to learn from it. Whether it is asked at all (`uses_context`) is chosen on texts that were
    held back from all training; so it is never knowingly worse than the closed form.
    """

    def __init__(
        self, texts: Sequence[Tensor], tokens: Sequence[Sequence[int]], alike: int, *, epochs: int, seed: int = 0
    ) -> None:
        """Trains on texts: rows [n, hidden size] and the n tokens behind them.

        The first `alike` texts, at least `FOLDS`, are like those that will be read; the others are there for the discriminant,
        which learns rare tokens from them.
        """
        super().__init__()
        self._mean, self._spread = _scale(torch.cat(list(texts)))
        self._classes = torch.unique(torch.tensor([token for text in tokens for token in text]))
        self._longest = max(map(len, texts[:alike]))
        size = texts[0].shape[1]
        targets = [torch.searchsorted(self._classes, torch.tensor(list(text))) for text in tokens]
        inputs = [(text - self._mean) / self._spread for text in texts]
        drawn: list[list[_Text]] = []
        for fold in range(FOLDS):
            own = range(fold, alike, FOLDS)
            fitted = self._fitted(inputs, targets, without=set(own))
            drawn.append([_Text.of(fitted, inputs[place], targets[place]) for place in own])
            if fold == 0:
                self._discriminant = fitted  # reads, and knows all texts but those that choose
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self._begin = nn.Linear(size, WIDTH)
            self._places = nn.Parameter(0.02 * torch.randn(self._longest, WIDTH))
            layer = nn.TransformerEncoderLayer(
                WIDTH, HEADS, 4 * WIDTH, dropout=DROPOUT, activation="gelu", batch_first=True, norm_first=True
            )
            self._layers = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
            self._end = nn.Linear(WIDTH, size)
            nn.init.zeros_(self._end.weight)
            nn.init.zeros_(self._end.bias)
            self._train_on([text for texts_of_fold in drawn[1:] for text in texts_of_fold], epochs)
        self.train(False)
        self.held_back = sum(len(text.rows) for text in drawn[0])
        self.right_alone = sum(int((text.answers == 0).sum()) for text in drawn[0])
        self.right_with_context = sum(int((self._chosen(text) == text.answers).sum()) for text in drawn[0])
        self.uses_context = self.right_with_context > self.right_alone

    def forward(self, texts: Sequence[_Text]) -> Tensor:
        """Scores [texts, places, candidates]; places behind the end of a text are there and mean nothing."""
        rows = nn.utils.rnn.pad_sequence([text.rows for text in texts], batch_first=True)
        padding = torch.arange(rows.shape[1])[None] >= torch.tensor([len(text.rows) for text in texts])[:, None]
        added = self._end(self._layers(self._begin(rows) + self._places[: rows.shape[1]], src_key_padding_mask=padding))
        candidates = nn.utils.rnn.pad_sequence([text.candidates for text in texts], batch_first=True)
        scores = nn.utils.rnn.pad_sequence([text.scores for text in texts], batch_first=True)
        moved: Tensor = scores + (self._discriminant.weights[candidates] @ added[..., None]).squeeze(-1)
        return moved

    def read(self, rows: Tensor) -> list[int]:
        """The likeliest token for each row of one text; a longer text than any in training is read piece by piece."""
        said: list[int] = []
        for piece in torch.split((rows - self._mean) / self._spread, self._longest):
            text = _Text.of(self._discriminant, piece)
            chosen = self._chosen(text) if self.uses_context else torch.zeros(len(piece), dtype=torch.int64)
            said += self._classes[text.candidates.gather(1, chosen[:, None])[:, 0]].tolist()
        return said

    def _chosen(self, text: _Text) -> Tensor:
        """Which of its candidates each place is, by the network."""
        with torch.inference_mode():
            chosen: Tensor = self([text])[0].argmax(-1)
        return chosen

    @staticmethod
    def _fitted(inputs: Sequence[Tensor], targets: Sequence[Tensor], without: set[int]) -> Discriminant:
        kept = [place for place in range(len(inputs)) if place not in without]
        count = 1 + max(int(text.max()) for text in targets)
        rows, tokens = torch.cat([inputs[place] for place in kept]), torch.cat([targets[place] for place in kept])
        return Discriminant.of(Moments.of(rows, tokens, count))

    def _train_on(self, texts: Sequence[_Text], epochs: int) -> None:
        batches = math.ceil(len(texts) / BATCH)
        if not epochs * batches:
            return
        optimiser = torch.optim.AdamW(self.parameters(), RATE, weight_decay=0.01)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, _warm_cosine(epochs * batches))
        for _ in range(epochs):
            for chosen in torch.randperm(len(texts)).chunk(batches):
                batch = [texts[place] for place in chosen.tolist()]
                answers = nn.utils.rnn.pad_sequence([text.answers for text in batch], True, -1)
                if not (answers >= 0).any():
                    continue
                optimiser.zero_grad()
                _descend(nn.functional.cross_entropy(self(batch).flatten(0, 1), answers.flatten(), ignore_index=-1))
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
