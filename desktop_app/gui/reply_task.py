"""The bridge between the responder's events and the widgets: one task for one reply, one for each document that is read."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from desktop_app.chat.conversation import Asking
from desktop_app.chat.events import ReplyEvent, ReplyFailed, ReplyFinished, ReplyRequest, Sampling, Split
from desktop_app.chat.responder import Responder
from desktop_app.gui.traffic_shape import SHAPES
from desktop_app.settings.settings import Settings

_LOG = logging.getLogger(__name__)


def asking_of(settings: Settings) -> Asking:
    """The settings in the words of a request."""
    return Asking(
        sampling=Sampling(
            temperature=settings.temperature,
            top_k=settings.top_k,
            top_p=settings.top_p,
            min_p=settings.min_p,
            repetition_penalty=settings.repetition_penalty,
            seed=settings.seed,
            max_tokens=settings.max_tokens,
        ),
        split=Split(head=settings.head, tail=settings.tail, only_here=settings.only_here),
        model=settings.model,
        drafting=settings.drafting,
        shape=SHAPES[settings.shape],
    )


class Tasks:
    """The tasks that a window has running; `close` cancels them and waits for their end."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
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
    events = responder.reply(request)
    try:
        async for event in events:
            last = event
            receive(event)
            if isinstance(event, ReplyFinished | ReplyFailed):
                return
    except asyncio.CancelledError:
        if not isinstance(last, ReplyFinished | ReplyFailed):
            receive(ReplyFailed(sentence=cancelled, kind="interrupted"))
        raise
    except Exception as error:
        # The text of an unexpected error could hold what the person wrote: only its kind goes to the log.
        _LOG.error("A reply ended in an unexpected %s.", type(error).__name__)
    finally:
        if (close := getattr(events, "aclose", None)) is not None:
            await close()
    receive(ReplyFailed(sentence=lost, kind="interrupted"))
