"""A process that has an archive open until it is killed: `python -m tests.helpers.archive_writer TASK FOLDER`.

The key is zeros. What has been done is told on standard output, a line each, once it is done.
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from desktop_app.archive.database import KEY_BYTES, Archive
from desktop_app.archive.errors import ArchiveError
from desktop_app.archive.opening import open_archive
from desktop_app.archive.schema import Schema
from desktop_app.archive.system_keyring import SystemKeyring
from desktop_app.chat.events import Mark
from desktop_app.chat.history import SCHEMA, History
from desktop_app.chat.stored import StoredMessage
from tests.helpers.source_tree import ROOT

KEY = bytes(KEY_BYTES)
PASSPHRASE = "correct horse battery"
WORDS = ("Herbstzeitlose ", "가을바람 ", "Zwetschgenknödel ")
"""What an answer is made of, in turn: words that stand in no program."""

OLD = Schema("notes", ("CREATE TABLE note (number INTEGER PRIMARY KEY, text TEXT NOT NULL);",))
NEW = Schema("notes", (*OLD.steps, "ALTER TABLE note ADD COLUMN letters INTEGER; UPDATE note SET letters = length(text);"))
"""The same room before and after an upgrade."""


def answer(words: int) -> str:
    """The first words of the answer."""
    return "".join(WORDS[index % len(WORDS)] for index in range(words))


def database(folder: Path) -> Path:
    """Where the archive is."""
    return folder / "conversations.db"


@contextlib.contextmanager
def writer(task: str, folder: Path) -> "Iterator[subprocess.Popen[str]]":
    """The process; it is killed at the end, if it has not been before."""
    command = [sys.executable, "-m", "tests.helpers.archive_writer", task, str(folder)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    with process:
        try:
            yield process
        finally:
            process.kill()


def told(process: "subprocess.Popen[str]") -> str:
    """The next line that a writer tells; "" at its end."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _tell(line: object) -> None:
    print(line, flush=True)


def _stream(folder: Path) -> None:
    """An answer grows for ever; tells how many words have been kept."""
    history = History(Archive.open(database(folder), KEY, [SCHEMA]))
    history.begin("c", 1.0, True)
    history.add("c", StoredMessage(identity="q", parent="", role="user", text=answer(10)))
    history.add("c", StoredMessage(identity="a", parent="q", role="assistant", text="", state="streaming"))
    words = 0
    while True:
        words += 7
        text = answer(words)
        marks = [Mark(start=index, end=index + 1, kind="person") for index in range(words)]
        history.stream("a", text, marks, text.upper())
        _tell(words)


def _migrate(folder: Path) -> None:
    """Bring an archive up to date; tells when it begins and when it is done."""
    _tell("begins")
    Archive.open(database(folder), KEY, [NEW])
    _tell("done")


def _hold(folder: Path) -> None:
    """Open an archive of notes, write one and keep it open; tells "open", or the error's name."""
    try:
        archive = Archive.open(database(folder), KEY, [OLD])
        archive.execute("INSERT INTO note (text) VALUES (?)", (answer(1),))
    except ArchiveError as error:
        _tell(type(error).__name__)
    else:
        _tell("open")
        sys.stdin.read()
        archive.close()


def _begin_anew(folder: Path) -> None:
    """Make an archive with a passphrase, as soon as a line comes in; tells "open", or the error's name."""
    _tell("ready")
    sys.stdin.readline()
    try:
        archive = open_archive(folder, [SCHEMA], SystemKeyring(), PASSPHRASE)
    except ArchiveError as error:
        _tell(type(error).__name__)
    else:
        _tell("open")
        sys.stdin.read()
        archive.close()


if __name__ == "__main__":
    tasks = {"stream": _stream, "migrate": _migrate, "hold": _hold, "begin-anew": _begin_anew}
    tasks[sys.argv[1]](Path(sys.argv[2]))
