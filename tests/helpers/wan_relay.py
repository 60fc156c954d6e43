"""An emulated wide-area path that needs no root: a relay between two loopback addresses, for UDP and for signalling's TCP.

The agent listens on 127.0.0.1 and says it is reached at 127.0.0.2 (`--public-address`, `--udp-ports`); the relay sits there and
carries packets to the same port of 127.0.0.1. To the agent each desktop stands behind a port of the relay's, as behind a NAT.
TCP is carried with the same delay and nothing lost: what TCP does about losses is not what is measured.

Runs in a thread of its own, so that a busy test does not delay packets.
"""

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from tests.helpers.wan_path import Conditions, WanPath

INSIDE, OUTSIDE = "127.0.0.1", "127.0.0.2"
BYTES_AT_ONCE = 65_536
BUFFER = 4 * 1024 * 1024

Address = tuple[str, int]


class WanRelay:
    """A path between desktops and one agent, as a context."""

    def __init__(self, udp_ports: Iterable[int], tcp_port: int, conditions: Conditions, seed: int = 0) -> None:
        """The agent's ports; both directions begin with the same conditions."""
        self._udp_ports, self._tcp_port = list(udp_ports), tcp_port
        self._loop = asyncio.new_event_loop()
        self.up, self.down = _Way(self._loop, conditions, seed), _Way(self._loop, conditions, seed + 1)
        self._sockets: list[socket.socket] = []
        self._mappings: dict[tuple[int, Address], socket.socket] = {}
        self._thread = threading.Thread(target=self._run, name="wan relay", daemon=True)
        self._ready = threading.Event()
        self._end = asyncio.Event()

    def __enter__(self) -> "WanRelay":
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def set(self, **changes: Any) -> None:
        """Change both directions, from any thread: `set(cut=True)`, `set(loss=0.03)`."""
        self._loop.call_soon_threadsafe(self._set, changes)

    def change_address(self) -> None:
        """The desktops' address changes, as in another network: they come from other ports, and answers to the old are lost."""
        self._loop.call_soon_threadsafe(self._forget)

    def _set(self, changes: dict[str, Any]) -> None:
        for way in (self.up, self.down):
            way.path.conditions = replace(way.path.conditions, **changes)
            (way.whole.clear if way.path.conditions.cut else way.whole.set)()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        for port in self._udp_ports:
            entry = self._socket((OUTSIDE, port))
            self._loop.add_reader(entry, self._from_desktop, entry, port)
        server = await asyncio.start_server(self._stream, OUTSIDE, self._tcp_port)
        self._ready.set()
        await self._end.wait()
        server.close()
        self._forget()
        for it in self._sockets:
            self._close(it)
        tasks = asyncio.all_tasks(self._loop) - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _socket(self, address: Address) -> socket.socket:
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.setblocking(False)
        for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
            made.setsockopt(socket.SOL_SOCKET, buffer, BUFFER)
        made.bind(address)
        self._sockets.append(made)
        return made

    def _close(self, it: socket.socket) -> None:
        self._loop.remove_reader(it)
        it.close()

    def _forget(self) -> None:
        for it in self._mappings.values():
            self._sockets.remove(it)
            self._close(it)
        self._mappings = {}

    def _from_desktop(self, entry: socket.socket, port: int) -> None:
        for data, desktop in _datagrams(entry):
            out = self._mappings.get((port, desktop))
            if out is None:
                out = self._mappings[port, desktop] = self._socket((OUTSIDE, 0))
                out.connect((INSIDE, port))
                self._loop.add_reader(out, self._from_agent, out, entry, desktop)
            self.up.take(lambda out=out, data=data: _send(out, data), len(data))

    def _from_agent(self, out: socket.socket, entry: socket.socket, desktop: Address) -> None:
        for data, _ in _datagrams(out):
            self.down.take(lambda data=data: _send(entry, data, desktop), len(data))

    async def _stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection(INSIDE, self._tcp_port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._pipe(reader, back, self.up), self._pipe(there, writer, self.down))

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: "_Way") -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(BYTES_AT_ONCE):
                await asyncio.sleep(way.path.conditions.delay)
                await way.whole.wait()
                writer.write(data)
        with contextlib.suppress(OSError):
            writer.close()


class _Way:
    """A path that delivers by itself, in the relay's loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, conditions: Conditions, seed: int) -> None:
        self.path = WanPath(conditions, seed)
        self.whole = asyncio.Event()
        self.whole.set()
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def take(self, deliver: Callable[[], object], size: int) -> None:
        self.path.take(deliver, size, time.monotonic())
        self._schedule()

    def _schedule(self) -> None:
        due = self.path.next
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if due is None else self._loop.call_later(max(0.0, due - time.monotonic()), self._arrived)

    def _arrived(self) -> None:
        for deliver in self.path.due(time.monotonic()):
            deliver()
        self._schedule()


def _datagrams(it: socket.socket) -> Iterable[tuple[bytes, Address]]:
    for _ in range(64):
        try:
            yield it.recvfrom(BYTES_AT_ONCE)
        except OSError:  # nothing there, or the agent's port is closed
            return


def _send(it: socket.socket, data: bytes, to: Address | None = None) -> None:
    with contextlib.suppress(OSError):
        if to is None:
            it.send(data)
        else:
            it.sendto(data, to)
