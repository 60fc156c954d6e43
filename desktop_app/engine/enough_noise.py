"""The least noise with which a budget is kept, by the smaller of the two bounds that are charged (`privacy.noise.costs`).

By the worst case it is looked for in halves. What is proven of the real vocabulary allows for more, but a proof takes many
seconds, so few levels are proven: two tokens far apart at one level are a pair at every level, and what one pair gives away is
worked out at once. No level can fit at which that alone is too much, and the largest that is left is proven; where the proof
finds a pair that is worse, that one counts from there on. These levels are whole numbers, sixteenths below 1.
"""

from bisect import bisect_left
from collections.abc import Callable
from functools import partial

from desktop_app.chat.events import Noise
from desktop_app.engine.errors import RequestRefused
from desktop_app.privacy.noise.accounting import Loss
from desktop_app.privacy.noise.budget import MOST_MU
from desktop_app.privacy.noise.quantiser import Codes, Level
from desktop_app.privacy.noise.vocabulary import WorstPair, epsilon, far_pair, pair_rhos

LEVELS = [*(sixteenths / 16 for sixteenths in range(1, 16)), *map(float, range(1, MOST_MU + 1))]

Prove = Callable[[Level], WorstPair]
"""What is proven of the codes at a level; it takes as long as a proof does."""


def within(noise: Noise, tokens: int, codes: Codes, prove: Prove) -> float:
    """The largest mu at which so many tokens of a table of codes [V, d'] keep the budget. Raises `RequestRefused`."""
    tokens = max(1, tokens)
    least = _by_worst_case(noise, tokens, codes.shape[1])

    def level(mu: float) -> Level:
        return Level(mu, noise.bits, codes.shape[1])

    def fits(rho: float) -> bool:
        return epsilon(rho * tokens, noise.delta) <= noise.epsilon

    def too_much(mu: float, first: int, second: int) -> bool:
        return not fits(float(pair_rhos(codes[[first]], codes[[second]], level(mu))[0]))

    left = [mu for mu in LEVELS if mu > least]
    first, second = far_pair(codes, level(max(1.0, least)))
    while left := left[: bisect_left(left, True, key=partial(too_much, first=first, second=second))]:
        proven = prove(level(left[-1]))
        if fits(proven.rho):
            return left[-1]
        left.pop()
        first, second, _ = proven
    if not least:
        raise RequestRefused(
            f"No noise is strong enough for {tokens:,} tokens at an epsilon of {noise.epsilon:g}. Ask something shorter, attach "
            "fewer documents, or raise the budget."
        )
    return least


def _by_worst_case(noise: Noise, tokens: int, dimensions: int) -> float:
    """The largest mu, in sixteenths, that keeps the budget whatever the codes are; 0 where none does."""
    low, high = 0, MOST_MU * 16 + 1
    while high - low > 1:
        middle = (low + high) // 2
        cost = Loss({Level(middle / 16, noise.bits, dimensions): tokens}).epsilon(noise.delta)
        low, high = (middle, high) if cost <= noise.epsilon else (low, middle)
    return low / 16
