"""A child process that answers numbered requests, each once; started with the first, and anew where it died."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import msgspec

from desktop_app.engine.child import Child
from desktop_app.engine.errors import ChildCrashed


class Answer(Protocol):
    """What the child says to the request of this number."""

    @property
    def number(self) -> int:
        """The request's."""


class AskedChild:
    """The engine's hold on such a child. Belongs to an event loop; it runs from the first `start` or `ask` to `close`."""

    def __init__(self, subcommand: str, answers: Any, log: Path | None) -> None:
        """`answers` is the type of its answers, for msgspec; its standard error goes to `log`."""
        self._subcommand = subcommand
        self._answers = answers
        self._log = log
        self._child: Child | None = None
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._count = 0

    @property
    def pid(self) -> int | None:
        """The process id of the child, while one runs."""
        return None if self._child is None else self._child.pid

    def start(self) -> bool:
        """Start the child where none runs; whether this one is new, and knows nothing of what was told before."""
        if self._child is not None:
            return False
        self._child = Child([self._subcommand], self._answers, on_message=self._received, on_exit=self._ended, log=self._log)
        return True

    def tell(self, message: msgspec.Struct) -> None:
        """Send what has no answer. Raises `EngineError` for what cannot be sent, `OSError` where no child can be started."""
        self.start()
        assert self._child is not None
        self._child.send(message)

    async def ask(self, request: Callable[[int], msgspec.Struct], seconds: float) -> Answer:
        """Send the request of a new number and return its answer.

        Raises `ChildCrashed`, as `tell` does, and `TimeoutError`: then the child was ended, and all who wait fail.
        """
        self._count += 1
        number = self._count
        try:
            self.tell(request(number))
            future = self._waiting[number] = asyncio.get_running_loop().create_future()
            return await asyncio.wait_for(future, seconds)
        except TimeoutError:
            self.close()
            self._ended()
            raise
        finally:
            self._waiting.pop(number, None)

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.close(seconds=0.5)
            self._child = None

    def _received(self, answer: Answer) -> None:
        future = self._waiting.get(answer.number)
        if future is not None:
            with contextlib.suppress(asyncio.InvalidStateError):  # who asked has just given up
                future.set_result(answer)

    def _ended(self) -> None:
        self._child = None
        for future in self._waiting.values():
            with contextlib.suppress(asyncio.InvalidStateError):
                future.set_exception(ChildCrashed("A part of Sotto has crashed. Try again."))
