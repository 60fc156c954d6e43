"""The agent that the engine starts on this computer when none is paired: the real one, reached the real way, over loopback.

It gets what it needs, a fresh 256-bit token among it, over its standard input, and reports the port it chose over its standard
output; nothing of that is on a command line or in a file. When its input closes, it ends.
"""

import asyncio
import secrets
import subprocess
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from desktop_app.engine.child import own_command, spawn
from desktop_app.engine.errors import EngineError

START_SECONDS = 300.0  # a large model on a slow disk


class EmbeddedAgent:
    """A running child agent; `url` and `token` are what a link to it needs."""

    def __init__(self, process: "subprocess.Popen[bytes]", url: str, token: str) -> None:
        self._process = process
        self.url = url
        self.token = token

    @property
    def pid(self) -> int:
        """The process id of the agent."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    @classmethod
    async def start(cls, model: Path, models_directory: Path, *, dtype: str | None, log: Path | None) -> "EmbeddedAgent":
        """Start an agent that holds `model`. Raises `EngineError` with the agent's own sentence where it cannot."""
        token = secrets.token_hex(32)
        orders = {
            "model": str(model),
            "models_directory": str(models_directory),
            "token": token,
            "dtype": dtype,
        }
        process = spawn(own_command(["agent", "embedded"]), log)
        try:
            report = await asyncio.wait_for(asyncio.to_thread(_exchange, process, orders), START_SECONDS)
        except BaseException:
            process.kill()
            raise
        if "port" not in report:
            process.kill()
            raise EngineError(report.get("error", "The agent on this computer could not be started. The log folder says more."))
        return cls(process, f"http://127.0.0.1:{int(report['port'])}", token)

    def close(self, seconds: float = 2.0) -> None:
        """End the agent: by closing its input, then by force."""
        cast(BinaryIO, self._process.stdin).close()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    async def ended(self) -> None:
        """Wait until the process has ended."""
        await asyncio.to_thread(self._process.wait)


def _exchange(process: "subprocess.Popen[bytes]", orders: dict[str, str | None]) -> dict[str, str]:
    stdin, stdout = cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout)
    try:
        stdin.write(msgspec.json.encode(orders) + b"\n")
        stdin.flush()
        return msgspec.json.decode(stdout.readline() or b"{}", type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        return {}
