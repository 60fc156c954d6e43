"""The engine process: takes requests from the pipe, makes replies, reads documents, and ends when the pipe closes."""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_app.chat.events import EngineNews, EngineState, ModelLoaded, Progress
from desktop_app.chat.responder import ChatError
from desktop_app.engine.desk import Desk
from desktop_app.engine.errors import EngineError, PipeClosed
from desktop_app.engine.exchange import KeptExchange
from desktop_app.engine.keeper import Keeper
from desktop_app.engine.messages import Ask, Event, Forget, News, Prepare, Stop, ToEngine
from desktop_app.engine.pipes import Pipe, inherited_pipe
from desktop_app.engine.protection import Protection
from desktop_app.engine.queries import Query, Unanswered, answered
from desktop_app.engine.readers import Readers
from desktop_app.engine.recognition import Recognition

if TYPE_CHECKING:
    from desktop_app.engine.agents import Agents
    from desktop_app.engine.replies import Replies

CLOSING_SECONDS = 2.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Folders:
    """Where models, logs and files for codes lie, and the archive; without a folder for it, nothing is kept."""

    models: Path
    logs: Path
    archive: Path | None
    codes: tuple[Path, ...]


def main(folders: Folders) -> int:
    """Serve the pipe on standard input and output until it closes."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s engine %(name)s %(levelname)s %(message)s")
    pipe = inherited_pipe(ToEngine)
    asyncio.run(_Engine(pipe, folders).run())
    return 0


class _Engine:
    """What concerns the archive is answered at once; what needs torch, which takes seconds to be imported, waits for it."""

    def __init__(self, pipe: Pipe[Any], folders: Folders) -> None:
        self._pipe = pipe
        self._folders = folders
        self._keeper = Keeper(folders.archive, self._tell, codes_folders=folders.codes)
        self._protection = Protection(self._keeper, Recognition(folders.logs / "readers.log"))
        self._readers = Readers(folders.logs / "readers.log")
        self._desk = Desk(self._keeper, self._protection, self._readers, self._tell, self._forget)
        self._torch = ThreadPoolExecutor(1, thread_name_prefix="torch")
        self._agents: Agents | None = None
        self._replies: Replies | None = None
        self._early: list[Prepare | Ask | Stop | Forget] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ended = asyncio.Event()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), name="pipe", daemon=True).start()
        self._tell(Progress("engine"))
        self._start(self._keeper.open())
        self._start(self._load())
        await self._ended.wait()
        await self._close()

    async def _close(self) -> None:
        running = list(self._tasks)
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=CLOSING_SECONDS)  # answers are kept as far as they have come
        if self._replies is not None:
            self._replies.close()
        self._readers.close()
        self._protection.close()
        await self._keeper.close()
        if self._agents is not None:
            await self._agents.close()
        self._torch.shutdown(wait=False, cancel_futures=True)

    async def _load(self) -> None:
        agents, models, replies = await asyncio.to_thread(_imported)
        self._agents = agents.Agents(self._tell, self._folders.logs / "agent.log")
        self._replies = replies.Replies(
            models.Models(self._folders.models, self._torch),
            self._agents,
            self._torch,
            lambda request, emit: KeptExchange(request, emit, self._keeper, self._protection),
            self._folders.codes,
        )
        early, self._early = self._early, []
        for message in early:
            self._make(self._replies, message)

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):
            try:
                while True:
                    loop.call_soon_threadsafe(self._take, self._pipe.receive())
            except EngineError:
                loop.call_soon_threadsafe(self._ended.set)

    def _take(self, message: Prepare | Ask | Stop | Forget | Query) -> None:
        if isinstance(message, Query):
            self._start(self._answer(message))
        elif self._replies is None:
            self._early.append(message)
        else:
            self._make(self._replies, message)

    def _make(self, replies: "Replies", message: Prepare | Ask | Stop | Forget) -> None:
        match message:
            case Prepare():
                self._start(self._prepare(replies, message))
            case Ask():
                self._hold(replies.make(message.request, lambda event: self._send(Event(message.number, event))))
            case Stop():
                replies.stop(message.conversation)
            case Forget():
                self._start(self._forget(message.conversation))

    async def _forget(self, conversation: str) -> None:
        if self._replies is not None:
            self._replies.forget(conversation)
            await self._replies.ended(conversation)
        self._protection.left(conversation)
        await self._keeper.left(conversation)

    async def _prepare(self, replies: "Replies", message: Prepare) -> None:
        try:
            loaded, client = await replies.prepare(message.model, message.split, message.dtype, self._tell)
        except Exception as error:
            # Whatever it is, a question asked now will meet it again and tell it as its own answer.
            _log.warning("Preparing failed with %s.", type(error).__name__)
            self._tell(EngineState(running=True, sentence=_sentence(error)))
            return
        first, last = (client.welcome.first_layer, client.welcome.last_layer) if client else (0, loaded.layers)
        self._tell(ModelLoaded(loaded.model.name, loaded.layers, loaded.context, first, last))

    async def _answer(self, query: Query) -> None:
        try:
            value = await self._desk.answer(query.about)
        except ChatError as error:
            self._send(Unanswered(query.number, type(error).__name__, str(error)))
        except Exception as error:
            _log.error("A question about %s failed with %s.", type(query.about).__name__, type(error).__name__)
            sentence = f"Something failed inside Sotto ({type(error).__name__}). Try again, or restart Sotto."
            self._send(Unanswered(query.number, "ChatError", sentence))
        else:
            self._send(answered(query.number, value))

    def _start(self, work: Coroutine[Any, Any, object]) -> None:
        self._hold(asyncio.get_running_loop().create_task(work))

    def _hold(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("A request failed with %s.", type(error).__name__)

    def _tell(self, news: EngineNews) -> None:
        self._send(News(news))

    def _send(self, message: msgspec.Struct) -> None:
        with contextlib.suppress(PipeClosed):  # the window is gone; the listening thread ends the engine
            self._pipe.send(message)


def _sentence(error: Exception) -> str:
    text = str(error)
    return text if text.endswith((".", "。")) else f"Something failed inside Sotto ({type(error).__name__}). Please restart it."


def _imported() -> tuple[ModuleType, ModuleType, ModuleType]:
    from desktop_app.engine import agents, models, replies

    return agents, models, replies
