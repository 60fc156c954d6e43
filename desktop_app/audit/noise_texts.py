"""What is said under noise while it is measured: documents to answer, passages to go on with, canaries, and tasks from files.

Files of tasks and of running text are the person's own; nothing here needs any. Of WikiText-2 passages of a hundred words or more
are used, the first fifty as prompt (as in DEL, arXiv 2602.11513); of MRPC and SST-2 their tab-separated files.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from desktop_app.audit.canaries import Canary, canaries
from desktop_app.audit.chats import OPENINGS
from desktop_app.audit.code_beam import Prompt
from desktop_app.audit.errors import AuditError
from desktop_app.audit.prompts import PASSAGE_WORDS, documents, passages
from desktop_app.audit.sizes import NoiseSizes
from desktop_app.model.tokenizer import ChatTokenizer

PER_CHAT = 6
PARAPHRASE = "Do these two sentences mean the same?\n1. {0}\n2. {1}\nAnswer with Yes or No."
SENTIMENT = "Is this sentence positive? {0}\nAnswer with Yes or No."
MOST_BYTES = 64 * 1024 * 1024

T = TypeVar("T")


class Chat(NamedTuple):
    """A message with canaries in it."""

    prompt: Prompt
    canaries: list[Canary]


class Passage(NamedTuple):
    """A text in two: what the model is given, and the tokens that really follow."""

    prompt: Prompt
    following: list[int]


class Example(NamedTuple):
    """A question to be answered with yes or no, and the answer."""

    prompt: Prompt
    yes: bool


@dataclass(frozen=True, slots=True)
class Given:
    """Files of the person's own, where there are any."""

    wikitext: Path | None = None
    mrpc: Path | None = None
    sst2: Path | None = None


@dataclass(frozen=True, slots=True)
class NoiseTexts:
    """All that is said: `documents` as in `prompts.documents()`, the first `attacked` of them answered and attacked."""

    documents: list[Prompt]
    attacked: int
    passages: list[Prompt]
    chats: list[Chat]
    wikitext: list[Passage] = field(default_factory=list)
    tasks: dict[str, list[Example]] = field(default_factory=dict)

    @classmethod
    def of(cls, tokenizer: ChatTokenizer, sizes: NoiseSizes, given: Given, seed: int) -> "NoiseTexts":
        """The texts of an audit of this size. Raises `AuditError` for a file that is of no use."""

        def prompt(text: str) -> Prompt:
            return Prompt.of(tokenizer, text)

        planted = canaries(sizes.chats * PER_CHAT, seed)
        of_chats = [planted[start : start + PER_CHAT] for start in range(0, len(planted), PER_CHAT)]
        tasks = {"mrpc": (given.mrpc, _paraphrases), "sst2": (given.sst2, _sentiments)}
        return cls(
            [prompt(document.text) for document in documents()],
            min(sizes.documents, len(documents())),
            [prompt(text) for text in passages()[: sizes.passages]],
            [
                Chat(prompt(OPENINGS[number % len(OPENINGS)].format(*(it.value for it in own))), own)
                for number, own in enumerate(of_chats)
            ],
            [
                Passage(prompt(text), tokenizer.encode(f" {rest}"))
                for text, rest in (_running(given.wikitext)[: sizes.wikitext] if given.wikitext else [])
            ],
            {
                name: [Example(prompt(text), yes) for text, yes in read(path)[: sizes.examples]]
                for name, (path, read) in tasks.items()
                if path is not None
            },
        )


def _running(path: Path) -> list[tuple[str, str]]:
    """The first fifty words of each long paragraph, and the fifty behind them."""
    words = [line.split() for line in _read(path).splitlines()]
    found = [
        (" ".join(of_line[:PASSAGE_WORDS]), " ".join(of_line[PASSAGE_WORDS : 2 * PASSAGE_WORDS]))
        for of_line in words
        if len(of_line) >= 2 * PASSAGE_WORDS
    ]
    return _some(found, path, f"no paragraph of {2 * PASSAGE_WORDS} words")


def _paraphrases(path: Path) -> list[tuple[str, bool]]:
    rows = [line.split("\t") for line in _read(path).splitlines()]
    found = [(PARAPHRASE.format(*row[3:5]), row[0] == "1") for row in rows if len(row) == 5 and row[0] in ("0", "1")]
    return _some(found, path, "no pair of sentences with a 0 or a 1 before it")


def _sentiments(path: Path) -> list[tuple[str, bool]]:
    rows = [line.rsplit("\t", 1) for line in _read(path).splitlines()]
    found = [(SENTIMENT.format(row[0].strip()), row[1] == "1") for row in rows if len(row) == 2 and row[1] in ("0", "1")]
    return _some(found, path, "no sentence with a 0 or a 1 behind it")


def _some(found: list[T], path: Path, lacks: str) -> list[T]:
    if not found:
        raise AuditError(f"{path} holds {lacks}. Choose the file as it is published, or leave it out.")
    return found


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise AuditError(f"{path} is larger than 64 MB. Choose the file as it is published, or leave it out.")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise AuditError(f"{path} could not be read. Choose a text file, or leave it out.") from error
