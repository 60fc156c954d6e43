"""Cyclic garbage is collected in the thread of the window, and nowhere else.

Python collects in whichever thread happens to allocate. A Qt object that a cycle holds would then be destroyed there, and one
with a timer takes the process with it: Qt cannot stop timers of another thread, so the timer fires for an object that is no more.
"""

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL = 2000
"""Milliseconds from one look to the next."""


class GarbageCollector(QObject):
    """Collects in the thread that made it, until `end`, when a generation is as full as Python lets it be."""

    def __init__(self, interval: int = INTERVAL) -> None:
        super().__init__()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(interval)

    def look(self) -> None:
        """Collect the oldest generation that is due, and with it the younger ones."""
        counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [generation for generation, (count, most) in enumerate(counts) if count > most]
        if due:
            gc.collect(due[-1])

    def end(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()
