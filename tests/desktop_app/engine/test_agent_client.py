"""The desktop's side of a channel, against a real agent with a tiny model in this process."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from desktop_app.engine.agent_client import AgentClient
from desktop_app.engine.errors import AgentLost, EngineError, RequestRefused
from remote_agent.link.signalling import connect
from remote_agent.link.thread import LinkThread
from remote_agent.service.server import AgentServer
from remote_agent.wire.frames import MAX_FRAME_BYTES
from remote_agent.wire.messages import Answer, Refused, RowFormat
from tests.helpers.tiny_agent import HIDDEN, LAYERS, chain, tiny_config

TOKEN = "c3" * 32


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentServer]:
    server = AgentServer(tiny_config(tmp_path_factory.mktemp("agent"), token=TOKEN))
    server.start()
    yield server
    server.close()


@pytest.fixture
async def client(server: AgentServer) -> AsyncIterator[AgentClient]:
    with LinkThread() as link:
        channel = await link.run(connect(f"http://127.0.0.1:{server.port}", TOKEN, only_loopback=True))
        client = AgentClient(channel, link)
        yield client
        await client.close()


class Listener:
    """Keeps what a session is told."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.messages: asyncio.Queue[Answer | Refused] = asyncio.Queue()
        self.gone = asyncio.Event()
        self.back = asyncio.Event()

    def answered(self, message: Answer | Refused, payload: memoryview) -> None:
        self._loop.call_soon_threadsafe(self.messages.put_nowait, message)

    def resumed(self) -> None:
        self._loop.call_soon_threadsafe(self.back.set)

    def lost(self) -> None:
        self._loop.call_soon_threadsafe(self.gone.set)


async def test_greeting_tells_what_the_agent_offers(client: AgentClient, server: AgentServer) -> None:
    welcome = await client.greet(server._middle.manifest_digest)
    assert (welcome.first_layer, welcome.last_layer, welcome.hidden_size) == (1, LAYERS, HIDDEN)
    assert client.welcome == welcome


async def test_an_agent_with_another_model_is_a_clear_error(client: AgentClient) -> None:
    with pytest.raises(EngineError, match="same model file on both sides"):
        await client.greet(b"\7" * 32)


async def test_steps_go_out_and_answers_reach_the_sessions_listener(client: AgentClient, server: AgentServer) -> None:
    await client.greet(server._middle.manifest_digest)
    number = await client.open(1, 4, RowFormat.FLOAT32)
    listener = Listener()
    client.listen(number, listener)
    client.post(*chain(number, 0, 0, 3))
    answer = await asyncio.wait_for(listener.messages.get(), 20)
    assert isinstance(answer, Answer)
    fork = await client.fork(number, 1)
    client.listen(fork, listener)
    client.post(*chain(fork, 0, 2, 1))
    forked = await asyncio.wait_for(listener.messages.get(), 20)
    assert (type(forked), forked.session) == (Answer, fork)
    assert client.bytes_sent > 4 * HIDDEN * 4
    assert client.bytes_received > 4 * HIDDEN * 4
    client.close_session(number)


async def test_layers_that_are_not_offered_are_a_sentence(client: AgentClient, server: AgentServer) -> None:
    await client.greet(server._middle.manifest_digest)
    with pytest.raises(RequestRefused, match="another split"):
        await client.open(0, 4, RowFormat.FLOAT32)


async def test_a_channel_that_ends_is_told_to_every_session_and_to_whoever_comes_later(
    client: AgentClient, server: AgentServer
) -> None:
    await client.greet(server._middle.manifest_digest)
    number = await client.open(1, 4, RowFormat.FLOAT32)
    before, after = Listener(), Listener()
    client.listen(number, before)
    await client.close()
    await asyncio.wait_for(before.gone.wait(), 20)
    assert client.lost
    client.listen(number, after)
    await asyncio.wait_for(after.gone.wait(), 20)
    with pytest.raises(AgentLost):
        await client.open(1, 4, RowFormat.FLOAT32)


async def test_frames_are_padded_while_any_answer_under_way_wants_it(client: AgentClient, server: AgentServer) -> None:
    await client.greet(server._middle.manifest_digest)
    sizes: list[int] = []
    client.watch(lambda sent, frame: sizes.append(len(frame)))
    with client.padding(wanted=True):
        with client.padding(wanted=False):
            number = await client.open(1, 4, RowFormat.FLOAT32)
        client.close_session(number)
        await client.open(1, 4, RowFormat.FLOAT32)
        assert client.padded
    assert set(sizes) == {MAX_FRAME_BYTES}
    with client.padding(wanted=False):
        assert not client.padded
        sizes.clear()
        await client.open(1, 4, RowFormat.FLOAT32)
    assert max(sizes) < MAX_FRAME_BYTES


async def test_a_job_is_called_at_its_time(client: AgentClient) -> None:
    loop, called = asyncio.get_running_loop(), asyncio.Event()
    due = time.perf_counter() + 0.05
    client.call_at(due, lambda: loop.call_soon_threadsafe(called.set))
    await asyncio.wait_for(called.wait(), 5)
    assert time.perf_counter() >= due - 0.001  # uvloop counts in milliseconds
