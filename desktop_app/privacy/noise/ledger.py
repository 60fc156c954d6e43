"""The ledger: what a conversation has agreed to for life, what it has spent, and which rows may leave.

Theory of operation. A charge is a draw in the database (`draws`), written before anything is sent; the ledger only counts, so
there is no second book that could disagree with the first. It counts by unit: a conversation with all its branches, a message
revision, a protected value wherever it stands. Terms are fixed for life, since composition bounds hold for mechanisms that are
fixed beforehand: one way, one table, one set of levels. Only the budget may be changed, by the person.

What is sent is one of three kinds of row. Tokens of the template and of our own instructions are public: exact and free. Private
ones are codes that were drawn, or, where the terms have level 0, exact and charged with everything. Tokens of an answer go by
the `Way`. Where a denoiser sees the clean text, an answer may depend on all of it, so its draws count for every message and
protected value that was there before it.

An exact row after DP gives everything away: epsilon is infinite for ever. Not covered by any count: how long texts are, which
level a token has, that two codes are the same bytes, and when something is sent.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import NamedTuple

from desktop_app.archive.database import Archive
from desktop_app.archive.packing import packed, unpacked
from desktop_app.privacy.errors import BadLevel, PrivacyError
from desktop_app.privacy.noise.budget import Budget
from desktop_app.privacy.noise.costs import ONE_IN_A_MILLION, Cost, Costs
from desktop_app.privacy.noise.draws import Counts, Draws, Unit
from desktop_app.privacy.noise.quantiser import Level

Proofs = Callable[[str, Level], float | None]
"""The rho that is proven for a table (by its digest) at a level, None where none is."""


class Way(IntEnum):
    """How the tokens of an answer go back to the agent. The numbers are kept in archives."""

    POST_PROCESSED = 0
    """Exact and free: the answer depends on nothing but what the agent has seen, public weights and fresh coins."""
    CHARGED_REPLY = 1
    """As codes, charged; a row whose choice has seen a protected value in clear, as a draft may, must name it among its spans."""
    DENOISED = 2
    """As codes, charged to every protected value that the local denoiser has seen. No chat agrees to it today, since the audit
    found nothing in it that `CHARGED_REPLY` does not give; the rule stands here so that whoever offers it cannot forget it."""


class Kind(IntEnum):
    """What a row stands for."""

    PUBLIC = 0
    PRIVATE = 1
    REPLY = 2


class Row(NamedTuple):
    """A row that shall leave; `draw` is the number of the draw it is, 0 where it is none."""

    kind: Kind
    mu16: int
    draw: int = 0


@dataclass(frozen=True, slots=True)
class Terms:
    """What a conversation agrees to: `levels` are all that its tokens may have (0: may leave in clear), `table` is a digest.

    The budget limits the whole conversation, or (`unit`) each protected value by itself. Raises `BadLevel`.
    """

    way: Way
    budget: Budget
    table: str
    bits: int
    dimensions: int
    levels: tuple[int, ...]
    unit: Unit = Unit.CONVERSATION

    def __post_init__(self) -> None:
        if not self.levels or any(not 0 <= mu16 <= 65535 for mu16 in self.levels):
            raise BadLevel("A conversation needs noise levels, each between 1/16 and 4,095. Choose a mu of 20 for example.")
        for mu16 in self.levels:
            if mu16:
                self.level(mu16)

    def level(self, mu16: int) -> Level:
        """The level that is `mu16` sixteenths."""
        return Level(mu16 / 16, self.bits, self.dimensions)


class RowRefused(PrivacyError):
    """A row that the terms of its conversation do not allow, or that was never charged; nothing may be sent."""


class ModeRefused(PrivacyError):
    """The conversation has another mode for life, or none yet."""


class BudgetExceeded(PrivacyError):
    """A send would cost more than is left; nothing was drawn. Epsilons: spent so far, and with the send (`after`)."""

    def __init__(self, spent: float, after: float, budget: Budget, unit: Unit) -> None:
        whole = unit is Unit.CONVERSATION
        super().__init__(
            f"This would bring the epsilon of {'this conversation' if whole else 'a protected value'} to {_said(after)}, at a "
            f"delta of {budget.delta:g}; {_said(spent)} is spent, and the budget is {_said(budget.epsilon)}. Nothing was sent. "
            "Make it shorter, attach fewer documents, begin a new conversation for other texts, or raise the budget."
        )
        self.spent = spent
        self.after = after
        self.budget = budget
        self.unit = unit

    @property
    def cost(self) -> float:
        """What the send would add."""
        return self.after - self.spent


class Ledger:
    """Terms and charges of the conversations in an archive. Errors: the archive's, and those of this room."""

    def __init__(self, archive: Archive, proofs: Proofs = lambda table, level: None) -> None:
        self._archive = archive
        self._draws = Draws(archive)
        self._proofs = proofs
        self._costs: dict[str, Costs] = {}

    def begin(self, conversation: str, terms: Terms) -> None:
        """Agree to terms, or find that these were agreed to, but for the budget, which stays. Raises `ModeRefused`."""
        if self.exact(conversation):
            raise ModeRefused("This conversation has sent exact rows, so noise protects nothing in it. Begin a new conversation.")
        kept = self.terms(conversation)
        if kept is None:
            self._archive.execute(
                "INSERT INTO noise_terms VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?)", (conversation, *_columns(terms))
            )
        elif _for_life(kept) != _for_life(terms):
            raise ModeRefused(
                "This conversation has begun with other noise, and keeps it for life. Choose that again, or begin a new one."
            )

    def begin_exact(self, conversation: str, told: bool = False) -> None:
        """The conversation sends exact rows from now on. After DP only where the person was told; raises `ModeRefused`."""
        if self.terms(conversation) is not None and not self.exact(conversation) and not told:
            raise ModeRefused(
                "This conversation has sent noisy codes. Exact rows give away all that they hid: its epsilon becomes infinite, "
                "for ever. Begin a new conversation, or say that this is what you want."
            )
        self._archive.execute(
            "INSERT INTO noise_terms (conversation, exact) VALUES (?, 1) ON CONFLICT (conversation) DO UPDATE SET exact = 1",
            (conversation,),
        )

    def exact(self, conversation: str) -> bool:
        """Whether the conversation sends exact rows, or ever did."""
        return bool(self._archive.query("SELECT 1 FROM noise_terms WHERE conversation = ? AND exact", (conversation,)))

    def terms(self, conversation: str) -> Terms | None:
        """The terms of a conversation; None where it has agreed to none."""
        rows = self._archive.query(
            "SELECT way, epsilon, delta, codes_table, bits, dimensions, levels, unit FROM noise_terms"
            " WHERE conversation = ? AND way IS NOT NULL",
            (conversation,),
        )
        for way, epsilon, delta, table, bits, dimensions, levels, unit in rows:
            known = tuple(unpacked(levels, list[int], []))
            return Terms(Way(way), Budget(epsilon, delta), table, bits, dimensions, known, Unit(unit))
        return None

    def set_budget(self, conversation: str, budget: Budget) -> None:
        """Give a conversation another budget."""
        self._archive.execute(
            "UPDATE noise_terms SET epsilon = ?, delta = ? WHERE conversation = ?", (budget.epsilon, budget.delta, conversation)
        )

    def check(self, conversation: str, rows: Sequence[Row]) -> None:
        """Raise `RowRefused` where one of the rows may not leave: of a kind that the way does not allow, or never charged."""
        if self.exact(conversation):
            if any(row.mu16 for row in rows):
                raise RowRefused("This conversation sends exact rows, not codes. Begin a new conversation for codes.")
            return
        terms = self._agreed(conversation)
        charged = self._draws.levels(conversation)
        for row in rows:
            if row.kind is Kind.PUBLIC:
                if row.mu16 or row.draw:
                    raise RowRefused("Words of the template are public, and travel exact. Begin a new conversation.")
            elif row.kind is Kind.REPLY and terms.way is Way.POST_PROCESSED:
                self.check_kind(terms, Kind.REPLY, row.mu16)
            else:
                self.check_kind(terms, row.kind, row.mu16)
                if charged.get(row.draw) != row.mu16:
                    raise RowRefused(
                        "A word was to be sent that is not in the ledger at this level. Nothing was sent. Ask again."
                    )

    def check_kind(self, terms: Terms, kind: Kind, mu16: int) -> None:
        """Raise `RowRefused` where the terms have no private or reply row of this level."""
        if kind is Kind.REPLY and terms.way is Way.POST_PROCESSED:
            if mu16:
                raise RowRefused("Answers go back exact in this conversation, not as codes. Begin a new one for codes.")
        elif kind is Kind.REPLY and not mu16:
            raise RowRefused("Answers go back as codes in this conversation, never exact. Begin a new one for exact answers.")
        elif mu16 not in terms.levels:
            raise RowRefused(
                f"A noise level of {mu16 / 16:g} is not one of this conversation's. Begin a new conversation for it."
            )

    def reserve(
        self,
        conversation: str,
        kind: Kind,
        extra: Sequence[tuple[int, Collection[str]]],
        gained: Mapping[str, Collection[int]] = MappingProxyType({}),
    ) -> Terms:
        """Make sure that draws may be made: (mu16, spans that it carries) for each. The terms they are made on.

        `gained` are draws that were made before, by number, for each span that shall be carried by them from now on: one whose
        words were all sent for others is drawn nowhere, and yet may cost more than its budget. A value that has left in clear
        has none. Raises `ModeRefused`,
        `RowRefused`, `BudgetExceeded`, and `BadBudget` where delta is too large for so many tokens.
        """
        if self.exact(conversation):
            raise ModeRefused("This conversation has sent exact rows, so noise protects nothing in it. Begin a new conversation.")
        terms = self._agreed(conversation)
        for mu16 in {mu16 for mu16, _ in extra}:
            self.check_kind(terms, kind, mu16)
            if kind is Kind.REPLY and terms.way is Way.POST_PROCESSED:
                raise RowRefused("Answers are not charged in this conversation, so nothing is drawn for them. Send them exact.")
        spent = self._draws.counts(conversation)
        terms.budget.check_tokens(sum(spent.values()) + len(extra))
        if terms.unit is Unit.CONVERSATION:
            self._fit(terms, spent, _added(spent, [mu16 for mu16, _ in extra]))
        else:
            follows = kind is Kind.REPLY and terms.way is Way.DENOISED
            known = set(self._draws.spans(conversation)) if follows else set()
            for span in {span for _, spans in extra for span in spans} | gained.keys() | known:
                spent = self._counts(conversation, terms, span=span)
                if spent.get(0):
                    continue  # it has left in clear: there is no budget left that it could keep
                own = self._counts(conversation, terms, span=span, also=gained.get(span, ()))
                new = [mu16 for mu16, spans in extra if span in spans or follows]
                self._fit(terms, spent, _added(own, new))
        return terms

    def room(self, conversation: str, mu16: int, most: int, span: str = "") -> int:
        """How many draws at a level still fit into the budget, `most` at most: ask before an answer is begun.

        Whatever fits is remembered, so charging so many one by one takes no time. Where the budget limits each
        protected value by itself, `span` is the one that the draws carry, if they carry one.
        """
        terms = self._agreed(conversation)
        whole = terms.unit is Unit.CONVERSATION
        spans = [span] if span else self._draws.spans(conversation) if terms.way is Way.DENOISED else []
        limited = [self._counts(conversation, terms, span=name) for name in ([""] if whole else spans)]
        most = max(0, min(most, math.floor(1 / terms.budget.delta) - sum(self._draws.counts(conversation).values())))
        low, high = 0, most + 1
        while high - low > 1:
            middle = most if high > most else (low + high) // 2
            fits = all(self._fits(terms, _added(spent, [mu16] * middle)) for spent in limited)
            low, high = (middle, high) if fits else (low, middle)
        return low

    def spent(self, conversation: str, *, message: str = "", span: str = "", prior: float = ONE_IN_A_MILLION) -> Cost:
        """What a conversation, one of its messages or one of its protected values has cost. Raises `ModeRefused`."""
        return self.after(conversation, [], message=message, span=span, prior=prior)

    def after(
        self, conversation: str, extra: Sequence[int], *, message: str = "", span: str = "", prior: float = ONE_IN_A_MILLION
    ) -> Cost:
        """What it would have cost with more draws, at these `mu16`. Raises `ModeRefused` where there are no terms.

        A conversation that sends exact rows has no delta: it costs everything.
        """
        if self.exact(conversation):
            draws = sum(self._draws.counts(conversation).values()) + len(extra)
            return Cost(draws, math.inf, 0.0, 1.0, prior, "worst case", "worst case")
        terms = self._agreed(conversation)
        return self._cost(terms, _added(self._counts(conversation, terms, message=message, span=span), extra), prior)

    def _agreed(self, conversation: str) -> Terms:
        terms = self.terms(conversation)
        if terms is None:
            raise ModeRefused("What this conversation may send was never agreed to. Choose a mode and a budget, then ask again.")
        return terms

    def _counts(self, conversation: str, terms: Terms, message: str = "", span: str = "", also: Collection[int] = ()) -> Counts:
        unit = Unit.MESSAGE if message else Unit.SPAN if span else Unit.CONVERSATION
        follows = terms.way is Way.DENOISED and unit is not Unit.CONVERSATION
        return self._draws.counts(conversation, unit, message or span, follows, also)

    def _fit(self, terms: Terms, before: Counts, after: Counts) -> None:
        if after != before and not self._fits(terms, after):
            costs = [self._cost(terms, counts) for counts in (before, after)]
            raise BudgetExceeded(costs[0].epsilon, costs[1].epsilon, terms.budget, terms.unit)

    def _fits(self, terms: Terms, counts: Counts) -> bool:
        return not counts.get(0) and self._costs_of(terms).fits(_releases(terms, counts), terms.budget)

    def _cost(self, terms: Terms, counts: Counts, prior: float = ONE_IN_A_MILLION) -> Cost:
        return self._costs_of(terms).of(_releases(terms, counts), terms.budget.delta, prior, clear=counts.get(0, 0))

    def _costs_of(self, terms: Terms) -> Costs:
        return self._costs.setdefault(terms.table, Costs(lambda level: self._proofs(terms.table, level)))


def _said(epsilon: float) -> str:
    return f"{epsilon:,.4g}" if math.isfinite(epsilon) else "infinity"


def _columns(terms: Terms) -> tuple[object, ...]:
    budget, levels = terms.budget, packed(list(terms.levels))
    shape = (terms.table, terms.bits, terms.dimensions, levels)
    return (terms.way.value, budget.epsilon, budget.delta, terms.unit.value, *shape)


def _for_life(terms: Terms) -> tuple[object, ...]:
    return (terms.way, terms.table, terms.bits, terms.dimensions, frozenset(terms.levels), terms.unit)


def _added(counts: Mapping[int, int], extra: Sequence[int]) -> Counts:
    total = dict(counts)
    for mu16 in extra:
        total[mu16] = total.get(mu16, 0) + 1
    return total


def _releases(terms: Terms, counts: Counts) -> dict[Level, int]:
    return {terms.level(mu16): count for mu16, count in counts.items() if mu16}
