"""Waiting for a window, and measuring how long its thread is held by one event."""

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import thread_time

from PySide6.QtCore import QObject, QTimer


async def until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """Let events run until the condition holds. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - a condition of widgets has no event to wait for
            await asyncio.sleep(0.003)


class Heartbeat(QObject):
    """Beats each millisecond; `longest` is the most GUI-thread time (s) between two beats, so no event took more than that.

    Thread time, not wall time: what other programs of a busy machine take is not the window's doing.
    """

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0.0
        self._last = thread_time()
        self._timer = QTimer(self, interval=1)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = thread_time()
        self.longest = max(self.longest, now - self._last)
        self._last = now


@contextmanager
def heart() -> Iterator[Heartbeat]:
    """A heartbeat of the window alone: as in the application, the objects that were there before are not collected meanwhile."""
    gc.collect()
    gc.freeze()
    try:
        yield Heartbeat()
    finally:
        gc.unfreeze()
