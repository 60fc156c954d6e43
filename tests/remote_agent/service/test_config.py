"""An agent's configuration."""

from pathlib import Path

import pytest

from remote_agent.service.config import SHIPPED
from tests.helpers.tiny_agent import tiny_config


@pytest.mark.parametrize(("host", "alone"), [("127.0.0.1", True), ("localhost", True), ("0.0.0.0", False)])
def test_on_loopback_the_agent_is_for_this_machine_alone(tmp_path: Path, host: str, alone: bool) -> None:
    assert tiny_config(tmp_path, host=host).only_loopback is alone


def test_codes_are_looked_for_among_those_shipped_and_beside_the_models_or_where_it_is_said(tmp_path: Path) -> None:
    assert tiny_config(tmp_path).codes == (SHIPPED, tmp_path / "codes")
    assert SHIPPED.parent.is_dir()
    assert tiny_config(tmp_path, codes_folders=(tmp_path,)).codes == (tmp_path,)
