"""One thread runs everything that computes; peers take turns, one job each, so that a long prefill never starves another."""

import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable

_log = logging.getLogger(__name__)

Job = Callable[[], None]


class Scheduler:
    """Runs jobs one after the other in a thread of its own: in order for each owner, owners in turn."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[Hashable, deque[Job]] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="torch", daemon=True)
        self._thread.start()

    def submit(self, owner: Hashable, job: Job) -> None:
        """Have `job` run after all earlier ones of `owner`. Jobs handed in after `close` are dropped."""
        with self._changed:
            if not self._closed:
                self._jobs.setdefault(owner, deque()).append(job)
                self._changed.notify()

    def drop(self, owner: Hashable) -> None:
        """Forget what `owner` still has waiting."""
        with self._changed:
            self._jobs.pop(owner, None)

    def close(self) -> None:
        """End the thread after the job that runs now."""
        with self._changed:
            self._closed = True
            self._jobs.clear()
            self._changed.notify()
        self._thread.join()

    def _next(self) -> Job | None:
        with self._changed:
            while not self._jobs and not self._closed:
                self._changed.wait()
            if self._closed:
                return None
            owner, jobs = next(iter(self._jobs.items()))
            job = jobs.popleft()
            if jobs:
                self._jobs.move_to_end(owner)
            else:
                del self._jobs[owner]
            return job

    def _run(self) -> None:
        while (job := self._next()) is not None:
            try:
                job()
            except Exception as error:
                # Whatever a peer sent must not end the agent. The type alone: a message could hold what the peer sent.
                _log.error("A job failed with %s.", type(error).__name__)
