"""Real data channels on loopback: two ends in one process, and an agent that is stopped or killed."""

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator

import psutil
import pytest

from remote_agent.link.channel import BULK, BULK_BYTES, STEPS, Channel
from remote_agent.link.errors import LinkClosed
from remote_agent.link.outbox import Outbox
from remote_agent.link.signalling import connect
from remote_agent.link.thread import LinkThread, into
from remote_agent.wire.codec import encode
from remote_agent.wire.errors import ErrorCode, MalformedMessage
from remote_agent.wire.frames import MAX_FRAME_BYTES, PIECE_BYTES
from remote_agent.wire.messages import Answer, Hello, Message, Ping, Refused, Step
from tests.helpers import echo_agent
from tests.helpers.bad_lines import lose_packets
from tests.helpers.link_calls import Caller
from tests.helpers.wire_messages import step


@pytest.mark.parametrize("size", [0, 1, 2304, BULK_BYTES, BULK_BYTES + 1, 300_000])
async def test_rows_of_any_size_come_back_whole(caller: Caller, size: int) -> None:
    rows = random.Random(size).randbytes(size)
    assert await caller.echo(rows) == rows


async def test_many_messages_of_all_sizes_at_once_come_back_whole(caller: Caller) -> None:
    chance = random.Random(1)
    sent = [chance.randbytes(chance.choice([10, 2304, 50_000, 200_000])) for _ in range(60)]
    answers = await asyncio.gather(*(caller.send(rows) for rows in sent))
    assert await asyncio.gather(*answers) == sent


async def test_a_step_overtakes_a_prompt_that_is_being_sent(caller: Caller) -> None:
    order: list[str] = []
    bulk = asyncio.create_task(caller.echo(bytes(8_000_000)))
    bulk.add_done_callback(lambda _: order.append("prompt"))
    await asyncio.sleep(0)
    small = asyncio.create_task(caller.echo(bytes(2304)))
    small.add_done_callback(lambda _: order.append("step"))
    await asyncio.gather(bulk, small)
    assert order == ["step", "prompt"]


async def test_what_waits_to_be_sent_is_bounded(caller: Caller, link: LinkThread) -> None:
    highest = 0
    outlet = caller.channel._lines[1]._outlets[BULK.id].data_channel

    def watch() -> None:
        nonlocal highest
        highest = max(highest, outlet.bufferedAmount)
        link.loop.call_later(0.001, watch)

    link.post(watch)
    await caller.echo(bytes(4_000_000))
    assert 0 < highest < BULK.high_bytes + 64 * 1024


