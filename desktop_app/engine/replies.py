"""From a request to a running reply: model, agent, session, prompt, parts; and the way back when it ends.

The steps that wait (a model being converted, an agent starting) are awaited in the engine's event loop; what touches caches or
computes runs as jobs in the torch thread.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from desktop_app.chat.events import OFF, Progress, ReplyEvent, ReplyFailed, ReplyFinished, ReplyRequest, Split, Statistics
from desktop_app.chat.responder import ChatError
from desktop_app.decoding.decoder import Decoder
from desktop_app.decoding.drafter import Drafter
from desktop_app.decoding.errors import DecodingError
from desktop_app.decoding.limits import Limits
from desktop_app.decoding.shape import ShapedDecoder
from desktop_app.engine import prompt
from desktop_app.engine.agent_client import AgentClient
from desktop_app.engine.agents import Agents
from desktop_app.engine.conversations import Conversations, Held
from desktop_app.engine.errors import BudgetSpent, EngineError, RequestRefused
from desktop_app.engine.exchange import Exchange, PlainExchange
from desktop_app.engine.models import Loaded, Models
from desktop_app.engine.noisy_rows import NoisyHead, VisibleDrafter
from desktop_app.engine.opening import Opening, context_of
from desktop_app.engine.reply import Parts, Reply
from desktop_app.engine.reply_run import Prepared, ReplyRun
from desktop_app.engine.sampling import Sampler
from desktop_app.engine.stop_strings import StopStrings
from desktop_app.model.detokenizer import StreamingText
from desktop_app.model.errors import ModelError
from desktop_app.settings.paths import SHIPPED_CODES
from remote_agent.segment.errors import SegmentError

WINDOW = 2  # steps in flight
PROMPT_SLICE = 128  # rows of a prompt in one step
NOISY_SLICE = 64  # the agent decodes a step's codes with the model, and serves nobody else meanwhile
STOP_SECONDS = 1.0  # that a reply whose engine closes has for its last words

_log = logging.getLogger(__name__)

T = TypeVar("T")
Emit = Callable[[ReplyEvent], None]
Task = tuple[list[int], int, float]
"""The prompt's ids, how many tokens the reply may have, and when the question was taken up (`time.perf_counter`)."""


