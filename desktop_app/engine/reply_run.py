"""A reply from its first step to its end, over as many sessions as that takes.

Where the agent has lost what it held of the conversation (its process died, it made room, it came back too late), everything is
sent anew by itself: another session, whose prompt ends with the reply so far. Not where answers leave shaped or as codes: there
the traffic of a second prompt, or its price, would be one that nobody has agreed to.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from desktop_app.chat.events import ReplyEvent, ReplyRequest
from desktop_app.chat.responder import ChatError
from desktop_app.decoding.errors import DecodingError
from desktop_app.engine.conversations import Held
from desktop_app.engine.errors import EngineError
from desktop_app.engine.middle import Submit
from desktop_app.engine.reply import Parts, Reply
from desktop_app.engine.shaped_reply import Emit, reply_of
from desktop_app.model.errors import ModelError
from remote_agent.segment.errors import SegmentError

FRUITLESS = 3  # times in a row that everything is sent anew without one more token

Prepared = tuple[Held, Parts]
Prepare = Callable[[Reply], Awaitable[Prepared]]
"""Other parts for a reply, whose prompt ends with its tokens so far; raises what a first question raises."""
End = Callable[[Held, Reply, Parts], None]
"""Keeps what the next turn can use again; in the torch thread."""


class ReplyRun:
    """Runs one reply. Belongs to the engine's event loop."""

    def __init__(self, request: ReplyRequest, first: Prepared, prepare: Prepare, end: End, submit: Submit) -> None:
        self._loop = asyncio.get_running_loop()
        self._request = request
        self._held, self._parts = first
        self._prepare, self._end, self._submit = prepare, end, submit
        self._lost = asyncio.Event()
        self._fruitless, self._tokens = 0, 0
        self.ended: asyncio.Future[ReplyEvent] = self._loop.create_future()
        self.over: asyncio.Future[None] = self._loop.create_future()
        """Done when the last row has come back, dummy ones included."""

    def begin(self, emit: Emit) -> Reply:
        """Send the first steps."""
        request = self._request
        reply = self.reply = reply_of(self._parts, emit, self._done, self._is_over, request.shape)
        if type(reply) is Reply and not (request.noise is not None and request.noise.answers == "codes"):
            reply.on_lost(self._is_lost)
        self._submit(reply.begin)
        return reply

    async def last(self) -> ReplyEvent:
        """The last event; waits for it, and sends everything anew where it has to be."""
        while not self.ended.done():
            lost = self._loop.create_task(self._lost.wait())
            await asyncio.wait((self.ended, lost), return_when=asyncio.FIRST_COMPLETED)
            lost.cancel()
            if self._lost.is_set() and not self.ended.done():
                self._lost.clear()
                await self._anew()
        return self.ended.result()

    async def _anew(self) -> None:
        reply = self.reply
        self._fruitless = self._fruitless + 1 if len(reply.tokens) == self._tokens else 0
        self._tokens = len(reply.tokens)
        try:
            if self._fruitless > FRUITLESS:
                raise EngineError("The agent is lost again and again. Check the connection, or choose another agent.")
            held, parts = await self._prepare(reply)
        except (ChatError, EngineError, ModelError, SegmentError, DecodingError) as error:
            sentence = error if isinstance(error, EngineError) else EngineError(str(error))
            self._submit(partial(reply.give_up, sentence))
        else:
            self._submit(lambda: self._go_on(held, parts))

    def _go_on(self, held: Held, parts: Parts) -> None:
        before, self._held, self._parts = (self._held, self._parts), held, parts
        if not self.reply.go_on(parts):
            held.busy = False
            self._held, self._parts = before

    def _is_lost(self) -> None:
        self._loop.call_soon_threadsafe(self._lost.set)

    def _done(self, reply: Reply, event: ReplyEvent) -> None:
        self._loop.call_soon_threadsafe(self.ended.set_result, event)

    def _is_over(self, reply: Reply) -> None:
        self._end(self._held, reply, self._parts)
        self._loop.call_soon_threadsafe(self.over.set_result, None)
