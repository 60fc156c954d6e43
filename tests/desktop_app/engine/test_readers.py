"""Documents are read apart from the engine: a crash of a parser is a sentence, and the next document is read all the same."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from desktop_app.chat.responder import DocumentRefused
from desktop_app.engine.readers import Readers


@pytest.mark.slow
async def test_a_document_is_read_and_an_unreadable_one_is_a_sentence(tmp_path: Path) -> None:
    readers = Readers()
    note = tmp_path / "소견서 one.txt"
    note.write_text("환자는 건강합니다.", encoding="utf-8")
    (tmp_path / "empty.txt").touch()
    try:
        assert (await readers.read(str(note))).text.strip() == "환자는 건강합니다."
        with pytest.raises(DocumentRefused, match=r"empty\.txt"):
            await readers.read(str(tmp_path / "empty.txt"))
    finally:
        readers.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
async def test_after_a_crash_the_next_document_is_read(tmp_path: Path) -> None:
    readers = Readers()
    (tmp_path / "a.txt").write_text("text")
    try:
        await readers.read(str(tmp_path / "a.txt"))
        process = readers._child.pid
        assert process is not None
        os.kill(process, signal.SIGSTOP)
        waiting = asyncio.ensure_future(readers.read(str(tmp_path / "a.txt")))
        await asyncio.sleep(0)  # let the request be sent before the reader dies
        os.kill(process, signal.SIGKILL)
        with pytest.raises(DocumentRefused, match="crash"):
            await waiting
        assert (await readers.read(str(tmp_path / "a.txt"))).text.strip() == "text"
    finally:
        readers.close()
