"""A child that is asked: every request has its own answer, and a crash or a hang fails those that wait, not those that follow."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.engine.asked_child import Answer, AskedChild
from desktop_app.engine.errors import ChildCrashed
from desktop_app.engine.messages import DocumentRead, DocumentUnreadable, FromReaders, Read

pytestmark = pytest.mark.slow
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture
def child() -> Iterator[AskedChild]:
    child = AskedChild("readers", FromReaders, None)
    yield child
    child.close()


async def ask(child: AskedChild, path: Path, seconds: float = 60) -> Answer:
    return await child.ask(lambda number: Read(number, str(path)), seconds)


async def test_each_request_has_its_own_answer(child: AskedChild, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Hello.")
    assert child.pid is None
    read, refused = await asyncio.gather(ask(child, tmp_path / "note.txt"), ask(child, tmp_path / "none.txt"))
    assert isinstance(read, DocumentRead)
    assert isinstance(refused, DocumentUnreadable)


@UNIX
async def test_a_crash_fails_all_who_wait_and_the_next_is_answered_by_a_new_child(child: AskedChild, tmp_path: Path) -> None:
    assert child.start()
    assert not child.start()
    first = child.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    waiting = [asyncio.ensure_future(ask(child, tmp_path / "none.txt")) for _ in range(2)]
    await asyncio.sleep(0)  # let the requests be sent before the child dies
    os.kill(first, signal.SIGKILL)
    assert [type(it) for it in await asyncio.gather(*waiting, return_exceptions=True)] == [ChildCrashed] * 2
    assert isinstance(await ask(child, tmp_path / "none.txt"), DocumentUnreadable)
    assert child.pid != first


@UNIX
async def test_a_child_that_hangs_is_ended_and_the_next_is_answered(child: AskedChild, tmp_path: Path) -> None:
    child.start()
    assert child.pid is not None
    os.kill(child.pid, signal.SIGSTOP)
    with pytest.raises(TimeoutError):
        await ask(child, tmp_path / "none.txt", 0.1)
    assert child.pid is None
    assert isinstance(await ask(child, tmp_path / "none.txt"), DocumentUnreadable)
