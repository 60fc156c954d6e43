"""The readers' process: reads documents apart from the engine, so that a parser that crashes or hangs takes nothing with it."""

import asyncio
import contextlib
from pathlib import Path

from desktop_app.chat.events import DocumentText
from desktop_app.chat.responder import DocumentRefused
from desktop_app.engine.child import Child
from desktop_app.engine.errors import EngineError
from desktop_app.engine.messages import DocumentRead, DocumentUnreadable, FromReaders, Read, ToReaders
from desktop_app.engine.pipes import inherited_pipe

TIME_LIMIT = 120.0  # seconds for one document


def main() -> int:
    """Read documents one after the other until the pipe to the engine closes."""
    # Imported here: the engine uses this module too, and has no need of the parsers.
    from desktop_app.documents.errors import DocumentError
    from desktop_app.documents.extraction import extract

    pipe = inherited_pipe(ToReaders)
    with contextlib.suppress(EngineError):
        while True:
            request = pipe.receive()
            try:
                read = extract(Path(request.path))
                document = DocumentText(name=read.name, text=read.text, pages=read.pages, note=read.note)
                pipe.send(DocumentRead(request.number, document))
            except DocumentError as error:
                pipe.send(DocumentUnreadable(request.number, str(error)))
            except MemoryError:
                pipe.send(DocumentUnreadable(request.number, "The document needs more memory than there is. Try a part of it."))
    return 0


class Readers:
    """The engine's hold on the readers' process; started with the first document, and anew where it died."""

    def __init__(self, log: Path | None = None) -> None:
        self._log = log
        self._child: Child | None = None
        self._waiting: dict[int, asyncio.Future[DocumentText]] = {}
        self._count = 0

    async def read(self, path: str) -> DocumentText:
        """Return the text of the document at `path`. Raises `DocumentRefused` with a sentence."""
        if self._child is None:
            self._child = Child(["readers"], FromReaders, on_message=self._received, on_exit=self._ended, log=self._log)
        self._count += 1
        number = self._count
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._child.send(Read(number, path))
        try:
            return await asyncio.wait_for(future, TIME_LIMIT)
        except TimeoutError:
            self.close()
            self._ended()
            name = Path(path).name
            raise DocumentRefused(f"Reading “{name}” took over two minutes and was stopped. Try a part of it.") from None
        finally:
            self._waiting.pop(number, None)

    def close(self) -> None:
        """End the readers' process."""
        if self._child is not None:
            self._child.close(seconds=0.5)
            self._child = None

    def _received(self, message: DocumentRead | DocumentUnreadable) -> None:
        future = self._waiting.get(message.number)
        if future is None or future.done():
            return
        if isinstance(message, DocumentRead):
            future.set_result(message.document)
        else:
            future.set_exception(DocumentRefused(message.sentence))

    def _ended(self) -> None:
        self._child = None
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(
                    DocumentRefused("Reading this document made the reader crash. Try to save it in another format.")
                )
