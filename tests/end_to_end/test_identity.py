"""Greedy output of the split engine is transformers' own, token by token: six prompts of the benchmark, every split."""

from pathlib import Path

import pytest

from tests.benchmarks.identity import measure
from tests.benchmarks.report import Checkpoint


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_six_prompts_are_identical_in_every_split_with_and_without_drafts(
    models_directory: Path, starter_model: Path
) -> None:
    figures = await measure(models_directory, 6, Checkpoint(None))
    assert figures["replies"] == 36
    assert figures["identical_percent.vs_transformers"] == 100
    assert figures["identical_percent.vs_sequential.greedy"] == 100
    assert figures["ties"] <= 2
