"""What is replaced of aiortc: it fits this version, loses nothing on a bad path, and can be left out."""

import asyncio
import random
import time

import pytest
from aiortc.rtcsctptransport import SackChunk

from remote_agent.link import sctp
from remote_agent.link.line import Stream
from remote_agent.link.sctp import QuickSctpTransport, can_quicken
from tests.helpers.bad_lines import first, lose_next, lose_packets, numbered, two_lines

STREAM = Stream("test", 1, ordered=False, high_bytes=256 * 1024, low_bytes=128 * 1024)


def test_this_is_the_aiortc_that_was_written_for() -> None:
    assert can_quicken()


async def test_a_burst_of_a_large_step_leaves_without_waiting_for_acknowledgements() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received, STREAM) as (here, _):
        transport = here._peer.sctp
        assert isinstance(transport, QuickSctpTransport)
        sent = transport._local_tsn
        await here.send(STREAM, numbered(32))
        await asyncio.sleep(0)
        assert not transport._outbound_queue
        assert transport._local_tsn - sent == 32
        await asyncio.wait_for(first(32, received), 5)


@pytest.mark.slow
@pytest.mark.parametrize("loss", [0.02, 0.2])
async def test_nothing_is_lost_or_repeated_on_a_path_that_loses_packets(loss: float) -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    chance = random.Random(1)
    async with two_lines(received, STREAM) as lines:
        for line in lines:
            lose_packets(line._peer.sctp.transport, loss, chance)
        await lines[0].send(STREAM, numbered(300))
        assert sorted(await asyncio.wait_for(first(300, received), 120)) == sorted(numbered(300))
    assert received.empty()


async def test_a_lost_packet_is_found_out_in_about_a_round_trip_not_in_a_second() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    async with two_lines(received, STREAM) as (here, _):
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
    async with two_lines(received, STREAM) as (here, there):
        lose_packets(here._peer.sctp.transport, 0.1, chance)
        for _ in range(20):
            await here.send(STREAM, numbered(100))
            await asyncio.wait_for(first(100, received), 10)
        up, down = here._peer.sctp.figures(), there._peer.sctp.figures()
        assert up.loss_up == pytest.approx(0.1, abs=0.04)
        assert down.loss_down is not None  # a peer this near sends again before a loss can be told from an overtaking
        assert up.bandwidth_up is not None
        assert down.bandwidth_down is not None


async def test_acknowledgements_that_make_no_sense_change_nothing() -> None:
    received: asyncio.Queue[bytes] = asyncio.Queue()
    chance = random.Random(3)
    async with two_lines(received, STREAM) as (here, there):
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
    async with two_lines(received, STREAM) as (here, _):
        assert not isinstance(here._peer.sctp, QuickSctpTransport)
        await here.send(STREAM, numbered(100))
        assert sorted(await asyncio.wait_for(first(100, received), 10)) == sorted(numbered(100))


@pytest.mark.parametrize("plain", [0, 1])
async def test_a_side_that_is_left_as_it_is_and_one_that_is_not_understand_each_other_on_a_bad_path(
    plain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits = iter([plain != 0, plain != 1])
    monkeypatch.setattr(sctp, "can_quicken", lambda: next(fits))
    received: asyncio.Queue[bytes] = asyncio.Queue()
    chance = random.Random(2)
    async with two_lines(received, STREAM) as lines:
        assert [isinstance(line._peer.sctp, QuickSctpTransport) for line in lines] == [plain != 0, plain != 1]
        for line in lines:
            lose_packets(line._peer.sctp.transport, 0.01, chance)
        await lines[0].send(STREAM, numbered(200))
        assert sorted(await asyncio.wait_for(first(200, received), 60)) == sorted(numbered(200))
