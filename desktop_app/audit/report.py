"""What an audit has found, as a table for people, figures for programs, and the rows that the application keeps.

    recovered.ATTACK.SETTING.OF   a share; with .low and .high its 95 % interval, with .documents what it rests on
    prior_only.ATTACK.SETTING.OF  what the same attacker gets without any traffic

Names are those of the design, section 6. The most that any attack recovered comes first.
"""

import os
import platform
import re
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
import torch
from msgspec import Struct

from desktop_app.audit.intervals import Share
from desktop_app.engine.recovery_table import Row

UNITS: Mapping[str, Literal["values", "texts"]] = {
    "canary": "values",
    "attributes": "texts",
    "traffic": "texts",
    "exact_match": "texts",
    "continuation": "texts",
    "mrpc": "texts",
    "sst2": "texts",
}
NOISE = "dp_mu"  # what settings of noise begin with
_LEVEL = re.compile(rf"{NOISE}(\d+(?:\.\d*[1-9])?)")


class Result(Struct, frozen=True, kw_only=True):
    """One attack at one setting, `exact_public.head4` say; `of` is "prompt" or "reply", with more behind a dot where need be.

    `note` is a sentence on what a reader could misunderstand.
    """

    attack: str
    setting: str
    of: str
    share: Share
    prior: Share
    note: str = ""

    @property
    def name(self) -> str:
        """Attack, setting and what was attacked, as in the figures."""
        return f"{self.attack}.{self.setting}.{self.of}"


def figures(results: Iterable[Result]) -> dict[str, float]:
    """The numbers by name."""
    found: dict[str, float] = {}
    for result in results:
        name = f"recovered.{result.name}"
        share = result.share
        found |= {name: share.value, f"{name}.low": share.low, f"{name}.high": share.high, f"{name}.documents": share.count}
        found[f"prior_only.{result.name}"] = result.prior.value
    return found


def rows(results: Iterable[Result], middle: int, tail: int) -> list[Row]:
    """The results as the application keeps them, each for the one split that it was measured at.

    `middle` is the number of first layers of settings that do not name theirs: protected spans, and shapes of traffic. Under
    noise no layer comes first, and only what the application itself does is kept, not the systems that it is compared with.
    """
    found = []
    for result in results:
        kind, _, depth = result.setting.partition(".head")
        of, _, finer = result.of.partition(".")
        share, noise = result.share, kind.startswith(NOISE)
        if noise and "." in kind.removeprefix(f"{NOISE}{mu_of(kind):g}"):
            continue
        level = f"mu {mu_of(kind):g}" if noise else ""
        found.append(
            Row(
                attack=result.attack,
                of="prompt" if of == "prompt" else "reply",
                detail=".".join(part for part in (level, kind if result.attack == "traffic" else "", finer) if part),
                unit=UNITS.get(result.attack, "tokens"),
                weights="private ends" if kind == "exact_private_ends" else "public",
                head=0 if noise else int(depth) if depth else middle,
                tail=tail,
                mode="dp" if noise else "exact",
                protect=kind == "protected_spans",
                share=share.value,
                low=share.low,
                high=share.high,
                prior_only=result.prior.value,
                documents=share.count,
            )
        )
    return found


def noise_setting(mu: float, system: str = "") -> str:
    """The name of a setting under noise: `dp_mu40`, and of a system that ours is compared with `dp_mu40.del`."""
    return f"{NOISE}{mu:g}" + (f".{system}" if system else "")


def mu_of(setting: str) -> float:
    """The noise level in a setting's name, 0 where there is none."""
    found = _LEVEL.match(setting)
    return float(found[1]) if found else 0.0


def lines(results: Iterable[Result]) -> list[str]:
    """The table for people, the least flattering row first."""
    ranked = sorted(results, key=lambda result: (-result.share.value, result.name))
    wide = max((len(result.name) for result in ranked), default=0)
    table = [f"{'attack and setting':<{wide}}  recovered   95 % interval      prior only  documents"]
    for result in ranked:
        share, note = result.share, f"  {result.note}" if result.note else ""
        table.append(
            f"{result.name:<{wide}}  {share.value:>8.1%}   {share.low:>6.1%} to {share.high:>6.1%}   {result.prior.value:>8.1%}  "
            f"{share.count:>9}{note}"
        )
    return table


def machine() -> dict[str, str | int | None]:
    """What the figures were measured on."""
    return {
        "system": platform.platform(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "torch": str(torch.__version__),
        "threads": torch.get_num_threads(),
    }


def published(found: Mapping[str, float], command: str) -> bytes:
    """The JSON of all benchmarks: figures, machine, command."""
    content = {"figures": dict(found), "machine": machine(), "command": command}
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"
