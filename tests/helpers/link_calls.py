"""Calls on a channel as a desktop makes them."""

import asyncio
from typing import Any

from remote_agent.link.channel import Channel
from remote_agent.link.thread import LinkThread, into
from remote_agent.wire.messages import Answer, Message
from tests.helpers.wire_messages import step


class Caller:
    """Sends steps from this loop over a channel that lives in a link's thread, and collects what comes back."""

    def __init__(self, channel: Channel, link: LinkThread) -> None:
        loop = asyncio.get_running_loop()
        self.channel = channel
        self.ended: asyncio.Future[Any] = loop.create_future()
        self.ends: list[Exception] = []
        self._link = link
        self._answers: dict[int, asyncio.Future[bytes]] = {}
        self._next = 0
        link.post(channel.on_message, into(loop, self._received))
        link.post(channel.on_closed, into(loop, self._ended))

    async def send(self, rows: bytes) -> "asyncio.Future[bytes]":
        """Sends one step with these rows (an answer is expected to bring them back)."""
        sequence, self._next = self._next, self._next + 1
        answer = self._answers[sequence] = asyncio.get_running_loop().create_future()
        await self._link.run(self.channel.send(step(sequence), rows))
        return answer

    async def echo(self, rows: bytes) -> bytes:
        """Sends one step and waits for its answer's rows."""
        return await (await self.send(rows))

    def _received(self, message: Message, payload: memoryview) -> None:
        assert isinstance(message, Answer)
        answer = self._answers.pop(message.sequence, None)
        if answer is not None:  # a step that was sent again is answered again
            answer.set_result(bytes(payload))

    def _ended(self, reason: Exception) -> None:
        self.ends.append(reason)
        if not self.ended.done():
            self.ended.set_result(reason)
