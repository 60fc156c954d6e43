"""The table of codes against the desktop's quantiser, and likelihoods against the binomial itself."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from desktop_app.privacy.noise import quantiser
from remote_agent.segment import code_table
from remote_agent.segment.artefacts import Projection
from remote_agent.segment.code_table import LEVELS_KEPT, CodeTable, thresholds
from tests.helpers.tiny_codes import drawn, tiny_projection

HIDDEN, TOKENS = 16, 20


def table(bits: int = 4, prior: torch.Tensor | None = None, dtype: torch.dtype = torch.float32) -> CodeTable:
    plain = tiny_projection(HIDDEN)
    embeddings = torch.randn(TOKENS, HIDDEN, generator=torch.Generator().manual_seed(3)).to(dtype)
    return CodeTable(Projection(plain.matrix, plain.clip, prior), embeddings, bits)


@settings(max_examples=200)
@given(st.sampled_from([1, 2, 4]), st.integers(1, 65_535), st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_thresholds_are_those_that_the_desktop_draws_with(bits: int, mu16: int, dimensions: int, seed: int) -> None:
    level = quantiser.Level(mu16 / 16, bits, dimensions)
    codes = np.clip(np.random.default_rng(seed).normal(size=(3, dimensions)), -1, 1)
    assert code_table.half_width(mu16, bits, dimensions) == level.half_width
    assert np.array_equal(thresholds(torch.from_numpy(codes), mu16, bits).numpy(), quantiser.thresholds(codes, level))


def test_codes_are_clipped_after_the_projection_not_before() -> None:
    made = table()
    clip, matrix = made.projection.clip, made.projection.matrix.double().numpy()
    embeddings = 4 * made.embeddings
    codes = CodeTable(made.projection, embeddings, 4).codes.numpy()
    projected = embeddings.double().numpy() @ matrix.T / clip
    before = np.clip(embeddings.double().numpy(), -clip, clip) @ matrix.T / clip
    assert np.allclose(codes, np.clip(projected, -1.0, 1.0), atol=1e-15)
    assert np.abs(codes - before).max() > 0.5, "clipped before or after is the same here: nothing is shown"
    assert np.abs(before).max() > 1, "what is clipped before only is not bounded"


def test_the_table_is_the_desktops() -> None:
    made = table()
    expected = np.clip(made.embeddings.double().numpy() @ made.projection.matrix.double().numpy().T / made.projection.clip, -1, 1)
    assert np.array_equal(
        thresholds(made.codes, 320, 4).numpy(), quantiser.thresholds(expected, quantiser.Level(20, 4, made.dimensions))
    )


def test_codes_stand_for_their_token_on_average() -> None:
    made = table()
    counts = drawn(made, [11] * 4000, 16 * 20)
    expected = made.codes[11].float() * made.projection.clip
    torch.testing.assert_close(made.meant(counts, 16 * 20).mean(0), expected, atol=0.15, rtol=0)


@pytest.mark.parametrize("bits", [1, 2, 4])
@pytest.mark.parametrize("mu16", [8, 320, 1600])
def test_likelihoods_are_the_binomials(bits: int, mu16: int) -> None:
    made = table(bits)
    counts = drawn(made, [3, 7, 7], mu16)
    chances = thresholds(made.codes, mu16, bits).numpy() / 2**16
    expected = binom.logpmf(counts.numpy()[:, None], made.steps, chances[None]).sum(axis=2)
    got = made.log_likelihood(counts, mu16).numpy()
    # Binomial coefficients are the same for all tokens.
    assert np.allclose(got - got[:, :1], expected - expected[:, :1], atol=1e-3)


def test_the_posterior_weighs_with_the_prior() -> None:
    prior = torch.log_softmax(torch.randn(TOKENS, generator=torch.Generator().manual_seed(1)) * 5, dim=0)
    with_prior, without = table(prior=prior), table()
    counts = drawn(without, [4, 5], 100)
    likelihood = without.log_likelihood(counts, 100)
    assert torch.allclose(without.log_posterior(counts, 100), torch.log_softmax(likelihood, dim=-1), atol=1e-4)
    assert torch.allclose(with_prior.log_posterior(counts, 100), torch.log_softmax(likelihood + prior, dim=-1), atol=1e-4)


def test_few_levels_are_kept() -> None:
    made = table()
    before = made.log_likelihood(drawn(made, [1], 320), 320)
    for level in (100, 200, 300):
        made.log_likelihood(drawn(made, [1], level), level)
        assert len(made._levels) <= LEVELS_KEPT
    assert torch.equal(made.log_likelihood(drawn(made, [1], 320), 320), before)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_rows_are_known_again_as_tokens_also_after_sixteen_bits(monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype) -> None:
    monkeypatch.setattr(code_table, "AT_ONCE", 7)
    made = table(dtype=dtype)
    rows = made.rows_of(torch.tensor([3, 19, 0]))
    odd = torch.cat((rows.to(torch.bfloat16).float(), torch.full((1, HIDDEN), 0.3)))
    assert made.tokens_of(odd).tolist() == [3, 19, 0, -1]


def test_means_are_weighted_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_table, "AT_ONCE", 7)
    made = table()
    weights = torch.softmax(torch.randn(4, TOKENS), dim=-1)
    assert torch.allclose(made.weighted(weights), weights @ made.embeddings, atol=1e-5)
