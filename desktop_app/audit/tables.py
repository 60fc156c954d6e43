"""Keeps what an audit has measured where the application looks it up (`engine.recovery_table`)."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from desktop_app.audit.report import machine
from desktop_app.engine.recovery_table import Row, Table, file_name, table_name
from desktop_app.settings.paths import write_atomically

NOISY, BETWEEN = "--mode dp", "; "
OF_NOISE = ("dp_mu", ".at_prior_plus_")  # in the names of figures


class Measured(Struct, frozen=True):
    """What a table says of its making: the model as it was named, the digest of its manifest in hex, command, seed, figures."""

    model: str
    digest: str
    command: str
    seed: int
    figures: dict[str, float]


def folder(data: Path) -> Path:
    """Where the person's own tables lie below their data folder."""
    return data / "audit"


def stem(model: str) -> str:
    """The name of a model's table without its ending."""
    return file_name(table_name(model)).removesuffix(".json")


def keep(where: Path, measured: Measured, rows: Sequence[Row]) -> Path:
    """Write these rows over those of the same attack and setting; others of the same model stay. Raises `OSError`.

    Rows under noise go over all such rows: what was measured of another projection must not stand beside them.
    """
    name = table_name(measured.model)
    path = where / file_name(name)
    kept: list[Row] = []
    figures: dict[str, float] = {}
    command = measured.command
    try:
        old = msgspec.json.decode(path.read_bytes(), type=Table)
        if old.digest == measured.digest:
            kept, figures = old.rows, old.figures
            # An exact split and noise are audited apart; each has its own command.
            others = [it for it in old.command.split(BETWEEN) if (NOISY in it) != (NOISY in command)]
            command = BETWEEN.join(filter(None, [*others, command]))
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        pass  # none, or one that is of no use any more
    if any(row.mode == "dp" for row in rows):
        kept = [row for row in kept if row.mode != "dp"]
        figures = {name: value for name, value in figures.items() if not any(part in name for part in OF_NOISE)}
    places = {_place(row): row for row in kept} | {_place(row): row for row in rows}
    table = Table(
        model=name,
        digest=measured.digest,
        rows=list(places.values()),
        figures=figures | measured.figures,
        machine=machine(),
        command=command,
        seed=measured.seed,
    )
    write_atomically(path, msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n")
    return path


def _place(row: Row) -> tuple[object, ...]:
    return (row.attack, row.of, row.detail, row.weights, row.head, row.tail, row.mode, row.protect)
