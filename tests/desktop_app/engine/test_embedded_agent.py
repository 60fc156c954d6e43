"""The agent on this computer: started, reached with its token only, ended, and a sentence where it cannot start."""

from pathlib import Path

import pytest

from desktop_app.engine.embedded_agent import EmbeddedAgent
from desktop_app.engine.errors import EngineError
from remote_agent.link.errors import NotAllowed
from remote_agent.link.signalling import connect
from tests.helpers.tiny_models import tiny_model

pytestmark = pytest.mark.slow


async def test_it_starts_is_reached_with_its_token_and_ends(tmp_path: Path) -> None:
    model = tiny_model("llama").save(tmp_path / "tiny")
    agent = await EmbeddedAgent.start(model, tmp_path / "models", dtype=None, log=tmp_path / "agent.log")
    assert agent.running
    assert len(agent.token) == 64
    channel = await connect(agent.url, agent.token, only_loopback=True)
    with pytest.raises(NotAllowed):
        await connect(agent.url, "0" * 64, only_loopback=True)
    await channel.close()
    agent.close()
    await agent.ended()
    assert not agent.running


async def test_an_agent_that_cannot_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="Check the path"):
        await EmbeddedAgent.start(tmp_path / "none.gguf", tmp_path / "models", dtype=None, log=None)
