"""A prompt under noise: which of its tokens anybody may know, which are drawn and charged, and the numbers that stand for them.

Each message is tokenised on its own and is one revision for ever, so its codes are those that were drawn when it was first sent
(`privacy.noise.occurrences`). What the template adds is public. Everything is charged before the prompt exists.
"""

import hashlib
from collections.abc import Sequence

from msgspec.structs import replace

from desktop_app.chat.events import Noise, ReplyRequest, Turn
from desktop_app.engine import prompt
from desktop_app.engine.errors import RequestRefused
from desktop_app.engine.exchange import Exchange
from desktop_app.engine.keeper import Kept
from desktop_app.engine.models import Loaded
from desktop_app.engine.noisy_rows import PUBLIC, NoisyRows
from desktop_app.model.codes import ModelCodes
from desktop_app.model.tokenizer import Part
from desktop_app.privacy.errors import PrivacyError
from desktop_app.privacy.noise.accounting import Loss
from desktop_app.privacy.noise.budget import Budget
from desktop_app.privacy.noise.draws import Draw
from desktop_app.privacy.noise.ledger import Terms, Way
from desktop_app.privacy.noise.occurrences import Limits, Occurrences
from desktop_app.privacy.noise.quantiser import Level, Thresholds, thresholds

MOST_MU = 4095


def mu16(mu: float) -> int:
    """A noise level as it is written on the wire and in the ledger, in sixteenths. Raises `RequestRefused`."""
    if not 1 / 16 <= mu <= MOST_MU:
        raise RequestRefused(f"A noise of mu {mu:g} a token cannot be had. Choose one from 1/16 to {MOST_MU:,}, 30 for example.")
    return round(mu * 16)


def terms_of(noise: Noise, codes: ModelCodes) -> Terms:
    """What a conversation with this noise agrees to. Raises `RequestRefused`."""
    levels = {mu16(noise.mu)} | ({mu16(noise.strict_mu)} if noise.strict_mu else set())
    way = Way.POST_PROCESSED if noise.answers == "exact" else Way.CHARGED_REPLY
    try:
        budget = Budget(noise.epsilon, noise.delta)
        return Terms(way, budget, codes.digest.hex(), noise.bits, codes.table.dimensions, tuple(sorted(levels)))
    except PrivacyError as error:
        raise RequestRefused(str(error)) from error


def within(noise: Noise, tokens: int, dimensions: int) -> float:
    """The least noise, as a mu, with which so many tokens keep the budget. Raises `RequestRefused` where none does."""
    low, high = 0, 4096 * 16
    while high - low > 1:
        middle = (low + high) // 2
        cost = Loss({Level(middle / 16, noise.bits, dimensions): tokens}).epsilon(noise.delta)
        low, high = (middle, high) if cost <= noise.epsilon else (low, middle)
    if not low:
        raise RequestRefused(
            f"No noise is strong enough for {tokens:,} tokens at an epsilon of {noise.epsilon:g}. Ask something shorter, attach "
            "fewer documents, or raise the budget."
        )
    return low / 16


async def numbers_of(request: ReplyRequest, noise: Noise, loaded: Loaded, codes: ModelCodes, exchange: Exchange) -> "Charged":
    """Draw, charge and keep what is new in the prompt. Raises `RequestRefused`: then nothing was drawn, and nothing may leave."""
    turns = prompt.spoken(request.turns)
    parts = loaded.model.tokenizer.prompt_parts(prompt.messages(request.turns))
    tokens = sum(len(part.ids) for part in parts if part.turn is not None and turns[part.turn].role != "assistant")
    if not noise.mu:
        noise = replace(noise, mu=within(noise, tokens, codes.table.dimensions))
    terms, level = terms_of(noise, codes), mu16(noise.mu)

    def draw(kept: Kept) -> dict[int, list[tuple[Draw, int]]]:
        kept.ledger.begin(request.conversation, terms)
        if kept.ledger.terms(request.conversation).budget != terms.budget:  # type: ignore[union-attr]
            kept.ledger.set_budget(request.conversation, terms.budget)
        occurrences = Occurrences(kept.archive, kept.ledger, terms.table, limits_of(codes))
        drawn = {}
        for part in parts:
            if part.turn is not None and turns[part.turn].role != "assistant":
                name = revision_of(request.conversation, part.turn, turns[part.turn], part.ids)
                found = occurrences.of(request.conversation, name, part.ids, [level] * len(part.ids))
                drawn[part.turn] = list(zip(found, part.ids, strict=True))
        return drawn

    try:
        return Charged(parts, await exchange.kept(draw))
    except PrivacyError as error:
        raise RequestRefused(str(error)) from error


class Charged:
    """A prompt whose private tokens are drawn, charged and kept."""

    def __init__(self, parts: Sequence[Part], drawn: dict[int, list[tuple[Draw, int]]]) -> None:
        self._parts = parts
        self._drawn = drawn

    def fits(self, rows: NoisyRows) -> bool:
        """Whether these draws have the numbers that a session knows them by."""
        return not any(rows.knows_otherwise(draws) for draws in self._drawn.values())

    def numbers(self, rows: NoisyRows) -> list[int]:
        """The prompt as numbers, which `rows` knows from now on."""
        numbers: list[int] = []
        for part in self._parts:
            if part.turn in self._drawn:
                numbers += rows.add(self._drawn[part.turn])
            else:
                numbers += part.ids if part.turn is not None else [PUBLIC + token for token in part.ids]
        return numbers


def revision_of(conversation: str, place: int, turn: Turn, tokens: Sequence[int]) -> str:
    """The identity of a message revision; one that is not kept by name is known by its place and what it says."""
    if turn.identity:
        return turn.identity
    said = hashlib.sha256(repr(list(tokens)).encode()).hexdigest()
    return f"{conversation}/{place}/{said}"


def limits_of(codes: ModelCodes) -> Limits:
    """The thresholds [d'] of a token at a level; its code is clipped in the table, last thing before this."""
    table = codes.codes

    def limits(token: int, level: Level) -> Thresholds:
        return thresholds(table[token], level)

    return limits
