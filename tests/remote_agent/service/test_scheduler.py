"""The thread that computes: in order for each owner, owners in turn, and never ended by a job."""

import threading

from remote_agent.service.scheduler import Scheduler


def _blocked() -> tuple[Scheduler, threading.Event]:
    """A scheduler whose thread waits in a first job, so that what is handed in meanwhile queues up."""
    scheduler, begun, release = Scheduler(), threading.Event(), threading.Event()
    scheduler.submit("blocker", lambda: (begun.set(), release.wait())[0])
    begun.wait()
    return scheduler, release


def test_owners_take_turns_and_each_keeps_its_order() -> None:
    scheduler, release = _blocked()
    ran: list[str] = []
    done = threading.Event()
    for owner in ("a", "b"):
        for number in range(3):
            scheduler.submit(owner, lambda name=f"{owner}{number}": ran.append(name))
    scheduler.submit("b", done.set)
    release.set()
    assert done.wait(10)
    assert ran == ["a0", "b0", "a1", "b1", "a2", "b2"]
    scheduler.close()


def test_a_job_that_fails_does_not_end_the_thread() -> None:
    scheduler, done = Scheduler(), threading.Event()
    scheduler.submit("a", lambda: 1 // 0)
    scheduler.submit("a", done.set)
    assert done.wait(10)
    scheduler.close()


def test_jobs_of_an_owner_that_is_gone_are_forgotten() -> None:
    scheduler, release = _blocked()
    ran: list[str] = []
    done = threading.Event()
    scheduler.submit("a", lambda: ran.append("a"))
    scheduler.submit("b", done.set)
    scheduler.drop("a")
    release.set()
    assert done.wait(10)
    assert ran == []
    scheduler.close()


def test_after_closing_nothing_runs() -> None:
    scheduler = Scheduler()
    scheduler.close()
    scheduler.submit("a", lambda: 1 // 0)
