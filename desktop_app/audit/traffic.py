"""Traffic: which of fifty prompts is being answered, by an observer of the network who sees sizes and times only.

A closed world, as in "When speculation spills secrets" (arXiv 2411.01076): the observer has traces of every prompt, answered
with other seeds, and is asked about a trace that it has not seen. What a step's size tells is how many guesses it carries, and so
how far the text repeats itself. Looked at apart: the first 64 ticks after the prompt, the prompt's own tick, and the whole reply.

Three observers try, and the best of them is reported, chosen with hindsight: one compares sizes with the nearest trace it knows,
one sizes and times, and one fits a linear discriminant (covariance shared by all prompts and shrunk, as there are few traces).
"""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from desktop_app.audit.intervals import Share, share
from desktop_app.audit.ticks import Tick

Numbers = NDArray[np.float64]
Labels = NDArray[np.int64]

TICKS = 64
PARTS = ((0, TICKS), (0, 8), (8, 16), (16, 32), (32, 64))  # ticks whose sizes are counted together
STEPS = np.array([0.5, 1.5, 2.5, 4.5, 8.5, 12.5])  # rows; between which sizes a step from one tick to the next is counted
SIZES = 20  # different sizes that are counted apart
ROW = 1024  # bytes, about
SHRINKAGE = 0.3


class Trace(Struct, frozen=True):
    """One reply from outside; `real` of its ticks, the prompt's among them, were not there for the shape alone.

    `tokens` tells what it costs.
    """

    prompt: int
    repetition: int
    ticks: list[Tick]
    real: int
    tokens: int
    padding_seconds: float = 0.0


class View(Struct, frozen=True):
    """What an observer makes of a trace: numbers that come from sizes, and numbers that come from times."""

    sizes: Numbers
    times: Numbers


Look = Callable[[Trace], View]


def told(traces: Sequence[Trace], look: Look) -> Share:
    """How many traces the best observer gets right, each repetition of all prompts judged from the others; by prompts."""
    views = [look(trace) for trace in traces]
    sizes, times = np.stack([view.sizes for view in views]), np.stack([view.times for view in views])
    labels = np.array([trace.prompt for trace in traces])
    repetitions = np.array([trace.repetition for trace in traces])
    both = np.concatenate([sizes, _standard(times)], axis=1)
    observers = ((_nearest, sizes), (_nearest, both), (_discriminant, both))
    return max((_judged(observer, values, labels, repetitions) for observer, values in observers), key=lambda it: it.value)


def _judged(observer: "Observer", values: Numbers, labels: Labels, repetitions: Labels) -> Share:
    right = np.zeros(len(labels))
    for repetition in np.unique(repetitions):
        held = repetitions == repetition
        right[held] = observer(values[~held], labels[~held], values[held]) == labels[held]
    prompts = np.unique(labels)
    return share(
        [float(right[labels == prompt].sum()) for prompt in prompts], [float((labels == prompt).sum()) for prompt in prompts]
    )


def chance(traces: Sequence[Trace]) -> Share:
    """What guessing blindly gets."""
    count = len({trace.prompt for trace in traces})
    return Share(1 / count, 1 / count, 1 / count, count)


def first_ticks(trace: Trace) -> View:
    """The first `TICKS` ticks after the prompt's."""
    return _of_ticks(trace.ticks[1 : TICKS + 1])


def prefill(trace: Trace) -> View:
    """The prompt's own tick: bytes up and down, and how long it took until the next."""
    first = trace.ticks[0]
    waited = trace.ticks[1].wait if len(trace.ticks) > 1 else 0.0
    return View(np.array([first.up / ROW, first.down / ROW]), np.array([waited]))


def whole(trace: Trace) -> View:
    """The whole reply, as long as it is made to look."""
    return _whole(trace.ticks[1:])


def whole_unpadded(trace: Trace) -> View:
    """The whole reply as it would look if it ended where it ends."""
    return _whole(trace.ticks[1 : trace.real])


def _whole(ticks: Sequence[Tick]) -> View:
    first = _of_ticks(ticks[:TICKS])
    total = np.sqrt([len(ticks), sum(tick.up for tick in ticks) / ROW, sum(tick.down for tick in ticks) / ROW])
    duration = np.array([sum(tick.wait for tick in ticks[1:])])
    return View(np.concatenate([total, first.sizes]), np.concatenate([duration, first.times]))


def _of_ticks(ticks: Sequence[Tick]) -> View:
    up, down, wait = np.zeros((3, TICKS))
    for place, tick in enumerate(ticks):
        # How long the prompt took lies before the first tick, and is looked at apart.
        up[place], down[place], wait[place] = tick.up / ROW, tick.down / ROW, tick.wait if place else 0.0
    rows = np.round(up)
    counts = [np.sqrt(np.sum(rows[begin:end] == size)) for begin, end in PARTS for size in range(SIZES)]
    kinds = np.digitize(rows, STEPS)
    turns = np.zeros((len(STEPS) + 1, len(STEPS) + 1))
    np.add.at(turns, (kinds[:-1], kinds[1:]), 1.0)
    places = 0.5 * np.log1p(np.concatenate([up, down]))
    quantiles = np.quantile(wait[1 : max(2, len(ticks))], [0.1, 0.25, 0.5, 0.75, 0.9])
    smooth = np.convolve(wait, np.ones(5) / 5, "same")
    return View(np.concatenate([counts, np.sqrt(turns).ravel(), places]), np.concatenate([quantiles, [wait.sum()], smooth]))


Observer = Callable[[Numbers, Labels, Numbers], Labels]


def _nearest(seen: Numbers, labels: Labels, held: Numbers) -> Labels:
    """The label of the nearest trace, by the sum of differences."""
    nearest = [int(np.abs(seen - one).sum(1).argmin()) for one in held]
    return labels[nearest]


def _discriminant(seen: Numbers, labels: Labels, held: Numbers) -> Labels:
    """The likeliest label, by normal distributions of one covariance."""
    names = np.unique(labels)
    centres = np.stack([seen[labels == name].mean(0) for name in names])
    within = seen - centres[np.searchsorted(names, labels)]
    covariance = within.T @ within / len(seen)
    diagonal = np.diag(covariance).copy()
    covariance = (1 - SHRINKAGE) * covariance + np.diag(SHRINKAGE * diagonal + 1e-6 * (diagonal.mean() + 1e-9))
    turned = np.linalg.solve(covariance, centres.T)
    scores = held @ turned - 0.5 * np.sum(centres.T * turned, axis=0)
    told_names: Labels = names[scores.argmax(1)]
    return told_names


def _standard(values: Numbers) -> Numbers:
    """The same numbers with mean 0 and spread 1, as one observer would scale them without knowing any label."""
    spread = values.std(0)
    scaled: Numbers = (values - values.mean(0)) / np.where(spread > 1e-12, spread, 1.0)
    return scaled
