"""What is proven of tables at noise levels (`vocabulary.worst_pair`), kept in files: a proof looks at all pairs, and takes time.

A proof belongs to one table, by the digest of its projection's file, and to one level. Without one the worst case counts, which
is always right and never less. A file that cannot be read, or says what cannot be, proves nothing.
"""

import contextlib
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_app.privacy.noise.quantiser import Level
from desktop_app.privacy.noise.vocabulary import WorstPair

SUFFIX = ".proofs.json"
Write = Callable[[Path, bytes], None]


class ProvenTables:
    """The proofs in some folders, the first of which is added to. Calls to one object come from one thread at a time."""

    def __init__(self, folders: Sequence[Path], write: Write) -> None:
        """`write` puts bytes in the place of a file, whole or not at all."""
        self._folders = tuple(folders)
        self._write = write
        self._known: dict[str, dict[str, WorstPair]] = {}

    def __call__(self, table: str, level: Level) -> float | None:
        """The rho that is proven for a table, by its digest in hex, at a level; None where none is."""
        found = self._of(table).get(_name(level))
        return None if found is None else found.rho

    def add(self, table: str, level: Level, proven: WorstPair) -> None:
        """Keep a proof; where the folder cannot be written to, for as long as the program runs."""
        known = self._of(table)
        known[_name(level)] = proven
        content = {name: pair._asdict() for name, pair in sorted(known.items())}
        with contextlib.suppress(OSError, IndexError):
            self._write(self._folders[0] / f"{table[:32]}{SUFFIX}", json.dumps({table: content}, indent=1).encode() + b"\n")

    def _of(self, table: str) -> dict[str, WorstPair]:
        if table not in self._known:
            self._known[table] = {}
            for folder in reversed(self._folders):
                self._known[table] |= _read(folder / f"{table[:32]}{SUFFIX}", table)
        return self._known[table]


def _read(path: Path, table: str) -> dict[str, WorstPair]:
    try:
        content = json.loads(path.read_bytes())
        pairs = {name: WorstPair(int(it["first"]), int(it["second"]), float(it["rho"])) for name, it in content[table].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return {name: pair for name, pair in pairs.items() if math.isfinite(pair.rho) and pair.rho > 0}


def _name(level: Level) -> str:
    return f"mu16 {round(level.mu * 16)}, {level.bits} bits, {level.dimensions} dimensions"
