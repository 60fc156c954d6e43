"""One thread runs everything that computes: short jobs in turn, steps of all peers together, in passes through the layers.

    submit(owner, job)         opening, forking, closing: after everything that `owner` handed in before
    submit_step(owner, step)   runs with the steps of others; steps of one lane (a session) one after the other

Before each pass every owner has at most one job done and its steps admitted that stand before its next job. Then one pass takes
some rows of each admitted step through the layers (`pace` says how many: short steps whole, long ones a slice), and steps that
came through are answered. So nobody waits longer than for one slice of somebody else's document, and rows that wait at the same
time share the weights' way through memory.
"""

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

from remote_agent.segment.errors import StepDropped
from remote_agent.service.pace import ORDINARY_ROWS, Pace

_log = logging.getLogger(__name__)

Job = Callable[[], None]


class Task(Protocol):
    """A step; all but `lane` belongs to the scheduler's thread."""

    @property
    def lane(self) -> Hashable:
        """Tasks of one lane run one after the other; for any thread."""

    @property
    def left(self) -> int:
        """Rows that have still to go through the layers."""

    @property
    def context(self) -> int:
        """Rows before the next one."""

    @property
    def unwanted(self) -> bool:
        """Whether nobody waits for the answer any more."""

    def begin(self) -> bool:
        """Admit the step; False where there is nothing (more) to run."""

    def finish(self) -> None:
        """Answer: no row is left."""

    def fail(self, error: Exception) -> None:
        """Refuse, or, with `StepDropped`, only let go."""


Portion = tuple[Task, int]


@dataclass(frozen=True, slots=True)
class Passed:
    """What one pass did, for whoever counts."""

    steps: int
    rows: int
    seconds: float


