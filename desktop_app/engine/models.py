"""Which model is loaded, and its head and tail for the split that is asked for.

Loading and converting have a thread of their own for as long as they take: an answer under way goes on, and can be stopped. One
at a time, since two loads at once might not fit the memory.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch

from desktop_app.chat.events import Progress, Split
from desktop_app.engine.agents import ModelFile
from desktop_app.engine.errors import RequestRefused
from desktop_app.model.local import HeadSegment, LocalModel, TailSegment
from desktop_app.model.store import ModelStore

PROGRESS_EVERY = 0.1  # seconds

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


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
    """Loads one model in one split at a time. Belongs to the engine's event loop.

    `before_loading` is called in the torch thread before another one is loaded: whoever holds on to the old segments lets go.
    """

    def __init__(self, directory: Path, torch_thread: ThreadPoolExecutor) -> None:
        self._directory = directory
        self._store = ModelStore(directory)
        self._torch = torch_thread
        self._lock = asyncio.Lock()
        self._asked: tuple[str, str, Split] | None = None
        self._loaded: Loaded | None = None
        self.before_loading: Callable[[], None] = lambda: None

    async def get(self, name: str, split: Split, dtype: str, tell: Callable[[Progress], None]) -> Loaded:
        """Return the model in this split, loaded where it has to be; `dtype` "" is chosen by device and size.

        Raises `ModelError`, `SegmentError`, `RequestRefused`.
        """
        async with self._lock:
            asked = (name, dtype, split)
            if self._loaded is None or self._asked != asked:
                tell(Progress("model"))
                self._loaded = self._asked = None
                await asyncio.get_running_loop().run_in_executor(self._torch, self.before_loading)
                self._loaded, self._asked = await asyncio.to_thread(self._load, *asked, tell), asked
            return self._loaded

    def _load(self, name: str, dtype: str, split: Split, tell: Callable[[Progress], None]) -> Loaded:
        if dtype and dtype not in DTYPES:
            raise RequestRefused(f"“{dtype}” is nothing a model can compute in. Choose one of: {', '.join(DTYPES)}.")
        head, tail = (2**16, 0) if split.only_here else (split.head, split.tail)
        model = self._store.prepare(name, head, tail, _progress(tell))
        first, last = ends(split, model.plan.layers)
        segments = model.segments(first, model.plan.layers - last, dtype=DTYPES.get(dtype))
        file = ModelFile(self._store.resolve(name), self._directory, model.manifest.digest(), dtype or None)
        return Loaded(model, *segments, first, last, file)


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
