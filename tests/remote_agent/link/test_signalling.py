"""How a channel comes about, and who is turned away."""

import asyncio
import json
import secrets
import socket
from typing import Any

import aiohttp
import pytest

from remote_agent.link.errors import AgentUnreachable, LinkError, NotAllowed, PortTaken
from remote_agent.link.signalling import MAX_BODY_BYTES, connect, serve_signalling
from remote_agent.link.thread import LinkThread

SDP = "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\nc=IN IP4 0.0.0.0\r\n"


async def post(url: str, body: Any, headers: dict[str, str]) -> int:
    async with aiohttp.ClientSession() as session, session.post(url, data=body, headers=headers) as response:
        return response.status


async def test_a_free_port_is_found_and_a_given_one_is_used(agent_link: LinkThread, token: str) -> None:
    runner, port = await agent_link.run(serve_signalling("127.0.0.1", 0, token, lambda channel: None))
    await agent_link.run(runner.cleanup())
    runner, again = await agent_link.run(serve_signalling("127.0.0.1", port, token, lambda channel: None))
    assert again == port
    await agent_link.run(runner.cleanup())


async def test_a_taken_port_is_said_so(agent_link: LinkThread, token: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PortTaken):
            await agent_link.run(serve_signalling("127.0.0.1", taken.getsockname()[1], token, lambda channel: None))


async def test_an_address_of_another_machine_cannot_be_listened_on(agent_link: LinkThread, token: str) -> None:
    with pytest.raises(LinkError):
        await agent_link.run(serve_signalling("192.0.2.1", 0, token, lambda channel: None))


@pytest.mark.parametrize("weak", ["", "secret", "0" * 63, "g" * 64])
async def test_a_weak_token_is_not_served(weak: str) -> None:
    with pytest.raises(ValueError, match="256 bits"):
        await serve_signalling("127.0.0.1", 0, weak, lambda channel: None)


@pytest.mark.parametrize(
    "given", [None, "", "Bearer", "Bearer ", "Bearer {other}", "bearer {token}", "{token}", "Bearer {token}0", "Bearer é"]
)
async def test_without_the_token_nothing_is_answered(url: str, token: str, given: str | None) -> None:
    headers = {} if given is None else {"Authorization": given.format(token=token, other=secrets.token_hex(32))}
    assert await post(f"{url}/connect", json.dumps({"offers": [SDP, SDP]}), headers) == 401


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"7", 400),
        (b"\xff", 400),
        (b"[" * 60_000, 400),
        (json.dumps({"offers": []}).encode(), 400),
        (json.dumps({"offers": [SDP]}).encode(), 400),
        (json.dumps({"offers": [SDP, 7]}).encode(), 400),
        (json.dumps({"offers": [SDP, "nonsense"]}).encode(), 400),
        (json.dumps({"offers": [SDP, SDP]}).encode(), 400),
        (json.dumps({"offers": [SDP, SDP + "m=audio 9 UDP/TLS/RTP/SAVPF 0\r\n"]}).encode(), 400),
        (b" " * (MAX_BODY_BYTES + 1), 413),
    ],
)
async def test_what_is_no_offer_gets_a_plain_status(url: str, token: str, body: bytes, status: int) -> None:
    assert await post(f"{url}/connect", body, {"Authorization": f"Bearer {token}"}) == status


async def test_other_paths_and_methods_do_not_exist(url: str, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    assert await post(f"{url}/", b"", headers) == 404
    async with aiohttp.ClientSession() as session, session.get(f"{url}/connect", headers=headers) as response:
        assert response.status == 405


async def test_a_bad_peer_leaves_the_agent_able_to_serve(url: str, token: str, link: LinkThread) -> None:
    for _ in range(20):
        await post(f"{url}/connect", json.dumps({"offers": [SDP, SDP]}), {"Authorization": f"Bearer {token}"})
    channel = await link.run(connect(url, token))
    await link.run(channel.close())


async def test_a_wrong_token_is_named_as_the_cause(url: str, link: LinkThread) -> None:
    with pytest.raises(NotAllowed):
        await link.run(connect(url, secrets.token_hex(32)))


async def test_nobody_there(link: LinkThread, token: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(AgentUnreachable, match=str(port)):
        await link.run(connect(f"http://127.0.0.1:{port}", token))


@pytest.mark.parametrize("elsewhere", ["http://192.0.2.1:80", "http://localhost:80", "http://example.com", "nonsense"])
async def test_addresses_elsewhere_are_not_even_tried(link: LinkThread, token: str, elsewhere: str) -> None:
    with pytest.raises(AgentUnreachable, match="not an address on this computer"):
        await link.run(connect(elsewhere, token))


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


@pytest.mark.parametrize(
    "answer",
    [b"", b"HTTP/1.1 200 OK\r\n\r\nnonsense\n", b"HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\n\r\n", b"x\r\n\r\n"],
)
async def test_something_that_is_no_agent(link: LinkThread, token: str, answer: bytes) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(respond, "127.0.0.1", 0) as server:
        with pytest.raises(AgentUnreachable):
            await link.run(connect(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", token))


async def test_an_agent_that_says_nothing_is_given_up(link: LinkThread, token: str) -> None:
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        with pytest.raises(AgentUnreachable, match="did not answer"):
            await link.run(connect(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", token, time_limit=0.3))


async def test_ending_the_server_ends_its_channels(link: LinkThread, agent_link: LinkThread, token: str) -> None:
    runner, port = await agent_link.run(serve_signalling("127.0.0.1", 0, token, lambda channel: None))
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[object] = loop.create_future()
    channel = await link.run(connect(f"http://127.0.0.1:{port}", token))
    link.post(channel.on_closed, lambda reason: loop.call_soon_threadsafe(ended.set_result, reason))
    await agent_link.run(runner.cleanup())
    await asyncio.wait_for(ended, 2)
