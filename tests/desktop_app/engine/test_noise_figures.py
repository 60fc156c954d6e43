"""What the window tells of noise is what the ledger counts."""

import hashlib
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.chat.events import Noise
from desktop_app.chat.responder import ChatError
from desktop_app.chat.stored import NoiseSpent, NoiseWorth
from desktop_app.engine.keeper import Kept
from desktop_app.engine.noise_figures import DIMENSIONS, Table, budget_set, level_of, spent, table_of, worth
from desktop_app.model.starter import FILE_SHA256
from desktop_app.privacy.noise import vocabulary
from desktop_app.privacy.noise.accounting import Loss
from desktop_app.privacy.noise.budget import Budget
from desktop_app.privacy.noise.costs import Costs
from desktop_app.privacy.noise.draws import Unit
from desktop_app.privacy.noise.ledger import Terms, Way
from desktop_app.privacy.noise.occurrences import Notes, Occurrences
from desktop_app.privacy.noise.quantiser import Level
from tests.helpers.draw_writer import limits
from tests.helpers.protecting import keeper_in
from tests.helpers.tiny_codes import save_projection, tiny_projection

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


def told_of(noise: Noise, rho: float | None = None) -> NoiseWorth:
    return worth(noise, level_of(noise, Table()), rho)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from([0.75, 4.0, 20.0, 40.0]), st.floats(0.5, 1e5))
@pytest.mark.slow
def test_a_budget_pays_for_so_many_tokens_and_for_none_more(mu: float, epsilon: float) -> None:
    told = told_of(Noise(mu=mu, epsilon=epsilon))
    level = Level(mu, 4, DIMENSIONS)
    assert told.epsilon == Loss({level: 1}).epsilon(1e-6)
    assert not told.tokens or Loss({level: told.tokens}).delta(epsilon) <= 1e-6
    assert Loss({level: told.tokens + 1}).delta(epsilon) > 1e-6
    assert not told.proven


@pytest.mark.parametrize(("mu", "epsilon", "share"), [(20.0, 3000.0, 0.3), (0.75, 20.0, 0.1), (4.0, 1.0, 0.5)])
def test_what_is_proven_of_the_vocabulary_is_told_as_it_is_charged(mu: float, epsilon: float, share: float) -> None:
    noise, level = Noise(mu=mu, epsilon=epsilon), Level(mu, 4, DIMENSIONS)
    rho = share * mu**2 / 8
    told, costs = told_of(noise, rho), Costs(lambda _: rho)
    assert told.proven
    assert told.epsilon == costs.of({level: 1}, 1e-6).epsilon <= vocabulary.epsilon(rho, 1e-6)
    assert not told.tokens or costs.fits({level: told.tokens}, Budget(epsilon, 1e-6))
    assert not costs.fits({level: told.tokens + 1}, Budget(epsilon, 1e-6))


def test_where_only_some_words_are_noisy_their_level_counts() -> None:
    assert told_of(Noise(rest="exact", strict_mu=0.75, per="value", epsilon=20.0)) == told_of(Noise(mu=0.75, epsilon=20.0))


@pytest.mark.parametrize("noise", [Noise(epsilon=0.0), Noise(epsilon=1.0, delta=2.0), Noise(mu=0.0, epsilon=1.0)])
def test_noise_that_is_none_is_worth_a_sentence(noise: Noise) -> None:
    with pytest.raises(ChatError, match="Choose"):
        told_of(noise)


def test_the_table_that_counts_is_that_of_the_named_model(tmp_path: Path) -> None:
    models, codes = tmp_path / "models", tmp_path / "codes"
    folder = models / f"starter-{FILE_SHA256[:12]}"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("{}", encoding="utf-8")
    assert table_of("", models, [codes]) == Table()
    assert table_of("of/nobody", models, [codes]) == Table()
    digest = save_projection(codes / "a.safetensors", tiny_projection(32), hashlib.sha256(b"{}").digest())
    assert table_of("", models, [codes]) == Table(digest.hex(), len(tiny_projection(32).matrix))
    assert table_of("of/nobody", models, [codes]) == Table()


def test_a_file_for_codes_that_was_changed_is_a_sentence_here_too(tmp_path: Path) -> None:
    folder = tmp_path / "models" / f"starter-{FILE_SHA256[:12]}"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("{}", encoding="utf-8")
    save_projection(tmp_path / "codes" / "a.safetensors", tiny_projection(32), hashlib.sha256(b"{}").digest())
    path = tmp_path / "codes" / "a.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"\x7f")
    with pytest.raises(ChatError, match="safetensors"):
        table_of("", tmp_path / "models", [tmp_path / "codes"])
