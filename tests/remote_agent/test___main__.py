"""The agent's command line: sentences, not tracebacks."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.tiny_models import tiny_model


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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to send")
def test_it_serves_until_it_is_told_to_end_and_a_second_one_on_its_port_says_so(tmp_path: Path) -> None:
    model = tiny_model("llama").save(tmp_path / "tiny")
    serve = [sys.executable, "-m", "remote_agent", "serve", "--model", str(model), "--models-directory", str(tmp_path / "m")]
    agent = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
    try:
        assert agent.stdout is not None
        port = agent.stdout.readline().strip().rpartition(":")[2]
        second = subprocess.run([*serve, "--port", port], capture_output=True, text=True, timeout=120)
        assert second.returncode == 1
        assert f"Port {port} is in use" in second.stderr
        agent.terminate()
        assert agent.wait(20) == 0
    finally:
        agent.kill()
