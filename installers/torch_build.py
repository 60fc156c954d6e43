"""Which build of torch is installed: the GPU build on Linux is several gigabytes, and useless without an NVIDIA driver.

In this order: one that is there already is kept; what pip is configured for (an index or a folder of its owner's choice) is
taken where it gives a build without CUDA; with an NVIDIA driver the default build; else PyTorch's own public index of CPU
builds where it can be reached, and the default build where not.
"""

import ctypes
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass

TORCH_VERSION = "2.13.0"
REQUIREMENT = f"torch=={TORCH_VERSION}"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
SECONDS_TO_ANSWER = 5.0
CUDA_PREFIXES = ("nvidia-", "cuda-", "triton")


@dataclass(frozen=True)
class TorchChoice:
    """What to give to `pip install` for torch (nothing: it is there), and why, in words for the user."""

    arguments: tuple[str, ...]
    reason: str


def choose(
    installed: str | None,
    would_install: Callable[[], Sequence[str] | None],
    has_nvidia_driver: Callable[[], bool],
    cpu_index_answers: Callable[[], bool],
) -> TorchChoice:
    """Decide from four facts; each but the first takes time to find out, and is asked for only when it matters."""
    if installed is not None and installed.partition("+")[0] == TORCH_VERSION:
        return TorchChoice((), "torch is here already")
    offered = would_install()
    if offered is not None and not any(name.lower().startswith(CUDA_PREFIXES) for name in offered):
        return TorchChoice((REQUIREMENT,), "the build that pip is configured for, without CUDA")
    if has_nvidia_driver():
        return TorchChoice((REQUIREMENT,), "the GPU build: there is an NVIDIA driver")
    if cpu_index_answers():
        # Without its dependencies: that index carries other versions of them than the pinned ones.
        return TorchChoice(("--no-deps", "--index-url", CPU_INDEX, REQUIREMENT), "PyTorch's CPU build")
    return TorchChoice((REQUIREMENT,), "the default build, of several GB: PyTorch's index of CPU builds does not answer")


def has_nvidia_driver() -> bool:
    """Whether the driver of an NVIDIA GPU is installed on this machine."""
    if shutil.which("nvidia-smi"):
        return True
    try:
        ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return False
    return True


def cpu_index_answers() -> bool:
    """Whether PyTorch's public index of CPU builds can be reached from here."""
    try:
        with urllib.request.urlopen(f"{CPU_INDEX}/torch/", timeout=SECONDS_TO_ANSWER) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError, ValueError):
        return False
