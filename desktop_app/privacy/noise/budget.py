"""What a conversation may spend, an epsilon at a delta, and the noise levels that there are: which of them are none."""

import math
from dataclasses import dataclass

from desktop_app.privacy.errors import BadBudget

LEAST_MU, MOST_MU = 1 / 16, 4095
"""Of one token: a level is written in sixteenths, in 16 bits."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a conversation may lose: `epsilon` at `delta`. Raises `BadBudget`."""

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        check_delta(self.delta)
        if not (math.isfinite(self.epsilon) and self.epsilon > 0):
            raise BadBudget(
                f"An epsilon of {self.epsilon:g} is no budget for a conversation: nothing could be sent, or anything. Choose a "
                "number above 0."
            )

    def check_tokens(self, tokens: int) -> None:
        """Raise `BadBudget` where delta would allow that one of so many tokens is simply told."""
        if tokens and self.delta > 1 / tokens:
            raise BadBudget(
                f"A delta of {self.delta:g} is larger than one over the number of tokens, {tokens:,}: it would allow that one of "
                f"them is told in clear. Choose one below {1 / tokens:.1g}, 1e-6 for example."
            )


def check_delta(delta: float) -> None:
    """Raise `BadBudget` where delta is none."""
    if not (math.isfinite(delta) and 0 < delta < 1):
        raise BadBudget(
            f"A delta of {delta:g} means nothing. Choose one well below one over the number of tokens, 1e-6 for example."
        )


def check_chance(chance: float) -> None:
    """Raise `BadBudget` where this is not the chance of a guess."""
    if not 0 < chance < 1:
        raise BadBudget(f"A chance lies between 0 and 1, not at {chance:g}. Choose 1e-6 for one in a million.")
