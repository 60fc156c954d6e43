"""An agent that listens: a desktop with the token is greeted over a real data channel, one too many is turned away."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from remote_agent.link.errors import LinkError, NotAllowed, PortTaken
from remote_agent.link.signalling import connect
from remote_agent.service.server import AgentServer
from remote_agent.wire.messages import PROTOCOL_VERSION, Hello, Message, Welcome
from tests.helpers.tiny_agent import HIDDEN, tiny_config

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

    turned_away = asyncio.Event()
    try:
        second = await connect(url, TOKEN, only_loopback=True)
        second.on_closed(lambda reason: turned_away.set())
    except LinkError:
        turned_away.set()
    await asyncio.wait_for(turned_away.wait(), 20)
    await channel.close()


async def test_without_the_token_there_is_no_channel(server: AgentServer) -> None:
    with pytest.raises(NotAllowed):
        await connect(f"http://127.0.0.1:{server.port}", "b2" * 32, only_loopback=True)


def test_a_port_in_use_is_told_in_a_sentence(server: AgentServer, tmp_path: Path) -> None:
    second = AgentServer(tiny_config(tmp_path, port=server.port))
    with pytest.raises(PortTaken, match="in use by another program"):
        second.start()
    second.close()
