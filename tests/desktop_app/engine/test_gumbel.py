"""The noise: known answers, independence of what is drawn around it, and its distribution."""

import numpy as np
import pytest

from desktop_app.engine.gumbel import LARGEST, gumbel, philox


@pytest.mark.parametrize(
    ("word", "key", "expected"),
    [(0, 0, 0x6627E8D5), (0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0x408F276D)],
)
def test_philox_gives_the_known_answers_of_its_authors(word: int, key: int, expected: int) -> None:
    assert int(philox((np.array([word], dtype=np.uint64), word, word, word), key)[0]) == expected


def test_noise_of_a_token_does_not_depend_on_the_tokens_around_it() -> None:
    alone = gumbel(11, 42, np.array([777]))
    among = gumbel(11, 42, np.arange(1000))
    assert alone[0] == among[777]


def test_noise_differs_by_seed_and_position() -> None:
    tokens = np.arange(64)
    noise = [gumbel(seed, position, tokens) for seed, position in [(1, 1), (2, 1), (1, 2), (1, 1 + 2**32)]]
    assert all(not np.array_equal(a, b) for i, a in enumerate(noise) for b in noise[i + 1 :])


def test_noise_is_standard_gumbel_and_bounded() -> None:
    noise = gumbel(5, 7, np.arange(400_000))
    assert noise.mean() == pytest.approx(np.euler_gamma, abs=0.01)
    assert noise.var() == pytest.approx(np.pi**2 / 6, rel=0.02)
    assert noise.max() <= LARGEST
