"""Counter-based Gumbel noise: the same numbers for the same (seed, position, token), whatever else is drawn around them.

A token drawn as argmax(logits / temperature + Gumbel noise) follows the softmax (Gumbel-max). With noise from a counter, not
a stream, the draw at a position depends on nothing but the logits there and the seed, so that speculation cannot change the
output: drafter-invariant speculation (Daliri, Musco, Suresh, arXiv 2408.07978). The counter function is Philox4x32-10 (Salmon et
al., "Parallel random numbers: as easy as 1, 2, 3", 2011), vectorised over token ids.
"""

from typing import cast

import numpy as np
from numpy.typing import NDArray

_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = 0x9E3779B9
_WEYL_1 = 0xBB67AE85
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)

# Uniforms have 24 bits and lie strictly between 0 and 1, so the noise is bounded above: a token whose score is further than this
# below the best perturbed one cannot win, and needs no noise.
LARGEST = float(-np.log(-np.log1p(-(2.0**-25))))


def philox(counter: tuple[NDArray[np.uint64], int, int, int], key: int) -> NDArray[np.uint64]:
    """Return the first 32-bit word of Philox4x32-10 for each first counter word; `key` has 64 bits."""
    c0 = counter[0] & _LOW
    c1, c2, c3 = (np.full_like(c0, word & 0xFFFFFFFF) for word in counter[1:])
    k0, k1 = key & 0xFFFFFFFF, (key >> 32) & 0xFFFFFFFF
    for _ in range(10):
        first, second = c0 * _MULTIPLIER_0, c2 * _MULTIPLIER_1
        c0, c1, c2, c3 = (
            (second >> _HALF) ^ c1 ^ np.uint64(k0),
            second & _LOW,
            (first >> _HALF) ^ c3 ^ np.uint64(k1),
            first & _LOW,
        )
        k0, k1 = (k0 + _WEYL_0) & 0xFFFFFFFF, (k1 + _WEYL_1) & 0xFFFFFFFF
    return c0


def gumbel(seed: int, position: int, tokens: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return standard Gumbel noise [len(tokens)] for these token ids at this position."""
    words = philox((tokens.astype(np.uint64), position, position >> 32, 0), seed)
    uniform = ((words >> np.uint64(8)).astype(np.float64) + 0.5) * 2.0**-24
    return cast(NDArray[np.float64], -np.log(-np.log(uniform)))
