"""What codes give away when only the tokens of a real vocabulary can stand behind them: tighter than the worst case.

Theory of operation. `accounting` assumes codes at opposite corners of the clip; those of a real table lie nearer to each other. A
coordinate of token a leaves as Binomial(u, p), so the whole code is an exponential family with natural parameter
eta = ln(p / (1 - p)), and the Rényi divergence between tokens a and b is, coordinate by coordinate,

    (alpha - 1) D_alpha = u [A(alpha eta_a + (1 - alpha) eta_b) - alpha A(eta_a) - (1 - alpha) A(eta_b)],   A(eta) = ln(1 + e^eta)

Since A'' = p (1 - p) <= 1/4, that is at most u alpha (eta_a - eta_b)^2 / 8. So for every alpha and every pair of the table

    D_alpha <= rho alpha,     rho = u max |eta_a - eta_b|^2 / 8

which is zero-concentrated differential privacy (Bun and Steinke 2016, definition 1.1): it is proven by looking at all pairs once,
it adds up over tokens, levels and adaptively chosen texts, and where codes are noisy (p near 1/2) nearly nothing is given away.
The `mu` that goes with it is sqrt(2 rho), that of a Gaussian of the same rho.

The bound holds for one table, one projection and one noise level; it says nothing where one of them is another.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from desktop_app.privacy.noise.budget import check_chance, check_delta
from desktop_app.privacy.noise.quantiser import GRID, Codes, Level, Thresholds
from desktop_app.privacy.noise.quantiser import thresholds as thresholds_of

BLOCK = 4096  # tokens whose distances to as many others are looked at together
ROUNDING = 1e-3  # of distances in 32 bits, as a share of the largest norm: added to what is found
SAMPLE = 2_000  # pairs that a proof is held against


class WorstPair(NamedTuple):
    """The two tokens of a table that noisy codes tell apart best, and the rho that bounds what they tell of any two."""

    first: int
    second: int
    rho: float

    @property
    def mu(self) -> float:
        """The mean of two Gaussians of unit variance with that rho."""
        return math.sqrt(2 * self.rho)


def worst_pair(thresholds: Thresholds, level: Level) -> WorstPair:
    """Look at all pairs of a table of thresholds [tokens, d']; takes V^2 d' multiplications, half a minute for 50,000 tokens."""
    chances = thresholds.astype(np.float64) / GRID
    parameters = np.log(chances / (1 - chances)).astype(np.float32)
    norms = np.einsum("td,td->t", parameters, parameters)
    best, pair = -1.0, (0, 0)
    for start in range(0, len(parameters), BLOCK):
        rows = parameters[start : start + BLOCK]
        for other in range(start, len(parameters), BLOCK):
            columns = parameters[other : other + BLOCK]
            squares = norms[start : start + BLOCK, None] + norms[None, other : other + BLOCK] - 2 * rows @ columns.T
            place = int(squares.argmax())
            if squares.flat[place] > best:
                best, pair = float(squares.flat[place]), (start + place // len(columns), other + place % len(columns))
    exact = float(np.square(_parameters(chances[pair[0]]) - _parameters(chances[pair[1]])).sum())
    # Another pair may be the farther one by what 32 bits round away.
    farthest = max(exact, best) + ROUNDING * float(norms.max())
    return WorstPair(*pair, level.steps * farthest / 8)


def far_pair(codes: Codes, level: Level) -> tuple[int, int]:
    """Two tokens of a table [tokens, d'] that are far apart at a level, hardly ever the farthest: as quick as looking at each."""
    parameters = _parameters(thresholds_of(codes, level) / GRID)
    first = int(np.square(parameters - parameters.mean(0)).sum(axis=1).argmax())
    return first, int(np.square(parameters - parameters[first]).sum(axis=1).argmax())


def contradicted(codes: Codes, level: Level, proven: WorstPair) -> bool:
    """Whether a proof for a table of codes [tokens, d'] says less than its own pair gives, or one of `SAMPLE` others does.

    Milliseconds, where a proof takes many seconds: it finds what is false by much, not what is false by little.
    """
    if not (0 <= proven.first < len(codes) and 0 <= proven.second < len(codes)):
        return True
    others = np.random.default_rng().integers(0, len(codes), (2, SAMPLE))
    ones, twos = np.append(others[0], proven.first), np.append(others[1], proven.second)
    return bool(pair_rhos(codes[ones], codes[twos], level).max() > proven.rho)


def pair_rhos(ones: Codes, others: Codes, level: Level) -> NDArray[np.float64]:
    """What each of `ones` [n, d'] gives away against its fellow in `others` [n, d'] at a level: n rhos, exact."""
    apart = _parameters(thresholds_of(ones, level) / GRID) - _parameters(thresholds_of(others, level) / GRID)
    rhos: NDArray[np.float64] = level.steps * np.square(apart).sum(axis=-1) / 8
    return rhos


def divergence(one: Thresholds, other: Thresholds, level: Level, order: float) -> float:
    """The Rényi divergence D_order between the codes of two tokens, from their thresholds [d']."""
    p, q = one.astype(np.float64) / GRID, other.astype(np.float64) / GRID
    terms = np.logaddexp(order * np.log(p) + (1 - order) * np.log(q), order * np.log1p(-p) + (1 - order) * np.log1p(-q))
    return float(level.steps * terms.sum() / (order - 1))


def epsilon(rho: float, delta: float) -> float:
    """The epsilon at a delta of what is rho-zCDP, by the best order (Canonne, Kamath and Steinke 2020, proposition 12)."""
    check_delta(delta)
    if rho <= 0:
        return 0.0

    def at(order: float) -> float:
        more = math.log(1 / delta) + (order - 1) * math.log1p(-1 / order) - math.log(order)
        return max(0.0, rho * order + more / (order - 1))

    return _least(at)


def success(rho: float, prior: float) -> float:
    """The most that a guess can be right with after all, which is right with probability `prior` beforehand.

    By the order that bounds it best: P <= (prior e^(D_alpha))^((alpha - 1) / alpha) (van Erven and Harremoës 2014, theorem 9).
    """
    check_chance(prior)
    if rho <= 0:
        return prior
    return min(1.0, math.exp(_least(lambda order: (order - 1) / order * (math.log(prior) + rho * order))))


def _parameters(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.log(chances / (1 - chances))


def _least(function: Callable[[float], float]) -> float:
    """The least value over orders above 1, looked for from coarse to fine on a logarithmic scale."""
    low, high = -12.0, 12.0  # ln(order - 1)
    for _ in range(6):
        places = np.linspace(low, high, 41)
        best = int(np.argmin([function(1 + math.exp(place)) for place in places]))
        low, high = float(places[max(0, best - 1)]), float(places[min(40, best + 1)])
    return function(1 + math.exp((low + high) / 2))
