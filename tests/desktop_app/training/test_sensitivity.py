"""The information of a model whose answer hangs on some directions alone is large in those, and in no other."""

from pathlib import Path
from typing import cast

import pytest
import torch
from torch import Tensor

from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.open_weights.trainable import Trainable
from desktop_app.training.samples import Sample
from desktop_app.training.sensitivity import information, metric

DIMENSIONS, VOCABULARY = 6, 9
SAMPLES = [Sample((0,), (1, 2, number % VOCABULARY), (3,), (4, 5, 6)) for number in range(40)]


class Reader:
    """Each row's state is the sum of all rows so far, of which the answer reads the first two numbers."""

    def __init__(self) -> None:
        generator = torch.Generator().manual_seed(1)
        self.table = torch.randn(VOCABULARY, DIMENSIONS, generator=generator)
        self._head = torch.randn(DIMENSIONS, VOCABULARY, generator=generator)
        self._head[2:] = 0

    def states(self, rows: Tensor) -> Tensor:
        return rows.cumsum(1) / 4

    def logits_of(self, states: Tensor) -> Tensor:
        return states @ self._head


def model() -> Trainable:
    return cast(Trainable, Reader())


def test_what_an_answer_does_not_read_has_no_information() -> None:
    found = information(model(), SAMPLES, 7)
    assert float(found[2:].abs().max()) == 0
    assert float(torch.linalg.eigvalsh(found)[-2]) > 0
    assert torch.equal(found, information(model(), SAMPLES, 7))


def test_one_that_was_cut_off_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    told: list[int] = []

    def cut_off(done: int, loss: float) -> None:
        told.append(done)
        if done == 25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        information(model(), SAMPLES, 7, cut_off, Checkpoint(tmp_path / "part.json", "one"))
    told.clear()
    found = information(model(), SAMPLES, 7, lambda done, loss: told.append(done), Checkpoint(tmp_path / "part.json", "one"))
    assert told == list(range(21, 41))
    assert torch.equal(found, information(model(), SAMPLES, 7))
    assert torch.equal(found, information(model(), SAMPLES, 7, kept=Checkpoint(tmp_path / "part.json", "one")))


def test_it_is_fishers_information_of_the_answer() -> None:
    """Against the closed form for one row and one place: the covariance of the head's columns under the model."""
    reader = Reader()
    one = [Sample((), (1,), (), (4,))] * 160
    chances = torch.softmax(reader.logits_of(reader.states(reader.table[[1]].unsqueeze(0)))[0, 0], -1)
    columns = reader._head.T / 4
    centred = columns - chances @ columns
    expected = (centred.T * chances) @ centred
    found = sum((information(model(), one, seed) for seed in range(12)), torch.zeros(DIMENSIONS, DIMENSIONS)) / (12 * 160)
    torch.testing.assert_close(found.float(), expected, rtol=0.15, atol=2e-3)


def test_the_metric_is_a_root() -> None:
    found = information(model(), SAMPLES, 7)
    root = metric(found)
    torch.testing.assert_close(root, root.T)
    fourth = torch.linalg.matrix_power(root.double(), 4)  # the information to the power 1/2, by a root of that
    torch.testing.assert_close(fourth, found, rtol=1e-3, atol=1e-3 * float(found.max()))
