"""The ends of the `link` benchmark and the path between them: ours and a plain aiortc, each with an agent in a process of its
own.

`python -m tests.benchmarks.link_peers ROLE` is such a process (relay, ours, plain); it speaks JSON lines on its pipes. What the
agent says of its address is put behind the relay; what the desktop says of its own is made useless, so that nothing goes past the
relay.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiortc import RTCConfiguration, RTCDataChannel, RTCPeerConnection, RTCSessionDescription

from remote_agent.link.channel import Channel, Side
from remote_agent.link.loopback import restrict
from remote_agent.link.outbox import Outbox
from remote_agent.link.sctp import quicken
from remote_agent.link.thread import LinkThread
from remote_agent.wire.messages import Answer, Message, Step
from tests.helpers.wan_path import Conditions
from tests.helpers.wan_relay import INSIDE, OUTSIDE, WanRelay
from tests.helpers.wire_messages import step

ECHO, SINK = 1, 2  # sessions: rows come back, or are swallowed
MESSAGE_BYTES = 1_000_000  # of our bulk: a slice of a prompt
PLAIN_MESSAGE_BYTES = 16 * 1024
PAUSE_ABOVE, REPORT_EVERY = 256 * 1024, 128 * 1024


class Child:
    """A process of this module."""

    def __init__(self, role: str) -> None:
        command = [sys.executable, "-m", "tests.benchmarks.link_peers", role]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question: Any) -> Any:
        """Send a value and wait for the one that comes back."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        """Close its input, upon which it ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)


@contextmanager
def path(answers: list[str], relay: Child, conditions: dict[str, Any]) -> Iterator[list[str]]:
    """The agent's descriptions as seen from behind a relay of these conditions."""
    ports = [int(line.split()[5]) for sdp in answers for line in sdp.splitlines() if line.startswith("a=candidate")]
    relay.ask([ports, conditions])
    yield [sdp.replace(INSIDE, OUTSIDE) for sdp in answers]


