"""The receiving half, on a real connection: what a bad path and a hostile peer may do to it."""

import asyncio
import random

import pytest
from aiortc.rtcsctptransport import WEBRTC_BINARY, WEBRTC_DCEP, WEBRTC_STRING, DataChunk, ForwardTsnChunk

from remote_agent.link.line import Stream
from remote_agent.link.received import MOST_AHEAD
from tests.helpers.bad_lines import closed, first, lose_packets, numbered, two_lines

UNORDERED = Stream("test", 1, ordered=False, high_bytes=256 * 1024, low_bytes=128 * 1024)
ORDERED = Stream("ordered", 2, ordered=True, high_bytes=256 * 1024, low_bytes=128 * 1024)


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


async def test_a_peer_that_sends_messages_of_several_chunks_is_cut_off_before_any_is_put_together() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received, UNORDERED) as (here, there):
        here._outlets[UNORDERED.id].data_channel.send(bytes(200_000))
        await asyncio.wait_for(closed(there, UNORDERED), 5)
        assert not there._peer.sctp._inbound_streams
    assert received.empty()


async def test_a_peer_that_skips_data_is_cut_off() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received, UNORDERED) as (here, there):
        skip = ForwardTsnChunk()
        skip.cumulative_tsn = (here._peer.sctp._local_tsn + 10) % 2**32
        await here._peer.sctp._send_chunk(skip)
        await asyncio.wait_for(closed(there, UNORDERED), 5)


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize(
    ("stream", "protocol", "data"),
    [
        (77, WEBRTC_BINARY, b"frame"),
        (77, WEBRTC_DCEP, b"\3\0\0\0\0\0\0\0\0\1\0\0x"),
        (UNORDERED.id, WEBRTC_DCEP, b"\3\0\0\0\0\0\0\0\0\1\0\0\xff"),
        (UNORDERED.id, WEBRTC_STRING, b"\xff"),
    ],
)
async def test_a_peer_that_sends_text_or_opens_channels_is_cut_off(
    stream: int, protocol: int, data: bytes, ordered: bool
) -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received, UNORDERED) as (here, there):
        await here._peer.sctp._send(stream, protocol, data, ordered=ordered)
        await asyncio.wait_for(closed(there, UNORDERED), 5)


async def test_few_acknowledgements_are_sent() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received, UNORDERED) as (here, there):
        packets = 0
        send = there._peer.sctp.transport._send_data

        async def counted(data: bytes) -> None:
            nonlocal packets
            packets += 1
            await send(data)

        there._peer.sctp.transport._send_data = counted
        await here.send(UNORDERED, numbered(1000))
        await asyncio.wait_for(first(1000, received), 10)
        assert packets < 400


async def test_a_peer_that_never_sends_what_is_missing_takes_no_memory_beyond_the_bound() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received, UNORDERED) as (here, there):
        for ahead, data in ((MOST_AHEAD + 1, b"far ahead"), (MOST_AHEAD - 1, b"ahead")):
            chunk = DataChunk()
            chunk.flags = 7  # whole and unordered
            chunk.tsn, chunk.stream_id, chunk.stream_seq = (here._peer.sctp._local_tsn - 1 + ahead) % 2**32, UNORDERED.id, 0
            chunk.protocol, chunk.user_data = WEBRTC_BINARY, data
            await here._peer.sctp._send_chunk(chunk)
        assert await asyncio.wait_for(received.get(), 5) == b"ahead"
        assert there._peer.sctp._numbers().expected <= MOST_AHEAD
    assert received.empty()
