"""A projection in closed form keeps what differs most; one that was trained confuses less and spreads less at the same noise."""

from pathlib import Path

import pytest
import torch

from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.privacy.noise import quantiser
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.privacy.noise.vocabulary import worst_pair
from desktop_app.training.projection import Words, principal, trained, unigram
from remote_agent.segment.code_table import CodeTable

LEVEL = Level(30.0, 4, 8)


@pytest.fixture(scope="module")
def embeddings() -> torch.Tensor:
    generator = torch.Generator().manual_seed(1)
    table = torch.randn(300, 24, generator=generator) * torch.linspace(2.0, 0.2, 24)
    table[:3] *= 4  # outliers, as real tables have them
    return table


def test_the_principal_projection_keeps_more_than_any_other_of_its_size(embeddings: torch.Tensor) -> None:
    projection = principal(embeddings, 8)
    kept = (embeddings - embeddings.mean(0)) @ projection.matrix.T
    other = torch.linalg.qr(torch.randn(24, 8, generator=torch.Generator().manual_seed(2))).Q
    assert kept.square().sum() > ((embeddings - embeddings.mean(0)) @ other).square().sum()
    torch.testing.assert_close(projection.matrix @ projection.matrix.T, torch.eye(8), rtol=1e-4, atol=1e-4)
    assert torch.equal(principal(embeddings, 8).matrix, projection.matrix)


def test_principal_components_keep_the_most_there_is_and_repeat() -> None:
    generator = torch.Generator().manual_seed(0)
    wide = torch.randn(500, 3, generator=generator) * torch.tensor([9.0, 5.0, 2.0])
    turn = torch.linalg.qr(torch.randn(8, 8, generator=generator)).Q
    embeddings = torch.cat([wide, 0.1 * torch.randn(500, 5, generator=generator)], dim=1) @ turn + 4.0
    found = principal(embeddings, 3)
    torch.testing.assert_close(found.matrix @ found.matrix.T, torch.eye(3), atol=1e-5, rtol=0)
    spread = (embeddings @ found.matrix.T).std(0)
    assert spread.tolist() == sorted(spread.tolist(), reverse=True)
    assert spread[0] == pytest.approx(9.0, rel=0.1)
    assert torch.equal(principal(embeddings, 3).matrix, found.matrix)
    assert found.clip == pytest.approx(2 * float((embeddings @ found.matrix.T).std()))
    assert CodeTable(found, embeddings, 4).dimensions == 3


def test_a_metric_turns_the_projection_to_what_matters(embeddings: torch.Tensor) -> None:
    metric = torch.eye(24)
    metric[20, 20] = 100.0  # differs least, and matters most
    projection = principal(embeddings, 4, metric)
    assert int(projection.matrix[0].abs().argmax()) == 20
    assert float(projection.matrix.norm()) == pytest.approx(2.0, rel=1e-5)
    torch.testing.assert_close(principal(embeddings, 4, torch.eye(24)).matrix, principal(embeddings, 4).matrix)


def test_training_lowers_the_loss_repeats_and_tames_the_worst_pair(embeddings: torch.Tensor) -> None:
    words = Words(embeddings, unigram([[token % 300 for token in range(0, 900, 7)]], 300), torch.eye(24))
    losses: list[float] = []
    found = trained(words, LEVEL, 120, 3, lambda step, loss: losses.append(loss))
    assert sum(losses[-20:]) < sum(losses[:20])
    assert torch.equal(trained(words, LEVEL, 120, 3).matrix, found.matrix)
    rhos = []
    for projection in (principal(embeddings, 8), found):
        table = CodeTable(projection, embeddings, 4)
        rhos.append(worst_pair(quantiser.thresholds(table.codes.numpy(), LEVEL), LEVEL).rho)
    assert rhos[1] < rhos[0]


def test_one_that_was_cut_off_goes_on_and_ends_the_same(embeddings: torch.Tensor, tmp_path: Path) -> None:
    words = Words(embeddings, unigram([[token % 300 for token in range(0, 900, 7)]], 300), torch.eye(24))

    def cut_off(step: int, loss: float) -> None:
        if step == 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(words, LEVEL, 90, 3, cut_off, Checkpoint(tmp_path / "part.json", "one"))
    again: list[tuple[int, float]] = []
    found = trained(words, LEVEL, 90, 3, lambda *step: again.append(step), Checkpoint(tmp_path / "part.json", "one"))
    whole: list[tuple[int, float]] = []
    assert torch.equal(found.matrix, trained(words, LEVEL, 90, 3, lambda *step: whole.append(step)).matrix)
    assert again == whole


def test_how_usual_tokens_are_is_a_distribution_without_zeros() -> None:
    prior = unigram([[1, 1, 2], [1]], 5)
    assert float(prior.exp().sum()) == pytest.approx(1.0, abs=1e-5)
    assert prior[1] > prior[2] > prior[0] > -10