class Ours:
    """A desktop with this project's channel. Made and used in the loop of a link."""

    role = "ours"

    async def connect(self, agent: Child, relay: Child, conditions: dict[str, Any]) -> None:
        """Build the connection through the relay."""
        self._channel = _wide(Channel(Side.DESKTOP, only_loopback=True))
        self._waiting: dict[tuple[int, int], asyncio.Future[None]] = {}
        self._next = 0
        offers = [sdp.replace(INSIDE, OUTSIDE) for sdp in await self._channel.make_offers()]
        with path(agent.ask(offers), relay, conditions) as answers:
            await self._channel.take_answers(answers)
        await self._channel.open()
        self._channel.on_message(self._answered)

    async def echo(self, rows: bytes) -> None:
        """Send rows and wait until they are back."""
        await self._call(ECHO, rows)

    async def sink(self, size: int, limit: float) -> float:
        """Send so many bytes; bytes a second until the agent says that it has them all."""
        started = time.perf_counter()
        await asyncio.gather(*(self._call(SINK, bytes(MESSAGE_BYTES)) for _ in range(size // MESSAGE_BYTES)))
        return size / (time.perf_counter() - started)

    async def close(self) -> None:
        """Close the channel."""
        print("  path:", self._channel.path, flush=True)
        await self._channel.close()

    async def _call(self, session: int, rows: bytes) -> None:
        sequence, self._next = self._next, self._next + 1
        answer = self._waiting[session, sequence] = asyncio.get_running_loop().create_future()
        await self._channel.send(step(sequence, session=session), rows)
        await answer

    def _answered(self, message: Message, payload: memoryview) -> None:
        assert isinstance(message, Answer)
        answer = self._waiting.pop((message.session, message.sequence), None)
        if answer is not None:  # a step that was sent again is answered again
            answer.set_result(None)


class Plain:
    """A desktop with aiortc as it comes: whole messages, ordered and reliable, one peer connection."""

    role = "plain"

    async def connect(self, agent: Child, relay: Child, conditions: dict[str, Any]) -> None:
        """As `Ours.connect`."""
        self._peer, self._steps, self._bulk = _plain_peer()
        self._answer: asyncio.Future[None] | None = None
        self._arrived = 0
        self._report = asyncio.Event()
        opened = asyncio.Event()
        self._steps.on("open", opened.set)
        self._steps.on("message", lambda message: self._answer.set_result(None) if self._answer else None)
        self._bulk.on("message", self._reported)
        await self._peer.setLocalDescription(await self._peer.createOffer())
        offer = self._peer.localDescription.sdp.replace(INSIDE, OUTSIDE)
        with path(agent.ask([offer]), relay, conditions) as (answer,):
            await self._peer.setRemoteDescription(RTCSessionDescription(sdp=answer, type="answer"))
        await opened.wait()

    async def echo(self, rows: bytes) -> None:
        """As `Ours.echo`."""
        self._answer = asyncio.get_running_loop().create_future()
        self._steps.send(rows)
        await self._answer
        self._answer = None

    async def sink(self, size: int, limit: float) -> float:
        """As `Ours.sink`, of what has come when `limit` seconds have passed."""
        started, room, before = time.perf_counter(), asyncio.Event(), self._arrived
        self._bulk.bufferedAmountLowThreshold = PAUSE_ABOVE // 2
        self._bulk.on("bufferedamountlow", room.set)
        try:
            async with asyncio.timeout(limit):
                for _ in range(size // PLAIN_MESSAGE_BYTES):
                    self._bulk.send(bytes(PLAIN_MESSAGE_BYTES))
                    while self._bulk.bufferedAmount > PAUSE_ABOVE:
                        room.clear()
                        await room.wait()
                while self._arrived - before < size - REPORT_EVERY:
                    self._report.clear()
                    await self._report.wait()
        except TimeoutError:
            pass
        return (self._arrived - before) / (time.perf_counter() - started)

    async def close(self) -> None:
        """Close the connection."""
        await self._peer.close()

    def _reported(self, message: str) -> None:
        self._arrived = int(message)
        self._report.set()


def _wide(channel: Channel) -> Channel:
    """A channel whose candidates are on loopback and whose path is not."""
    for line in channel._lines:
        quicken(line._peer.sctp)
    channel.has_spare_frames = True
    return channel


def _plain_peer() -> tuple[RTCPeerConnection, RTCDataChannel, RTCDataChannel]:
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    channels = [peer.createDataChannel(name, negotiated=True, id=number) for number, name in enumerate(("steps", "bulk"))]
    restrict(peer.sctp.transport.transport.iceGatherer._connection, only_loopback=True)
    return peer, channels[0], channels[1]


def _relay() -> None:
    ports, conditions = json.loads(sys.stdin.readline())
    with WanRelay(ports, 0, Conditions(**conditions), seed=int(time.time())) as relay:
        print(json.dumps("ready"), flush=True)
        for line in sys.stdin:
            relay.set(**json.loads(line))
            print(json.dumps("set"), flush=True)


def _agent() -> None:
    async def accept() -> list[str]:
        nonlocal channel
        channel = _wide(Channel(Side.AGENT, only_loopback=True))
        return await channel.make_answers(offers)

    async def serve() -> None:
        assert channel is not None
        await channel.open()
        outbox = Outbox(channel, link)

        def answer(message: Message, payload: memoryview) -> None:
            if isinstance(message, Step):
                reply = Answer(message.session, message.epoch, message.sequence, 0)
                outbox.post(reply, payload if message.session == ECHO else b"")

        channel.on_message(answer)

    channel: Channel | None = None
    offers = json.loads(sys.stdin.readline())
    with LinkThread() as link:
        print(json.dumps(link.submit(accept()).result()), flush=True)
        link.submit(serve()).result()
        sys.stdin.read()


async def _plain_agent() -> None:
    (offer,) = json.loads(sys.stdin.readline())
    peer, steps, bulk = _plain_peer()
    arrived = told = 0

    def swallow(message: bytes) -> None:
        nonlocal arrived, told
        arrived += len(message)
        if arrived - told >= REPORT_EVERY:
            told = arrived
            bulk.send(str(arrived))

    steps.on("message", steps.send)
    bulk.on("message", swallow)
    await peer.setRemoteDescription(RTCSessionDescription(sdp=offer, type="offer"))
    await peer.setLocalDescription(await peer.createAnswer())
    print(json.dumps([peer.localDescription.sdp]), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await peer.close()


if __name__ == "__main__":
    {"relay": _relay, "ours": _agent, "plain": lambda: asyncio.run(_plain_agent())}[sys.argv[1]]()
