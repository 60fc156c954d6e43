"""A child process of our own executable with a pipe to it: how the window holds the engine, and the engine its readers.

Blocking reads in a thread, not asyncio's pipes: the same code then runs under qasync, asyncio and uvloop on all three systems.
Messages and the end of the child are told in the event loop that started it.
"""

import asyncio
import contextlib
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from desktop_app.engine.errors import EngineError, PipeClosed
from desktop_app.engine.pipes import Pipe


def own_command(subcommand: Sequence[str]) -> list[str]:
    """Return the command that runs a subcommand of this program, frozen into a bundle or not."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *subcommand]
    # -P: the folder where the user happens to stand is no place to import from.
    return [sys.executable, "-P", "-m", "desktop_app", *subcommand]


def spawn(command: Sequence[str], log: Path | None) -> "subprocess.Popen[bytes]":
    """Start a child with pipes for standard input and output; its standard error goes to `log`, or nowhere."""
    stderr: Any = subprocess.DEVNULL
    with contextlib.ExitStack() as stack:
        if log is not None:
            # Without a log everything still works: a folder that cannot be written is told where something is lost by it.
            with contextlib.suppress(OSError):
                log.parent.mkdir(parents=True, exist_ok=True)
                stderr = stack.enter_context(log.open("ab"))
        # A session of its own: Ctrl+C in a terminal is for the parent, which then ends its children by closing the pipe.
        options: dict[str, Any] = (
            {"creationflags": getattr(subprocess, "CREATE_NO_WINDOW", 0)}
            if sys.platform == "win32"
            else {"start_new_session": True}
        )
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, **options)


class Child:
    """A running child. `on_message(message)` and, once, `on_exit()` are called in the event loop that made it."""

    def __init__(
        self,
        subcommand: Sequence[str],
        incoming: Any,
        *,
        on_message: Callable[[Any], None],
        on_exit: Callable[[], None],
        log: Path | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_message = on_message
        self._on_exit = on_exit
        self._process = spawn(own_command(subcommand), log)
        self._pipe: Pipe[Any] = Pipe(cast(BinaryIO, self._process.stdout), cast(BinaryIO, self._process.stdin), incoming)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._closing = False
        threading.Thread(target=self._write, name="child-writer", daemon=True).start()
        threading.Thread(target=self._read, name="child-reader", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process id of the child."""
        return self._process.pid

    def send(self, message: msgspec.Struct) -> None:
        """Queue one message; never blocks. To a child that is gone it is dropped: `on_exit` tells of that.

        Raises `EngineError` for a message that cannot be sent to anyone.
        """
        self._outgoing.put(self._pipe.pack(message))

    def close(self, seconds: float = 3.0) -> None:
        """End the child: by closing its input, then, after `seconds`, by force. `on_exit` is not called."""
        self._closing = True
        self._outgoing.put(None)
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _write(self) -> None:
        while (data := self._outgoing.get()) is not None:
            try:
                self._pipe.write(data)
            except PipeClosed:
                break
        with contextlib.suppress(OSError):
            cast(BinaryIO, self._process.stdin).close()

    def _read(self) -> None:
        with contextlib.suppress(EngineError):
            while True:
                self._tell(self._on_message, self._pipe.receive())
        # A child whose pipe broke but that still runs is of no use to anyone.
        if not self._closing:
            self._process.kill()
            self._process.wait()
            self._outgoing.put(None)
            self._tell(self._on_exit)

    def _tell(self, callback: Callable[..., None], *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody is left to be told
            self._loop.call_soon_threadsafe(callback, *arguments)
