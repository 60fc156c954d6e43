"""Fixtures for this room: a home of its own for an audit from the command line."""

from pathlib import Path

import pytest

from tests.helpers import running_sotto


@pytest.fixture
def home(tmp_path: Path, models_directory: Path, starter_model: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this process keeps its data; the starter model is there."""
    running_sotto.home(tmp_path, models_directory)
    monkeypatch.setenv("SOTTO_HOME", str(tmp_path))
    return tmp_path
