"""The agent as a child: orders in, a port or a sentence out, and its end when its parent is gone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.tiny_models import tiny_model


def _start(orders: dict[str, str]) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "remote_agent", "embedded"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(json.dumps(orders).encode() + b"\n")
    process.stdin.flush()
    return process


@pytest.mark.slow
def test_it_reports_its_port_and_ends_with_its_parent(tmp_path: Path) -> None:
    model = tiny_model("llama").save(tmp_path / "a folder 모델")
    process = _start({"model": str(model), "models_directory": str(tmp_path / "models"), "token": "1" * 64})
    assert process.stdin is not None
    assert process.stdout is not None
    assert 0 < int(json.loads(process.stdout.readline())["port"]) < 65536
    process.stdin.close()
    assert process.wait(20) == 0


@pytest.mark.slow
def test_without_a_model_it_says_why_in_a_sentence(tmp_path: Path) -> None:
    process = _start({"model": str(tmp_path / "none.gguf"), "models_directory": str(tmp_path), "token": "1" * 64})
    assert process.stdout is not None
    assert "Check the path" in json.loads(process.stdout.readline())["error"]
    assert process.wait(20) == 1
