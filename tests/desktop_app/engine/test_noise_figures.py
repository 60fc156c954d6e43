"""What the window tells of noise is what the ledger counts."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.chat.events import Noise
from desktop_app.chat.responder import ChatError
from desktop_app.chat.stored import NoiseSpent
from desktop_app.engine.keeper import Kept
from desktop_app.engine.noise_figures import DIMENSIONS, budget_set, spent, worth
from desktop_app.privacy.noise.accounting import Loss
from desktop_app.privacy.noise.budget import Budget
from desktop_app.privacy.noise.draws import Unit
from desktop_app.privacy.noise.ledger import Terms, Way
from desktop_app.privacy.noise.occurrences import Notes, Occurrences
from desktop_app.privacy.noise.quantiser import Level
from tests.helpers.draw_writer import limits
from tests.helpers.protecting import keeper_in

TABLE = "ef" * 32
LEVEL = Level(2.0, 2, 16)
MU16 = 32


def begun(kept: Kept, unit: Unit = Unit.CONVERSATION) -> Occurrences:
    levels = (MU16,) if unit is Unit.CONVERSATION else (0, MU16)
    kept.ledger.begin("c", Terms(Way.POST_PROCESSED, Budget(1000.0, 1e-6), TABLE, 2, 16, levels, unit))
    return Occurrences(kept.archive, kept.ledger, TABLE, limits)


async def test_a_conversation_has_spent_what_its_draws_cost() -> None:
    def job(kept: Kept) -> tuple[NoiseSpent | None, NoiseSpent | None, NoiseSpent | None]:
        before, occurrences = spent(kept, "c"), begun(kept)
        nothing = spent(kept, "c")
        occurrences.of("c", "m", [1, 2, 3], [MU16] * 3)
        return before, nothing, spent(kept, "c")

    before, nothing, after = await keeper_in(None).run(job)
    loss = Loss({LEVEL: 3})
    assert before is None
    assert nothing == NoiseSpent(epsilon=0.0, delta=1e-6, budget=1000.0, tokens=0, success=1e-6, prior=1e-6)
    assert after is not None
    assert (after.epsilon, after.success) == (loss.epsilon(1e-6), loss.success(1e-6))
    assert (after.tokens, after.per, after.exact) == (3, "conversation", False)


async def test_of_protected_values_the_dearest_is_told() -> None:
    def job(kept: Kept) -> NoiseSpent | None:
        occurrences = begun(kept, Unit.SPAN)
        notes = Notes(spans={0: ["Ann"], 2: ["Bob"], 3: ["Bob"]})
        occurrences.of("c", "m", [1, 2, 3, 4], [MU16, 0, MU16, MU16], notes=notes)
        return spent(kept, "c")

    told = await keeper_in(None).run(job)
    assert told is not None
    assert told.epsilon == Loss({LEVEL: 2}).epsilon(1e-6)
    assert (told.tokens, told.per) == (3, "value")


@pytest.mark.parametrize("unit", [Unit.CONVERSATION, Unit.SPAN])
async def test_after_exact_rows_everything_is_given_away(unit: Unit) -> None:
    def job(kept: Kept) -> NoiseSpent | None:
        begun(kept, unit)
        kept.ledger.begin_exact("c", told=True)
        return spent(kept, "c")

    told = await keeper_in(None).run(job)
    assert told is not None
    assert (told.epsilon, told.success, told.exact) == (math.inf, 1.0, True)


async def test_a_budget_is_changed_on_purpose_and_one_that_is_none_is_refused() -> None:
    def job(kept: Kept) -> Terms | None:
        with pytest.raises(ChatError, match="Ask something first"):
            budget_set(kept, "c", 5.0, 1e-6)
        occurrences = begun(kept)
        occurrences.of("c", "m", [1, 2, 3], [MU16] * 3)
        for epsilon, delta in ((0.0, 1e-6), (-1.0, 1e-6), (math.inf, 1e-6), (math.nan, 1e-6), (5.0, 0.0), (5.0, 0.5)):
            with pytest.raises(ChatError, match="Choose"):
                budget_set(kept, "c", epsilon, delta)
        budget_set(kept, "c", 5.0, 1e-7)
        return kept.ledger.terms("c")

    terms = await keeper_in(None).run(job)
    assert terms is not None
    assert terms.budget == Budget(5.0, 1e-7)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from([0.75, 4.0, 20.0, 40.0]), st.floats(0.5, 1e5))
@pytest.mark.slow
def test_a_budget_pays_for_so_many_tokens_and_for_none_more(mu: float, epsilon: float) -> None:
    told = worth(Noise(mu=mu, epsilon=epsilon))
    level = Level(mu, 4, DIMENSIONS)
    assert told.epsilon == Loss({level: 1}).epsilon(1e-6)
    assert not told.tokens or Loss({level: told.tokens}).delta(epsilon) <= 1e-6
    assert Loss({level: told.tokens + 1}).delta(epsilon) > 1e-6


def test_where_only_some_words_are_noisy_their_level_counts() -> None:
    assert worth(Noise(rest="exact", strict_mu=0.75, per="value", epsilon=20.0)) == worth(Noise(mu=0.75, epsilon=20.0))


@pytest.mark.parametrize("noise", [Noise(epsilon=0.0), Noise(epsilon=1.0, delta=2.0), Noise(mu=0.0, epsilon=1.0)])
def test_noise_that_is_none_is_worth_a_sentence(noise: Noise) -> None:
    with pytest.raises(ChatError, match="Choose"):
        worth(noise)
