"""Sends messages on a channel from any thread, without waiting: what threads that compute use."""

import asyncio
import logging

from remote_agent.link.channel import Channel
from remote_agent.link.errors import LinkError
from remote_agent.link.thread import LinkThread
from remote_agent.wire.messages import Message

_log = logging.getLogger(__name__)


class Outbox:
    """The way out of a channel whose event loop is another thread's.

    Messages of one data channel leave in the order of calls. What waits here is bounded by the session rules: no side may have
    more than `wire.session.WINDOW` steps in flight. On a channel that has ended, messages are dropped: `on_closed` tells of that.
    """

    def __init__(self, channel: Channel, link: LinkThread) -> None:
        self._channel = channel
        self._link = link
        self._sending: set[asyncio.Task[None]] = set()

    def post(self, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        """Send a message; `payload` is not copied and must not change any more."""
        try:
            self._link.post(self._send, message, payload)
        except RuntimeError:
            _log.debug("a message came after the link had ended")

    def _send(self, message: Message, payload: bytes | bytearray | memoryview) -> None:
        task = self._link.loop.create_task(self._send_quietly(message, payload))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send_quietly(self, message: Message, payload: bytes | bytearray | memoryview) -> None:
        try:
            await self._channel.send(message, payload)
        except LinkError:
            _log.debug("a message found the channel closed")
