"""Which model is loaded, and its head and tail for the split that is asked for.

Loading and converting happen in the torch thread too: nothing could be computed meanwhile anyway, and two loads at once might not
fit the memory.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from desktop_app.chat.events import Progress, Split
from desktop_app.engine.agents import ModelFile
from desktop_app.engine.errors import RequestRefused
from desktop_app.model.local import HeadSegment, LocalModel, TailSegment
from desktop_app.model.store import ModelStore

PROGRESS_EVERY = 0.1  # seconds


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A model with the segments of one split: layers [first_layer, last_layer) are the agent's."""

    model: LocalModel
    head: HeadSegment
    tail: TailSegment
    first_layer: int
    last_layer: int
    file: ModelFile

    @property
    def layers(self) -> int:
        """All layers of the model."""
        return self.model.plan.layers

    @property
    def context(self) -> int:
        """The most tokens that the model reads, answer included."""
        return self.model.plan.max_positions

    @property
    def only_here(self) -> bool:
        """Whether no layer is left for an agent."""
        return self.first_layer == self.last_layer


class Models:
    """Loads models, one at a time; the last one and its splits stay. Belongs to the engine's event loop."""

    def __init__(self, directory: Path, torch_thread: ThreadPoolExecutor, dtype: str | None = None) -> None:
        self._directory = directory
        self._store = ModelStore(directory)
        self._torch = torch_thread
        self._dtype = dtype
        self._lock = asyncio.Lock()
        self._model: tuple[str, LocalModel] | None = None
        self._splits: dict[tuple[int, int], Loaded] = {}

    async def get(self, name: str, split: Split, tell: Callable[[Progress], None]) -> Loaded:
        """Return the model in this split, loaded where it has to be. Raises `ModelError`, `SegmentError`, `RequestRefused`."""
        async with self._lock:
            return await asyncio.get_running_loop().run_in_executor(self._torch, self._get, name, split, tell)

    def _get(self, name: str, split: Split, tell: Callable[[Progress], None]) -> Loaded:
        if self._model is not None and self._model[0] == name:
            model = self._model[1]
            spans = ends(split, model.plan.layers)
            if spans in self._splits:
                return self._splits[spans]
        tell(Progress("model"))
        head, tail = (2**16, 0) if split.only_here else (split.head, split.tail)
        model = self._store.prepare(name, head, tail, _progress(tell))
        first, last = ends(split, model.plan.layers)
        if self._model is None or self._model[0] != name or self._model[1].manifest.digest() != model.manifest.digest():
            self._model, self._splits = (name, model), {}
        segments = model.segments(first, model.plan.layers - last)
        source = self._store.resolve(name)
        file = ModelFile(source, self._directory, model.manifest.digest(), self._dtype)
        loaded = self._splits[first, last] = Loaded(model, *segments, first, last, file)
        return loaded


def ends(split: Split, layers: int) -> tuple[int, int]:
    """Return the layers [first, last) that a split leaves to the agent; equal where all run here. Raises `RequestRefused`."""
    if split.only_here or split.head + split.tail == layers:
        return layers, layers
    if split.head + split.tail > layers:
        raise RequestRefused(
            f"The model has {layers} layers, and {split.head} first with {split.tail} last ones are more than that. "
            "Choose smaller numbers in the settings, or “Only here”."
        )
    return split.head, layers - split.tail


def _progress(tell: Callable[[Progress], None]) -> Callable[[int, int], None]:
    """Thin out what conversion reports: a pipe message for every tensor is of no use to anyone."""
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > PROGRESS_EVERY or done >= total:
            last = now
            tell(Progress("model", done, total))

    return report
