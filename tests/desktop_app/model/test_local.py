"""Head, middle and tail together are the unsplit model; the head and tail alone are it too, "only here"."""

from pathlib import Path
from typing import Any

import pytest
import torch

from desktop_app.model.local import LocalModel
from desktop_app.model.store import ModelStore
from remote_agent.segment.errors import BadModelFile, RowUnknown
from remote_agent.segment.segment import Segment
from tests.helpers.gguf_files import tiny_model
from tests.helpers.tokenizers_of_kinds import byte_level

TOKENS = [5, 17, 400, 3, 88, 2]


@pytest.fixture(scope="module")
def whole() -> Any:
    return tiny_model("llama", vocab_size=520)


@pytest.fixture(scope="module")
def model(whole: Any, tmp_path_factory: pytest.TempPathFactory) -> LocalModel:
    folder = tmp_path_factory.mktemp("model")
    whole.save_pretrained(folder / "m")
    return ModelStore(folder / "models").prepare(str(byte_level(folder / "m")), 4, 0)


def expected(whole: Any, tokens: list[int]) -> torch.Tensor:
    with torch.no_grad():
        return whole(torch.tensor([tokens])).logits[0]


@pytest.mark.parametrize(("head", "tail"), [(1, 1), (0, 0), (0, 2), (3, 0), (4, 0), (2, 2), (99, 99)])
def test_every_split_gives_the_logits_of_the_unsplit_model(whole: Any, model: LocalModel, head: int, tail: int) -> None:
    begin, end = model.segments(head, tail, device="cpu", dtype=torch.float32)
    assert begin.layers + end.layers == min(head + tail, 4)
    middle = Segment(model.plan, model.weights, begin.layers, 4 - end.layers, device="cpu", dtype=torch.float32)
    for part in (begin, middle, end):
        part.open(1, 16)
    parents = list(range(-1, len(TOKENS) - 1))
    rows = begin.run(1, 0, -1, 0, parents, TOKENS)
    logits = end.run(1, 0, -1, 0, parents, middle.run(1, 0, -1, 0, parents, rows), [1, 5])
    torch.testing.assert_close(logits, expected(whole, TOKENS)[[1, 5]], rtol=1e-4, atol=1e-5)
    assert logits.dtype == torch.float32


def test_forked_and_closed_sessions(whole: Any, model: LocalModel) -> None:
    begin, end = model.segments(4, 0, device="cpu", dtype=torch.float32)
    for part in (begin, end):
        part.open(1, 16)
    end.run(1, 0, -1, 0, [-1, 0], begin.run(1, 0, -1, 0, [-1, 0], TOKENS[:2]), [])
    for part in (begin, end):
        part.fork(2, 1, 0)
    logits = end.run(2, 0, 0, 2, [0], begin.run(2, 0, 0, 2, [0], [9]), [0])
    torch.testing.assert_close(logits, expected(whole, [TOKENS[0], 9])[1:], rtol=1e-4, atol=1e-5)
    begin.close(2)
    with pytest.raises(RowUnknown):
        begin.run(2, 0, 2, 3, [2], [1])


def test_no_drawn_rows_give_no_logits(model: LocalModel) -> None:
    begin, end = model.segments(1, 1, device="cpu", dtype=torch.float32)
    begin.open(1, 8)
    end.open(1, 8)
    rows = begin.run(1, 0, -1, 0, [-1], [1])
    assert end.run(1, 0, -1, 0, [-1], rows, []).shape == (0, 520)


@pytest.mark.slow
def test_layers_that_were_not_asked_for_are_a_sentence(prepared_starter: LocalModel, starter_model: Path, tmp_path: Path) -> None:
    from remote_agent.segment.preparation import prepare

    weights = prepare(starter_model, tmp_path, layers=[0, 29])
    model = LocalModel(prepared_starter.plan, weights, prepared_starter.tokenizer, "starter", weights.manifest)
    assert model.segments(1, 1)[0].layers == 1
    with pytest.raises(BadModelFile, match="Layer 1 is not on this machine"):
        model.segments(2, 1)
