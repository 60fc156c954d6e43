"""After a lost connection a client goes on by another one, or knows that it cannot; against a real agent with a tiny model."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from desktop_app.engine import way_back
from desktop_app.engine.agent_client import AgentClient
from remote_agent.link.signalling import connect
from remote_agent.link.thread import LinkThread
from remote_agent.service.server import AgentServer
from remote_agent.wire.messages import Answer, RowFormat
from tests.desktop_app.engine.test_agent_client import Listener
from tests.helpers.tiny_agent import chain, tiny_config

TOKEN = "c4" * 32


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AgentServer]:
    server = AgentServer(tiny_config(tmp_path, token=TOKEN))
    server.start()
    yield server
    server.close()


@asynccontextmanager
async def client_of(server: AgentServer) -> AsyncIterator[AgentClient]:
    """A greeted client that knows how to come back."""
    with LinkThread() as link:
        reach = partial(connect, f"http://127.0.0.1:{server.port}", TOKEN, only_loopback=True)
        client = AgentClient(await link.run(reach()), link, connect=reach)
        await client.greet(server._middle.manifest_digest)
        yield client
        await client.close()


def lose(client: AgentClient) -> None:
    client._link.post(client._channel._on_lost)


async def test_sessions_are_told_to_ask_again_and_the_agent_answers_as_if_nothing_had_been(server: AgentServer) -> None:
    async with client_of(server) as client:
        told: list[bool] = []
        client.on_away(told.append)
        number, listener = await client.open(1, 4, RowFormat.FLOAT32), Listener()
        client.listen(number, listener)
        client.post(*chain(number, 0, 0, 3))
        await asyncio.wait_for(listener.messages.get(), 20)
        sent, received = client.bytes_sent, client.bytes_received
        lose(client)
        await asyncio.wait_for(listener.back.wait(), 20)
        client.post(*chain(number, 1, 3, 1))
        answer = await asyncio.wait_for(listener.messages.get(), 20)
        assert isinstance(answer, Answer)
        assert answer.sequence == 1
        assert told == [True, False]
        assert client.bytes_sent > sent
        assert client.bytes_received > received
        assert not client.lost


async def test_what_was_opened_or_closed_meanwhile_is_told_afterwards(server: AgentServer) -> None:
    async with client_of(server) as client:
        first = await client.open(1, 4, RowFormat.FLOAT32)
        lose(client)
        opening = asyncio.ensure_future(client.open(1, 4, RowFormat.FLOAT32))
        await asyncio.sleep(0)
        client.close_session(first)
        assert await asyncio.wait_for(opening, 20) == first + 1


async def test_an_agent_that_has_forgotten_is_lost(server: AgentServer) -> None:
    async with client_of(server) as client:
        number, listener = await client.open(1, 4, RowFormat.FLOAT32), Listener()
        client.listen(number, listener)
        client._resume = bytes([9]) * 32  # as if the agent had been started anew
        lose(client)
        await asyncio.wait_for(listener.gone.wait(), 20)
        assert client.lost


async def test_an_agent_that_is_not_reached_in_time_is_lost(server: AgentServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(way_back, "RETURN_SECONDS", 1.0)
    async with client_of(server) as client:
        number, listener = await client.open(1, 4, RowFormat.FLOAT32), Listener()
        client.listen(number, listener)
        client._connect = partial(connect, "http://127.0.0.1:9", TOKEN, only_loopback=True)
        lose(client)
        await asyncio.wait_for(listener.gone.wait(), 30)
        assert client.lost


async def test_a_client_that_was_closed_does_not_come_back(server: AgentServer) -> None:
    async with client_of(server) as client:
        told: list[bool] = []
        client.on_away(told.append)
        await client.close()
        assert client.lost
        assert told == []
