"""An agent that listens: a desktop with the token is greeted over a real data channel, one too many is turned away."""

import asyncio
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from remote_agent.link.errors import NotAllowed, PortTaken
from remote_agent.link.signalling import connect
from remote_agent.service.server import AgentServer
from remote_agent.wire.errors import ErrorCode
from remote_agent.wire.messages import PROTOCOL_VERSION, Answer, Hello, Message, Ready, Refused, Welcome
from tests.helpers.tiny_agent import HIDDEN, chain, opening, tiny_config

TOKEN = "a1" * 32


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentServer]:
    server = AgentServer(tiny_config(tmp_path_factory.mktemp("agent"), token=TOKEN, max_peers=1))
    server.start()
    yield server
    server.close()


async def test_a_desktop_with_the_token_is_greeted_and_a_second_one_is_turned_away(server: AgentServer) -> None:
    url = f"http://127.0.0.1:{server.port}"
    channel = await connect(url, TOKEN, only_loopback=True)
    answered: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
    channel.on_message(lambda message, payload: answered.set_result(message))
    await channel.send(Hello(PROTOCOL_VERSION, server._middle.manifest_digest))
    welcome = await asyncio.wait_for(answered, 20)
    assert isinstance(welcome, Welcome)
    assert welcome.hidden_size == HIDDEN

    turned_away, told = asyncio.Event(), list[Message]()
    second = await connect(url, TOKEN, only_loopback=True)
    second.on_message(lambda message, payload: told.append(message))
    second.on_closed(lambda reason: turned_away.set())
    await asyncio.wait_for(turned_away.wait(), 20)
    assert told == [Refused(ErrorCode.AGENT_FULL, 0, 0, 0)]
    await channel.close()


async def test_without_the_token_there_is_no_channel(server: AgentServer) -> None:
    with pytest.raises(NotAllowed):
        await connect(f"http://127.0.0.1:{server.port}", "b2" * 32, only_loopback=True)


def test_a_port_in_use_is_told_in_a_sentence(server: AgentServer, tmp_path: Path) -> None:
    second = AgentServer(tiny_config(tmp_path, port=server.port))
    with pytest.raises(PortTaken, match="in use by another program"):
        second.start()
    second.close()


class Desktop:
    """A greeted desktop with what it was sent, in the loop of the test."""

    def __init__(self, server: AgentServer) -> None:
        self._server, self._came = server, asyncio.Queue[Message]()

    async def connect(self) -> Message:
        """Connect and greet; the first message that comes."""
        self.channel = await connect(f"http://127.0.0.1:{self._server.port}", TOKEN, only_loopback=True)
        self.channel.on_message(lambda message, payload: self._came.put_nowait(message))
        await self.channel.send(Hello(PROTOCOL_VERSION, self._server._middle.manifest_digest))
        return await self.next()

    async def next(self) -> Message:
        return await asyncio.wait_for(self._came.get(), 20)


async def test_an_agent_that_is_stopped_finishes_answers_and_takes_nothing_new(tmp_path: Path) -> None:
    server = AgentServer(tiny_config(tmp_path, token=TOKEN, monitoring_port=0))
    server.start()
    desktop = Desktop(server)
    assert isinstance(await desktop.connect(), Welcome)
    await desktop.channel.send(opening(1))
    assert await desktop.next() == Ready(1)
    await desktop.channel.send(*chain(1, 0, 0, 3))
    assert isinstance(await desktop.next(), Answer)
    server._doorkeeper.stopping = True  # as `drain` does first, in its thread
    drained = asyncio.get_running_loop().run_in_executor(None, server.drain)
    row = 3
    for sequence in range(1, 4):
        await desktop.channel.send(*chain(1, sequence, row, 1))
        assert isinstance(await desktop.next(), Answer)
        assert not drained.done()
        row += 1
    await desktop.channel.send(opening(2))
    assert await desktop.next() == Refused(ErrorCode.AGENT_STOPPING, 2, 0, 0)
    assert await Desktop(server).connect() == Refused(ErrorCode.AGENT_STOPPING, 0, 0, 0)
    assert (await asyncio.to_thread(_get, server, "health"))[0] == 503
    await asyncio.wait_for(drained, 10)
    await desktop.channel.close()
    await asyncio.to_thread(server.close)


async def test_a_second_order_to_stop_ends_the_waiting(tmp_path: Path) -> None:
    server = AgentServer(tiny_config(tmp_path, token=TOKEN))
    server.start()
    desktop, at_once = Desktop(server), threading.Event()
    await desktop.connect()
    at_once.set()
    await asyncio.wait_for(asyncio.to_thread(server.drain, at_once), 10)
    await desktop.channel.close()
    await asyncio.to_thread(server.close)


async def test_health_and_figures_lie_on_a_port_of_their_own(tmp_path: Path) -> None:
    server = AgentServer(tiny_config(tmp_path, token=TOKEN, monitoring_port=0))
    server.start()
    desktop = Desktop(server)
    await desktop.connect()
    await desktop.channel.send(opening(1))
    await desktop.next()
    await desktop.channel.send(*chain(1, 0, 0, 5))
    await desktop.next()
    await desktop.channel.send(*chain(9, 0, 0, 5))
    assert await desktop.next() == Refused(ErrorCode.SESSION_GONE, 9, 0, 0)
    status, health = await asyncio.to_thread(_get, server, "health")
    assert (status, json.loads(health)) == (200, {"status": "serving"})
    _, figures = await asyncio.to_thread(_get, server, "metrics")
    lines = figures.splitlines()
    wanted = ("sotto_rows_total 5.0", "sotto_peers 1.0", "sotto_sessions 1.0", 'sotto_refusals_total{reason="session_gone"} 1.0')
    assert set(wanted) <= set(lines)
    assert server.monitoring_port != server.port
    with pytest.raises(urllib.error.HTTPError):
        await asyncio.to_thread(urllib.request.urlopen, f"http://127.0.0.1:{server.port}/metrics")
    await desktop.channel.close()
    await asyncio.to_thread(server.close)


def _get(server: AgentServer, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.monitoring_port}/{path}", timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
