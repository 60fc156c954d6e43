"""The room's errors."""

import pytest

from desktop_app.engine.errors import AgentLost, EngineError, PipeClosed, RequestRefused


@pytest.mark.parametrize("kind", [AgentLost, PipeClosed, RequestRefused])
def test_every_error_is_the_rooms_and_says_its_sentence(kind: type[EngineError]) -> None:
    assert isinstance(kind("Ask again."), EngineError)
    assert str(kind("Ask again.")) == "Ask again."
