"""What is chosen, and what a wrong choice is told."""

import pytest
import torch

from remote_agent.segment.device import choose_device, choose_dtype, memory_for_caches
from remote_agent.segment.errors import SegmentError

CPU = torch.device("cpu")


def test_the_best_device_is_chosen_and_a_named_one_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_device().type == "cuda"
    assert choose_device("cpu") == CPU
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert choose_device("auto") == CPU


@pytest.mark.parametrize(("name", "words"), [("warp", "called “warp”"), ("cuda:99", "no usable device"), ("meta", "no usable")])
def test_a_device_that_is_not_there_is_refused(name: str, words: str) -> None:
    with pytest.raises(SegmentError, match=words):
        choose_device(name)


def test_the_cpu_computes_small_models_in_float32_and_large_ones_in_bfloat16() -> None:
    assert choose_dtype(CPU, 10**9) == torch.float32
    assert choose_dtype(CPU, 10**9 + 1) == torch.bfloat16
    assert choose_dtype(CPU, 10**12, "float16") == torch.float16
    with pytest.raises(SegmentError, match="float32, bfloat16"):
        choose_dtype(CPU, 1, "int4")


def test_cuda_computes_in_bfloat16_where_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    for can, dtype in ((True, torch.bfloat16), (False, torch.float16)):
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation, can=can: can)
        assert choose_dtype(torch.device("cuda"), 1) == dtype


def test_caches_may_take_a_part_of_the_machines_memory() -> None:
    assert 256 * 1024**2 < memory_for_caches(torch.device("cpu")) < 2**50