class Replies:
    """Makes replies, several at a time. Its methods belong to the engine's event loop."""

    def __init__(
        self,
        models: Models,
        agents: Agents,
        torch_thread: ThreadPoolExecutor,
        exchange: Callable[[ReplyRequest, Emit], Exchange] = PlainExchange,
        codes_folders: Sequence[Path] = (SHIPPED_CODES,),
    ) -> None:
        """`exchange` surrounds each reply: what is kept of it, and what is replaced before it leaves."""
        self._models = models
        self._agents = agents
        self._torch = torch_thread
        self._exchange = exchange
        self._conversations = Conversations()
        self._opening = Opening(self._conversations, self._compute, self._submit, codes_folders)
        models.before_loading = self._conversations.forget_idle
        self._running: dict[str, Reply] = {}
        self._pending: dict[str, asyncio.Task[Any]] = {}
        self._ending: set[str] = set()
        self._leaving: dict[str, asyncio.Task[Any]] = {}  # told their end, while dummy steps still follow
        self._preparing: set[asyncio.Task[Any]] = set()
        self._users = 0
        self._used = ("", "")
        self._freed = asyncio.Event()

    async def prepare(
        self, model: str, split: Split, dtype: str, tell: Callable[[Progress], None]
    ) -> tuple[Loaded, AgentClient | None]:
        """Load the model and greet an agent, where one is needed. Raises `EngineError`, `ModelError`, `SegmentError`."""
        async with self._use(model, dtype):
            return await self._ready(model, split, dtype, tell)

    @asynccontextmanager
    async def _use(self, model: str, dtype: str) -> AsyncIterator[None]:
        """Wait until no answer with another model is under way: that model's agent would be ended in the middle of it."""
        while self._users and self._used != (model, dtype):
            await self._freed.wait()
        self._users, self._used = self._users + 1, (model, dtype)
        try:
            yield
        finally:
            self._users -= 1
            self._freed.set()
            self._freed = asyncio.Event()

    async def _ready(
        self, model: str, split: Split, dtype: str, tell: Callable[[Progress], None]
    ) -> tuple[Loaded, AgentClient | None]:
        loaded = await self._to_the_end(self._models.get(model, split, dtype, tell))
        if loaded.only_here:
            return loaded, None
        tell(Progress("agent"))
        client = await self._to_the_end(self._agents.get(loaded.file))
        welcome = client.welcome
        if loaded.first_layer == 0 < welcome.first_layer:
            raise RequestRefused(
                f"Noise needs an agent that has the model from its first layer on; this one begins with layer "
                f"{welcome.first_layer + 1}. Start it with all layers (sotto-agent serve without --layers), or ask without noise "
                "in a new chat."
            )
        if not welcome.first_layer <= loaded.first_layer < loaded.last_layer <= welcome.last_layer:
            raise RequestRefused(
                f"The agent runs layers {welcome.first_layer + 1} to {welcome.last_layer} of {loaded.layers}, but this split "
                f"asks for {loaded.first_layer + 1} to {loaded.last_layer}. Choose other numbers of layers in the settings."
            )
        return loaded, client

    def make(self, request: ReplyRequest, emit: Emit) -> asyncio.Task[list[int]]:
        """Start to make a reply, which can be stopped from now on; the task gives its token ids, after the last event."""
        loop = asyncio.get_running_loop()
        if request.conversation in self._pending:
            return loop.create_task(_refuse(emit))
        task = self._pending[request.conversation] = loop.create_task(self._to_the_last_row(request, emit))
        return task

    async def _to_the_last_row(self, request: ReplyRequest, emit: Emit) -> list[int]:
        """Answer, and hold what the answer needs until its last row has come back: dummy steps may follow its end."""
        name, task = request.conversation, asyncio.current_task()
        before = self._leaving.get(name)
        try:
            async with AsyncExitStack() as until_over:
                return await self._answer(request, emit, before, until_over)
        finally:
            if self._leaving.get(name) is task:
                del self._leaving[name]

    async def _answer(
        self, request: ReplyRequest, emit: Emit, before: asyncio.Task[Any] | None, until_over: AsyncExitStack
    ) -> list[int]:
        name = request.conversation
        exchange = self._exchange(request, emit)
        tokens: list[int] = []
        last: ReplyEvent
        try:
            prompt.check_question(request.turns)
            await exchange.open()
            if before is not None:
                await asyncio.wait((before,))
            await until_over.enter_async_context(self._use(request.model, request.dtype))
            tokens, last = await self._make(exchange, until_over)
        except asyncio.CancelledError:
            last = ReplyFinished("stopped", Statistics())
        except BudgetSpent as error:
            last = ReplyFailed(str(error), kind="budget", needed=error.needed)
        except (ChatError, EngineError, ModelError, SegmentError, DecodingError) as error:
            last = ReplyFailed(str(error))
        except Exception as error:
            # Never an answer without an end. The type alone goes to the log: a message could hold a part of the prompt.
            _log.error("A reply failed with %s.", type(error).__name__)
            last = ReplyFailed(f"Something failed inside Sotto ({type(error).__name__}). Please ask again, or restart Sotto.")
        self._running.pop(name, None)
        self._ending.add(name)  # from now on there is nothing left to stop
        last = await self._ended(exchange, last)
        self._ending.discard(name)
        self._leaving[name] = self._pending.pop(name)
        emit(last)
        return tokens

    async def _ended(self, exchange: Exchange, last: ReplyEvent) -> ReplyEvent:
        try:
            return await exchange.end(last)
        except Exception as error:
            _log.error("The end of a reply failed with %s.", type(error).__name__)
            return ReplyFailed(
                f"The answer could not be kept ({type(error).__name__}). Copy it, then restart Sotto.", kind="interrupted"
            )

    def stop(self, conversation: str) -> None:
        """Stop the reply of this conversation, also one that still waits for its model or its agent."""
        reply, waiting = self._running.get(conversation), self._pending.get(conversation)
        if reply is not None:
            self._torch.submit(reply.stop)
        elif waiting is not None and conversation not in self._ending:
            # Not at once: a task that is cancelled before its first step never gets to tell its end.
            asyncio.get_running_loop().call_soon(waiting.cancel)

    async def ended(self, conversation: str) -> None:
        """Wait until no reply of this conversation is being made."""
        if (pending := self._pending.get(conversation)) is not None:
            await asyncio.wait([pending])

    def forget(self, conversation: str) -> None:
        """Free the rows of this conversation."""
        self.stop(conversation)
        self._torch.submit(self._conversations.forget, conversation)

    def close(self) -> None:
        """Give up what is being prepared; what has begun on a thread ends by itself."""
        for task in self._preparing:
            task.cancel()

    async def _make(self, exchange: Exchange, until_over: AsyncExitStack) -> tuple[list[int], ReplyEvent]:
        request = exchange.request
        loaded, client = await self._reached(exchange, until_over)
        started = time.perf_counter()
        held, ids, room = await self._opening.begin(exchange, loaded, client)
        task = (ids, min(room, request.sampling.max_tokens), started)
        try:
            parts = self._parts(request, loaded, held, client, task)
            await exchange.leave(parts.statistics)
        except BaseException:
            held.busy = False
            raise
        anew = partial(self._anew, exchange, until_over, task)
        run = ReplyRun(request, (held, parts), anew, self._end, self._submit)
        until_over.push_async_callback(asyncio.wait, (run.over,))
        reply = self._running[request.conversation] = run.begin(exchange.emit)
        try:
            return reply.tokens, await run.last()
        except asyncio.CancelledError:  # the engine closes: what has left until now is still to be told
            self._torch.submit(reply.stop)
            await asyncio.wait((run.ended,), timeout=STOP_SECONDS)
            return reply.tokens, run.ended.result() if run.ended.done() else ReplyFinished("stopped", reply.figures())

    async def _reached(self, exchange: Exchange, until_over: AsyncExitStack) -> tuple[Loaded, AgentClient | None]:
        request = exchange.request
        # Noise sits at the embedding: layers here on what is noisy already would protect nothing more.
        split = request.split if request.noise is None else replace(request.split, head=0)
        loaded, client = await self._ready(request.model, split, request.dtype, exchange.emit)
        if client is not None:
            until_over.enter_context(client.padding(request.shape.rows > 0))
        return loaded, client

    async def _anew(self, exchange: Exchange, until_over: AsyncExitStack, task: Task, reply: Reply) -> Prepared:
        """Everything once more in another session, the reply so far at the end of the prompt."""
        request, (ids, room, started) = exchange.request, task
        loaded, client = await self._reached(exchange, until_over)
        held, numbers, _ = await self._opening.begin(exchange, loaded, client)
        if request.noise is not None:
            ids = numbers  # else answers before this one as they were made: the session that knew them is gone
        try:
            task = ([*ids, *reply.tokens], room - len(reply.tokens), started)
            return held, self._parts(request, loaded, held, client, task)
        except BaseException:
            held.busy = False
            raise

    def _parts(self, request: ReplyRequest, loaded: Loaded, held: Held, client: AgentClient | None, task: Task) -> Parts:
        ids, room, started = task
        sampling = request.sampling
        seed = secrets.randbits(63) if sampling.seed is None else sampling.seed & (2**64 - 1)
        shape = request.shape if client is not None else OFF
        prompt_slice = shape.prompt_rows if shape.rows else PROMPT_SLICE if held.noisy is None else NOISY_SLICE
        limits = Limits(
            max_tokens=max(1, room),
            context=context_of(loaded, client),
            stop_ids=frozenset(loaded.model.tokenizer.stop_ids),
            prompt_slice=prompt_slice if client is None else min(prompt_slice, client.welcome.max_rows_per_step),
        )
        kind: Callable[..., Decoder] = Decoder
        may_pad = None if held.noisy is None else held.noisy.may_pad
        if shape.rows and (may_pad is None or any(map(may_pad, ids))):
            kind = partial(ShapedDecoder, rows=shape.rows, least_ticks=shape.ticks, may_pad=may_pad)
        decoder = kind(
            held.session,
            ids,
            limits=limits,
            drafters=_drafters(held, request) if request.drafting else [],
            plan=held.plan,
            # With nothing to wait for, a second step would only guess what the first is about to tell.
            window=1 if client is None else WINDOW,
            start=held.start,
        )
        statistics = Statistics(
            prompt_tokens=len(ids),
            reused_tokens=decoder.reused,
            head_layers=loaded.first_layer,
            middle_layers=loaded.last_layer - loaded.first_layer,
            tail_layers=loaded.layers - loaded.last_layer,
            mode="only here" if client is None else "exact" if held.noisy is None else "dp",
            peer=client.peer if client is not None else "",
            device=str(loaded.head.device.type),
            dtype=str(loaded.head.dtype).removeprefix("torch."),
            model=loaded.model.name,
            seed=seed,
        )
        return Parts(
            head=loaded.head if held.noisy is None else NoisyHead(loaded.head, held.noisy),
            tail=loaded.tail,
            middle=held.middle,
            session=held.session,
            decoder=decoder,
            sampler=Sampler(sampling, seed, loaded.head.dtype),
            text=StreamingText(loaded.model.tokenizer),
            stops=StopStrings(sampling.stop),
            statistics=statistics,
            started=started,
            traffic=lambda: (held.middle.bytes_sent, held.middle.bytes_received, client.round_trip if client else 0.0),
        )

    def _end(self, held: Held, reply: Reply, parts: Parts) -> None:
        """Keep what the next turn can use again; in the torch thread."""
        held.busy = False
        if parts.decoder.finished:
            held.start = parts.decoder.continuation
            held.tokens = reply.all_tokens
        else:
            # It failed: which rows the caches hold is not known any more.
            held.middle.close()

    def _submit(self, job: Callable[[], None]) -> None:
        self._torch.submit(job)

    async def _to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for what is worth having also if whoever asked for it stops: a model half loaded would be loaded again."""
        task = asyncio.get_running_loop().create_task(work)
        self._preparing.add(task)
        task.add_done_callback(self._prepared)
        return await asyncio.shield(task)

    def _prepared(self, task: asyncio.Task[Any]) -> None:
        self._preparing.discard(task)
        if not task.cancelled():
            task.exception()  # told to whoever waited, if anyone still did

    async def _compute(self, job: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._torch, job)


def _drafters(held: Held, request: ReplyRequest) -> list[Drafter]:
    """Under noise drafts may hold nothing but what has been seen; where answers are charged none is worth its price."""
    if request.noise is not None and request.noise.answers == "codes":
        return []
    return held.drafters if held.noisy is None else [VisibleDrafter(drafter) for drafter in held.drafters]


async def _refuse(emit: Emit) -> list[int]:
    emit(ReplyFailed("This conversation is being answered already. Wait for the answer, or stop it."))
    return []
