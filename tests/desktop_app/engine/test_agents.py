"""One agent at a time: kept while it holds the right model, replaced where it is gone, and its state told."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from desktop_app.chat.events import AgentState
from desktop_app.engine.agents import Agents, ModelFile
from desktop_app.engine.errors import EngineError
from remote_agent.segment.preparation import prepare
from tests.helpers.tiny_models import tiny_model

pytestmark = pytest.mark.slow


def _file(directory: Path, seed: int = 0) -> ModelFile:
    folder = directory / f"tiny {seed}"
    if not folder.exists():
        tiny_model("llama", seed=seed).save(folder)
    digest = prepare(folder, directory / "models").manifest.digest()
    return ModelFile(folder, directory / "models", digest, None)


async def test_an_agent_is_kept_replaced_for_another_model_and_started_anew_where_it_died(tmp_path: Path) -> None:
    states: asyncio.Queue[AgentState] = asyncio.Queue()
    agents = Agents(states.put_nowait, tmp_path / "agent.log")
    try:
        first = await agents.get(_file(tmp_path))
        state = await asyncio.wait_for(states.get(), 20)
        assert (state.connected, state.embedded) == (True, True)
        assert state.address.startswith("127.0.0.1:")
        pid = agents.pid
        assert await agents.get(_file(tmp_path)) is first

        other = await agents.get(_file(tmp_path, seed=1))
        assert first.lost
        assert agents.pid not in (None, pid)

        assert agents.pid is not None
        os.kill(agents.pid, signal.SIGKILL)
        while (await asyncio.wait_for(states.get(), 30)).connected:
            pass
        assert other.lost
        assert not (await agents.get(_file(tmp_path, seed=1))).lost
    finally:
        await agents.close()
    assert agents.pid is None


async def test_an_agent_with_another_model_than_ours_is_refused(tmp_path: Path) -> None:
    agents = Agents(lambda state: None, None)
    ours, theirs = _file(tmp_path), _file(tmp_path, seed=1)
    try:
        with pytest.raises(EngineError, match="same model file"):
            await agents.get(ModelFile(theirs.path, theirs.models_directory, ours.digest, None))
        assert agents.pid is None
    finally:
        await agents.close()
