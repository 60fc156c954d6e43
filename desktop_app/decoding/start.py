"""Where a reply starts in a session that may have spoken before: the rows that every cache still holds."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Start:
    """What a session's caches hold when a reply begins; the default is a new session.

    `rows` is the path, from the very first row on, of (row id, token) that head, middle and tail have all run. The next step
    opens `epoch` and its rows take ids from `next_row` on.
    """

    epoch: int = 0
    next_row: int = 0
    rows: tuple[tuple[int, int], ...] = ()

    def reusable(self, prompt: Sequence[int]) -> int:
        """How many of `rows` begin the prompt; its last token never counts: it is run again, so that it can be drawn."""
        most = min(len(self.rows), len(prompt) - 1)
        return next((index for index in range(most) if self.rows[index][1] != prompt[index]), most)
