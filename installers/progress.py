"""Shows how far an installation is: a live line on a terminal, plain lines in a log."""

import shutil
import sys
import time
from typing import TextIO

MEGABYTE = 1_000_000
WORTH_A_LINE = 5 * MEGABYTE
SECONDS_BETWEEN_UPDATES = 0.1


class Progress:
    """Writes to `stream`, which may be a terminal or a file; sizes are bytes."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stdout
        self._live = self._stream.isatty()
        self._width = 0
        self._last_update = 0.0

    def say(self, text: str) -> None:
        """A line that stays."""
        self.end()
        print(text, file=self._stream, flush=True)

    def now(self, text: str) -> None:
        """What is going on at this moment; the next text takes its place. A log does not get it."""
        if not self._live or time.monotonic() - self._last_update < SECONDS_BETWEEN_UPDATES:
            return
        self._last_update = time.monotonic()
        text = text[: shutil.get_terminal_size().columns - 1]
        # Spaces instead of an escape sequence: every terminal knows them.
        print("\r" + text.ljust(self._width), end="", file=self._stream, flush=True)
        self._width = len(text)

    def download(self, name: str, done: int, total: int) -> None:
        """`done` of `total` bytes of a file; the first call for it has `done` 0."""
        if self._live:
            self.now(f"  {name}: {done / MEGABYTE:.0f} of {total / MEGABYTE:.0f} MB")
        elif done == 0 and total >= WORTH_A_LINE:
            self.say(f"  downloading {name} ({total / MEGABYTE:.0f} MB)")

    def end(self) -> None:
        """Nothing is going on any more: the live line goes."""
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=self._stream, flush=True)
            self._width = 0
