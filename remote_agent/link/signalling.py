"""How a channel comes about: one HTTP request with the desktop's offers, answered with the agent's.

    POST /connect                          desktop: {"offers": [sdp, sdp]}, Authorization: Bearer <256 bits as hex>
    200, application/x-ndjson              agent:   {"answers": [sdp, sdp]} and a newline, then nothing until the channel ends

The response stays open as a lifeline: when either process dies its operating system closes the TCP connection at once, also
where the process itself can say nothing any more. A closed lifeline is only a sign, the channel then asks for itself. A
process that is stopped keeps it.

The SDP carries the fingerprint of the DTLS certificate, so what the token vouches for here holds for the channel.
In this issue signalling stays on this machine; TLS and pairing come with their own.
"""

import asyncio
import hmac
import json
import logging
import re
from collections.abc import Callable
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

from remote_agent.link.channel import Channel, Side
from remote_agent.link.errors import AgentUnreachable, LinkError, NotAllowed
from remote_agent.link.listening import listening
from remote_agent.link.loopback import is_loopback

MAX_BODY_BYTES = 64 * 1024
MAX_OPENING = 8
OPENING_SECONDS = 15.0

_LINES = 2
_log = logging.getLogger(__name__)


async def serve_signalling(
    host: str, port: int, token: str, accept: Callable[[Channel], object], only_loopback: bool = True
) -> tuple[web.AppRunner, int]:
    """Listens on host and port (0: any free one) and calls `accept(channel)` in this loop for each channel that has opened.

    `token` is 64 hex digits. Returns the port, and the runner, to be ended by `await runner.cleanup()`, which closes the
    channels too. Raises PortTaken, or LinkError where it may not listen.
    """
    server = _Server(token, accept, only_loopback)
    app = web.Application(client_max_size=MAX_BODY_BYTES)
    app.router.add_post("/connect", server.connect)
    app.on_shutdown.append(server.close_channels)
    return await listening(app, host, port, cancels=True)


class _Server:
    def __init__(self, token: str, accept: Callable[[Channel], object], only_loopback: bool) -> None:
        if not re.fullmatch("[0-9a-f]{64}", token):
            raise ValueError("A token is 256 bits as 64 lower-case hex digits.")
        self._expected = f"Bearer {token}".encode()
        self._accept = accept
        self._only_loopback = only_loopback
        self._opening = 0
        self._channels: set[Channel] = set()

    async def connect(self, request: web.Request) -> web.StreamResponse:
        given = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(given, self._expected):
            raise web.HTTPUnauthorized
        if self._opening >= MAX_OPENING:
            raise web.HTTPServiceUnavailable
        self._opening += 1
        try:
            async with asyncio.timeout(OPENING_SECONDS):
                channel, response = await self._open(request)
        except TimeoutError:
            raise web.HTTPRequestTimeout from None
        finally:
            self._opening -= 1
        closed = asyncio.Event()
        channel.on_closed(lambda reason: closed.set())
        self._accept(channel)
        try:
            await closed.wait()
        except asyncio.CancelledError:
            channel.suspect()
            raise
        return response

    async def _open(self, request: web.Request) -> tuple[Channel, web.StreamResponse]:
        offers = _descriptions(await request.read(), "offers")
        if offers is None:
            raise web.HTTPBadRequest
        channel = Channel(Side.AGENT, self._only_loopback)
        self._channels.add(channel)
        channel.on_closed(lambda reason: self._channels.discard(channel))
        try:
            try:
                answers = await channel.make_answers(offers)
            except Exception as error:  # aiortc has no error class of its own for an SDP that makes no sense
                _log.warning("an offer made no sense: %s", type(error).__name__)
                raise web.HTTPBadRequest from None
            response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
            await response.prepare(request)
            await response.write(json.dumps({"answers": answers}).encode() + b"\n")
            await channel.open()
        except BaseException:
            await channel.close()
            raise
        return channel, response

    async def close_channels(self, app: web.Application) -> None:
        await asyncio.gather(*(channel.close() for channel in tuple(self._channels)))


async def connect(url: str, token: str, only_loopback: bool = True, time_limit: float = OPENING_SECONDS) -> Channel:
    """An open channel to the agent whose signalling is at `url` (http://127.0.0.1:PORT), within `time_limit` seconds.

    Raises NotAllowed for a token that the agent does not accept, AgentUnreachable for everything else that can go wrong.
    """
    if not is_loopback(urlsplit(url).hostname or ""):
        raise AgentUnreachable(f"{url} is not an address on this computer. Agents elsewhere need to be paired first.")
    session = aiohttp.ClientSession(trust_env=False, timeout=aiohttp.ClientTimeout(total=None), auto_decompress=False)
    channel = Channel(Side.DESKTOP, only_loopback)
    try:
        async with asyncio.timeout(time_limit):
            response = await _exchange(session, channel, url, token)
            await channel.open()
    except BaseException as error:
        await channel.close()
        await session.close()
        reason = _reason(error, url, time_limit)
        if reason is not None:
            raise reason from error
        raise
    channel.keep(_watch(response, session, channel))
    return channel


def _reason(error: BaseException, url: str, time_limit: float) -> AgentUnreachable | None:
    if isinstance(error, TimeoutError):
        return AgentUnreachable(
            f"The agent at {url} did not answer within {time_limit:.0f} seconds. Try again when it is less busy."
        )
    if isinstance(error, aiohttp.ClientError | OSError | ValueError):
        return AgentUnreachable(f"No agent answers at {url}. Check that it runs, and its port.")
    if isinstance(error, LinkError) and not isinstance(error, AgentUnreachable):
        return AgentUnreachable(f"The agent at {url} answered, but no connection came about. Try again.")
    return None


async def _exchange(session: aiohttp.ClientSession, channel: Channel, url: str, token: str) -> aiohttp.ClientResponse:
    offers = await channel.make_offers()
    headers = {"Authorization": f"Bearer {token}"}
    response = await session.post(f"{url}/connect", json={"offers": offers}, headers=headers, allow_redirects=False)
    if response.status in (401, 403):
        raise NotAllowed
    if response.status != 200:
        raise AgentUnreachable(
            f"What answers at {url} refused (HTTP {response.status}). Check that it is an agent of this version."
        )
    answers = _descriptions(await response.content.readline(), "answers")
    if answers is None:
        raise AgentUnreachable(f"What answers at {url} is no agent. Check its port.")
    try:
        await channel.take_answers(answers)
    except Exception as error:  # as for offers
        raise AgentUnreachable(f"What answers at {url} makes no sense. Check that it is an agent of this version.") from error
    return response


async def _watch(lifeline: aiohttp.ClientResponse, session: aiohttp.ClientSession, channel: Channel) -> None:
    try:
        while await lifeline.content.readany():
            pass
    except aiohttp.ClientError:
        _log.debug("the lifeline broke")
    finally:
        lifeline.close()
        await session.close()
    channel.suspect()


def _descriptions(body: bytes, key: str) -> list[str] | None:
    """The SDP of both lines from a JSON body, each with data channels and nothing else; None for anything else."""
    try:
        found = json.loads(body)[key]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    if not isinstance(found, list) or len(found) != _LINES or not all(isinstance(sdp, str) for sdp in found):
        return None
    media = [re.findall("^m=([a-z]*)", sdp, re.MULTILINE) for sdp in found]
    return found if all(kinds == ["application"] for kinds in media) else None
