"""`sotto` as a user runs it: real processes, on a home of its own, with the machine's copy of the starter model."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

SECONDS = 240


def home(directory: Path, models: Path) -> dict[str, str]:
    """An environment whose data lies below `directory`, with `models` lent to it."""
    data = directory / "data"
    data.mkdir(parents=True)
    (data / "models").symlink_to(models, target_is_directory=True)
    # One thread each: the suite shares its cores with other tests.
    return {**os.environ, "SOTTO_HOME": str(directory), "OMP_NUM_THREADS": "1", "QT_QPA_PLATFORM": "offscreen"}


def command(*arguments: str) -> list[str]:
    """The command line of the program."""
    return [sys.executable, "-m", "desktop_app", *arguments]


def ask(environment: dict[str, str], *arguments: str, prefix: Sequence[str] = ()) -> "subprocess.CompletedProcess[str]":
    """Run `sotto ask` to its end."""
    return subprocess.run(
        [*prefix, *command("ask", *arguments)], env=environment, capture_output=True, text=True, timeout=SECONDS
    )


def answer(environment: dict[str, str], *arguments: str) -> dict[str, Any]:
    """The object that `sotto ask --json` prints."""
    result = ask(environment, "--json", *arguments)
    assert result.returncode == 0, result.stderr
    parsed: dict[str, Any] = json.loads(result.stdout)
    return parsed


def start(environment: dict[str, str], *arguments: str) -> "subprocess.Popen[bytes]":
    """Start `sotto` with these arguments; its output comes unbuffered."""
    return subprocess.Popen(command(*arguments), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)


def child(process: "subprocess.Popen[bytes]", subcommand: str) -> psutil.Process:
    """The child (or its child) that runs this subcommand."""
    found = [child for child in psutil.Process(process.pid).children(recursive=True) if subcommand in child.cmdline()]
    assert len(found) == 1, found
    return found[0]
