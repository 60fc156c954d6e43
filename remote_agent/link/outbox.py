"""Sends messages on a channel from any thread, without waiting: what threads that compute use."""

import asyncio
import logging
import time
from collections.abc import Callable

from remote_agent.link.channel import Channel
from remote_agent.link.errors import LinkError
from remote_agent.link.thread import LinkThread
from remote_agent.wire.messages import Message

MAX_WAITING = 4096  # messages
MAX_WAITING_BYTES = 256 * 1024 * 1024

_log = logging.getLogger(__name__)


class Outbox:
    """The way out of a channel whose event loop is another thread's.

    Messages of one data channel leave in the order of calls. An honest peer never has more of them waiting than the session rules
    let it have steps in flight; one that asks and does not read is cut off at `MAX_WAITING`. On a channel that has ended,
    messages are dropped: `on_closed` tells of that.
    """

    def __init__(self, channel: Channel, link: LinkThread) -> None:
        self._channel = channel
        self._link = link
        self._sending: set[asyncio.Task[None]] = set()
        self._waiting_bytes = 0

    def post(self, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        """Send a message; `payload` is not copied and must not change any more."""
        self._in_loop(self._send, message, payload)

    def post_at(self, when: float, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        """Send a message as `post` does, but not before this time of `time.perf_counter`."""
        self._in_loop(self._send_at, when, message, payload)

    def _in_loop(self, job: Callable[..., None], *arguments: object) -> None:
        try:
            self._link.post(job, *arguments)
        except RuntimeError:
            _log.debug("a message came after the link had ended")

    def _send_at(self, when: float, message: Message, payload: bytes | bytearray | memoryview) -> None:
        left = when - time.perf_counter()
        if left > 0:
            self._link.loop.call_later(left, self._send, message, payload)
        else:
            self._send(message, payload)

    def _send(self, message: Message, payload: bytes | bytearray | memoryview) -> None:
        if self._channel.is_closed:
            return
        if len(self._sending) >= MAX_WAITING or self._waiting_bytes + len(payload) > MAX_WAITING_BYTES:
            _log.warning("the peer asks and does not read: it is cut off")
            self._link.loop.create_task(self._channel.close())
            return
        task = self._link.loop.create_task(self._send_quietly(message, payload))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send_quietly(self, message: Message, payload: bytes | bytearray | memoryview) -> None:
        self._waiting_bytes += len(payload)
        try:
            await self._channel.send(message, payload)
        except LinkError:
            _log.debug("a message found the channel closed")
        finally:
            self._waiting_bytes -= len(payload)
