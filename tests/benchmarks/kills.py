"""Kills engine and window with SIGKILL while an answer streams into the archive, and looks at what is left."""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from desktop_app.archive.opening import open_archive
from desktop_app.archive.system_keyring import SystemKeyring
from desktop_app.chat.history import History
from desktop_app.engine.keeper import SCHEMAS
from desktop_app.settings.paths import user_paths
from tests.benchmarks.report import add_arguments, publish
from tests.helpers.running_sotto import home

PASSPHRASE = "a passphrase for kills"
QUESTION = "Tell a long story about Zebulon Quartermain and the lighthouse of Wexcombe."
WORDS = ("Zebulon", "Quartermain", "lighthouse", "Wexcombe")
LOST_AT_MOST = 1.0  # seconds
TARGETS = ("engine", "window", "both")


@dataclass(frozen=True, slots=True)
class Kill:
    """What one kill left: whether the archive opened, how long what was lost had been shown, and files that hold a word of it."""

    opened: bool
    question_kept: bool
    lost_seconds: float
    plain_files: list[str]


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="kills", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    count = 10 if options.quick else options.kills
    with tempfile.TemporaryDirectory() as folder:
        kills = run(Path(folder), user_paths().models, count, options.seed)
    publish(
        {
            "kills": float(len(kills)),
            "opened": float(sum(kill.opened for kill in kills)),
            "questions_kept": float(sum(kill.question_kept for kill in kills)),
            "longest_lost_seconds": max(kill.lost_seconds for kill in kills),
            "files_with_plain_words": float(sum(len(kill.plain_files) for kill in kills)),
        },
        options,
    )


def run(folder: Path, models: Path, count: int, seed: int) -> list[Kill]:
    """Kill `count` times on one home, at moments drawn from `seed`; each time engine, window or both."""
    environment = home(folder / "sotto", models)
    randomness = random.Random(seed)
    kills = []
    for number in range(count):
        kill = _kill(environment, folder / "sotto", TARGETS[number % 3], randomness.uniform(0.1, 4.0))
        print(f"kill {number + 1} of {count} ({TARGETS[number % 3]}): {kill}", flush=True)
        kills.append(kill)
    return kills


def _kill(environment: dict[str, str], folder: Path, target: str, after: float) -> Kill:
    command = [sys.executable, "-m", "tests.helpers.killable", PASSPHRASE, QUESTION]
    window = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    shown: list[tuple[float, str]] = []
    engine = 0
    assert window.stdout is not None
    try:
        for line in window.stdout:
            report = json.loads(line)
            engine = report.get("engine", engine)
            if "text" in report:
                shown.append((report["time"], report["text"]))
                if report["time"] - shown[0][0] > after:
                    break
        children = psutil.Process(window.pid).children(recursive=True)
        killed_at = time.monotonic()
        for process, names in ((engine, ("engine", "both")), (window.pid, ("window", "both"))):
            if target in names:
                os.kill(process, signal.SIGKILL)
        shown += [(report["time"], report["text"]) for report in _rest(window, target) if "text" in report]
    finally:
        window.kill()
        window.communicate()
    psutil.wait_procs(children, timeout=20)
    return _look(folder, shown, killed_at)


def _rest(window: "subprocess.Popen[str]", target: str) -> list[dict[str, float | str]]:
    """What was written and not yet read when the window was killed."""
    if target == "engine" or window.stdout is None:
        return []
    return [json.loads(line) for line in window.stdout if line.endswith("}\n")]


def _look(folder: Path, shown: list[tuple[float, str]], killed_at: float) -> Kill:
    plain = [str(path.relative_to(folder)) for path in folder.rglob("*") if _own_file(path, folder) and _holds_words(path)]
    archive = open_archive(folder / "data" / "archive", SCHEMAS, SystemKeyring(frozenset()), PASSPHRASE)
    try:
        history = History(archive)
        stored = history.load(history.entries()[0].identity)
        question, answer = stored.messages[0], stored.messages[-1]
        text = answer.text if answer.role == "assistant" else ""
        lost = [killed_at - when for when, so_far in shown if when <= killed_at and not text.startswith(so_far)]
        return Kill(True, question.text == QUESTION, max(lost, default=0.0), plain)
    finally:
        archive.close()


def _own_file(path: Path, folder: Path) -> bool:
    return path.is_file() and "models" not in path.relative_to(folder).parts


def _holds_words(path: Path) -> bool:
    data = path.read_bytes()
    return any(word.encode(encoding) in data for word in WORDS for encoding in ("utf-8", "utf-16-le"))
