"""Two ends of a line in one process, with packets that get lost or come twice on their way out."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from remote_agent.link.line import Line, Stream


@asynccontextmanager
async def two_lines(
    received: asyncio.Queue[bytes], stream: Stream, first_number: int | None = None
) -> AsyncIterator[tuple[Line, Line]]:
    here = Line((stream,), True, lambda frame: None, lambda: None)
    there = Line((stream,), True, received.put_nowait, lambda: None)
    if first_number is not None:
        here._peer.sctp._local_tsn, here._peer.sctp._last_sacked_tsn = first_number, first_number - 1
    await here.accept(await there.answer(await here.offer()))
    await asyncio.wait_for(asyncio.gather(here.opened, there.opened), 10)
    yield here, there
    await asyncio.gather(here.close(), there.close())


def numbered(count: int, size: int = 1160) -> Iterator[bytes]:
    for number in range(count):
        yield number.to_bytes(4, "little") + bytes(size - 4)


async def first(count: int, received: asyncio.Queue[bytes]) -> list[bytes]:
    return [await received.get() for _ in range(count)]


def lose_packets(dtls: Any, loss: float, chance: random.Random, copies: float = 0.0) -> None:
    send = dtls._send_data

    async def sometimes(data: bytes) -> None:
        if chance.random() >= loss:
            await send(data)
        if chance.random() < copies:
            await send(data)

    dtls._send_data = sometimes


def lose_next(dtls: Any) -> None:
    send = dtls._send_data

    async def not_yet(data: bytes) -> None:
        dtls._send_data = send

    dtls._send_data = not_yet


async def closed(line: Line, stream: Stream) -> None:
    ended = asyncio.Event()
    line._outlets[stream.id].data_channel.on("close", ended.set)
    if line._peer.sctp.state != "closed":
        await ended.wait()
