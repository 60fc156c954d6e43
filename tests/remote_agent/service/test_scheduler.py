"""The thread that computes: in order for each owner, owners in turn, steps together, and never ended by a job."""

import threading
from collections.abc import Callable, Sequence

import pytest

from remote_agent.segment.errors import StepDropped
from remote_agent.service.pace import ORDINARY_ROWS
from remote_agent.service.scheduler import Portion, Scheduler


class Blocked:
    """A scheduler whose thread waits in a first job, so that what is handed in meanwhile queues up."""

    def __init__(self, run_together: Callable[[Sequence[Portion]], None] | None = None) -> None:
        self.scheduler, self._release, begun = Scheduler(run_together), threading.Event(), threading.Event()
        self.scheduler.submit("blocker", lambda: (begun.set(), self._release.wait())[0])
        begun.wait()

    def until(self, done: threading.Event) -> None:
        """Let go, and wait until `done`."""
        self._release.set()
        assert done.wait(10)
        self.scheduler.close()


class Step:
    """A task that notes what becomes of it."""

    def __init__(self, lane: str, rows: int, events: list[str], done: threading.Event | None = None) -> None:
        self.lane, self.left, self.context, self.unwanted = lane, rows, 0, False
        self._events, self._done = events, done

    def begin(self) -> bool:
        self._events.append(f"begin {self.lane}")
        return True

    def finish(self) -> None:
        self._events.append(f"finish {self.lane}")
        if self._done:
            self._done.set()

    def fail(self, error: Exception) -> None:
        self._events.append(f"{type(error).__name__} {self.lane}")
        if self._done:
            self._done.set()


def recording(passes: list[dict[str, int]]) -> Callable[[Sequence[Portion]], None]:
    def run_together(portions: Sequence[Portion]) -> None:
        passes.append({str(step.lane): count for step, count in portions})
        for step, count in portions:
            step.left -= count  # type: ignore[misc]

    return run_together


def test_owners_take_turns_and_each_keeps_its_order() -> None:
    blocked, ran, done = Blocked(), list[str](), threading.Event()
    for owner in ("a", "b"):
        for number in range(3):
            blocked.scheduler.submit(owner, lambda name=f"{owner}{number}": ran.append(name))
    blocked.scheduler.submit("b", done.set)
    blocked.until(done)
    assert ran == ["a0", "b0", "a1", "b1", "a2", "b2"]


def test_a_job_that_fails_does_not_end_the_thread() -> None:
    scheduler, done = Scheduler(), threading.Event()
    scheduler.submit("a", lambda: 1 // 0)
    scheduler.submit("a", done.set)
    assert done.wait(10)
    scheduler.close()


def test_jobs_of_an_owner_that_is_gone_are_forgotten() -> None:
    blocked, ran, done = Blocked(), list[str](), threading.Event()
    blocked.scheduler.submit("a", lambda: ran.append("a"))
    blocked.scheduler.submit("b", done.set)
    blocked.scheduler.drop("a")
    blocked.until(done)
    assert ran == []


def test_after_closing_nothing_runs() -> None:
    scheduler = Scheduler()
    scheduler.close()
    scheduler.submit("a", lambda: 1 // 0)
    assert not scheduler.is_alive


def test_steps_that_wait_at_the_same_time_run_in_one_pass() -> None:
    passes, events, done = list[dict[str, int]](), list[str](), threading.Event()
    blocked = Blocked(recording(passes))
    for lane in "abc":
        blocked.scheduler.submit_step(lane, Step(lane, 3, events, done if lane == "c" else None))
    blocked.until(done)
    assert passes == [{"a": 3, "b": 3, "c": 3}]


def test_a_long_step_goes_in_slices_and_a_short_one_that_comes_meanwhile_waits_for_one_of_them() -> None:
    passes, events, done = list[dict[str, int]](), list[str](), threading.Event()
    inner = recording(passes)

    def run_together(portions: Sequence[Portion]) -> None:
        inner(portions)
        if len(passes) == 2:
            blocked.scheduler.submit_step("short", Step("short", 1, events))

    blocked = Blocked(run_together)
    blocked.scheduler.submit_step("active", Step("active", 1, events))
    blocked.scheduler.submit_step("long", Step("long", 1024, events, done))
    blocked.until(done)
    assert "short" in passes[2]
    assert sum(portions.get("long", 0) for portions in passes) == 1024
    assert all(portions.get("long", 0) < 1024 for portions in passes)
    assert events.index("finish short") < events.index("finish long")


def test_steps_of_one_lane_run_one_after_the_other_and_jobs_after_the_steps_before_them() -> None:
    passes, events, done = list[dict[str, int]](), list[str](), threading.Event()
    blocked = Blocked(recording(passes))
    blocked.scheduler.submit_step("a", Step("one", ORDINARY_ROWS, events))
    blocked.scheduler.submit_step("a", Step("one", 2, events))
    blocked.scheduler.submit_step("a", Step("two", 1, events))
    blocked.scheduler.submit("a", lambda: events.append("job"))
    blocked.scheduler.submit_step("a", Step("three", 1, events, done))
    blocked.until(done)
    assert passes == [{"one": ORDINARY_ROWS, "two": 1}, {"one": 2}, {"three": 1}]
    assert events.index("job") == events.index("begin three") - 1


def test_a_pass_that_fails_is_tried_step_by_step_and_only_the_culprit_fails() -> None:
    passes, events, done = list[dict[str, int]](), list[str](), threading.Event()
    inner = recording(passes)

    def run_together(portions: Sequence[Portion]) -> None:
        if any(step.lane == "bad" for step, _ in portions):
            raise MemoryError
        inner(portions)

    blocked = Blocked(run_together)
    for lane in ("good", "bad", "fine"):
        blocked.scheduler.submit_step(lane, Step(lane, 2, events, done if lane == "fine" else None))
    blocked.until(done)
    assert passes == [{"good": 2}, {"fine": 2}]
    assert {"finish good", "MemoryError bad", "finish fine"} < set(events)


def test_a_step_that_nobody_waits_for_any_more_is_let_go_between_slices() -> None:
    passes, events, done = list[dict[str, int]](), list[str](), threading.Event()
    step = Step("long", 5000, events, done)
    inner = recording(passes)

    def run_together(portions: Sequence[Portion]) -> None:
        inner(portions)
        step.unwanted = True

    blocked = Blocked(run_together)
    blocked.scheduler.submit_step("a", step)
    blocked.until(done)
    assert len(passes) == 1
    assert events[-1] == f"{StepDropped.__name__} long"


@pytest.mark.parametrize("begins", [False, ValueError("no")])
def test_a_step_that_does_not_begin_holds_up_nobody(begins: object) -> None:
    passes, events, done = list[dict[str, int]](), list[str](), threading.Event()
    blocked, refused = Blocked(recording(passes)), Step("a", 1, events)

    def begin() -> bool:
        if isinstance(begins, Exception):
            raise begins
        return False

    refused.begin = begin  # type: ignore[method-assign]
    blocked.scheduler.submit_step("a", refused)
    blocked.scheduler.submit_step("a", Step("a", 1, events, done))
    blocked.until(done)
    assert passes == [{"a": 1}]


def test_what_runs_and_what_waits_can_be_seen() -> None:
    blocked, done = Blocked(), threading.Event()
    assert blocked.scheduler.busy_seconds > 0
    blocked.scheduler.submit("a", done.set)
    assert blocked.scheduler.waiting == 1
    assert blocked.scheduler.quiet_seconds == 0
    blocked.until(done)
    assert blocked.scheduler.busy_seconds == 0
