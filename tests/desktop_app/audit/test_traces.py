"""Traces become results and costs; the engines that make them get one thread each, and give it back."""

import os

import pytest
import torch

from desktop_app.audit.ticks import Tick
from desktop_app.audit.traces import _one_thread_each, attacked
from desktop_app.audit.traffic import Trace


def traces(padded: bool) -> list[Trace]:
    """Prompts whose replies differ in nothing but their length, where that is not padded away."""
    made = []
    for repetition in range(4):
        for prompt in range(10):
            real = 5 + 5 * prompt
            count = 64 if padded else real
            line = [Tick(0.0, 50_000, 50_000), *[Tick(0.05, 1000, 1000)] * count]
            made.append(Trace(prompt, repetition, line, 1 + real, real, padding_seconds=0.05 * (count - real)))
    return made


def test_lengths_tell_unless_they_are_padded() -> None:
    unshaped = {result.of: result.share.value for result in attacked(traces(False), "unshaped", 65).results}
    shaped = {result.of: result.share.value for result in attacked(traces(True), "shaped", 65).results}
    assert unshaped["prompt.whole"] == 1.0
    assert shaped["prompt.whole"] <= 0.2
    assert shaped["prompt.whole_unpadded"] == 1.0


def test_what_the_shape_costs_is_counted_by_tokens() -> None:
    plain, shaped = attacked(traces(False), "unshaped", 65).figures, attacked(traces(True), "shaped", 65).figures
    assert plain["bytes_per_token.unshaped"] == 2000.0
    assert shaped["bytes_per_token.shaped"] == pytest.approx(2000 * 64 / 27.5)
    assert shaped["seconds_per_token.shaped"] == pytest.approx(0.05)
    assert shaped["seconds_with_padding_per_token.shaped"] == pytest.approx(0.05 * 64 / 27.5)
    assert plain["traces"] == 40


def test_a_clocks_traces_are_fewer_and_do_not_pass_for_all() -> None:
    found = attacked(traces(True), "steady", 65)
    assert "traces" not in found.figures
    assert found.figures["traces.steady"] == 40
    assert {result.setting for result in found.results} == {"steady"}
    assert {"prompt", "prompt.prefill", "prompt.whole", "prompt.whole_unpadded"} == {result.of for result in found.results}


def test_threads_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    before = torch.get_num_threads()
    with _one_thread_each():
        assert (torch.get_num_threads(), os.environ["OMP_NUM_THREADS"]) == (1, "1")
    assert torch.get_num_threads() == before
    assert "OMP_NUM_THREADS" not in os.environ
