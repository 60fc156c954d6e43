"""What a conversation with noise agrees to, and the noise that a budget allows."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.chat.events import Noise, Turn
from desktop_app.engine.errors import RequestRefused
from desktop_app.engine.noisy_prompt import Charged, Word, limits_of, mu16, revision_of, terms_of
from desktop_app.engine.noisy_rows import CODES, OCCURRENCE, PUBLIC, NoisyRows
from desktop_app.model.codes import ModelCodes
from desktop_app.model.tokenizer import Part
from desktop_app.privacy.noise.draws import Draw, Unit
from desktop_app.privacy.noise.ledger import Way
from desktop_app.privacy.noise.quantiser import Level, thresholds
from remote_agent.segment.code_table import CodeTable
from tests.helpers.tiny_codes import tiny_projection

DIMENSIONS = 12


@pytest.fixture
def codes() -> ModelCodes:
    embeddings = torch.randn(50, 32, generator=torch.Generator().manual_seed(1))
    return ModelCodes(CodeTable(tiny_projection(32), embeddings, 4), bytes(range(32)))


@pytest.mark.parametrize("mu", [0.0, -1.0, 0.01, 4096.0, math.inf, math.nan])
def test_a_level_that_is_none_is_refused(mu: float) -> None:
    with pytest.raises(RequestRefused, match="Choose one"):
        mu16(mu)


@given(st.integers(1, 65520))
def test_levels_are_sixteenths(level: int) -> None:
    assert mu16(level / 16) == level


def test_terms_are_those_of_the_noise(codes: ModelCodes) -> None:
    terms = terms_of(Noise(mu=30.0, strict_mu=2.5, epsilon=9.0, delta=1e-5), codes)
    assert (terms.way, terms.levels, terms.bits, terms.dimensions) == (Way.POST_PROCESSED, (40, 480), 4, DIMENSIONS)
    assert (terms.budget.epsilon, terms.budget.delta, terms.table) == (9.0, 1e-5, codes.digest.hex())
    assert terms.unit is Unit.CONVERSATION
    assert terms_of(Noise(mu=30.0, epsilon=9.0, answers="codes"), codes).way is Way.CHARGED_REPLY
    uneven = terms_of(Noise(rest="exact", strict_mu=0.75, per="value", epsilon=9.0), codes)
    assert (uneven.levels, uneven.unit) == ((0, 12), Unit.SPAN)
    with pytest.raises(RequestRefused, match="Choose"):
        terms_of(Noise(mu=30.0, epsilon=0.0), codes)


def test_a_prompt_is_numbers_of_which_none_is_a_private_token() -> None:
    parts = [Part(None, [1, 2]), Part(0, [7, 8]), Part(None, [3]), Part(1, [9]), Part(None, [1])]
    charged = Charged(parts, {0: [Word(Draw(5, 320, b"x"), CODES), Word(Draw(6, 320, b"y"), CODES)]})
    rows = NoisyRows(answers_exact=True)
    numbers = charged.numbers(rows)
    assert numbers == [PUBLIC + 1, PUBLIC + 2, OCCURRENCE + 5, OCCURRENCE + 6, PUBLIC + 3, 9, PUBLIC + 1]
    assert charged.fits(rows)
    assert not Charged(parts, {0: [Word(Draw(5, 320, b"other"), CODES)]}).fits(rows)


def test_limits_are_the_tables_own(codes: ModelCodes) -> None:
    level = Level(20.0, 4, DIMENSIONS)
    assert (limits_of(codes)(17, level) == thresholds(codes.codes[17], level)).all()


def test_a_turn_of_nobody_known_is_one_revision_by_what_it_says() -> None:
    turn = Turn(role="user", text="x")
    assert revision_of("c", 0, turn, [1]) == revision_of("c", 0, turn, [1])
    assert len({revision_of("c", 0, turn, [1]), revision_of("c", 1, turn, [1]), revision_of("c", 0, turn, [2])}) == 3
    assert revision_of("c", 0, Turn(role="user", text="x", identity="m"), [1]) == "m"
