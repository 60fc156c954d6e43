"""Each decoder against brute force over a tiny vocabulary."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from remote_agent.segment import code_decoders
from remote_agent.segment.artefacts import Projection, UnknownArtefact
from remote_agent.segment.code_decoders import LinearDecoder, MapDecoder, MeanDecoder
from remote_agent.segment.code_table import CodeTable, half_width, thresholds
from tests.helpers.tiny_codes import drawn, tiny_projection

HIDDEN, TOKENS = 16, 9
PRIOR = torch.log_softmax(torch.randn(TOKENS, generator=torch.Generator().manual_seed(2)) * 3, dim=0)


def table(bits: int = 2) -> CodeTable:
    plain = tiny_projection(HIDDEN, 5)
    embeddings = torch.randn(TOKENS, HIDDEN, generator=torch.Generator().manual_seed(3))
    return CodeTable(Projection(plain.matrix, plain.clip, PRIOR), embeddings, bits)


def posterior(made: CodeTable, counts: list[int], mu16: int) -> list[float]:
    """P(token | counts), factor by factor, in plain Python."""
    weights = []
    for token in range(TOKENS):
        weight = math.exp(float(PRIOR[token]))
        for count, limit in zip(counts, thresholds(made.codes[token], mu16, made.bits).tolist(), strict=True):
            chance = limit / 2**16
            weight *= chance**count * (1 - chance) ** (made.steps - count)
        weights.append(weight)
    return [weight / sum(weights) for weight in weights]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, TOKENS - 1), st.sampled_from([8, 80, 320])), min_size=1, max_size=8), st.integers(0, 99))
def test_map_and_mean_equal_brute_force_whatever_the_levels(sent: list[tuple[int, int]], seed: int) -> None:
    made = table()
    counts = torch.cat([drawn(made, [token], level, seed + place) for place, (token, level) in enumerate(sent)])
    levels = torch.tensor([level for _, level in sent])
    chances = torch.tensor([posterior(made, row, level) for row, (_, level) in zip(counts.tolist(), sent, strict=True)])
    found = MapDecoder(made)(counts, levels)
    assert found.tokens is not None
    assert torch.allclose(chances.gather(1, found.tokens[:, None])[:, 0], chances.max(dim=1).values, rtol=1e-4)
    assert torch.equal(found.rows, made.embeddings[found.tokens])
    mean = MeanDecoder(made)(counts, levels)
    assert mean.tokens is None
    assert torch.allclose(mean.rows, chances @ made.embeddings, atol=1e-3)


@given(st.integers(0, 99))
def test_a_sharper_mean_lies_nearer_to_the_likeliest_token_and_ends_there(seed: int) -> None:
    made, levels = table(), torch.tensor([80] * TOKENS)
    counts = drawn(made, list(range(TOKENS)), 80, seed)
    likeliest = MapDecoder(made)(counts, levels)
    least = math.inf
    for sharpness in (1.0, 2.0, 4.0, 1e6):
        mean = MeanDecoder(made, sharpness)(counts, levels)
        assert likeliest.tokens is not None
        chances = torch.softmax(sharpness * made.log_posterior(counts, 80), -1)
        assert torch.allclose(mean.rows, chances @ made.embeddings, atol=1e-3)
        most = float((1 - chances.gather(1, likeliest.tokens[:, None])).sum())
        assert most <= least + 1e-6
        least = most
    assert least == pytest.approx(0.0, abs=1e-3) or bool((chances.max(1).values < 0.999).any())


def test_many_rows_are_decoded_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made, levels = table(4), torch.tensor([320, 80, 320, 80, 320])
    counts = drawn(made, [0, 1, 2, 3, 4], 320)
    whole = MapDecoder(made)(counts, levels)
    monkeypatch.setattr(code_decoders, "AT_ONCE", 2)
    assert torch.equal(MapDecoder(made)(counts, levels).rows, whole.rows)


def test_mild_codes_give_their_tokens_back() -> None:
    made = table(4)
    found = MapDecoder(made)(drawn(made, list(range(TOKENS)), 60_000), torch.full((TOKENS,), 60_000))
    assert found.tokens is not None
    assert found.tokens.tolist() == list(range(TOKENS))


def test_linear_multiplies_what_the_codes_stand_for_by_its_matrix_or_the_pseudo_inverse() -> None:
    made = table()
    counts, levels = drawn(made, [1, 2], 320), torch.tensor([320, 80])
    meant = torch.tensor(
        [
            [half_width(level, 2, 5) * (2 * count / 3 - 1) * made.projection.clip for count in row]
            for row, level in zip(counts.tolist(), levels.tolist(), strict=True)
        ]
    )
    matrix = torch.randn(HIDDEN, 5)
    assert torch.allclose(LinearDecoder(made, matrix)(counts, levels).rows, meant @ matrix.T, atol=1e-4)
    rows = LinearDecoder(made)(counts, levels).rows
    assert torch.allclose(rows @ made.projection.matrix.T, meant, atol=1e-4)


def test_a_linear_decoder_for_one_level_refuses_the_others() -> None:
    made = table()
    decoder = LinearDecoder(made, torch.ones(HIDDEN, 5), 320)
    decoder(drawn(made, [1], 320), torch.tensor([320]))
    with pytest.raises(UnknownArtefact, match="noise level"):
        decoder(drawn(made, [1, 2], 320), torch.tensor([320, 321]))
