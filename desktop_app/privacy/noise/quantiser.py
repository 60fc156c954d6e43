"""The stochastic quantiser of DP split: integers in, the operating system's coins, integers out.

Theory of operation. Each token of the vocabulary has a fixed, public code z: its embedding under the projection, clipped to
[-c, c] (after the projection and last thing before sampling, for only then does the clip bound what a token changes: the table is
made by `remote_agent.segment.code_table`, the same on both sides; `thresholds` refuses codes that nothing has clipped).
A coordinate v of a code leaves as K ~ Binomial(u, p), u = 2^n - 1, p = (A + v) / (2 A), and the agent reads A (2 K / u - 1), of
mean v (DEL, arXiv 2602.11513; the binomial mechanism of Jin et al., arXiv 2302.09624). The half width A > c sets the noise:

    A = c sqrt(1 + 4 u d / mu^2)

with mu the noise of one token when any token may stand in its place, in the sense of Gaussian differential privacy.

Probabilities live on a grid of 2^-16 (`thresholds`): a draw compares 16 random bits with an integer, so that no rounding of
floats can tell one token from another (Mironov 2012), and the accounting uses the very probabilities that are drawn from.
"""

import math
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from desktop_app.privacy.errors import BadLevel

GRID = 2**16
BITS = (1, 2, 4)

Codes = NDArray[np.float64]
Thresholds = NDArray[np.uint32]
Counts = NDArray[np.uint8]
RandomBytes = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Level:
    """A noise level: nominal `mu` a token, for codes of so many `dimensions` in [-1, 1] (times the clip) and `bits` a coordinate.

    The clip is a factor of code and half width alike and cancels; so it is 1 here. Raises `BadLevel`.
    """

    mu: float
    bits: int
    dimensions: int

    def __post_init__(self) -> None:
        if not (math.isfinite(self.mu) and self.mu > 0):
            raise BadLevel(f"A noise level of {self.mu} does not protect anything. Choose a mu above 0, 20 for example.")
        if self.bits not in BITS:
            raise BadLevel(f"Codes have 1, 2 or 4 bits, not {self.bits}.")
        if self.dimensions < 1:
            raise BadLevel(f"Codes have at least one dimension, not {self.dimensions}.")

    @property
    def steps(self) -> int:
        """u: the largest number that a coordinate can leave as."""
        return (1 << self.bits) - 1

    @property
    def half_width(self) -> float:
        """A, in clips."""
        return math.sqrt(1 + 4 * self.steps * self.dimensions / self.mu**2)

    @property
    def lowest(self) -> int:
        """The smallest threshold: that of a coordinate at -c, rounded towards more noise."""
        return math.ceil(GRID * (self.half_width - 1) / (2 * self.half_width))

    @property
    def extreme(self) -> float:
        """The probability of a one for a coordinate at +c, as drawn: what the accounting of the worst case uses."""
        return (GRID - self.lowest) / GRID


def thresholds(codes: Codes, level: Level) -> Thresholds:
    """What 16 random bits are compared with, for each coordinate of `codes` [.., d'] in [-1, 1]."""
    if codes.shape[-1] != level.dimensions or not np.abs(codes).max(initial=0.0) <= 1:  # NaN is not
        raise BadLevel("These codes are not clipped, or not those of this noise level.")
    width = level.half_width
    grid = np.rint(GRID * (width + codes) / (2 * width)).astype(np.uint32)
    return np.clip(grid, level.lowest, GRID - level.lowest)


def draw(limits: Thresholds, level: Level, random_bytes: RandomBytes = os.urandom) -> Counts:
    """Draw K for each coordinate [.., d'], 0 to u: how many of u random 16-bit numbers lie below its threshold."""
    shape = (*limits.shape, level.steps)
    coins = np.frombuffer(random_bytes(2 * math.prod(shape)), dtype="<u2").reshape(shape)
    counts: Counts = (coins < limits[..., None]).sum(axis=-1, dtype=np.uint8)
    return counts


def packed(counts: Counts, bits: int) -> bytes:
    """The bytes that travel for K [rows, d']: `bits` a coordinate, the first in the lowest bits, each row whole bytes."""
    planes = (counts[..., None] >> np.arange(bits, dtype=np.uint8)) & 1
    return np.packbits(planes.reshape(len(counts), -1), axis=-1, bitorder="little").tobytes()


def bytes_per_row(level: Level) -> int:
    """How many bytes a row of codes takes on the wire."""
    return -(-level.bits * level.dimensions // 8)
