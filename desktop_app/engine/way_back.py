"""The way back to an agent whose connection was lost: another channel, greeted with the same resume token."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from itertools import chain, repeat
from typing import Any

from remote_agent.link.channel import Channel
from remote_agent.link.errors import LinkError
from remote_agent.wire.messages import Hello, Message, Welcome

RETURN_SECONDS = 120.0
RETRY_SECONDS = (0.2, 0.5, 1.0, 2.0)  # between two tries; the last one again and again
GREETING_SECONDS = 15.0

Connect = Callable[[], Coroutine[Any, Any, Channel]]
"""Makes another channel to the same agent, in the link's loop; raises `LinkError`."""


async def way_back(connect: Connect, hello: Hello) -> Channel | None:
    """A channel on which the agent goes on where it was; None where it has forgotten us, or is not reached in time.

    Belongs to the link's loop.
    """
    until = time.monotonic() + RETURN_SECONDS
    for wait in chain(RETRY_SECONDS, repeat(RETRY_SECONDS[-1])):
        with contextlib.suppress(LinkError, TimeoutError):
            channel = await connect()
            welcome = await _greeted(channel, hello)
            if welcome.resumed:
                return channel
            await channel.close()
            return None
        if time.monotonic() > until:
            return None
        await asyncio.sleep(wait)
    return None


async def _greeted(channel: Channel, hello: Hello) -> Welcome:
    """The agent's answer to a greeting. Raises `LinkError`, `TimeoutError`; the channel is closed then."""
    first: asyncio.Future[Message | None] = asyncio.get_running_loop().create_future()

    def came(message: Message | None) -> None:
        if not first.done():
            first.set_result(message)

    # What else comes before we go on here is asked again then.
    channel.on_message(lambda message, payload: came(message))
    channel.on_closed(lambda _: came(None))
    try:
        await channel.send(hello)
        message = await asyncio.wait_for(first, GREETING_SECONDS)
        if not isinstance(message, Welcome):
            raise LinkError("The agent could not be greeted again. Try again.")
    except BaseException:
        await channel.close()
        raise
    return message
