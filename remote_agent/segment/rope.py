"""Rotary position embedding: the angles of each position, in the four kinds that the supported models use.

Channel j of a head's first half and channel j of its second half form a pair that is turned by position x frequency j. The scaled
kinds stretch the frequencies of a model trained on short texts: `linear` all of them alike, `llama3` only the slow ones, `yarn`
by a ramp between fast and slow, with a factor on the result. Frequencies are computed in float32 with torch, exactly as
transformers does: an ulp of difference is multiplied by the position.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal, cast

import torch

from remote_agent.segment.errors import BadModelFile, UnsupportedModel

Kind = Literal["default", "linear", "llama3", "yarn"]
KINDS = ("default", "linear", "llama3", "yarn")
FIRST_POSITIONS = 1024


@dataclass(frozen=True, slots=True)
class Rope:
    """One layer's rotary embedding: base and, for the scaled kinds, their constants; `attention_factor` is on cosine and sine."""

    theta: float
    kind: Kind = "default"
    factor: float = 1.0
    original_positions: int = 0
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    attention_factor: float = 1.0
    truncate: bool = True

    @classmethod
    def from_parameters(cls, parameters: dict[str, Any], max_positions: int) -> "Rope":
        """From `rope_parameters` (or `rope_scaling` with `rope_theta` put in); raises `UnsupportedModel` or `BadModelFile`."""
        kind = parameters.get("rope_type", parameters.get("type", "default"))
        if kind not in KINDS:
            raise UnsupportedModel(
                f"This model scales its positions by “{kind}”, which Sotto does not compute. "
                f"Choose a model that uses one of: {', '.join(KINDS)}."
            )
        if parameters.get("partial_rotary_factor") not in (None, 1, 1.0):
            raise UnsupportedModel(
                "This model rotates only a part of each head, which Sotto does not compute. Choose another model."
            )
        try:
            rope = cls._read(cast(Kind, kind), parameters, max_positions)
            numbers = (rope.theta, rope.factor, rope.low_freq_factor, rope.beta_fast, rope.beta_slow, rope.attention_factor)
            if not all(0 < number < math.inf for number in numbers) or rope.high_freq_factor <= rope.low_freq_factor:
                raise ValueError("a constant out of range")
        except (KeyError, TypeError, ValueError, ArithmeticError) as error:
            raise BadModelFile(
                f"The model's config.json gives no usable rotary embedding ({error!s}). Fetch the model's files again."
            ) from error
        return rope

    @classmethod
    def _read(cls, kind: Kind, parameters: dict[str, Any], max_positions: int) -> "Rope":
        theta = float(parameters["rope_theta"])
        if kind == "default":
            return cls(theta)
        original = max(int(parameters.get("original_max_position_embeddings") or max_positions), 1)
        factor = parameters.get("factor")
        if factor is None and kind == "yarn":
            factor = max_positions / original
        factor = float(cast(float, factor))
        if kind == "linear":
            return cls(theta, kind, factor)
        if kind == "llama3":
            low, high = float(parameters["low_freq_factor"]), float(parameters["high_freq_factor"])
            return cls(theta, kind, factor, original, low_freq_factor=low, high_freq_factor=high)
        return cls(
            theta,
            kind,
            factor,
            original,
            beta_fast=float(parameters.get("beta_fast") or 32),
            beta_slow=float(parameters.get("beta_slow") or 1),
            attention_factor=_yarn_attention_factor(parameters, factor),
            truncate=bool(parameters.get("truncate", True)),
        )

    def frequencies(self, head_dim: int) -> torch.Tensor:
        """Radians per position of each pair of channels: float32 [head_dim / 2]."""
        exponents = torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim
        frequencies = 1.0 / (self.theta**exponents)
        if self.kind == "linear":
            return frequencies / self.factor
        if self.kind == "llama3":
            return self._llama3(frequencies)
        if self.kind == "yarn":
            return self._yarn(self.theta**exponents, head_dim)
        return frequencies

    def _llama3(self, frequencies: torch.Tensor) -> torch.Tensor:
        """Fast pairs as they are, slow ones divided by the factor, a blend for wavelengths between."""
        longest = self.original_positions / self.low_freq_factor
        shortest = self.original_positions / self.high_freq_factor
        wavelengths = 2 * math.pi / frequencies
        blend = (self.original_positions / wavelengths - self.low_freq_factor) / (self.high_freq_factor - self.low_freq_factor)
        blended = (1 - blend) * frequencies / self.factor + blend * frequencies
        slowed = torch.where(wavelengths > longest, frequencies / self.factor, blended)
        return torch.where(wavelengths < shortest, frequencies, slowed)

    def _yarn(self, wavelengths: torch.Tensor, head_dim: int) -> torch.Tensor:
        """Pairs that turn often keep their speed, pairs that turn seldom are interpolated, a linear ramp between."""

        def pair_that_turns(times: float) -> float:
            return head_dim * math.log(self.original_positions / (times * 2 * math.pi)) / (2 * math.log(self.theta))

        low, high = pair_that_turns(self.beta_fast), pair_that_turns(self.beta_slow)
        if self.truncate:
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, head_dim - 1)
        if low == high:
            high += 0.001  # a step instead of a ramp, without a division by zero
        ramp = torch.clamp((torch.arange(head_dim // 2, dtype=torch.float32) - low) / (high - low), 0, 1)
        keep = 1 - ramp
        return (1.0 / (self.factor * wavelengths)) * (1 - keep) + (1.0 / wavelengths) * keep


def _yarn_attention_factor(parameters: dict[str, Any], factor: float) -> float:
    given = parameters.get("attention_factor")
    if given is not None:
        return float(given)

    def scale(weight: float) -> float:
        return 1.0 if factor <= 1 else 0.1 * weight * math.log(factor) + 1.0

    mscale, all_dim = parameters.get("mscale"), parameters.get("mscale_all_dim")
    return scale(float(mscale)) / scale(float(all_dim)) if mscale and all_dim else scale(1.0)


class RopeTable:
    """Cosines and signed sines of all positions so far asked for, on one device in one dtype; grows by doubling."""

    def __init__(self, rope: Rope, head_dim: int, device: torch.device, dtype: torch.dtype) -> None:
        self._rope = rope
        self._frequencies = rope.frequencies(head_dim)
        self._device, self._dtype = device, dtype
        self._cosines = self._sines = torch.empty(0)
        self._compute(FIRST_POSITIONS)

    def _compute(self, positions: int) -> None:
        angles = torch.arange(positions, dtype=torch.float32)[:, None] * self._frequencies
        cosines, sines = angles.cos() * self._rope.attention_factor, angles.sin() * self._rope.attention_factor
        self._cosines = torch.cat((cosines, cosines), dim=1)[:, None].to(self._device, self._dtype)
        # The first half is turned by minus sine: with the sign in the table, `rotate` needs no negation.
        self._sines = torch.cat((-sines, sines), dim=1)[:, None].to(self._device, self._dtype)

    def at(self, positions: torch.Tensor, longest: int) -> tuple[torch.Tensor, torch.Tensor]:
        """(cosines, signed sines), each [n, 1, head_dim], of int64 positions [n] on the device, none above `longest`."""
        if longest >= self._cosines.shape[0]:
            self._compute(max(longest + 1, 2 * self._cosines.shape[0]))
        return self._cosines.index_select(0, positions), self._sines.index_select(0, positions)


def rotate(heads: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Turn queries or keys [n, heads, head_dim] by what `RopeTable.at` gave for their rows; a new tensor."""
    cosines, sines = turn
    return torch.addcmul(heads * cosines, heads.roll(heads.shape[-1] // 2, -1), sines)
