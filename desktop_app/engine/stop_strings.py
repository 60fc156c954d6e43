"""Ends a reply at a stop string, and never shows a part of one."""

from collections.abc import Sequence


class StopStrings:
    """Takes text as it comes and gives on what cannot be the beginning of a stop string."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = [stop for stop in stops if stop]
        self._held = ""
        self.found = False

    def add(self, text: str) -> str:
        """Return what may be shown; after a stop string is `found`, nothing more comes."""
        if self.found:
            return ""
        text = self._held + text
        ends = [place for stop in self._stops if (place := text.find(stop)) >= 0]
        if ends:
            self.found = True
            self._held = ""
            return text[: min(ends)]
        held = max((_beginning(text, stop) for stop in self._stops), default=0)
        self._held = text[len(text) - held :]
        return text[: len(text) - held]

    def finish(self) -> str:
        """Return what was held back: the reply ended without the rest of the stop string."""
        held, self._held = self._held, ""
        return held


def _beginning(text: str, stop: str) -> int:
    """Return the length of the longest proper beginning of `stop` that `text` ends with."""
    return next((size for size in range(min(len(stop) - 1, len(text)), 0, -1) if text.endswith(stop[:size])), 0)
