"""The virtual environment of a checkout: where it lies, how it is made, and the stamp that says that it is complete.

The stamp is written last and names everything that the installation depends on, so that a second start needs one look at
one file, and an interrupted installation is seen and continued.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from installers.problems import BootstrapProblem

OLDEST_PYTHON = (3, 11)
EXTRAS = ("agent", "desktop", "dev")  # each contains those before it


@dataclass(frozen=True)
class Environment:
    """The `.venv` of the project in `checkout`."""

    checkout: Path

    @property
    def directory(self) -> Path:
        """The folder of the environment."""
        return self.checkout / ".venv"

    @property
    def python(self) -> Path:
        """Its interpreter, whether or not it is there yet."""
        return self.directory / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def log(self) -> Path:
        """What the package installer said, in full."""
        return self.directory / "install.log"

    @property
    def stamp(self) -> Path:
        """The file that says which extra is completely installed."""
        return self.directory / "sotto-installed.json"

    def site_packages(self) -> Path | None:
        """The folder that packages are installed into; None before there is one."""
        pattern = "Lib/site-packages" if os.name == "nt" else "lib/python3*/site-packages"
        return next(self.directory.glob(pattern), None)

    def fingerprint(self) -> str:
        """A hash of all that decides what is installed. Raises `BootstrapProblem` when the checkout is not whole."""
        digest = hashlib.sha256(str(self.checkout).encode())
        for name in ("pyproject.toml", "installers/constraints.txt"):
            try:
                digest.update((self.checkout / name).read_bytes())
            except OSError as error:
                raise BootstrapProblem(f"{name} cannot be read ({error.strerror}). Clone the project again.") from error
        return digest.hexdigest()

    def is_complete(self, extra: str) -> bool:
        """Whether `extra` is installed as the checkout wants it now."""
        stamp = self._read_stamp()
        return (
            self.python.exists()
            and stamp.get("fingerprint") == self.fingerprint()
            and stamp.get("extra") in EXTRAS[EXTRAS.index(extra) :]
        )

    def mark_complete(self, extra: str) -> None:
        """Everything that `extra` asks for is installed."""
        content = {"extra": extra, "fingerprint": self.fingerprint(), "checkout": str(self.checkout)}
        self.stamp.write_text(json.dumps(content), encoding="utf-8")

    def make(self) -> None:
        """Make the environment, or what is missing of it. Raises `BootstrapProblem`."""
        fresh = self._cannot_be_used()
        if fresh or not self._has("pip"):
            command = [sys.executable, "-m", "venv", *(["--clear"] if fresh else []), str(self.directory)]
            result = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
            if result.returncode:
                raise BootstrapProblem(_venv_failure(self.directory, result.stdout + result.stderr))
        self.stamp.unlink(missing_ok=True)
        self._drop_half_installed()

    def installed_version(self, name: str) -> str | None:
        """The version of a completely installed package, None where there is none; no process is started."""
        site = self.site_packages()
        folders = site.glob(f"{name}-*.dist-info") if site else ()
        return next((folder.name.removesuffix(".dist-info").partition("-")[2] for folder in folders), None)

    def _has(self, name: str) -> bool:
        return self.installed_version(name) is not None

    def _cannot_be_used(self) -> bool:
        """No environment yet, of too old a Python, of a Python that is gone, or moved here from another place."""
        if not self.python.exists():
            return True
        if self._read_stamp().get("checkout", str(self.checkout)) != str(self.checkout):
            return True
        site = self.site_packages()
        if site is None or os.name == "nt":
            return site is None
        return tuple(map(int, site.parent.name.removeprefix("python").split("."))) < OLDEST_PYTHON

    def _drop_half_installed(self) -> None:
        """pip writes INSTALLER after a package's files: one without it was interrupted, and pip would believe it was whole."""
        site = self.site_packages()
        for folder in site.glob("*.dist-info") if site else ():
            if not (folder / "INSTALLER").exists():
                shutil.rmtree(folder)

    def _read_stamp(self) -> dict[str, str]:
        try:
            stamp = json.loads(self.stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) else {}


def _venv_failure(directory: Path, output: str) -> str:
    if "No space left" in output or "not enough space" in output:
        return "The disk is full: free about 3 GB where the project lies, then run the same command again."
    last = (output.strip().splitlines() or ["no reason was given"])[-1]
    return f"The virtual environment {directory} could not be made: {last}. Delete that folder and run the same command again."
