"""The three ways for answers to go back are measured on the same noise: without noise they are one, with it codes lose."""

import pytest
import torch

from desktop_app.audit.reply_ways import ReplyWays
from desktop_app.open_weights.trainable import Trainable
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.training.denoiser import Denoiser
from desktop_app.training.samples import Sample
from tests.helpers.noisy_bench import LetterTokenizer, tiny_batches, tiny_system

ALONE = ("map", "mean", "sharp_mean")
TABLE = tiny_system().table
WITHOUT_NOISE, ALL_NOISE = (Level(mu, TABLE.bits, TABLE.dimensions) for mu in (4000.0, 1 / 16))


def greedy(model: Trainable, ids: list[int], tokens: int) -> tuple[int, ...]:
    for _ in range(tokens):
        ids = [*ids, int(model.logits_of(model.states(model.table[ids][None])[0, -1:]).argmax())]
    return tuple(ids[-tokens:])


@pytest.fixture(scope="module")
def ways() -> ReplyWays:
    model = tiny_batches().trainable
    prompts = [tuple(range(first, first + 12)) for first in (30, 60, 90)]
    texts = [Sample((1, 5), prompt, (7,), greedy(model, [1, 5, *prompt, 7], 8)) for prompt in prompts]
    return ReplyWays(model, LetterTokenizer(), texts, seed=1)  # type: ignore[arg-type]


def test_without_noise_every_way_says_what_the_clean_model_says(ways: ReplyWays) -> None:
    untrained = Denoiser(48).state_dict()
    assert ways.agreed(TABLE, WITHOUT_NOISE, untrained) == {way: [8.0] * 3 for way in ("exact", "codes", "denoised", *ALONE)}


def test_under_noise_codes_of_the_answer_lose_what_exact_rows_keep(ways: ReplyWays) -> None:
    told = ways.agreed(TABLE, ALL_NOISE, None)
    assert set(told) == {"exact", "codes", *ALONE}
    assert sum(told["codes"]) < sum(told["exact"])


def test_a_denoiser_changes_what_is_said_and_leaves_the_model_as_it_was(ways: ReplyWays) -> None:
    denoiser = Denoiser(48)
    torch.nn.init.normal_(denoiser.leave.weight, generator=torch.Generator().manual_seed(1))
    wild = ways.agreed(TABLE, WITHOUT_NOISE, denoiser.state_dict())
    assert wild["denoised"] != wild["exact"] == [8.0] * 3
