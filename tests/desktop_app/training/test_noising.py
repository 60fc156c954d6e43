"""Training sees what an agent sees: codes of the deployed mechanism, and rows that its decoders would make of them."""

import pytest
import torch

from desktop_app.open_weights.trainable import Trainable
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.training.noising import drawn, likeliest, linear_rows
from desktop_app.training.samples import Sample
from remote_agent.segment.artefacts import Projection
from remote_agent.segment.code_decoders import LinearDecoder
from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.plan import ModelPlan
from tests.helpers.tiny_models import tiny_model

SAMPLE = Sample((1, 5), tuple(range(20, 40)), (2, 7), tuple(range(60, 80)))


@pytest.fixture(scope="module")
def model() -> Trainable:
    tiny = tiny_model("llama")
    return Trainable(ModelPlan.from_config(tiny.config), tiny, tiny.config)


@pytest.fixture(scope="module")
def table(model: Trainable) -> CodeTable:
    matrix = torch.linalg.qr(torch.randn(48, 48, generator=torch.Generator().manual_seed(1))).Q
    return CodeTable(Projection(matrix, 2 * float((model.table @ matrix.T).std())), model.table, 4)


def test_codes_are_drawn_as_they_are_sent_and_repeat_for_a_seed(table: CodeTable) -> None:
    level = Level(20.0, 4, 48)
    counts = drawn(table, SAMPLE.prompt, level, 3)
    assert counts.shape == (20, 48)
    assert counts.max() <= 15
    assert torch.equal(counts, drawn(table, SAMPLE.prompt, level, 3))
    assert not torch.equal(counts, drawn(table, SAMPLE.prompt, level, 4))


def test_with_little_noise_the_likeliest_text_is_the_prompt_and_with_much_it_is_not(model: Trainable, table: CodeTable) -> None:
    shares = []
    for mu in (3000.0, 0.5):
        level = Level(mu, 4, 48)
        counts = [drawn(table, SAMPLE.prompt, level, seed) for seed in range(2)]
        found = likeliest(model, table, [SAMPLE, SAMPLE], counts, level)
        shares.append(float(torch.stack([own == torch.tensor(SAMPLE.prompt) for own in found]).float().mean()))
    assert shares[0] > 0.9
    assert shares[1] < 0.3


def test_linear_rows_are_the_agents_and_shrunk_above_the_cap(table: CodeTable) -> None:
    level = Level(40.0, 4, 48)
    counts = drawn(table, SAMPLE.prompt, level, 1)
    decoder = torch.linalg.pinv(table.projection.matrix.double()).float()
    rows = LinearDecoder(table)(counts, torch.full((20,), 640)).rows
    torch.testing.assert_close(linear_rows(table, counts, level, decoder, cap=1e9), rows, rtol=1e-4, atol=1e-4)
    capped = linear_rows(table, counts, level, decoder, cap=0.5)
    assert float(capped.norm(dim=1).max()) <= 0.5 * float(torch.linalg.matrix_norm(decoder, 2)) + 1e-4
