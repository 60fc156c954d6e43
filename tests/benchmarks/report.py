"""What every benchmark prints and writes: a table for people, and with --json an object for programs."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that every benchmark has."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument("--quick", action="store_true", help="fewer prompts; figures are rougher")
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="go on from here after an interruption")


def publish(figures: Mapping[str, float], options: argparse.Namespace) -> None:
    """Print the figures, and write them where --json says."""
    width = max(len(name) for name in figures)
    for name, value in figures.items():
        print(f"{name:<{width}}  {value:.4g}")
    if options.json is not None:
        machine = {
            "system": platform.platform(),
            "python": platform.python_version(),
            "cores": os.cpu_count(),
            "torch": torch.__version__,
            "threads": torch.get_num_threads(),
        }
        command = "python -m tests.benchmarks " + " ".join(sys.argv[1:])
        content = {"figures": dict(figures), "machine": machine, "command": command}
        options.json.write_text(json.dumps(content, indent=2) + "\n")


class Checkpoint:
    """Results by key, kept in a file after each one, so that a long run can be interrupted."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._results: dict[str, Any] = json.loads(path.read_text()) if path is not None and path.exists() else {}

    def __contains__(self, key: str) -> bool:
        return key in self._results

    def __getitem__(self, key: str) -> Any:
        return self._results[key]

    def __setitem__(self, key: str, value: object) -> None:
        self._results[key] = value
        if self._path is not None:
            part = self._path.with_suffix(".part")
            part.write_text(json.dumps(self._results))
            part.replace(self._path)
