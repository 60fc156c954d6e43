"""Which layers a split leaves to the agent, and that a loaded model is loaded once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch

from desktop_app.chat.events import Progress, Split
from desktop_app.engine.errors import RequestRefused
from desktop_app.engine.models import Models, ends


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        (Split(head=4, tail=2), (4, 28)),
        (Split(head=0, tail=0), (0, 30)),
        (Split(head=28, tail=2), (30, 30)),
        (Split(head=4, tail=2, only_here=True), (30, 30)),
    ],
)
def test_a_split_leaves_the_middle_to_the_agent(split: Split, expected: tuple[int, int]) -> None:
    assert ends(split, 30) == expected


def test_more_layers_than_there_are_is_a_sentence() -> None:
    with pytest.raises(RequestRefused, match="30 layers"):
        ends(Split(head=29, tail=2), 30)


@pytest.mark.slow
async def test_a_model_is_loaded_once_until_another_split_or_dtype_is_asked_for(
    models_directory: Path, starter_model: Path
) -> None:
    with ThreadPoolExecutor(1) as thread:
        models = Models(models_directory, thread)
        let_go: list[str] = []
        models.before_loading = lambda: let_go.append("now")
        told: list[Progress] = []
        first = await models.get("", Split(head=4, tail=2), "", told.append)
        assert told[0] == Progress("model")
        assert (first.first_layer, first.last_layer, first.layers, first.only_here) == (4, 28, 30, False)
        assert await models.get("", Split(head=4, tail=2), "", told.append) is first
        assert len(let_go) == 1
        other = await models.get("", Split(head=1, tail=1), "bfloat16", told.append)
        assert (other.first_layer, other.last_layer, other.head.dtype) == (1, 29, torch.bfloat16)
        assert len(let_go) == 2
        assert (await models.get("", Split(only_here=True), "", told.append)).only_here
        with pytest.raises(RequestRefused, match="bfloat16"):
            await models.get("", Split(), "int3", told.append)
