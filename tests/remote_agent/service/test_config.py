"""An agent's configuration."""

from pathlib import Path

import pytest

from tests.helpers.tiny_agent import tiny_config


@pytest.mark.parametrize(("host", "alone"), [("127.0.0.1", True), ("localhost", True), ("0.0.0.0", False)])
def test_on_loopback_the_agent_is_for_this_machine_alone(tmp_path: Path, host: str, alone: bool) -> None:
    assert tiny_config(tmp_path, host=host).only_loopback is alone
