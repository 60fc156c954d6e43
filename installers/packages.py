"""Runs pip: its progress in plain words, its failures as a sentence.

pip's own output goes to a log in full. What matters of it is read line by line: which file is being fetched, how much of it has
come (`--progress-bar raw`), and on failure the lines that tell the cause.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from installers.environment import Environment
from installers.problems import BootstrapProblem
from installers.progress import Progress

UNITS = {"bytes": 1, "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000}
FETCHING = re.compile(r"Downloading (?:\S*/)?(?P<file>[^\s/]+) \((?P<size>[\d.]+) (?P<unit>bytes|kB|MB|GB)\)")
COME = re.compile(r"Progress (?P<done>\d+) of (?P<total>\d+)")
WORKING = re.compile(r"(?P<what>Collecting|Processing|Installing|Building|Preparing|Obtaining)\b(?P<rest>.*)")

# What in pip's output tells which cause; the first that is found, in this order, is told.
DISK_FULL = ("No space left on device", "Errno 28", "not enough space on the disk", "Disk quota exceeded")
CERTIFICATE = ("CERTIFICATE_VERIFY_FAILED", "certificate verify failed")
NO_NETWORK = (
    "NewConnectionError",
    "NameResolutionError",
    "Failed to establish a new connection",
    "Temporary failure in name resolution",
    "Network is unreachable",
    "getaddrinfo failed",
    "ProxyError",
    "ConnectTimeout",
    "ReadTimeout",
    "Read timed out",
    "Connection broken",
    "Connection reset",
    "RemoteDisconnected",
    "ConnectionError",
)
NOT_ALLOWED = ("Permission denied", "Access is denied", "Errno 13", "Read-only file system")
NO_BUILD = re.compile(r"No matching distribution found for (?P<what>[^\s;]+)")


@dataclass
class PipOutput:
    """Reads pip's lines; counts what was fetched and shows what is going on."""

    progress: Progress
    downloaded: int = 0
    lines: list[str] = field(default_factory=list)
    _file: str = ""

    def line(self, text: str) -> None:
        """One line of pip's output, without its end."""
        come = COME.match(text)
        if come:
            self.progress.download(self._file, int(come["done"]), int(come["total"]))
            return
        self.lines.append(text)
        fetching = FETCHING.search(text)
        if fetching:
            self._file = "-".join(fetching["file"].split("-")[:2])
            self.downloaded += round(float(fetching["size"]) * UNITS[fetching["unit"]])
        working = WORKING.match(text.strip())
        if working:
            what, _, _ = working["rest"].partition(" (from ")
            self.progress.now(f"  {working['what'].lower()}{what}")


class Pip:
    """The pip of one environment; what all its calls have fetched, in bytes, is in `downloaded`."""

    def __init__(self, environment: Environment, progress: Progress) -> None:
        self._environment = environment
        self._progress = progress
        self.downloaded = 0

    def install(self, arguments: Sequence[str], raw_progress: bool = True) -> None:
        """`pip install` with the pinned versions. Raises `BootstrapProblem`. A pip older than 24.1 knows no raw progress."""
        bar = "raw" if raw_progress else "off"
        constraints = self._environment.checkout / "installers" / "constraints.txt"
        command = [*self._command(), "install", "--progress-bar", bar, "--constraint", str(constraints), *arguments]
        output = PipOutput(self._progress)
        try:
            status = self._run(command, output)
        except OSError as error:
            raise BootstrapProblem(explain([str(error)], self._environment.log)) from error
        self.downloaded += output.downloaded
        if status:
            raise BootstrapProblem(explain(output.lines, self._environment.log))

    def would_install(self, requirement: str) -> list[str] | None:
        """Names of all packages that pip, as it is configured, would install for `requirement`; None when it finds none."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            wanted = ["install", "--dry-run", "--ignore-installed", "--report", str(report), requirement]
            result = subprocess.run([*self._command(), *wanted], capture_output=True, check=False)
            if result.returncode or not report.exists():
                return None
            content = json.loads(report.read_text(encoding="utf-8"))
        return [str(package["metadata"]["name"]) for package in content["install"]]

    def _command(self) -> list[str]:
        # Isolated: neither PYTHONPATH nor packages of the user's own count as installed.
        options = ["-I", "-u", "-X", "utf8", "-m", "pip"]
        return [str(self._environment.python), *options, "--disable-pip-version-check", "--no-input", "--no-color"]

    def _run(self, command: list[str], output: PipOutput) -> int:
        with (
            self._environment.log.open("a", encoding="utf-8") as log,
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace"
            ) as process,
        ):
            assert process.stdout is not None
            for text in process.stdout:
                output.line(text.rstrip())
                if not text.startswith("Progress "):
                    log.write(text)
        return process.returncode


def explain(lines: Sequence[str], log: Path) -> str:
    """What pip's output means, with a next step; `log` is where all of it can be read."""
    text = "\n".join(lines)
    if any(sign in text for sign in DISK_FULL):
        return "The disk is full. Free about 3 GB where the project lies (and for the temporary folder), then run this again."
    if any(sign in text for sign in CERTIFICATE):
        return (
            "The certificate of the package index was not accepted. Behind a company proxy, set PIP_CERT to the proxy's"
            " certificate file, then run this again."
        )
    if any(sign in text for sign in NO_NETWORK):
        return (
            "The package index could not be reached. Check the network (and HTTPS_PROXY behind a proxy), then run this again:"
            " what has come is kept."
        )
    if any(sign in text for sign in NOT_ALLOWED):
        return f"Files could not be written into {log.parent}. Make that folder yours, or clone the project elsewhere."
    no_build = NO_BUILD.search(text)
    if no_build:
        version = ".".join(map(str, sys.version_info[:2]))
        return (
            f"There is no {no_build['what']} for Python {version} on this system. Delete {log.parent} and run this again with"
            " Python 3.11, 3.12 or 3.13."
        )
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    reason = errors[0].rstrip(".") if errors else "pip gave no reason"
    return f"The packages could not be installed: {reason}. Run this again; the whole output is in {log}."
