"""What is replaced of aiortc: it fits this version, loses nothing on a bad path, and can be left out."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from remote_agent.link import sctp
from remote_agent.link.line import Line, Stream
from remote_agent.link.sctp import QuickSctpTransport, can_quicken

STREAM = Stream("test", 1, ordered=False, high_bytes=256 * 1024, low_bytes=128 * 1024)


@asynccontextmanager
async def two_lines(received: asyncio.Queue[bytes]) -> AsyncIterator[tuple[Line, Line]]:
    here = Line((STREAM,), True, lambda frame: None, lambda: None)
    there = Line((STREAM,), True, received.put_nowait, lambda: None)
    await here.accept(await there.answer(await here.offer()))
    await asyncio.wait_for(asyncio.gather(here.opened, there.opened), 10)
    yield here, there
    await asyncio.gather(here.close(), there.close())


def numbered(count: int, size: int = 1160) -> Iterator[bytes]:
    for number in range(count):
        yield number.to_bytes(4, "little") + bytes(size - 4)


async def first(count: int, received: asyncio.Queue[bytes]) -> list[bytes]:
    return [await received.get() for _ in range(count)]


def test_this_is_the_aiortc_that_was_written_for() -> None:
    assert can_quicken()


async def test_a_burst_of_a_large_step_leaves_without_waiting_for_acknowledgements() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received) as (here, _):
        transport = here._peer.sctp
        assert isinstance(transport, QuickSctpTransport)
        sent = transport._local_tsn
        await here.send(STREAM, numbered(32))
        await asyncio.sleep(0)
        assert not transport._outbound_queue
        assert transport._local_tsn - sent == 32
        await asyncio.wait_for(first(32, received), 5)


async def test_few_acknowledgements_are_sent() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received) as (here, there):
        packets = 0
        send = there._peer.sctp.transport._send_data

        async def counted(data: bytes) -> None:
            nonlocal packets
            packets += 1
            await send(data)

        there._peer.sctp.transport._send_data = counted
        await here.send(STREAM, numbered(1000))
        await asyncio.wait_for(first(1000, received), 10)
        assert packets < 400


@pytest.mark.slow
@pytest.mark.parametrize("loss", [0.02, 0.2])
async def test_nothing_is_lost_or_repeated_on_a_path_that_loses_packets(loss: float) -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    chance = random.Random(1)
    async with two_lines(received) as lines:
        for line in lines:
            lose_packets(line._peer.sctp.transport, loss, chance)
        await lines[0].send(STREAM, numbered(300))
        assert sorted(await asyncio.wait_for(first(300, received), 120)) == sorted(numbered(300))
    assert received.empty()


def lose_packets(dtls: Any, loss: float, chance: random.Random) -> None:
    send = dtls._send_data

    async def sometimes(data: bytes) -> None:
        if chance.random() >= loss:
            await send(data)

    dtls._send_data = sometimes


async def test_another_version_of_aiortc_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sctp, "_STATE", ("no_such_state",))
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received) as (here, _):
        assert not isinstance(here._peer.sctp, QuickSctpTransport)
        await here.send(STREAM, numbered(100))
        assert sorted(await asyncio.wait_for(first(100, received), 10)) == sorted(numbered(100))
