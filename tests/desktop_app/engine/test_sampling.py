"""Draws: the right distribution, cuts and penalties, certainty, and independence of batch and path."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.chat.events import Sampling
from desktop_app.engine.gumbel import gumbel
from desktop_app.engine.sampling import Sampler


def _draw(sampling: Sampling, logits: torch.Tensor, position: int = 0, seed: int = 3, path: tuple[int, ...] = ()) -> int:
    return Sampler(sampling, seed).draw(logits[None], [0], [position], [path])[0].token


def _allowed(sampling: Sampling, logits: torch.Tensor) -> set[int]:
    """The tokens that survive the cuts, by a plain reading of their definitions."""
    scores = logits.double() / sampling.temperature
    ids = sorted(range(len(scores)), key=lambda i: (-float(scores[i]), i))
    if sampling.top_k:
        ids = ids[: sampling.top_k]
    if sampling.top_p < 1:
        probabilities = torch.softmax(scores[ids], dim=0).tolist()
        kept, total = [], 0.0
        for token, probability in zip(ids, probabilities, strict=True):
            if total >= sampling.top_p and kept:
                break
            kept.append(token)
            total += probability
        ids = kept
    if sampling.min_p:
        best = float(scores[ids[0]])
        ids = [i for i in ids if float(scores[i]) >= best + np.log(sampling.min_p)]
    return set(ids)


@given(
    st.integers(0, 2**32),
    st.integers(0, 10_000),
    st.sampled_from([0, 1, 5, 40]),
    st.sampled_from([1.0, 0.9, 0.4]),
    st.sampled_from([0.0, 0.05, 0.5]),
    st.sampled_from([0.3, 0.7, 1.5]),
)
def test_a_draw_is_the_best_perturbed_token_among_those_that_survive_the_cuts(
    seed: int, position: int, top_k: int, top_p: float, min_p: float, temperature: float
) -> None:
    sampling = Sampling(temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p)
    logits = torch.randn(3000, generator=torch.Generator().manual_seed(seed % 1000)) * 4
    allowed = np.array(sorted(_allowed(sampling, logits)))
    scores = logits.double().numpy()[allowed] / temperature + gumbel(seed, position, allowed)
    assert _draw(sampling, logits, position, seed) == allowed[np.argmax(scores)]


def test_temperature_zero_is_the_argmax_and_ties_go_to_the_lowest_id() -> None:
    logits = torch.zeros(50)
    logits[[7, 31]] = 2.0
    draw = Sampler(Sampling(temperature=0.0), 1).draw(logits[None], [4], [9], [()])[0]
    assert (draw.row, draw.token, draw.certain) == (4, 7, False)


@pytest.mark.slow
def test_draws_follow_the_softmax() -> None:
    logits = torch.tensor([2.0, 1.0, 0.0, -1.0])
    sampler = Sampler(Sampling(temperature=1.0), 99)
    count = 20_000
    draws = [sampler.draw(logits[None], [0], [position], [()])[0].token for position in range(count)]
    shares = np.bincount(draws, minlength=4) / count
    expected = torch.softmax(logits, 0).numpy()
    chi_square = float((count * (shares - expected) ** 2 / expected).sum())
    assert chi_square < 16.3  # 99.9 % of the chi-square distribution with three degrees of freedom


def test_a_draw_does_not_depend_on_the_rows_drawn_with_it() -> None:
    logits = torch.randn(6, 500)
    sampler = Sampler(Sampling(temperature=0.8, top_p=0.95), 5)
    together = sampler.draw(logits, range(6), range(10, 16), [()] * 6)
    alone = [sampler.draw(logits[i : i + 1], [i], [10 + i], [()])[0] for i in range(6)]
    assert [draw.token for draw in together] == [draw.token for draw in alone]


def test_the_penalty_counts_only_the_rows_own_path() -> None:
    logits = torch.tensor([[3.0, 2.9, -1.0], [3.0, 2.9, -1.0]])
    sampler = Sampler(Sampling(temperature=0.0, repetition_penalty=1.5), 1)
    draws = sampler.draw(logits, [0, 1], [5, 5], [(0,), (2,)])
    assert [draw.token for draw in draws] == [1, 0]


@pytest.mark.parametrize(("gap", "certain"), [(1e-5, False), (1.0, True)])
def test_a_close_race_is_not_certain(gap: float, certain: bool) -> None:
    logits = torch.full((10,), -30.0)
    logits[2], logits[3] = 1.0 + gap, 1.0
    assert Sampler(Sampling(temperature=0.0), 1).draw(logits[None], [0], [0], [()])[0].certain is certain


@given(st.integers(0, 300))
def test_a_certain_draw_survives_any_rounding_within_the_tolerance(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    sampling = Sampling(temperature=0.7, top_k=8, top_p=0.8, min_p=0.02)
    logits = torch.randn(200, generator=generator) * 2
    draw = Sampler(sampling, seed).draw(logits[None], [0], [1], [()])[0]
    if draw.certain:
        for _ in range(5):
            rounded = logits + (torch.rand(200, generator=generator) - 0.5) * 1e-4
            assert _draw(sampling, rounded, 1, seed) == draw.token


def test_the_likeliest_successors_are_told_best_first() -> None:
    logits = torch.arange(20.0)
    draw = Sampler(Sampling(temperature=0.0), 1).draw(logits[None], [0], [0], [()])[0]
    assert draw.top_ids == tuple(range(19, 11, -1))
    assert draw.top_probs == pytest.approx(torch.softmax(logits, 0)[-8:].flip(0).tolist())
