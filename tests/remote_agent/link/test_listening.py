"""Where HTTP is listened for, and what is said where it cannot be."""

import asyncio
import socket

import aiohttp
import pytest
from aiohttp import web

from remote_agent.link.errors import LinkError, PortTaken
from remote_agent.link.listening import listening


@pytest.mark.parametrize("cancels", [True, False])
async def test_a_request_whose_client_goes_is_cancelled_only_where_that_is_asked_for(cancels: bool) -> None:
    begun, cancelled, go_on = asyncio.Event(), asyncio.Event(), asyncio.Event()
    ended = asyncio.Event()

    async def wait(request: web.Request) -> web.Response:
        begun.set()
        try:
            await go_on.wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        finally:
            ended.set()
        return web.Response(text="done")

    app = web.Application()
    app.router.add_get("/", wait)
    runner, port = await listening(app, "127.0.0.1", 0, cancels=cancels)
    async with aiohttp.ClientSession() as session:
        asking = asyncio.ensure_future(session.get(f"http://127.0.0.1:{port}/"))
        await begun.wait()
        asking.cancel()
        await asyncio.wait((asking,))
    if cancels:
        await asyncio.wait_for(ended.wait(), 10)
    go_on.set()
    await asyncio.wait_for(ended.wait(), 10)
    assert cancelled.is_set() == cancels
    await runner.cleanup()


async def test_a_taken_port_and_a_foreign_address_are_said_so_and_leave_nothing_open() -> None:
    runner, port = await listening(web.Application(), "127.0.0.1", 0)
    with pytest.raises(PortTaken, match=str(port)):
        await listening(web.Application(), "127.0.0.1", port)
    with pytest.raises(LinkError, match=r"192\.0\.2\.1, port 0"):
        await listening(web.Application(), "192.0.2.1", 0)
    await runner.cleanup()
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", port))
