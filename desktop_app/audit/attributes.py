"""Attributes: topic, language and mood of a text, told from nothing but the mean of its rows.

A linear probe needs no weights of the model, only texts whose attributes are known: whoever runs an agent can have those from
chats of their own. The mean over a message also averages out what any noise on single rows would hide (research, section 4.3).
Every text is judged by a probe that was fitted on other texts.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from desktop_app.audit.intervals import Share, share

FOLDS = 8
RIDGE = 1.0  # of the number of texts; rows are standardised


def pooled(rows: Sequence[Tensor]) -> Tensor:
    """One mean [texts, hidden size] for the rows of each text."""
    return torch.stack([part.mean(0) for part in rows])


def probed(means: Tensor, labels: Sequence[str], seed: int = 0) -> Share:
    """How many labels a ridge classifier tells of texts that it was not fitted on."""
    names = sorted(set(labels))
    answers = torch.tensor([names.index(label) for label in labels])
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(seed))
    hits = torch.zeros(len(labels))
    for fold in range(min(FOLDS, len(labels))):
        held = order[fold::FOLDS]
        seen = torch.ones(len(labels), dtype=torch.bool)
        seen[held] = False
        hits[held] = (_scores(means[seen], answers[seen], means[held], len(names)).argmax(1) == answers[held]).float()
    return share(hits.tolist(), [1.0] * len(labels), seed)


def _scores(seen: Tensor, answers: Tensor, held: Tensor, classes: int) -> Tensor:
    """Scores [held, classes] of a ridge regression on one-hot answers, in its dual form: there are fewer texts than numbers."""
    mean, spread = seen.mean(0), seen.std(0).clamp_min(1e-6)
    seen, held = (seen - mean) / spread, (held - mean) / spread
    wanted = torch.nn.functional.one_hot(answers, classes).float()
    kernel = seen @ seen.T / seen.shape[1]
    weights = torch.linalg.solve(kernel + RIDGE * torch.eye(len(seen)) / len(seen) * kernel.trace(), wanted - wanted.mean(0))
    scores: Tensor = held @ seen.T / seen.shape[1] @ weights + wanted.mean(0)
    return scores
