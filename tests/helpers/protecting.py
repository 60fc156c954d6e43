"""Protection with a recogniser that finds what a test says, in this process and at once; archives in memory or in a folder."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from desktop_app.archive.system_keyring import SystemKeyring
from desktop_app.chat.events import ArchiveState, DocumentText, ReplyRequest, Turn
from desktop_app.engine.keeper import Keeper
from desktop_app.engine.protection import Protection
from desktop_app.engine.recognition import Recognition
from desktop_app.privacy.spans import Kind, Source, Span


class ScriptedRecognition(Recognition):
    """Finds these words. `asked` are the texts that it was given; `failure` is raised instead, where one is set."""

    def __init__(self, *words: str, kind: Kind = Kind.PERSON) -> None:
        super().__init__()
        self.words = dict.fromkeys(words, kind)
        self.asked: list[str] = []
        self.failure: Exception | None = None

    async def find(
        self,
        texts: Sequence[str],
        always: Mapping[str, Kind] | None = None,
        never: Collection[str] = (),
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> list[list[Span]]:
        """Where the words, and those of the person's lists, stand."""
        if self.failure is not None:
            raise self.failure
        self.asked += texts
        words = {**self.words, **(always or {})}
        progress(1, 1)
        return [
            [
                Span(match.start(), match.end(), kind, Source.NAME)
                for word, kind in words.items()
                if word not in never
                for match in re.finditer(re.escape(word), text)
            ]
            for text in texts
        ]


def keeper_in(folder: Path | None, told: list[ArchiveState] | None = None, codes_folders: Sequence[Path] = ()) -> Keeper:
    """A keeper without a keyring."""
    return Keeper(folder, (told if told is not None else []).append, SystemKeyring(trusted=frozenset()), codes_folders)


def protection_of(*words: str, keeper: Keeper | None = None) -> tuple[Protection, ScriptedRecognition]:
    """Protection that finds these words, and its recogniser."""
    recognition = ScriptedRecognition(*words)
    return Protection(keeper or keeper_in(None), recognition), recognition


def request_of(*texts: str, documents: Sequence[DocumentText] = (), conversation: str = "c", **more: object) -> ReplyRequest:
    """Question and answer in turn, each with an identity of its own; the documents are the last question's."""
    turns = [
        Turn(role="assistant" if index % 2 else "user", text=text, identity=f"{conversation}-{index}")
        for index, text in enumerate(texts[:-1])
    ]
    last = Turn(role="user", text=texts[-1], documents=list(documents), identity=f"{conversation}-{len(texts) - 1}")
    return ReplyRequest(conversation=conversation, turns=[*turns, last], answer=f"{conversation}-{len(texts)}", **more)  # type: ignore[arg-type]
