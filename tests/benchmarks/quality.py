"""What protected spans cost a reply: of the questions that are answered rightly as they are, how many still are with stand-ins.

Three greedy runs with the same settings, each through the engine:

plain      the document as it is
control    document and question renamed by hand (`control` of each document), and the answer judged by the new names: a small
           model loses some answers at any renaming, however good
protected  protected spans on; the answer is judged as it is shown, with the real words

Stand-ins are drawn at random, so the protected run is repeated with new ones (`--namings`) and its share is the mean.
The starter model answers none of the Korean questions as they are; only a larger one (`--model`) tells anything about those.
"""

import argparse
import asyncio
import re
import unicodedata
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal, TypedDict, cast

import msgspec
import numpy as np
from msgspec import Struct

from desktop_app.chat.events import (
    DocumentText,
    QuestionProtected,
    ReplyEvent,
    ReplyFailed,
    ReplyRequest,
    Sampling,
    TextAdded,
    Turn,
)
from desktop_app.engine.agents import Agents
from desktop_app.engine.exchange import KeptExchange
from desktop_app.engine.keeper import Keeper
from desktop_app.engine.models import Models
from desktop_app.engine.protection import Protection
from desktop_app.engine.recognition import Recognition
from desktop_app.engine.replies import Replies
from desktop_app.settings.paths import user_paths
from tests.benchmarks.report import Checkpoint, add_arguments, publish

DOCUMENTS = Path(__file__).with_name("quality_documents.json")
INSTRUCTION = "You answer questions about a document. Answer in a few words, with the words of the document."
TOKENS = 32
NAMINGS = 3
RESAMPLES = 10_000

Run = Literal["plain", "control", "protected"]
COMPARED: tuple[Run, Run] = ("control", "protected")


class Question(Struct, frozen=True):
    """A question and the forms in which its answer is right; the first stands in the document."""

    question: str
    answers: list[str]


class Document(Struct, frozen=True):
    """A short document with its questions; `control` gives each identifying value another plausible one."""

    id: str
    language: Literal["en", "ko"]
    name: str
    text: str
    questions: list[Question]
    control: dict[str, str]


class Answer(TypedDict):
    """A reply as it was shown, and what was replaced in document and question."""

    reply: str
    stand_ins: dict[str, str]


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="quality", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--model", default="", help="a model other than the starter model")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N documents of each language")
    parser.add_argument("--language", choices=("en", "ko"), help="documents of this language only")
    parser.add_argument("--namings", type=int, default=NAMINGS, metavar="N", help=f"draw stand-ins N times (default {NAMINGS})")
    options = parser.parse_args(arguments)
    limit, namings = (10, 1) if options.quick else (options.limit, options.namings)
    documents = chosen(load(DOCUMENTS), options.language, limit)
    kept = Checkpoint(options.checkpoint)
    asyncio.run(measure(documents, options.model, namings, kept))
    print(lost(documents, namings, kept))
    publish(figures(documents, namings, kept), options)


def chosen(documents: Sequence[Document], language: str | None, limit: int | None) -> list[Document]:
    """Return the documents of `language` (None: of both), of each the first `limit`."""
    languages = [language] if language else ["en", "ko"]
    return [it for name in languages for it in [doc for doc in documents if doc.language == name][:limit]]


def load(path: Path) -> list[Document]:
    """Read the documents. Raises `ValueError` where one is faulty."""
    documents = msgspec.json.decode(path.read_bytes(), type=list[Document])
    found = [f"{document.id}: {fault}" for document in documents for fault in faults(document)]
    if len({document.id for document in documents}) < len(documents):
        found.append("Two documents have the same id.")
    if found:
        raise ValueError("\n".join(found))
    return documents


def faults(document: Document) -> Iterator[str]:
    """What makes a document unfit: an answer that it does not give, or a control that does not rename one to one."""
    text, control = document.text, document.control
    questions = [*(it.question for it in document.questions), *(form for it in document.questions for form in it.answers)]
    if not 60 <= len(text.split()) <= 150:
        yield f"has {len(text.split())} words, not 60 to 150"
    if not 3 <= len(document.questions) <= 5:
        yield f"has {len(document.questions)} questions, not 3 to 5"
    for question in document.questions:
        if not is_right(text, question.answers[:1]):
            yield f"“{question.answers[0]}” is not in the text"
    for value, other in control.items():
        if value not in " ".join((text, *questions)):
            yield f"“{value}” is renamed, but occurs nowhere"
        if renamed(text, {other: ""}) != text:
            yield f"“{other}” is a new name, but occurs in the text"
    if renamed(renamed(text, control), {other: value for value, other in control.items()}) != text:
        yield "the control cannot be undone: two values have one name"


