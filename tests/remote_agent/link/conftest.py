"""Both ends of a link: an agent that echoes, in a thread of this process or as a child."""

import secrets
from collections.abc import AsyncIterator

import pytest

from remote_agent.link.signalling import connect
from remote_agent.link.thread import LinkThread
from tests.helpers import echo_agent
from tests.helpers.link_calls import Caller


@pytest.fixture
def token() -> str:
    return secrets.token_hex(32)


@pytest.fixture
async def link() -> AsyncIterator[LinkThread]:
    with LinkThread("desktop") as thread:
        yield thread


@pytest.fixture
async def agent_link() -> AsyncIterator[LinkThread]:
    with LinkThread("agent") as thread:
        yield thread


@pytest.fixture
async def url(agent_link: LinkThread, token: str) -> AsyncIterator[str]:
    async with echo_agent.serving(agent_link, token) as address:
        yield address


@pytest.fixture
async def caller(link: LinkThread, url: str, token: str) -> AsyncIterator[Caller]:
    channel = await link.run(connect(url, token))
    yield Caller(channel, link)
    await link.run(channel.close())
