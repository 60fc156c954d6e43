"""A thread with an event loop of its own, in which a link lives.

SCTP is pure Python: in the loop of an engine it would wait behind other work, and other work behind it. Whoever uses a link
from another thread submits coroutines here, and has callbacks handed into a loop of its own by `into`.
"""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, ParamSpec, Self, TypeVar

from aiortc.exceptions import InvalidStateError
from OpenSSL import SSL

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)


def new_event_loop() -> asyncio.AbstractEventLoop:
    """uvloop's where there is one: half the cost of a packet."""
    if sys.platform != "win32":
        try:
            import uvloop
        except ImportError:
            _log.info("uvloop is not installed: the link is slower")
        else:
            loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
            return loop
    # Not the proactor loop, which has no fast UDP.
    return asyncio.SelectorEventLoop()


def into(loop: asyncio.AbstractEventLoop, callback: Callable[P, object]) -> Callable[P, None]:
    """A function for any thread that has `callback` called in `loop`; calls after the loop's end are dropped."""

    def deliver(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            loop.call_soon_threadsafe(lambda: callback(*args, **kwargs))
        except RuntimeError:
            if not loop.is_closed():
                raise

    return deliver


class LinkThread:
    """Runs an event loop in a daemon thread from the moment it is made until `stop`; also a context manager."""

    def __init__(self, name: str = "link") -> None:
        self.loop = new_event_loop()
        self.loop.set_exception_handler(_log_without_content)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Starts a coroutine in the link's loop, from any thread."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine in the link's loop and gives its result here; cancelling here cancels it there."""
        return await asyncio.wrap_future(self.submit(work))

    def post(self, callback: Callable[..., object], *args: object) -> None:
        """Has a function called in the link's loop, from any thread."""
        self.loop.call_soon_threadsafe(callback, *args)

    def stop(self, timeout: float = 5.0) -> None:
        """Cancels what runs, ends the loop and the thread; may be called again, not from the thread itself."""
        if self._thread.is_alive():
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self.loop.run_until_complete(_cancel_all())
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()


async def _cancel_all() -> None:
    """Cancels what runs, and what that starts on its way out."""
    while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _log_without_content(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    if isinstance(error, ConnectionError | SSL.Error | InvalidStateError):
        _log.debug("a packet found its path gone: %s", type(error).__name__)
    else:
        _log.error("in the link's loop: %s (%s)", context.get("message"), type(error).__name__)