async def test_bytes_are_counted_as_given_to_sctp(caller: Caller) -> None:
    channel = caller.channel
    await caller.echo(b"")
    before = channel.bytes_sent, channel.bytes_received
    rows = bytes(100_000)
    await caller.echo(rows)
    message = len(encode(step(1), rows))
    frames = -(-message // PIECE_BYTES)
    for counted in (channel.bytes_sent - before[0], channel.bytes_received - before[1]):
        assert message <= counted <= message + 21 * frames + 4 * 64


async def test_padded_frames_have_one_size_both_ways_and_the_agent_follows(caller: Caller, link: LinkThread) -> None:
    channel = caller.channel
    crossed: list[tuple[bool, int]] = []
    link.post(setattr, channel, "padded", True)
    await caller.echo(b"")
    link.post(channel.watch, lambda sent, frame: crossed.append((sent, len(frame))))
    for rows in (b"", b"few", bytes(3000), bytes(100_000)):
        assert await caller.echo(rows) == rows
    await link.run(channel.send(Ping(2**31 - 1)))
    assert await caller.echo(b"") == b""
    assert {size for _, size in crossed} == {MAX_FRAME_BYTES}
    assert {sent for sent, _ in crossed} == {True, False}
    link.post(setattr, channel, "padded", False)
    await caller.echo(b"")
    crossed.clear()
    await caller.echo(b"")
    assert max(size for _, size in crossed) < 100


async def test_the_round_trip_is_measured(caller: Caller) -> None:
    deadline = time.monotonic() + 3
    while caller.channel.round_trip is None and time.monotonic() < deadline:
        await caller.echo(b"")
    assert caller.channel.round_trip is not None
    assert 0 < caller.channel.round_trip < 0.5


async def test_closing_tells_both_ends_once(caller: Caller, link: LinkThread) -> None:
    await link.run(caller.channel.close())
    await link.run(caller.channel.close())
    assert isinstance(await asyncio.wait_for(caller.ended, 5), LinkClosed)
    assert len(caller.ends) == 1
    assert caller.channel.is_closed
    with pytest.raises(LinkClosed):
        await caller.send(b"")
    late: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    loop = asyncio.get_running_loop()
    link.post(caller.channel.on_closed, lambda reason: loop.call_soon_threadsafe(late.set_result, reason))
    assert isinstance(await asyncio.wait_for(late, 5), LinkClosed)


async def test_the_peer_hears_of_a_close_at_once(both: tuple[Channel, Channel], link: LinkThread, agent_link: LinkThread) -> None:
    ended: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    channel, agent = both
    loop = asyncio.get_running_loop()
    agent_link.post(agent.on_closed, lambda reason: loop.call_soon_threadsafe(ended.set_result, reason))
    await link.run(channel.close())
    assert isinstance(await asyncio.wait_for(ended, 1), LinkClosed)


@pytest.fixture
async def both(link: LinkThread, agent_link: LinkThread, token: str) -> AsyncIterator[tuple[Channel, Channel]]:
    """The desktop's and the agent's end, nobody listening yet."""
    accepted: asyncio.Queue[Channel] = asyncio.Queue()
    async with echo_agent.serving(agent_link, token, into(asyncio.get_running_loop(), accepted.put_nowait)) as url:
        channel = await link.run(connect(url, token))
        yield channel, await accepted.get()
        await link.run(channel.close())


async def test_messages_that_came_before_anyone_listened_are_kept(
    both: tuple[Channel, Channel], link: LinkThread, agent_link: LinkThread
) -> None:
    channel, agent = both
    came: asyncio.Queue[Message] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    await link.run(channel.send(Hello(1, bytes(32))))
    while not agent._early:
        await agent_link.run(asyncio.sleep(0))
    agent_link.post(agent.on_message, lambda message, _: loop.call_soon_threadsafe(came.put_nowait, message))
    assert await asyncio.wait_for(came.get(), 5) == Hello(1, bytes(32))


async def test_an_agent_refuses_what_is_malformed_and_ends_the_channel(both: tuple[Channel, Channel], link: LinkThread) -> None:
    channel, agent = both
    loop = asyncio.get_running_loop()
    came: asyncio.Queue[Message] = asyncio.Queue()
    ended: asyncio.Future[object] = loop.create_future()
    link.post(channel.on_message, lambda message, _: loop.call_soon_threadsafe(came.put_nowait, message))
    link.post(channel.on_closed, lambda reason: loop.call_soon_threadsafe(ended.set_result, reason))
    await link.run(channel._lines[0].send(STEPS, channel._splitter.split(b"\x01\x00\xff")))
    assert await asyncio.wait_for(came.get(), 5) == Refused(ErrorCode.MALFORMED, 0, 0, 0)
    await asyncio.wait_for(ended, 5)
    assert agent.is_closed


async def test_what_may_not_be_sent_is_refused_here(caller: Caller, link: LinkThread) -> None:
    with pytest.raises(MalformedMessage):
        await link.run(caller.channel.send(Ping(1), b"text"))
    assert await caller.echo(b"ok") == b"ok"


async def test_cancelling_a_large_send_sends_it_whole_or_not_at_all(caller: Caller) -> None:
    sending = asyncio.create_task(caller.send(bytes(3_000_000)))
    await asyncio.sleep(0)
    await caller.echo(b"1")
    sending.cancel()
    assert await caller.echo(bytes(100_000)) == bytes(100_000)
    while caller.channel._bulk_sends:
        await caller.echo(b"2")
    assert not caller.channel.is_closed


async def test_a_step_whose_answer_never_comes_is_sent_again_and_answered_once(
    link: LinkThread, agent_link: LinkThread, token: str
) -> None:
    asked: list[Message] = []

    def forgetful(channel: Channel) -> None:
        outbox = Outbox(channel, agent_link)

        def answer(message: Message, payload: memoryview) -> None:
            asked.append(message)
            if len(asked) > 1 and isinstance(message, Step):
                outbox.post(Answer(message.session, message.epoch, message.sequence, 0), payload)

        channel.on_message(answer)

    async with echo_agent.serving(agent_link, token, forgetful) as url:
        caller = Caller(await link.run(connect(url, token)), link)
        assert await asyncio.wait_for(caller.echo(b"rows"), 5) == b"rows"
        assert asked == [step(0), step(0)]
        assert caller.channel._resend_timer.kept_bytes == 0
        await link.run(caller.channel.close())


@pytest.mark.parametrize("size", [0, 2304, 5000, 40_000, BULK_BYTES])
async def test_with_spare_frames_rows_come_back_whole_where_packets_are_lost(caller: Caller, link: LinkThread, size: int) -> None:
    channel, chance = caller.channel, random.Random(size)
    link.post(setattr, channel, "has_spare_frames", True)
    link.post(lose_packets, channel._lines[0]._peer.sctp.transport, 0.1 if size < 10_000 else 0.04, chance)
    for _ in range(30):
        rows = chance.randbytes(size)
        assert await asyncio.wait_for(caller.echo(rows), 5) == rows


async def test_what_is_known_of_the_path_can_be_read_from_any_thread(caller: Caller, link: LinkThread) -> None:
    deadline = time.monotonic() + 5
    while caller.channel.path.bandwidth_down is None and time.monotonic() < deadline:
        await caller.echo(bytes(300_000))
    path = caller.channel.path
    assert path.round_trip is not None
    assert path.shortest_round_trip is not None
    assert 0 < path.shortest_round_trip <= path.round_trip < 0.5
    assert path.bandwidth_up is not None
    assert path.bandwidth_down is not None
    assert min(path.bandwidth_up, path.bandwidth_down) > 100_000
    assert path.loss_up is not None
    assert path.loss_down is not None
    assert max(path.loss_up, path.loss_down) < 0.1


VANISHES = """
import os, sys
from remote_agent.link.thread import LinkThread
from remote_agent.link.signalling import connect
LinkThread("vanishes").submit(connect(sys.argv[1], sys.argv[2])).result(20)
os._exit(0)
"""


async def test_an_agent_notices_a_desktop_that_vanished_without_a_word(agent_link: LinkThread, token: str) -> None:
    ended: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    tell = into(asyncio.get_running_loop(), ended.set_result)
    async with echo_agent.serving(agent_link, token, lambda channel: channel.on_closed(tell)) as url:
        desktop = await asyncio.create_subprocess_exec(sys.executable, "-c", VANISHES, url, token)
        assert await asyncio.wait_for(desktop.wait(), 30) == 0
        assert isinstance(await asyncio.wait_for(ended, 10), LinkClosed)


@pytest.fixture
async def child(token: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    process, url = await echo_agent.start(token)
    yield process, url
    if process.returncode is None:
        process.kill()
    await process.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.slow
async def test_a_killed_agent_is_noticed_within_two_seconds(
    child: tuple[asyncio.subprocess.Process, str], link: LinkThread, token: str
) -> None:
    process, url = child
    caller = Caller(await link.run(connect(url, token)), link)
    assert await caller.echo(b"there") == b"there"
    process.send_signal(signal.SIGKILL)
    killed = time.monotonic()
    assert isinstance(await asyncio.wait_for(caller.ended, 5), LinkClosed)
    assert time.monotonic() - killed < 2
    assert len(caller.ends) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.slow
async def test_a_stopped_agent_is_not_gone_and_goes_on(
    child: tuple[asyncio.subprocess.Process, str], link: LinkThread, token: str
) -> None:
    process, url = child
    caller = Caller(await link.run(connect(url, token)), link)
    assert await caller.echo(b"there") == b"there"
    process.send_signal(signal.SIGSTOP)
    answer = await caller.send(bytes(40_000))
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(asyncio.shield(asyncio.wait((answer, caller.ended), return_when=asyncio.FIRST_COMPLETED)), 6)
    process.send_signal(signal.SIGCONT)
    assert await asyncio.wait_for(answer, 5) == bytes(40_000)
    assert not caller.ends
    await link.run(caller.channel.close())


@pytest.mark.slow
async def test_every_socket_of_both_ends_is_on_loopback(
    child: tuple[asyncio.subprocess.Process, str], link: LinkThread, token: str
) -> None:
    process, url = child
    caller = Caller(await link.run(connect(url, token)), link)
    assert await caller.echo(bytes(100_000)) == bytes(100_000)
    for pid in (process.pid, os.getpid()):
        sockets = [connection for connection in psutil.Process(pid).net_connections("inet") if connection.laddr]
        assert len([connection for connection in sockets if connection.type.name == "SOCK_DGRAM"]) >= 2
        assert {connection.laddr.ip for connection in sockets} == {"127.0.0.1"}
    await link.run(caller.channel.close())


LO_ONLY = """
import asyncio, secrets
from remote_agent.link.signalling import connect
from remote_agent.link.thread import LinkThread
from tests.helpers import echo_agent
from tests.helpers.link_calls import Caller
async def main():
    token = secrets.token_hex(32)
    with LinkThread() as agent, LinkThread() as link:
        async with echo_agent.serving(agent, token) as url:
            caller = Caller(await link.run(connect(url, token)), link)
            assert await caller.echo(bytes(100_000)) == bytes(100_000)
            await link.run(caller.channel.close())
asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's")
async def test_a_machine_whose_only_interface_is_lo_is_enough() -> None:
    namespace = ["unshare", "--net", "--map-root-user", "sh", "-c"]
    probe = await asyncio.create_subprocess_exec(*namespace, "ip link set lo up", stderr=asyncio.subprocess.DEVNULL)
    if await probe.wait():
        pytest.skip("this machine does not allow a network namespace")
    inside = f'ip link set lo up && exec "{sys.executable}" -c "$1"'
    process = await asyncio.create_subprocess_exec(*namespace, inside, "sh", LO_ONLY)
    assert await asyncio.wait_for(process.wait(), 30) == 0
