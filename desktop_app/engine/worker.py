"""The engine process: takes requests from the pipe, makes replies, reads documents, and ends when the pipe closes."""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from desktop_app.chat.events import DocumentText, EngineNews, EngineState, ModelLoaded, Progress
from desktop_app.chat.responder import DocumentRefused
from desktop_app.engine.errors import EngineError, PipeClosed
from desktop_app.engine.messages import (
    Ask,
    DocumentRead,
    DocumentUnreadable,
    Event,
    Forget,
    News,
    Prepare,
    Read,
    Stop,
    ToEngine,
)
from desktop_app.engine.pipes import Pipe, inherited_pipe
from desktop_app.engine.readers import Readers

_log = logging.getLogger(__name__)


def main(models: Path, logs: Path) -> int:
    """Serve the pipe on standard input and output until it closes."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s engine %(name)s %(levelname)s %(message)s")
    pipe = inherited_pipe(ToEngine)
    asyncio.run(_Engine(pipe, models, logs).run())
    return 0


class _Engine:
    def __init__(self, pipe: Pipe[Any], models: Path, logs: Path) -> None:
        # Imported here, after the pipe is there: torch takes seconds, and the window is told meanwhile.
        self._pipe = pipe
        self._tell(Progress("engine"))
        from desktop_app.engine.agents import Agents
        from desktop_app.engine.models import Models
        from desktop_app.engine.replies import Replies

        self._torch = ThreadPoolExecutor(1, thread_name_prefix="torch")
        self._agents = Agents(self._tell, logs / "agent.log")
        self._replies = Replies(Models(models, self._torch), self._agents, self._torch)
        self._readers = Readers(logs / "readers.log")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ended = asyncio.Event()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), name="pipe", daemon=True).start()
        await self._ended.wait()
        for task in self._tasks:
            task.cancel()
        self._replies.close()
        self._readers.close()
        await self._agents.close()
        self._torch.shutdown(wait=False, cancel_futures=True)

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):
            try:
                while True:
                    loop.call_soon_threadsafe(self._take, self._pipe.receive())
            except EngineError:
                loop.call_soon_threadsafe(self._ended.set)

    def _take(self, message: Prepare | Ask | Stop | Forget | Read) -> None:
        match message:
            case Prepare():
                self._start(self._prepare(message))
            case Ask():
                self._hold(self._replies.make(message.request, lambda event: self._send(Event(message.number, event))))
            case Stop():
                self._replies.stop(message.conversation)
            case Forget():
                self._replies.forget(message.conversation)
            case Read():
                self._start(self._read(message))

    async def _prepare(self, message: Prepare) -> None:
        try:
            loaded, client = await self._replies.prepare(message.model, message.split, message.dtype, self._tell)
        except Exception as error:
            # Whatever it is, a question asked now will meet it again and tell it as its own answer.
            _log.warning("Preparing failed with %s.", type(error).__name__)
            self._tell(EngineState(running=True, sentence=_sentence(error)))
            return
        first, last = (client.welcome.first_layer, client.welcome.last_layer) if client else (0, loaded.layers)
        self._tell(ModelLoaded(loaded.model.name, loaded.layers, loaded.context, first, last))

    async def _read(self, message: Read) -> None:
        document: DocumentText
        try:
            document = await self._readers.read(message.path)
        except DocumentRefused as error:
            self._send(DocumentUnreadable(message.number, str(error)))
        except Exception as error:
            _log.error("Reading a document failed with %s.", type(error).__name__)
            sentence = f"The document could not be read ({type(error).__name__}). Try it again, or another one."
            self._send(DocumentUnreadable(message.number, sentence))
        else:
            self._send(DocumentRead(message.number, document))

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
