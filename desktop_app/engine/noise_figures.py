"""What noisy codes have cost a conversation, and what a noise is worth before anything is sent, as the window tells it.

Everything here is a count of the ledger's: the worst case, or what is proven of the real vocabulary where that is less. What
attackers really get back is measured by the audit (`recovery_table`), and is another matter.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from desktop_app.chat.events import Noise
from desktop_app.chat.responder import ChatError
from desktop_app.chat.stored import NoiseSpent, NoiseWorth
from desktop_app.engine.keeper import Kept
from desktop_app.engine.model_digest import model_digest
from desktop_app.privacy.errors import PrivacyError
from desktop_app.privacy.noise.budget import Budget
from desktop_app.privacy.noise.costs import ONE_IN_A_MILLION, Cost, Costs
from desktop_app.privacy.noise.draws import Unit
from desktop_app.privacy.noise.quantiser import Level

DIMENSIONS = 128  # of codes whose table is not known yet; what a level costs hardly depends on them
MOST_TOKENS = 1 << 20  # no conversation is longer


class Table(NamedTuple):
    """What a count must know of a model's codes: their name (a digest in hex, "" where there are none) and dimensions d'."""

    name: str = ""
    dimensions: int = DIMENSIONS


def table_of(model: str, models: Path, folders: Sequence[Path]) -> Table:
    """The table of the model that a person named so, as it is prepared in `models`; files for codes lie in `folders`.

    It imports torch, which takes seconds the first time. Raises `ChatError` where a file for codes is not what it should be.
    """
    from desktop_app.model.codes import find_table
    from desktop_app.model.errors import ModelError

    digest = model_digest(model, models)
    try:
        found = None if digest is None else find_table(bytes.fromhex(digest), folders)
    except ModelError as error:
        raise ChatError(str(error)) from error
    return Table() if found is None else Table(*found)


def spent(kept: Kept, conversation: str) -> NoiseSpent | None:
    """What a conversation has spent, or the dearest of its protected values where each has the budget; None without noise.

    In the archive's thread. It takes seconds for thousands of tokens at several levels, once.
    """
    ledger, terms = kept.ledger, kept.ledger.terms(conversation)
    if terms is None:
        return None
    by_value = terms.unit is Unit.SPAN
    if ledger.exact(conversation) or not by_value:
        cost = ledger.spent(conversation)
    else:
        costs = [ledger.spent(conversation, span=name) for name in kept.draws.spans(conversation)]
        nothing = Cost(0, 0.0, terms.budget.delta, ONE_IN_A_MILLION, ONE_IN_A_MILLION, "worst case", "worst case")
        cost = max(costs, key=lambda it: it.epsilon, default=nothing)
    return NoiseSpent(
        epsilon=cost.epsilon,
        delta=terms.budget.delta,
        budget=terms.budget.epsilon,
        tokens=sum(count for mu16, count in kept.draws.counts(conversation).items() if mu16),
        success=cost.success,
        prior=cost.prior,
        per="value" if by_value else "conversation",
        exact=ledger.exact(conversation),
    )


def level_of(noise: Noise, table: Table) -> Level:
    """The level that the budget is spent on. Raises `ChatError` where it is none."""
    try:
        return Level(noise.strict_mu if noise.rest == "exact" else noise.mu, noise.bits, table.dimensions)
    except PrivacyError as error:
        raise ChatError(str(error)) from error


def worth(noise: Noise, level: Level, rho: float | None) -> NoiseWorth:
    """What one token costs at the level that the budget is spent on, and how many tokens the budget pays. Raises `ChatError`.

    `rho` is what is proven of the real vocabulary at that level, None where nothing is: then the worst case counts.
    """
    try:
        budget = Budget(noise.epsilon, noise.delta)
        costs = Costs(lambda _: rho)
        one = costs.of({level: 1}, noise.delta)
    except PrivacyError as error:
        raise ChatError(str(error)) from error
    low, high = 0, min(MOST_TOKENS, math.floor(1 / noise.delta)) + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if costs.fits({level: middle}, budget) else (low, middle)
    return NoiseWorth(epsilon=one.epsilon, success=one.success, prior=one.prior, tokens=low, proven=rho is not None)


def budget_set(kept: Kept, conversation: str, epsilon: float, delta: float) -> None:
    """Give a conversation another budget. Raises `ChatError` where it is none, or where there is no noise to limit."""
    try:
        budget = Budget(epsilon, delta)
        budget.check_tokens(sum(kept.draws.counts(conversation).values()))
    except PrivacyError as error:
        raise ChatError(str(error)) from error
    if kept.ledger.terms(conversation) is None:
        raise ChatError("This conversation has sent nothing under noise, so it has no budget to raise. Ask something first.")
    kept.ledger.set_budget(conversation, budget)
