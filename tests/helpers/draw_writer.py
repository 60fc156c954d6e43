"""Conversations with noise for tests, and a process that draws and sends until it is killed.

`python -m tests.helpers.draw_writer FOLDER SEED CALLS` opens the archive in FOLDER, draws codes for message after message, those
of a prompt in one transaction as the engine does, and then appends what it "sends" to FOLDER/sent, a line each: message, place,
token, level, codes. It kills itself (SIGKILL) at the CALLS-th thing that can be cut off: before or after a statement of the
database, before or after the coins, before or after a line is sent. The key is zeros.
"""

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from desktop_app.archive.database import KEY_BYTES, Archive
from desktop_app.privacy.noise import quantiser
from desktop_app.privacy.noise.budget import Budget
from desktop_app.privacy.noise.draws import SCHEMA, Draw, Draws
from desktop_app.privacy.noise.ledger import Ledger, Proofs, Terms, Way
from desktop_app.privacy.noise.occurrences import NO_NOTES, Notes, Occurrences
from desktop_app.privacy.noise.quantiser import Level, Thresholds
from tests.helpers.source_tree import ROOT

KEY = bytes(KEY_BYTES)
TABLE = "ab" * 32
BITS, DIMENSIONS = 2, 16
MILD, STRICT = 48, 16
"""Levels, in sixteenths."""
TERMS = Terms(Way.CHARGED_REPLY, Budget(1e6, 1e-6), TABLE, BITS, DIMENSIONS, (MILD, STRICT))
BYTES_A_DRAW = 2 * DIMENSIONS * (2**BITS - 1)
"""Of coins."""
CONVERSATION = "c"
SENT = "sent"


def limits(token: int, level: Level) -> Thresholds:
    """The thresholds of a token: codes spread over the clip."""
    return quantiser.thresholds(np.cos((token + 1.0) * np.arange(1, level.dimensions + 1)), level)


def cheaply(table: str, level: Level) -> float | None:
    """A rho for every level: epsilon is quick to tell then."""
    return level.mu**2 / 2


class Coins:
    """The operating system's coins, counted."""

    def __init__(self) -> None:
        self.bytes = 0

    def __call__(self, count: int) -> bytes:
        self.bytes += count
        return os.urandom(count)

    @property
    def draws(self) -> int:
        """How many tokens coins were thrown for."""
        assert self.bytes % BYTES_A_DRAW == 0
        return self.bytes // BYTES_A_DRAW


class Drawing:
    """An archive in memory, its ledger and occurrences, with coins that are counted; one conversation has begun."""

    def __init__(self, terms: Terms = TERMS, proofs: Proofs = cheaply, archive: Archive | None = None) -> None:
        self.coins = Coins()
        self.archive = archive or Archive.in_memory([SCHEMA])
        self.ledger = Ledger(self.archive, proofs)
        self.occurrences = Occurrences(self.archive, self.ledger, TABLE, limits, self.coins)
        self.ledger.begin(CONVERSATION, terms)

    def of(
        self, message: str, tokens: Sequence[int], level: int | Sequence[int] = MILD, like: str = "", notes: Notes = NO_NOTES
    ) -> list[Draw]:
        """What is sent for a message of the conversation, at one level or at as many as there are tokens."""
        levels = [level] * len(tokens) if isinstance(level, int) else level
        return self.occurrences.of(CONVERSATION, message, tokens, levels, like, notes)


def database(folder: Path) -> Path:
    """Where the archive is."""
    return folder / "conversations.db"


class _Cut:
    """Kills this process at the so-many-th time that it is asked."""

    def __init__(self, calls: int) -> None:
        self._left = calls

    def __call__(self) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, which may be cut off before and after it has run."""

        def cut(*arguments: Any) -> Any:
            self()
            result = function(*arguments)
            self()
            return result

        return cut


def write(folder: Path, seed: int, calls: int) -> None:
    """Draw and send until the kill."""
    randomness, cut = random.Random(seed), _Cut(calls)
    archive = Archive.open(database(folder), KEY, [SCHEMA])
    drawing = Drawing(archive=archive)
    occurrences = Occurrences(archive, drawing.ledger, TABLE, limits, cut.around(os.urandom))
    archive._run = cut.around(archive._run)  # type: ignore[method-assign]
    file = os.open(folder / SENT, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    before: list[int] = []
    number = 0
    while True:
        tokens = [*before[: randomness.randrange(12)], *(randomness.randrange(100) for _ in range(randomness.randrange(1, 12)))]
        levels = [MILD if token % 3 else STRICT for token in tokens]
        message, like = f"{seed}-{calls}-{number}", f"{seed}-{calls}-{number - 1}"
        prompt = {message: tokens, f"{message}-other": tokens[:3]}
        with archive.transaction():
            drawn = {
                name: occurrences.of(CONVERSATION, name, ids, levels[: len(ids)], like if name == message else "", _notes(ids))
                for name, ids in prompt.items()
            }
        for name, draws in drawn.items():
            for place, (token, draw) in enumerate(zip(prompt[name], draws, strict=True)):
                cut()
                os.write(file, f"{name} {place} {token} {draw.mu16} {draw.codes.hex()}\n".encode())
                cut()
        before, number = tokens, number + 1


def _notes(tokens: Sequence[int]) -> Notes:
    return Notes(spans={0: ["value"]}, shared={len(tokens) - 1: "name"})


def kill_at(folder: Path, seed: int, calls: int) -> None:
    """Let a process draw and send in this folder, and be killed at its `calls`-th chance."""
    command = [sys.executable, "-m", "tests.helpers.draw_writer", str(folder), str(seed), str(calls)]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert process.returncode == -signal.SIGKILL, process.stderr


def not_charged(folder: Path) -> list[str]:
    """What was sent and is not in the ledger, byte for byte; and every way in which the ledger shows less than what left."""
    sent = [line.split() for line in (folder / SENT).read_text().splitlines()] if (folder / SENT).exists() else []
    archive = Archive.open(database(folder), KEY, [SCHEMA])
    try:
        drawing = Drawing(archive=archive)
        kept = {
            (message, str(place)): (token, mu16, codes.hex())
            for message, place, token, mu16, codes in archive.query(
                "SELECT message, place, token, mu16, codes FROM occurrence JOIN draw ON draw.number = occurrence.draw"
            )
        }
        wrong = [
            f"{message}/{place}"
            for message, place, token, mu16, codes in sent
            if kept.get((message, place)) != (int(token), int(mu16), codes)
        ]
        for message in dict.fromkeys(message for message, *_ in sent):
            whole = sorted((int(place), *kept[key, place][:2]) for key, place in kept if key == message)
            again = drawing.of(message, [token for _, token, _ in whole], [mu16 for _, _, mu16 in whole])
            if [draw.codes.hex() for draw in again] != [kept[message, str(place)][2] for place, _, _ in whole]:
                wrong.append(f"{message} again")
        left = Counter(int(mu16) for mu16, _ in {(mu16, codes) for _, _, _, mu16, codes in sent})
        charged = Draws(archive).counts(CONVERSATION)
        wrong += [
            f"{mu16}: {count} left, {charged.get(mu16, 0)} charged"
            for mu16, count in left.items()
            if charged.get(mu16, 0) < count
        ]
        wrong += ["drawn again"] * bool(drawing.coins.bytes)
        return wrong
    finally:
        archive.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
