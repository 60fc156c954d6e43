"""The engine's hold on the process that finds what identifies a person: its own readers' process, apart from the documents'.

Texts go there piece by piece, so that a long document shows its progress, and who cancels `find` waits for the piece under way at
most. Names found in one piece are then looked for in all of them. Nothing may be sent while this failed: every failure is a
`ProtectionFailed`, and the next call starts the process anew.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from desktop_app.chat.responder import ProtectionFailed
from desktop_app.engine.asked_child import AskedChild
from desktop_app.engine.errors import ChildCrashed, EngineError
from desktop_app.engine.messages import FromReaders, Recognise, Recognised, Unrecognised, UseLists
from desktop_app.privacy.recognition.overlaps import merge
from desktop_app.privacy.recognition.pieces import names_of, pieces
from desktop_app.privacy.spans import Kind, Span

TIME_LIMIT = 120.0  # seconds for one piece; the first one loads the models

_SURROGATES = re.compile("[\ud800-\udfff]")


class Recognition:
    """Finds protected spans in a child process, started with the first text, and anew where it died or hung."""

    def __init__(self, log: Path | None = None, time_limit: float = TIME_LIMIT) -> None:
        self._time_limit = time_limit
        self._child = AskedChild("readers", FromReaders, log)
        self._lists = UseLists({}, [])

    async def find(
        self,
        texts: Sequence[str],
        always: Mapping[str, Kind] | None = None,
        never: Collection[str] = (),
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> list[list[Span]]:
        """Return the protected spans of each text, sorted and apart from each other.

        `progress` is told how many characters of how many are done. Raises `ProtectionFailed` with a sentence.
        """
        lists = UseLists(dict(always or {}), sorted(never))
        # A lone surrogate is no character and cannot be sent; what stands for it keeps all places as they are.
        texts = [_SURROGATES.sub("\ufffd", text) for text in texts]
        cuts = [(index, start, end) for index, text in enumerate(texts) for start, end in pieces(text)]
        total, done = sum(end - start for _, start, end in cuts), 0
        progress(0, total)
        spans: list[list[Span]] = [[] for _ in texts]
        for index, start, end in cuts:
            spans[index] += _moved(await self._ask(texts[index][start:end], lists, None), start)
            done += end - start
            progress(done, total)
        names = {name: kind for text, found in zip(texts, spans, strict=True) for name, kind in names_of(text, found).items()}
        for index, start, end in cuts if names else ():
            spans[index] += _moved(await self._ask(texts[index][start:end], lists, names), start)
        return [merge(text, found) for text, found in zip(texts, spans, strict=True)]

    def close(self) -> None:
        """End the process."""
        self._child.close()

    async def _ask(self, piece: str, lists: UseLists, names: dict[str, Kind] | None) -> list[Span]:
        try:
            if self._child.start():
                self._lists = UseLists({}, [])
            if lists != self._lists:
                self._child.tell(lists)
                self._lists = lists
            answer = await self._child.ask(lambda number: Recognise(number, piece, names), self._time_limit)
        except TimeoutError:
            raise ProtectionFailed(
                "Looking for names took too long and was stopped; nothing was sent. Try again, or a part of the text."
            ) from None
        except ChildCrashed:
            raise ProtectionFailed(
                "What looks for names has crashed; nothing was sent. Try again, or send the text in smaller parts."
            ) from None
        except (EngineError, OSError) as error:
            raise ProtectionFailed(f"Names could not be looked for, so nothing was sent. {error}") from error
        if isinstance(answer, Unrecognised):
            raise ProtectionFailed(f"{answer.sentence} Nothing was sent.")
        assert isinstance(answer, Recognised)
        return answer.spans


def _moved(spans: Sequence[Span], offset: int) -> list[Span]:
    return [Span(span.start + offset, span.end + offset, span.kind, span.source) for span in spans]
