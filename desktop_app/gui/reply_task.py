"""The bridge between the responder's events and the widgets: one task for one reply, one for each document that is read."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from typing import Any, cast

from desktop_app.chat.events import ReplyEvent, ReplyFailed, ReplyFinished, ReplyRequest
from desktop_app.chat.responder import Responder


class Tasks:
    """The tasks that a window has running; `close` cancels them and waits for their end."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Run `work` in the running event loop."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def close(self) -> None:
        """Cancel everything and wait until it is over."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def follow_reply(
    responder: Responder, request: ReplyRequest, receive: Callable[[ReplyEvent], None], lost: str, cancelled: str
) -> None:
    """Hand every event of a reply to `receive`; the last is always a `ReplyFinished` or a `ReplyFailed`.

    `lost` is the sentence for a reply that ends without one, or in an error of the program; `cancelled` that for a closed window.
    """
    last: ReplyEvent | None = None
    try:
        async with aclosing(cast("Any", responder.reply(request))) as events:
            async for event in events:
                last = event
                receive(event)
                if isinstance(event, ReplyFinished | ReplyFailed):
                    return
    except asyncio.CancelledError:
        if not isinstance(last, ReplyFinished | ReplyFailed):
            receive(ReplyFailed(sentence=cancelled, kind="interrupted"))
        raise
    except Exception:
        # The text of an unexpected error could hold what the person wrote: it goes to no log and no screen.
        receive(ReplyFailed(sentence=lost, kind="interrupted"))
        return
    receive(ReplyFailed(sentence=lost, kind="interrupted"))