def renamed(text: str, control: Mapping[str, str]) -> str:
    """Return `text` with each value of `control` renamed, in one pass and the longest first.

    A value is a whole word, after which a Korean particle may stand.
    """
    if not control:
        return text
    values = "|".join(re.escape(value) for value in sorted(control, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{values})(?![^\W가-힣])", lambda match: control[match[0]], text)


def is_right(reply: str, answers: Sequence[str]) -> bool:
    """Whether the reply contains one of the accepted forms as words or numbers of their own; a word may be inflected."""
    said = _normalised(reply)
    forms = (_normalised(answer) for answer in answers)
    return any(re.search(rf"(?<!\w){re.escape(form)}" + (r"(?!\d)" if form[-1].isdigit() else ""), said) for form in forms)


def _normalised(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return " ".join(re.sub(r"(?<=\d),(?=\d{3})", "", plain).split())


async def measure(documents: Sequence[Document], model: str, namings: int, kept: Checkpoint) -> None:
    """Answer all questions as they are, and those that were answered rightly in the other runs too; keep every answer."""
    async with engine() as (replies, _):
        for number, document in enumerate(documents, start=1):
            for run, naming in runs(namings):
                for question in document.questions if run == "plain" else _right_in_plain(document, kept):
                    key = _key(document, question, run, naming)
                    if key not in kept:
                        kept[key] = await _ask(replies, model, document, question, run, naming)
                replies.forget(_conversation(document, run, naming))
            right, asked = len(_right_in_plain(document, kept)), len(document.questions)
            print(f"{number} of {len(documents)}: {document.id}, {right} of {asked} right as they are", flush=True)


def runs(namings: int) -> list[tuple[Run, int]]:
    """The runs in order, the protected one as often as stand-ins are drawn."""
    return [("plain", 0), ("control", 0), *(("protected", naming) for naming in range(namings))]


@asynccontextmanager
async def engine() -> AsyncIterator[tuple[Replies, Keeper]]:
    """The engine without its process, and what it keeps: replies as the application makes them, nothing kept on disk."""
    thread, paths = ThreadPoolExecutor(1, thread_name_prefix="torch"), user_paths()
    agents = Agents(lambda state: None, None)
    keeper = Keeper(None, lambda state: None, codes_folders=paths.codes)
    protection = Protection(keeper, Recognition())
    exchange = partial(KeptExchange, keeper=keeper, protection=protection)
    try:
        yield Replies(Models(paths.models, thread), agents, thread, exchange, paths.codes), keeper
    finally:
        protection.close()
        await keeper.close()
        await agents.close()
        thread.shutdown()


async def _ask(replies: Replies, model: str, document: Document, question: Question, run: Run, naming: int) -> Answer:
    control = document.control if run == "control" else {}
    text = f"Read the document above.\n\nQuestion: {question.question}\nAnswer in a few words."
    source = DocumentText(name=document.name, text=renamed(document.text, control))
    request = ReplyRequest(
        conversation=_conversation(document, run, naming),
        turns=[
            Turn(role="system", text=INSTRUCTION),
            Turn(role="user", text=renamed(text, control), documents=[source]),
        ],
        protect=run == "protected",
        incognito=True,
        sampling=Sampling(temperature=0.0, max_tokens=TOKENS),
        model=model,
    )
    events: list[ReplyEvent] = []
    await replies.make(request, events.append)
    if isinstance(events[-1], ReplyFailed):
        raise RuntimeError(events[-1].sentence)
    reply = "".join(event.text for event in events if isinstance(event, TextAdded))
    return Answer(reply=reply, stand_ins=_stand_ins(events, request.turns[-1]))


def _stand_ins(events: Sequence[ReplyEvent], turn: Turn) -> dict[str, str]:
    marked = [event for event in events if isinstance(event, QuestionProtected)]
    texts = [(turn.text, event.marks) for event in marked]
    texts += [(turn.documents[0].text, event.document_marks[0]) for event in marked]
    return {text[mark.start : mark.end]: mark.stand_in for text, marks in texts for mark in marks}


def _conversation(document: Document, run: Run, naming: int) -> str:
    return f"{document.id} {run} {naming}"


def _key(document: Document, question: Question, run: Run, naming: int) -> str:
    return f"{_conversation(document, run, naming)} {question.question}"


def _answer(kept: Checkpoint, document: Document, question: Question, run: Run, naming: int = 0) -> Answer:
    return cast(Answer, kept[_key(document, question, run, naming)])


def _right(kept: Checkpoint, document: Document, question: Question, run: Run, naming: int = 0) -> bool:
    control = document.control if run == "control" else {}
    answers = [renamed(answer, control) for answer in question.answers]
    return is_right(_answer(kept, document, question, run, naming)["reply"], answers)


def figures(documents: Sequence[Document], namings: int, kept: Checkpoint) -> dict[str, float]:
    """Return the shares in percent and how many points the control is above the protected run, with 95 % intervals.

    The interval is a percentile bootstrap over documents: answers from one document are not independent.
    """
    counts = np.array([_counts(document, namings, kept) for document in documents])
    draws = np.random.default_rng(0).integers(0, len(documents), size=(RESAMPLES, len(documents)))
    asked = float(sum(len(document.questions) for document in documents))
    plain, control, protected = counts.sum(axis=0)
    resampled = counts[draws].sum(axis=1)
    differences = 100 * (resampled[:, 1] - resampled[:, 2]) / np.maximum(1, resampled[:, 0])
    low, high = np.percentile(differences, (2.5, 97.5))
    by_answer = {
        f"kept_percent.{run}.{kind}": _kept_percent(documents, run, kind == "names", namings, kept)
        for kind in ("names", "facts")
        for run in COMPARED
    }
    return {
        "questions": asked,
        "plain_right": plain,
        "kept_percent.control": 100 * control / max(1, plain),
        "kept_percent.protected": 100 * protected / max(1, plain),
        "difference_points": 100 * (control - protected) / max(1, plain),
        "difference_points.low": low,
        "difference_points.high": high,
        **by_answer,
    }


def _counts(document: Document, namings: int, kept: Checkpoint) -> tuple[float, float, float]:
    """How many questions of a document are right in the plain run, and of these in the control and the protected run."""
    right = _right_in_plain(document, kept)
    control, protected = (sum(_share(document, question, run, namings, kept) for question in right) for run in COMPARED)
    return len(right), control, protected


def _right_in_plain(document: Document, kept: Checkpoint) -> list[Question]:
    return [question for question in document.questions if _right(kept, document, question, "plain")]


def _share(document: Document, question: Question, run: Run, namings: int, kept: Checkpoint) -> float:
    """The share of the answers of a run that are right; but for the protected run there is one."""
    right = [_right(kept, document, question, name, naming) for name, naming in runs(namings) if name == run]
    return sum(right) / len(right)


def _kept_percent(documents: Sequence[Document], run: Run, names: bool, namings: int, kept: Checkpoint) -> float:
    """The share among questions whose answer is an identifying value (`names`), or among all others."""
    shares = [
        _share(document, question, run, namings, kept)
        for document in documents
        for question in _right_in_plain(document, kept)
        if (renamed(question.answers[0], document.control) != question.answers[0]) is names
    ]
    return 100 * sum(shares) / max(1, len(shares))


def lost(documents: Sequence[Document], namings: int, kept: Checkpoint) -> str:
    """The answers that were right and no longer are, with what was said instead, for people."""
    lines: list[str] = []
    for document in documents:
        for question in _right_in_plain(document, kept):
            wrong = [(run, naming) for run, naming in runs(namings) if not _right(kept, document, question, run, naming)]
            if wrong:
                lines.append(f"\n{document.id}: {question.question} [{question.answers[0]}]")
                shown: list[tuple[Run, int]] = [("plain", 0), *wrong]
                lines += [f"  {run:<9}  {_line(_answer(kept, document, question, run, naming))}" for run, naming in shown]
    return "\n".join(["Answers lost:", *lines, ""])


def _line(answer: Answer) -> str:
    reply = " ".join(answer["reply"].split())
    stand_ins = ", ".join(f"{value} > {stand_in}" for value, stand_in in answer["stand_ins"].items())
    return f"{reply}  ({stand_ins})" if stand_ins else reply
