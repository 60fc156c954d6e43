"""What is replaced of aiortc: it fits this version, loses nothing on a bad path, and can be left out."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiortc.rtcsctptransport import WEBRTC_BINARY, ForwardTsnChunk, SackChunk

from remote_agent.link import sctp
from remote_agent.link.line import Line, Stream
from remote_agent.link.sctp import QuickSctpTransport, can_quicken

STREAM = Stream("test", 1, ordered=False, high_bytes=256 * 1024, low_bytes=128 * 1024)
ORDERED = Stream("ordered", 2, ordered=True, high_bytes=256 * 1024, low_bytes=128 * 1024)


@asynccontextmanager
async def two_lines(
    received: asyncio.Queue[bytes], stream: Stream = STREAM, first_number: int | None = None
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


@pytest.mark.parametrize("seed", range(4))
async def test_an_ordered_stream_keeps_its_order_over_the_wrap_of_numbers_on_a_path_that_loses_and_repeats(seed: int) -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    chance = random.Random(seed)
    async with two_lines(received, ORDERED, first_number=2**32 - 40) as lines:
        for line in lines:
            lose_packets(line._peer.sctp.transport, 0.1, chance, copies=0.1)
        await lines[0].send(ORDERED, numbered(200))
        assert await asyncio.wait_for(first(200, received), 20) == list(numbered(200))
        assert not lines[1]._peer.sctp._early
    assert received.empty()


async def test_a_lost_packet_is_found_out_in_about_a_round_trip_not_in_a_second() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received) as (here, _):
        await here.send(STREAM, numbered(50))
        await asyncio.wait_for(first(50, received), 5)
        lose_next(here._peer.sctp.transport)
        started = time.monotonic()
        await here.send(STREAM, numbered(1))
        await asyncio.wait_for(first(1, received), 5)
        assert time.monotonic() - started < 0.5
        figures = here._peer.sctp.figures()
        assert figures.loss_up == pytest.approx(1 / 51, rel=0.1)
        assert figures.round_trip is not None


async def test_what_was_lost_is_known_to_the_sender_and_the_width_to_both() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    chance = random.Random(7)
    async with two_lines(received) as (here, there):
        lose_packets(here._peer.sctp.transport, 0.1, chance)
        for _ in range(20):
            await here.send(STREAM, numbered(100))
            await asyncio.wait_for(first(100, received), 10)
        up, down = here._peer.sctp.figures(), there._peer.sctp.figures()
        assert up.loss_up == pytest.approx(0.1, abs=0.04)
        assert down.loss_down is not None  # a peer this near sends again before a loss can be told from an overtaking
        assert up.bandwidth_up is not None
        assert down.bandwidth_down is not None


async def closed(line: Line) -> None:
    ended = asyncio.Event()
    line._outlets[STREAM.id].data_channel.on("close", ended.set)
    if line._peer.sctp.state != "closed":
        await ended.wait()


async def test_a_peer_that_sends_messages_of_several_chunks_is_cut_off_before_any_is_put_together() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received) as (here, there):
        here._outlets[STREAM.id].data_channel.send(bytes(200_000))
        await asyncio.wait_for(closed(there), 5)
        assert not there._peer.sctp._inbound_streams
    assert received.empty()


async def test_a_peer_that_skips_data_is_cut_off() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received) as (here, there):
        skip = ForwardTsnChunk()
        skip.cumulative_tsn = (here._peer.sctp._local_tsn + 10) % 2**32
        await here._peer.sctp._send_chunk(skip)
        await asyncio.wait_for(closed(there), 5)


async def test_a_peer_that_sends_on_a_stream_that_nobody_opened_is_cut_off() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received) as (here, there):
        await here._peer.sctp._send(77, WEBRTC_BINARY, b"frame", ordered=True)
        await asyncio.wait_for(closed(there), 5)


async def test_acknowledgements_that_make_no_sense_change_nothing() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    chance = random.Random(3)
    async with two_lines(received) as (here, there):
        for _ in range(300):
            sack = SackChunk()
            sack.cumulative_tsn = (here._peer.sctp._last_sacked_tsn + chance.choice([0, 5000, 2**31, -1])) % 2**32
            sack.gaps = [(chance.randrange(65536), chance.randrange(65536)) for _ in range(chance.randrange(200))]
            await there._peer.sctp._send_chunk(sack)
        await here.send(STREAM, numbered(100))
        assert sorted(await asyncio.wait_for(first(100, received), 10)) == sorted(numbered(100))


async def test_another_version_of_aiortc_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sctp, "_STATE", ("no_such_state",))
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received) as (here, _):
        assert not isinstance(here._peer.sctp, QuickSctpTransport)
        await here.send(STREAM, numbered(100))
        assert sorted(await asyncio.wait_for(first(100, received), 10)) == sorted(numbered(100))
