"""A child of our own: messages both ways, and its end told once, however it ends."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from desktop_app.engine.child import Child, own_command
from desktop_app.engine.messages import DocumentRead, DocumentUnreadable, FromReaders, Read


class Heard:
    """What a child told."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[Any] = asyncio.Queue()
        self.exited = asyncio.Event()

    def start(self, log: Path | None = None) -> Child:
        return Child(["readers"], FromReaders, on_message=self.messages.put_nowait, on_exit=self.exited.set, log=log)


@pytest.mark.slow
async def test_messages_go_both_ways_and_closing_ends_the_child_without_telling(tmp_path: Path) -> None:
    heard = Heard()
    (tmp_path / "a note.txt").write_text("Hello.")
    child = heard.start(tmp_path / "logs" / "readers.log")
    child.send(Read(7, str(tmp_path / "a note.txt")))
    child.send(Read(8, str(tmp_path / "none.txt")))
    read = await asyncio.wait_for(heard.messages.get(), 60)
    assert isinstance(read, DocumentRead)
    assert (read.number, read.document.text.strip()) == (7, "Hello.")
    refused = await asyncio.wait_for(heard.messages.get(), 60)
    assert isinstance(refused, DocumentUnreadable)
    assert refused.number == 8
    child.close()
    assert not heard.exited.is_set()


@pytest.mark.slow
async def test_a_child_imports_nothing_from_the_folder_where_the_user_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("queue", "random", "desktop_app", "msgspec"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported from the user’s folder')")
    (tmp_path / "note.txt").write_text("Hello.")
    monkeypatch.chdir(tmp_path)
    heard = Heard()
    child = heard.start()
    child.send(Read(1, str(tmp_path / "note.txt")))
    assert isinstance(await asyncio.wait_for(heard.messages.get(), 60), DocumentRead)
    child.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
async def test_a_child_that_is_killed_is_told_once_and_sending_to_it_is_harmless() -> None:
    heard = Heard()
    child = heard.start()
    os.kill(child.pid, signal.SIGKILL)
    await asyncio.wait_for(heard.exited.wait(), 30)
    child.send(Read(1, "x"))
    child.close()


def test_the_command_is_this_program_frozen_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert own_command(["engine"]) == [sys.executable, "-P", "-m", "desktop_app", "engine"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_command(["engine"]) == [sys.executable, "engine"]
