"""What attackers get back at a split, as an audit has measured it; a measurement is for exactly one setting, never for the next.

Tables lie in `resources/audit`, shipped, and in the person's data folder, where `sotto audit` writes those of other models and
splits. The person's own is believed first: it was measured on this machine's model.
"""

import logging
import math
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from desktop_app.chat.events import Split
from desktop_app.chat.stored import Recovered
from desktop_app.engine.model_digest import model_digest
from desktop_app.model import starter
from desktop_app.settings.paths import user_paths

SHIPPED = Path(__file__).resolve().parents[2] / "resources" / "audit"
MOST_BYTES = 16 * 1024 * 1024

CORE: tuple[tuple[str, Literal["prompt", "reply"]], ...] = (
    ("exact_search", "prompt"),
    ("exact_search", "reply"),
    ("tail_completion", "reply"),
    ("tail_completion", "prompt"),
)
"""What every setting is attacked with; named where nothing was measured."""

NOISY: tuple[tuple[str, Literal["prompt", "reply"]], ...] = (("map_with_model", "prompt"), ("agreement", "reply"))
"""The same under noise: the best attack, and what is left of the answer."""

UTILITY = frozenset({"agreement", "gain", "continuation", "similarity", "exact_match", "perplexity", "mrpc", "sst2"})
"""Rows that tell what is left of an answer, not what is got back."""

FACTOR = 2.0
"""A measured noise level stands for those that are at most so many times larger or smaller."""

_MU = re.compile(r"mu (\d+(?:\.\d+)?)(?:[ .,]+(\D.*))?")

_log = logging.getLogger(__name__)


class Row(Struct, frozen=True, kw_only=True):
    """One attack at one setting; `detail`, `protect` and `unit` as in `Recovered`. In mode "dp", `detail` begins with "mu 40"."""

    attack: str
    of: Literal["prompt", "reply"]
    weights: Literal["public", "private ends"]
    head: int
    tail: int
    mode: str
    protect: bool
    share: float
    low: float
    high: float
    prior_only: float
    documents: int
    detail: str = ""
    unit: Literal["tokens", "values", "texts"] = "tokens"


class Table(Struct, frozen=True, kw_only=True):
    """The measurements of one model; `digest` is that of its manifest, in hex; `command`, `seed` and `machine` say how."""

    model: str
    digest: str
    rows: list[Row]
    figures: dict[str, float]
    machine: dict[str, str | int | None]
    command: str
    seed: int


def table_name(model: str) -> str:
    """What the tables call the model that a person named so: "" is the starter, else a file, a folder or a Hub id."""
    path = Path(model)
    if model in ("", starter.NAME) or path.name == starter.FILE_NAME:
        return starter.NAME
    if path.suffix.lower() == ".gguf":
        return path.stem
    return model if model.count("/") == 1 and not path.is_absolute() else path.name


def file_name(model: str) -> str:
    """The file of a table, by the name of `table_name`."""
    return "".join(letter if letter.isalnum() or letter in "-._" else "-" for letter in model.lower()) + ".json"


def recovered(
    model: str,
    split: Split,
    protect: bool,
    folders: Sequence[Path] | None = None,
    models: Path | None = None,
    mu: float = 0.0,
) -> list[Recovered]:
    """What attackers get back of what is sent at this split, the worst first; stand-ins count as what was sent.

    With `mu` that of noisy codes, whatever the split, at the measured level nearest to it; and what is left of the answer.

    With `protect`, rows about what the stand-ins stand for come too. Of an attack that was not measured at this very split, and
    on this very model as it is prepared in `models`, there is an entry with `measured` false and the command that measures it.
    With all layers here nothing is sent: the list is empty.
    """
    if split.only_here:
        return []
    rows = _rows(model, folders, models)
    if mu:
        return _at_noise(model, [row for row in rows if row.mode == "dp" and row.protect <= protect], mu)
    found: dict[tuple[str, str, str, str, bool], Row] = {}
    for row in rows:
        if (row.head, row.tail) == (split.head, split.tail) and row.mode == "exact" and row.protect <= protect:
            found.setdefault((row.attack, row.of, row.detail, row.weights, row.protect), row)
    return _told(list(map(_recovered, found.values())), CORE, _command(model, split))


def _rows(model: str, folders: Sequence[Path] | None, models: Path | None) -> list[Row]:
    """What was measured of this very model, the person's own first."""
    digest = model_digest(model, models or user_paths().models)
    pinned = digest is None and model in ("", starter.NAME)  # not prepared yet, but it will be that file and no other
    tables = _tables(folders or (user_paths().data / "audit", SHIPPED), table_name(model))
    return [row for table in tables if table.digest == digest or pinned for row in table.rows]


def _at_noise(model: str, rows: Sequence[Row], mu: float) -> list[Recovered]:
    """The rows of the measured level that is nearest to `mu`, none where that is far away."""
    levels = {float(match[1]) for row in rows if (match := _MU.fullmatch(row.detail))} - {0.0}
    nearest = min(levels, key=lambda level: abs(math.log(level / mu)), default=math.inf)
    near = abs(math.log(nearest / mu)) <= math.log(FACTOR) + 1e-9
    found: dict[tuple[str, str, str, str, bool], Recovered] = {}
    for row in rows if near else ():
        if (match := _MU.fullmatch(row.detail)) and float(match[1]) == nearest:
            it = replace(_recovered(row), detail=match[2] or "", mu=nearest)
            found.setdefault((it.attack, it.of, it.detail, it.weights, it.protect), it)
    return _told(list(found.values()), NOISY, shlex.join(["sotto", "audit", *_named(model), "--mode", "dp", "--mu", f"{mu:g}"]))


def _told(measured: list[Recovered], usual: Sequence[tuple[str, Literal["prompt", "reply"]]], command: str) -> list[Recovered]:
    """The worst first; before them what is usually measured and was not."""
    known = {(it.attack, it.of) for it in measured if it.weights == "public" and not it.detail}
    missing = [
        Recovered(attack=attack, of=of, weights="public", measured=False, command=command, utility=attack in UTILITY)
        for attack, of in usual
        if (attack, of) not in known
    ]
    return [*missing, *sorted(measured, key=lambda it: (it.utility, -it.share, it.attack, it.of, it.detail))]


def _recovered(row: Row) -> Recovered:
    return Recovered(
        attack=row.attack,
        of=row.of,
        weights=row.weights,
        detail=row.detail,
        protect=row.protect,
        unit=row.unit,
        share=row.share,
        low=row.low,
        high=row.high,
        prior_only=row.prior_only,
        utility=row.attack in UTILITY,
    )


def _command(model: str, split: Split) -> str:
    return shlex.join(["sotto", "audit", *_named(model), "--head", str(split.head), "--tail", str(split.tail)])


def _named(model: str) -> list[str]:
    return [] if table_name(model) == starter.NAME else ["--model", model]


def _tables(folders: Iterable[Path], name: str) -> list[Table]:
    """The tables of this model that can be read; one that cannot is as good as none: then nothing was measured."""
    tables = []
    for folder in folders:
        path = folder / file_name(name)
        try:
            if path.stat().st_size <= MOST_BYTES:
                tables.append(msgspec.json.decode(path.read_bytes(), type=Table))
        except FileNotFoundError:
            continue
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            _log.warning("A table of the audit could not be read: %s.", type(error).__name__)
    return [table for table in tables if table.model == name]
