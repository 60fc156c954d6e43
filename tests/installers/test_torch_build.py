"""Which build of torch is taken, from four facts; those that take time are asked for only when they matter."""

from collections.abc import Callable, Sequence

import pytest

from installers.torch_build import CPU_INDEX, REQUIREMENT, TorchChoice, choose

CPU_BUILD = ["torch", "filelock", "sympy"]
CUDA_BUILD = ["torch", "filelock", "nvidia-cublas", "cuda-bindings", "triton"]
DEFAULT = (REQUIREMENT,)
FROM_CPU_INDEX = ("--no-deps", "--index-url", CPU_INDEX, REQUIREMENT)


def decide(installed: str | None, offered: Sequence[str] | None, nvidia: bool, index: bool) -> TorchChoice:
    return choose(installed, lambda: offered, lambda: nvidia, lambda: index)


def never() -> bool:
    raise AssertionError("this was not to be asked")


@pytest.mark.parametrize("version", ["2.13.0", "2.13.0+cpu", "2.13.0+cu130"])
def test_one_that_is_there_is_kept_and_nothing_else_is_asked(version: str) -> None:
    unasked: Callable[[], None] = never  # type: ignore[assignment]
    assert choose(version, unasked, never, never).arguments == ()


def test_a_configured_cpu_build_goes_first() -> None:
    assert choose(None, lambda: CPU_BUILD, never, never).arguments == DEFAULT


@pytest.mark.parametrize(
    ("installed", "offered", "nvidia", "index", "arguments"),
    [
        (None, CUDA_BUILD, True, True, DEFAULT),
        (None, CUDA_BUILD, False, True, FROM_CPU_INDEX),
        (None, CUDA_BUILD, False, False, DEFAULT),
        (None, None, False, True, FROM_CPU_INDEX),
        (None, None, True, True, DEFAULT),
        ("2.9.1+cpu", CUDA_BUILD, False, True, FROM_CPU_INDEX),
        ("2.13.0.dev1", CPU_BUILD, False, False, DEFAULT),
    ],
)
def test_the_build_follows_from_the_machine(
    installed: str | None, offered: Sequence[str] | None, nvidia: bool, index: bool, arguments: tuple[str, ...]
) -> None:
    choice = decide(installed, offered, nvidia, index)
    assert choice.arguments == arguments
    assert choice.reason


def test_pytorchs_index_is_the_public_one() -> None:
    assert CPU_INDEX == "https://download.pytorch.org/whl/cpu"
