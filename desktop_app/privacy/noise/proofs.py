"""What is proven of tables at noise levels (`vocabulary.worst_pair`), kept in files: a proof looks at all pairs, and takes time.

A proof belongs to one table, by the digest of its projection's file, and to one level. Without one the worst case counts, which
is always right and never less. A file that is not listed, cannot be read, or says what cannot be, proves nothing; and before
anything is charged by a proof, it is held against the codes themselves (`vocabulary.contradicted`), as far as that is quick.
Whoever can write into the person's own folder, its list too, could still say a little less than the truth, as far as its worst
pair and a sample of others do not tell.
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
Listed = Callable[[Path, bytes], bool]


class ProvenTables:
    """The proofs in some folders, the first of which is added to. Calls to one object come from one thread at a time."""

    def __init__(self, folders: Sequence[Path], write: Write, listed: Listed) -> None:
        """`write` puts bytes in the place of a file and lists it; `listed` tells whether a file's bytes are those."""
        self._folders = tuple(folders)
        self._write, self._listed = write, listed
        self._known: dict[str, dict[str, WorstPair]] = {}

    def __call__(self, table: str, level: Level) -> float | None:
        """The rho that is proven for a table, by its digest in hex, at a level; None where none is."""
        found = self.pair(table, level)
        return None if found is None else found.rho

    def pair(self, table: str, level: Level) -> WorstPair | None:
        """What is proven for a table at a level, with the pair that it was found at."""
        return self._of(table).get(_name(level))

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
                self._known[table] |= self._read(folder / f"{table[:32]}{SUFFIX}", table)
        return self._known[table]

    def _read(self, path: Path, table: str) -> dict[str, WorstPair]:
        try:
            data = path.read_bytes()
            said = json.loads(data)[table] if self._listed(path, data) else {}
            pairs = {name: WorstPair(int(it["first"]), int(it["second"]), float(it["rho"])) for name, it in said.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}
        return {name: pair for name, pair in pairs.items() if math.isfinite(pair.rho) and pair.rho > 0}


def _name(level: Level) -> str:
    return f"mu16 {round(level.mu * 16)}, {level.bits} bits, {level.dimensions} dimensions"
