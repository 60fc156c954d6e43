"""Choosing what to compute on, and in which numbers, where nobody said so."""

import os

import torch

from remote_agent.segment.errors import SegmentError

FLOAT32_PARAMETERS = 1_000_000_000
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


def choose_device(name: str | None = None) -> torch.device:
    """The device of that name ("cuda", "cuda:1", "mps", "cpu"), or the best there is; raises `SegmentError` if it is missing."""
    if name is None or name == "auto":
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise SegmentError(f"There is no device called “{name}”. Choose cpu, cuda or mps.") from error
    there = {
        "cpu": True,
        "cuda": torch.cuda.is_available() and (device.index or 0) < torch.cuda.device_count(),
        "mps": torch.backends.mps.is_available(),
    }
    if not there.get(device.type, False):
        raise SegmentError(f"This machine has no usable device “{name}”. Choose cpu, or leave the choice to Sotto.")
    return device


def memory_for_caches(device: torch.device) -> int:
    """Bytes that KV caches may take: most of what is free on a GPU once the layers are there, else a quarter of the machine's."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0] * 0.8)
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4
    except (AttributeError, ValueError, OSError):  # Windows does not say
        return 4 * 1024**3


def choose_dtype(device: torch.device, parameters: int, name: str | None = None) -> torch.dtype:
    """The dtype of that name, or: on the CPU float32 up to a billion parameters of the whole model, else the best 16-bit kind."""
    if name is not None and name != "auto":
        if name not in DTYPES:
            raise SegmentError(f"There is no number format “{name}”. Choose one of {', '.join(DTYPES)}.")
        return DTYPES[name]
    if device.type == "cpu":
        return torch.float32 if parameters <= FLOAT32_PARAMETERS else torch.bfloat16
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported(including_emulation=False) else torch.float16
    return torch.bfloat16 if _computes_bfloat16(device) else torch.float16


def _computes_bfloat16(device: torch.device) -> bool:
    """Older macOS versions have no bfloat16 on MPS, and only trying tells."""
    try:
        one = torch.ones(1, dtype=torch.bfloat16, device=device)
        return bool((one + one).item() == 2)
    except (RuntimeError, TypeError):
        return False
