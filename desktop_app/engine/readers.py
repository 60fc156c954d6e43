"""The readers' process: reads documents, and finds what identifies a person, apart from the engine.

A parser that crashes or hangs then takes nothing with it, and what the recognisers load stays out of the process that computes.
The engine holds two of these processes: one for documents (`Readers`), one for names (`recognition.Recognition`).
"""

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.chat.events import DocumentText
from desktop_app.chat.responder import DocumentRefused
from desktop_app.engine.asked_child import AskedChild
from desktop_app.engine.errors import ChildCrashed, EngineError
from desktop_app.engine.messages import (
    DocumentRead,
    DocumentUnreadable,
    FromReaders,
    Read,
    Recognise,
    Recognised,
    ToReaders,
    Unrecognised,
    UseLists,
)
from desktop_app.engine.pipes import inherited_pipe
from desktop_app.privacy.errors import PrivacyError

if TYPE_CHECKING:
    from desktop_app.privacy.recognition.recogniser import Recogniser

TIME_LIMIT = 120.0  # seconds for one document


def main() -> int:
    """Answer one request after the other until the pipe to the engine closes."""
    without_torch()
    pipe = inherited_pipe(ToReaders)
    recognising = _Recognising()
    with contextlib.suppress(EngineError):
        while True:
            match pipe.receive():
                case Read() as request:
                    pipe.send(_read(request))
                case UseLists() as lists:
                    recognising.use(lists)
                case Recognise() as request:
                    pipe.send(recognising.answer(request))
    return 0


def without_torch() -> None:
    """Keep torch out of this process: spaCy imports it where it finds it, and nothing that reads needs its 300 MB."""
    sys.modules.setdefault("torch", None)  # type: ignore[arg-type]


# The parsers and recognisers are imported at the first request for them: the engine uses this module too and needs neither, and
# of the two processes each needs its own.


def _read(request: Read) -> DocumentRead | DocumentUnreadable:
    from desktop_app.documents.errors import DocumentError
    from desktop_app.documents.extraction import extract

    try:
        read = extract(Path(request.path))
        return DocumentRead(request.number, DocumentText(name=read.name, text=read.text, pages=read.pages, note=read.note))
    except DocumentError as error:
        return DocumentUnreadable(request.number, str(error))
    except MemoryError:
        return DocumentUnreadable(request.number, "The document needs more memory than there is. Try a part of it.")


class _Recognising:
    """The recognisers of this process, with the lists that came last."""

    def __init__(self) -> None:
        self._recogniser: Recogniser | None = None
        self._lists: UseLists | None = None

    def use(self, lists: UseLists) -> None:
        """Use these lists from now on; they are made ready with the next text, where that it fails can be told."""
        self._lists = lists

    def answer(self, request: Recognise) -> Recognised | Unrecognised:
        try:
            recogniser = self._ready()
            if request.names is not None:
                return Recognised(request.number, recogniser.find_again(request.piece, request.names))
            return Recognised(request.number, recogniser.find_in_pieces([request.piece])[0])
        except PrivacyError as error:
            return Unrecognised(request.number, str(error))
        except MemoryError:
            return Unrecognised(request.number, "Looking for names needs more memory than there is. Close other programs.")

    def _ready(self) -> "Recogniser":
        from desktop_app.privacy.recognition.recogniser import Recogniser
        from desktop_app.privacy.recognition.word_lists import WordLists

        if self._recogniser is None:
            self._recogniser = Recogniser()
        if self._lists is not None:
            self._recogniser.lists = WordLists(self._lists.always, self._lists.never)
            self._lists = None
        return self._recogniser


class Readers:
    """The engine's hold on the readers' process for documents."""

    def __init__(self, log: Path | None = None) -> None:
        self._child = AskedChild("readers", FromReaders, log)

    async def read(self, path: str) -> DocumentText:
        """Return the text of the document at `path`. Raises `DocumentRefused` with a sentence."""
        try:
            answer = await self._child.ask(lambda number: Read(number, path), TIME_LIMIT)
        except TimeoutError:
            name = Path(path).name
            raise DocumentRefused(f"Reading “{name}” took over two minutes and was stopped. Try a part of it.") from None
        except ChildCrashed:
            raise DocumentRefused("Reading this document made the reader crash. Try to save it in another format.") from None
        if isinstance(answer, DocumentUnreadable):
            raise DocumentRefused(answer.sentence)
        assert isinstance(answer, DocumentRead)
        return answer.document

    def close(self) -> None:
        """End the readers' process."""
        self._child.close()
