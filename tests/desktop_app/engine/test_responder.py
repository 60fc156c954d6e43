"""The engine process from the window's side: replies, documents, and an engine that dies."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from desktop_app.chat.events import (
    EngineNews,
    EngineState,
    ModelLoaded,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Sampling,
    Split,
    TextAdded,
    Turn,
)
from desktop_app.chat.responder import DocumentRefused
from desktop_app.engine.responder import LIVES, EngineResponder
from tests.helpers.running_sotto import home

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


class Running:
    """A responder with its news."""

    def __init__(self, log: Path) -> None:
        self.responder = EngineResponder(log=log)
        self.news: list[EngineNews] = []
        self.responder.listen(self.news.append)

    async def ask(self, question: str, tokens: int = 12) -> list[object]:
        sampling = Sampling(temperature=0.0, max_tokens=tokens)
        request = ReplyRequest(conversation="c", turns=[Turn(role="user", text=question)], sampling=sampling)
        return [event async for event in self.responder.reply(request)]


@pytest.fixture
async def running(
    tmp_path: Path, models_directory: Path, starter_model: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Running]:
    for name, value in home(tmp_path / "sotto", models_directory).items():
        monkeypatch.setenv(name, value)
    running = Running(tmp_path / "engine.log")
    yield running
    await running.responder.close()


async def test_it_answers_tells_its_news_and_reads_documents(running: Running, tmp_path: Path) -> None:
    await running.responder.start()
    events = await running.ask("What is the capital of France?")
    assert isinstance(events[-1], ReplyFinished)
    assert "Paris" in "".join(event.text for event in events if isinstance(event, TextAdded))
    assert ModelLoaded("SmolLM2-135M-Instruct", 30, 8192, 0, 30) in running.news
    (tmp_path / "a.txt").write_text("Hello.")
    assert (await running.responder.read_document(tmp_path / "a.txt")).text.strip() == "Hello."
    with pytest.raises(DocumentRefused):
        await running.responder.read_document(tmp_path / "none.txt")
    await running.responder.forget("c")
    await running.responder.prepare("", Split(head=1, tail=1))


async def test_an_engine_that_dies_ends_the_reply_with_a_sentence_and_a_new_one_answers(running: Running) -> None:
    asking = asyncio.ensure_future(running.ask("Tell a long story.", tokens=400))
    while not any(isinstance(news, ModelLoaded) for news in running.news):
        await asyncio.wait([asking], timeout=0.1)
    assert running.responder.pid is not None
    os.kill(running.responder.pid, signal.SIGKILL)
    events = await asking
    assert isinstance(events[-1], ReplyFailed)
    assert events[-1].kind == "interrupted"
    states = [news for news in running.news if isinstance(news, EngineState)]
    assert [state.running for state in states] == [True, False, True]
    assert isinstance((await running.ask("Say hello."))[-1], ReplyFinished)


async def test_an_engine_that_keeps_dying_is_not_started_for_ever(running: Running) -> None:
    await running.responder.start()
    died = asyncio.Event()
    running.responder.listen(lambda news: died.set() if isinstance(news, EngineState) and not news.running else None)
    for _ in range(LIVES):
        died.clear()
        assert running.responder.pid is not None
        os.kill(running.responder.pid, signal.SIGKILL)
        await asyncio.wait_for(died.wait(), 30)
    assert running.responder.pid is None
    assert "several times" in [news.sentence for news in running.news if isinstance(news, EngineState)][-1]
