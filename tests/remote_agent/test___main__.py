"""The agent's command line: sentences, not tracebacks."""

import subprocess
import sys
from pathlib import Path

import pytest


def _run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "remote_agent", *arguments], capture_output=True, text=True, timeout=120)


def test_without_a_command_it_says_how_it_is_used() -> None:
    result = _run()
    assert result.returncode == 2
    assert "serve" in result.stderr


@pytest.mark.slow
def test_a_model_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    result = _run("serve", "--model", str(tmp_path / "no such.gguf"), "--models-directory", str(tmp_path))
    assert result.returncode == 1
    assert "Check the path" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_layers_that_cannot_be_read_are_a_sentence(tmp_path: Path) -> None:
    result = _run("serve", "--model", str(tmp_path), "--layers", "few")
    assert result.returncode == 1
    assert "A:B" in result.stderr