class Scheduler:
    """Jobs and steps of all owners, in a thread of its own."""

    def __init__(
        self,
        run_together: Callable[[Sequence[Portion]], None] | None = None,
        pace: Pace | None = None,
        passed: Callable[[Passed], None] | None = None,
    ) -> None:
        """`run_together` takes rows of several steps through the layers; where it raises, none of them has moved."""
        self._run_together, self._pace, self._passed = run_together, pace or Pace(), passed
        self._queues: OrderedDict[Hashable, deque[Job | Task]] = OrderedDict()
        self._under_way: dict[Hashable, tuple[Hashable, Task]] = {}  # by lane: owner and step
        self._changed = threading.Condition()
        self._closed = False
        self._began: float | None = None  # when the thread began what it does now
        self._last = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="torch", daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    @property
    def waiting(self) -> int:
        """Jobs and steps that wait or are under way."""
        with self._changed:
            return sum(map(len, self._queues.values())) + len(self._under_way)

    @property
    def busy_seconds(self) -> float:
        """For how long what runs now has been running; 0 where nothing does."""
        began = self._began
        return 0.0 if began is None else time.monotonic() - began

    @property
    def quiet_seconds(self) -> float:
        """How long ago the last step came or was answered; 0 while one waits."""
        return 0.0 if self.waiting else time.monotonic() - self._last

    def submit(self, owner: Hashable, job: Job) -> None:
        """Have `job` run after all that `owner` handed in before. What comes after `close` is dropped."""
        self._put(owner, job)

    def submit_step(self, owner: Hashable, step: Task) -> None:
        """Have a step run after all of its lane, and after the jobs, that `owner` handed in before."""
        with self._changed:
            self._pace.came(owner, time.monotonic())
        self._put(owner, step)

    def drop(self, owner: Hashable) -> None:
        """Forget what `owner` still has waiting; what is under way ends when its step says that it is unwanted."""
        with self._changed:
            self._queues.pop(owner, None)
            self._pace.gone(owner)

    def close(self) -> None:
        """End the thread after what runs now."""
        with self._changed:
            self._closed = True
            self._queues.clear()
            self._changed.notify()
        self._thread.join()

    def _put(self, owner: Hashable, item: Job | Task) -> None:
        with self._changed:
            if not self._closed:
                self._queues.setdefault(owner, deque()).append(item)
                self._changed.notify()

    # In the thread

    def _run(self) -> None:
        while self._wait():
            self._began = time.monotonic()
            for owner, job in self._jobs():
                _guarded(job, owner)
            self._admit()
            if self._under_way and not self._is_worth_waiting():
                self._began = time.monotonic()
                self._pass()
            self._began, self._last = None, time.monotonic()

    def _wait(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._queues or self._under_way or self._closed)
            return not self._closed

    def _jobs(self) -> list[tuple[Hashable, Job]]:
        """The next job of each owner that has no step before it."""
        with self._changed:
            busy = {owner for owner, _ in self._under_way.values()}
            found = [
                (owner, queue.popleft())
                for owner, queue in self._queues.items()
                if owner not in busy and queue and not hasattr(queue[0], "lane")
            ]
            self._forget_empty()
        return found  # type: ignore[return-value]

    def _admit(self) -> None:
        """Begin the steps that stand before their owner's next job, one for each lane."""
        begun = set(self._under_way)
        with self._changed:
            ready: list[tuple[Hashable, Task]] = []
            for owner in list(self._queues):
                queue, kept = self._queues[owner], deque[Job | Task]()
                blocked = False
                for item in queue:
                    blocked = blocked or not hasattr(item, "lane")
                    if blocked or item.lane in begun:  # type: ignore[union-attr]
                        kept.append(item)
                    else:
                        begun.add(item.lane)  # type: ignore[union-attr]
                        ready.append((owner, item))  # type: ignore[arg-type]
                self._queues[owner] = kept
            self._forget_empty()
        for owner, step in ready:
            try:
                if step.begin():
                    self._under_way[step.lane] = owner, step
            except Exception as error:
                _log.error("A step could not begin: %s.", type(error).__name__)

    def _forget_empty(self) -> None:
        for owner in [owner for owner, queue in self._queues.items() if not queue]:
            del self._queues[owner]

    def _is_worth_waiting(self) -> bool:
        """Wait a moment where somebody is due who could come along; whether somebody came."""
        only_long = all(step.left > ORDINARY_ROWS for _, step in self._under_way.values())
        with self._changed:
            until = self._pace.wait_until(time.monotonic(), only_long)
            left = until - time.monotonic()
            return left > 0 and self._changed.wait_for(lambda: bool(self._queues) or self._closed, left)

    def _pass(self) -> None:
        for lane, (_, step) in list(self._under_way.items()):
            if step.unwanted:
                self._end(lane, StepDropped("Nobody waits for this step any more."))
        if not self._under_way:
            return
        lanes = list(self._under_way)
        owners = [self._under_way[lane][0] for lane in lanes]
        steps = [self._under_way[lane][1] for lane in lanes]
        with self._changed:
            counts = self._pace.portions([(step.left, step.context) for step in steps], owners, time.monotonic())
        portions = [(step, count) for step, count in zip(steps, counts, strict=True) if count]
        self._take(portions)
        for lane, count in zip(lanes, counts, strict=True):
            if not count or lane not in self._under_way:
                continue
            owner, step = self._under_way.pop(lane)
            if step.left:
                self._under_way[lane] = owner, step  # behind those that had no turn
                continue
            _guarded(step.finish, owner)
            with self._changed:
                self._pace.answered(owner, time.monotonic())

    def _take(self, portions: Sequence[Portion]) -> None:
        """Run a pass; where it fails each step is tried alone, so that one cannot take others with it."""
        assert self._run_together is not None
        work = sum(self._pace.cost.work(count, step.context) for step, count in portions)
        began = time.perf_counter()
        try:
            self._run_together(portions)
        except Exception as error:
            if len(portions) == 1:
                self._end(portions[0][0].lane, error)
                return
            for portion in portions:
                self._take([portion])
            return
        seconds = time.perf_counter() - began
        self._pace.cost.measured(work, seconds)
        if self._passed is not None:
            self._passed(Passed(len(portions), sum(count for _, count in portions), seconds))

    def _end(self, lane: Hashable, error: Exception) -> None:
        owner, step = self._under_way.pop(lane)
        _guarded(lambda: step.fail(error), owner)


def _guarded(job: Job, owner: Hashable) -> None:
    try:
        job()
    except Exception as error:
        # Whatever a peer sent must not end the agent. The type alone: a message could hold what the peer sent.
        _log.error("A job failed with %s.", type(error).__name__)
