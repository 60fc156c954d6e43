"""`sotto protect`: what would be replaced in documents, or, line by line, in texts on standard input. Nothing is sent or kept.

Documents are read in a process of their own, as everywhere; the recognisers run in this one, which so holds no torch.
"""

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from desktop_app.chat.events import DocumentText
from desktop_app.chat.responder import DocumentRefused
from desktop_app.engine.readers import Readers, without_torch
from desktop_app.privacy.errors import PrivacyError
from desktop_app.privacy.language.unread_scripts import unread_scripts, unread_sentence
from desktop_app.privacy.matching.entries import Replaced
from desktop_app.privacy.spans import Kind, outside

INTERRUPTED = 130  # exit status after Ctrl+C, as shells have it


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("file", nargs="*", type=Path, metavar="FILE", help="a document: PDF, DOCX or text")
    parser.add_argument("--names", type=Path, metavar="FILE", help="a list of names to replace: text (one a line) or CSV")
    parser.add_argument("--json", action="store_true", help="print one object with all spans")
    parser.add_argument(
        "--jsonl", action="store_true", help='read lines of {"id", "text"} from standard input, answer each with {"id", "spans"}'
    )


def main(arguments: argparse.Namespace, log: Path) -> int:
    """Run the command and return its exit status."""
    if arguments.jsonl == bool(arguments.file):
        return _fail("Name the documents to look through, or give --jsonl and the texts on standard input; not both.")
    try:
        without_torch()
        protection = _Protection(arguments.names)
        return _lines(protection) if arguments.jsonl else asyncio.run(_documents(protection, arguments, log))
    except PrivacyError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has enough; a second error at exit would only be noise.
        sys.stdout = None
        return 1


class _Protection:
    """Recognisers and stand-ins, the same for all texts of one run."""

    def __init__(self, names: Path | None) -> None:
        # Imported here: the command line describes this command also to those who start the window.
        from desktop_app.privacy.naming import Naming
        from desktop_app.privacy.recognition.recogniser import Recogniser
        from desktop_app.privacy.recognition.word_lists import Read, WordLists, left_out_sentence, values_from_file

        read = values_from_file(names) if names else Read([], 0)
        if read.left_out:
            _tell(f"{names}: {left_out_sentence(len(read.values), read.left_out)}")
        self._recogniser = Recogniser(WordLists(dict.fromkeys(read.values, Kind.PERSON)))
        self._naming = Naming()

    def replaced(self, text: str) -> list[Replaced]:
        """What would be replaced in a text, in order. Raises `PrivacyError`."""
        return self._naming.protect(text, self._recogniser.find(text)).replaced


async def _documents(protection: _Protection, arguments: argparse.Namespace, log: Path) -> int:
    readers = Readers(log)
    status, reports = 0, []
    try:
        for path in arguments.file:
            try:
                document = await readers.read(str(path.absolute()))
            except DocumentRefused as error:
                status = _fail(str(error))
                continue
            replaced = protection.replaced(document.text)
            unread = unread_scripts(outside(document.text, replaced))
            reports.append(_report(path, document, replaced) | {"unread_scripts": unread})
            if unread:
                _tell(f"{path}: {unread_sentence(unread)}")
            if not arguments.json:
                print("\n".join(_shown(path, document, replaced)), flush=True)
    finally:
        readers.close()
    if arguments.json:
        print(json.dumps({"files": reports}), flush=True)
    return status


def _report(path: Path, document: DocumentText, replaced: Iterable[Replaced]) -> dict[str, Any]:
    # The offsets are those of the text that was read from the document: it goes along.
    return {"file": str(path), "text": document.text, "spans": [_span(it) for it in replaced]}


def _span(it: Replaced) -> dict[str, Any]:
    return {"start": it.start, "end": it.end, "kind": it.kind, "stand_in": it.stand_in}


def _shown(path: Path, document: DocumentText, replaced: Iterable[Replaced]) -> list[str]:
    """The lines that a person reads: each value once, the most frequent of a kind first."""
    counts = Counter((it.kind, " ".join(document.text[it.start : it.end].split()), it.stand_in) for it in replaced)
    lines = [f"{path}: {counts.total()} places would be replaced"]
    for (kind, value, stand_in), count in sorted(counts.items(), key=lambda item: (item[0][0], -item[1], item[0])):
        lines.append(f"  {kind.replace('_', ' '):<13} {value}  →  {stand_in}" + (f"  ({count}×)" if count > 1 else ""))
    return lines


def _lines(protection: _Protection) -> int:
    for data in sys.stdin.buffer:
        print(json.dumps(_answer(protection, data)), flush=True)
    return 0


def _answer(protection: _Protection, data: bytes) -> dict[str, Any]:
    try:
        line = json.loads(data)
    except (ValueError, RecursionError):
        return {"error": 'This line is no JSON. Send one object with "id" and "text" on each line.'}
    if not isinstance(line, dict) or not isinstance(line.get("text"), str):
        return {"error": 'This line is no object with a "text". Send one with "id" and "text" on each line.'}
    try:
        return {"id": line.get("id"), "spans": [_span(it) for it in protection.replaced(line["text"])]}
    except PrivacyError as error:
        return {"id": line.get("id"), "error": str(error)}


def _tell(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _fail(sentence: str) -> int:
    _tell(sentence)
    return 1
