"""Tail completion: the agent finishes the model and reads the reply.

The agent has computed the rows behind the middle layers itself. With the public last layers, norm and LM head it gets the very
logits from which the desktop draws: the arg-max behind row t is the token that follows it. That is every token of a greedy reply,
most of a sampled one, and at the prompt's rows a guess at its next token (research, 1.4 fault 2 and 4.1).
"""

import torch
from torch import Tensor

from desktop_app.audit.held_rows import HeldRows
from desktop_app.open_weights.public_model import PublicModel, run_chain

ROWS_AT_ONCE = 128  # of logits: 25 MB with a vocabulary of 50,000


class TailCompletion:
    """Runs the public tail on what came back."""

    def __init__(self, model: PublicModel, tail: int) -> None:
        self._model = model
        self._tail = model.tail(tail)

    def logits(self, rows: HeldRows, path: list[int] | None = None) -> Tensor:
        """Logits [path, vocabulary] of the token that follows each row of a path, by default the one that was kept."""
        line = rows.path if path is None else path
        hidden = run_chain(self._tail, rows.returned[line])
        logits = torch.cat([self._model.output(part) for part in torch.split(hidden, ROWS_AT_ONCE)])
        # A row that was never run tells nothing: every token is as likely.
        logits[[place for place, row in enumerate(line) if not rows.answered[row]]] = 0.0
        return logits

    def read(self, rows: HeldRows) -> list[int]:
        """The likeliest token behind each row of the path: entry t is the guess at token t + 1."""
        tokens: list[int] = self.logits(rows).argmax(-1).tolist()
        return tokens
