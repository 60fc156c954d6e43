"""The numbers of a noise as a person writes them, and what is wrong with those that mean nothing.

The same rules as `privacy.noise.budget` and the levels of its quantiser, which this room may not see; a test holds them together.
"""

import math
from enum import Enum

LEAST_MU, MOST_MU = 1 / 16, 4095.0
MOST_EPSILON = 1e15
"""Beyond it no conversation could ever come, so it would be no budget."""
MOST_TOKENS = 8192
"""Of a conversation, where no model has told its own number."""


class Fault(Enum):
    """Why a text is no number of a noise."""

    EMPTY = "empty"
    NO_NUMBER = "no number"
    NOT_POSITIVE = "not positive"
    INFINITE = "infinite"
    TOO_LARGE = "too large"
    TELLS_A_TOKEN = "larger than one over the tokens"
    NO_LEVEL = "no level"


def read_epsilon(text: str) -> float | Fault:
    """A budget's epsilon."""
    value = _positive(text)
    return Fault.TOO_LARGE if isinstance(value, float) and value > MOST_EPSILON else value


def read_delta(text: str, tokens: int = MOST_TOKENS) -> float | Fault:
    """A budget's delta for a conversation of so many tokens: above one over them it would allow that one is simply told."""
    value = _positive(text)
    return Fault.TELLS_A_TOKEN if isinstance(value, float) and value > 1 / max(2, tokens) else value


def read_mu(text: str) -> float | Fault:
    """A noise level."""
    value = _positive(text)
    return Fault.NO_LEVEL if isinstance(value, float) and not LEAST_MU <= value <= MOST_MU else value


def _positive(text: str) -> float | Fault:
    written = "".join(text.split()).replace(",", "") if _groups(text) else text.strip().replace(",", ".")
    if not written:
        return Fault.EMPTY
    try:
        value = float(written)
    except ValueError:
        return Fault.NO_NUMBER
    if math.isnan(value):
        return Fault.NO_NUMBER
    if value <= 0:
        return Fault.NOT_POSITIVE
    return Fault.INFINITE if math.isinf(value) else value


def _groups(text: str) -> bool:
    """Whether commas or spaces part the thousands: "1,000,000", and "1,000"; but "0,5" and "1,5" have a decimal comma."""
    first, *rest = text.replace(" ", ",").strip(",").split(".", 1)[0].split(",")
    return bool(rest) and first.isdigit() and first != "0" and all(len(part) == 3 and part.isdigit() for part in rest)
