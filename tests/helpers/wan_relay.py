"""An emulated wide-area path that needs no root: a relay between two loopback addresses, for UDP and for signalling's TCP.

The agent listens on 127.0.0.1 and says it is reached at 127.0.0.2 (`--public-address`, `--udp-ports`); the relay sits there and
carries packets to the same port of 127.0.0.1. To the agent each desktop stands behind a port of the relay's, as behind a NAT.
TCP is carried with the same delay and nothing lost: what TCP does about losses is not what is measured.

Runs in threads of its own, UDP in a plain loop: a busy test, or the relay's own work, should not delay packets, so one is due by
the time at which the kernel took it in, where the kernel tells.
"""

import asyncio
import contextlib
import select
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from struct import Struct
from typing import Any

from tests.helpers.wan_path import Conditions, WanPath

INSIDE, OUTSIDE = "127.0.0.1", "127.0.0.2"
BYTES_AT_ONCE = 65_536
BUFFER = 4 * 1024 * 1024
SO_TIMESTAMPNS = 35  # Linux's, which Python does not name
TIMESPEC = Struct("@ll")

Address = tuple[str, int]


class WanRelay:
    """A path between desktops and one agent, as a context."""

    def __init__(self, udp_ports: Iterable[int], tcp_port: int, conditions: Conditions, seed: int = 0) -> None:
        """The agent's ports; both directions begin with the same conditions."""
        self.up, self.down = WanPath(conditions, seed), WanPath(conditions, seed + 1)
        self._datagrams = _Datagrams(list(udp_ports), self.up, self.down)
        self._tcp_port = tcp_port
        self._loop = asyncio.new_event_loop()
        self._end, self._whole = asyncio.Event(), asyncio.Event()
        self._threads = [
            threading.Thread(target=job, name=name, daemon=True)
            for name, job in (("relay of streams", self._run), ("relay of datagrams", self._datagrams.run))
        ]
        self._ready = threading.Event()

    def __enter__(self) -> "WanRelay":
        for thread in self._threads:
            thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *error: object) -> None:
        self._datagrams.ask(self._datagrams.end)
        self._loop.call_soon_threadsafe(self._end.set)
        for thread in self._threads:
            thread.join()

    def set(self, **changes: Any) -> None:
        """Change both directions, from any thread: `set(cut=True)`, `set(loss=0.03)`."""
        for path in (self.up, self.down):
            path.conditions = replace(path.conditions, **changes)
        self._loop.call_soon_threadsafe(self._whole.clear if self.up.conditions.cut else self._whole.set)

    def change_address(self) -> None:
        """The desktops' address changes, as in another network: they come from other ports, and answers to the old are lost."""
        self._datagrams.ask(self._datagrams.forget)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._whole.set()
        server = await asyncio.start_server(self._stream, OUTSIDE, self._tcp_port)
        self._ready.set()
        await self._end.wait()
        server.close()
        tasks = asyncio.all_tasks(self._loop) - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection(INSIDE, self._tcp_port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._pipe(reader, back, self.up), self._pipe(there, writer, self.down))

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: WanPath) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(BYTES_AT_ONCE):
                await asyncio.sleep(path.conditions.delay)
                await self._whole.wait()
                writer.write(data)
        with contextlib.suppress(OSError):
            writer.close()


class _Datagrams:
    """The sockets of a relay and the thread that serves them; each desktop has a port of the relay's towards the agent."""

    def __init__(self, ports: list[int], up: WanPath, down: WanPath) -> None:
        self._up, self._down = up, down
        self._entries = {_socket((OUTSIDE, port)): port for port in ports}
        self._mappings: dict[tuple[int, Address], socket.socket] = {}
        self._outlets: dict[socket.socket, tuple[socket.socket, Address]] = {}
        self._asked: deque[Callable[[], None]] = deque()
        self._wake, self._bell = socket.socketpair()
        self._ended = False

    def ask(self, job: Callable[[], None]) -> None:
        """Have a job done in the thread."""
        self._asked.append(job)
        self._bell.send(b"!")

    def run(self) -> None:
        """Serve until the end was asked for."""
        while not self._ended:
            due = min((path.next for path in (self._up, self._down) if path.next is not None), default=None)
            wait = None if due is None else max(0.0, due - time.time())
            for it in select.select([self._wake, *self._entries, *self._outlets], [], [], wait)[0]:
                if it is self._wake:
                    self._wake.recv(1)
                    self._asked.popleft()()
                elif it in self._entries:
                    self._from_desktop(it, self._entries[it])
                elif it in self._outlets:
                    self._from_agent(it, *self._outlets[it])
            for path in (self._up, self._down):
                for deliver in path.due(time.time()):
                    deliver()
        self.forget()
        for it in (self._wake, self._bell, *self._entries):
            it.close()

    def forget(self) -> None:
        """Close the ports towards the agent."""
        for it in self._outlets:
            it.close()
        self._mappings, self._outlets = {}, {}

    def end(self) -> None:
        """Have `run` return."""
        self._ended = True

    def _from_desktop(self, entry: socket.socket, port: int) -> None:
        for data, desktop, when in _received(entry):
            out = self._mappings.get((port, desktop))
            if out is None:
                out = self._mappings[port, desktop] = _socket((OUTSIDE, 0))
                out.connect((INSIDE, port))
                self._outlets[out] = (entry, desktop)
            self._up.take(lambda out=out, data=data: _send(out, data), len(data), when)

    def _from_agent(self, out: socket.socket, entry: socket.socket, desktop: Address) -> None:
        for data, _, when in _received(out):
            self._down.take(lambda data=data: _send(entry, data, desktop), len(data), when)


def _socket(address: Address) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setblocking(False)
    for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        made.setsockopt(socket.SOL_SOCKET, buffer, BUFFER)
    if sys.platform == "linux":
        made.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    made.bind(address)
    return made


def _received(it: socket.socket) -> Iterable[tuple[bytes, Address, float]]:
    for _ in range(64):
        try:
            data, told, _, source = it.recvmsg(BYTES_AT_ONCE, 64)
        except OSError:  # nothing there, or the agent's port is closed
            return
        when = time.time()
        for level, kind, content in told:
            if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
                seconds, nanoseconds = TIMESPEC.unpack(content)
                when = seconds + nanoseconds / 1e9
        yield data, source, when


def _send(it: socket.socket, data: bytes, to: Address | None = None) -> None:
    with contextlib.suppress(OSError):
        if to is None:
            it.send(data)
        else:
            it.sendto(data, to)
