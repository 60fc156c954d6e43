"""One occurrence, one draw: the codes of a message's tokens, thrown once, kept with the conversation, the same bytes for ever.

Theory of operation. An occurrence is (message revision, place). Whoever wants to send one asks here: what is kept comes back as
it is, what is missing is charged, drawn and kept in one transaction, and only then may anything leave. So a process that dies
at any moment leaves either all of a charge or nothing that has left; retry, resume, re-prefill, another branch, a title and a
summary ask for the same revision and get the same bytes.

An earlier draw stands in a new place in two cases only: the tokens of an edit that are unchanged keep theirs (`like`; a longest
common subsequence of token ids, where the level is the same too), and a word that the caller lets look like its first mention is
sent with that one's codes (`Notes.shared`). Both are post-processing; they tell that the words are equal.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from desktop_app.archive.database import Archive
from desktop_app.privacy.errors import BadLevel, PrivacyError
from desktop_app.privacy.noise import quantiser
from desktop_app.privacy.noise.draws import Draw, Draws, Shape, Stored
from desktop_app.privacy.noise.ledger import Kind, Ledger, ModeRefused, Terms
from desktop_app.privacy.noise.quantiser import GRID, Level, RandomBytes, Thresholds

Limits = Callable[[int, Level], Thresholds]
"""The thresholds [d'] of a token at a level (`quantiser.thresholds` of the table's row)."""


class OccurrencesDiffer(PrivacyError):
    """The message was drawn before with other tokens, levels, or in another conversation: a revision never changes."""

    def __init__(self) -> None:
        super().__init__(
            "This message has been sent before with other words or other noise, and cannot be sent so again. Edit it, which "
            "makes another message of it, then send that."
        )


@dataclass(frozen=True, slots=True)
class Notes:
    """What the caller says of tokens, by place: the protected values that each carries, and the key under which it is shared.

    A token with a `shared` key is sent with the codes of the first mention that has the same key, token and level. `reply`: it is
    an answer, and may be asked for again with more tokens behind.
    """

    spans: Mapping[int, Sequence[str]] = field(default_factory=dict)
    shared: Mapping[int, str] = field(default_factory=dict)
    reply: bool = False


NO_NOTES = Notes()
ROWS_AT_ONCE = 1024  # that coins are thrown for: each takes some kilobytes of them
MOST_BITS = 2**30  # that a comparison may take: beyond 32,768 changed tokens against as many, only the same ends are kept

Asked = tuple[int, int]  # a token and its mu16


class Occurrences:
    """The codes of the conversations in an archive, under one table. Errors: the archive's and those of this room."""

    def __init__(
        self, archive: Archive, ledger: Ledger, table: str, limits: Limits, random_bytes: RandomBytes | None = None
    ) -> None:
        """`table` is the digest of the table that `limits` reads. `random_bytes` is for tests; it is `os.urandom`."""
        self._archive = archive
        self._draws = Draws(archive)
        self._ledger = ledger
        self._table = table
        self._limits = limits
        self._random_bytes = random_bytes or os.urandom

    def of(
        self,
        conversation: str,
        message: str,
        tokens: Sequence[int],
        levels: Sequence[int],
        like: str = "",
        notes: Notes = NO_NOTES,
    ) -> list[Draw]:
        """What is sent for each token of a message revision, at `levels` in sixteenths (0: in clear).

        It is durable when this returns, or, inside a transaction, when the outermost one has ended: not before may it be sent.
        `like` is the revision that this one is an edit of; it counts at the first asking.
        Raises `OccurrencesDiffer`, and what `Ledger.reserve` raises; then nothing was drawn.
        """
        asked = list(zip(tokens, levels, strict=True))
        with self._archive.transaction():
            stored = self._draws.of_message(message)
            _check_same(conversation, stored, asked, notes.reply)
            places = [row.draw.number for row in stored]
            if len(asked) > len(stored):
                kept = {} if stored or not like else self._unchanged(conversation, like, asked)
                self._fill(conversation, asked, places, kept, notes)
            self._charge(conversation, asked, places, notes)
            self._draws.place(message, len(stored), list(zip(tokens, places, strict=False))[len(stored) :])
            return [row.draw for row in self._draws.of_message(message)[: len(asked)]]

    def _unchanged(self, conversation: str, like: str, asked: Sequence[Asked]) -> dict[int, int]:
        """The draws of an earlier revision that its edit keeps, by place."""
        earlier = self._draws.of_message(like)
        if any(row.conversation != conversation for row in earlier):
            raise OccurrencesDiffer
        same = matches([row.token for row in earlier], [token for token, _ in asked])
        return {place: earlier[was].draw.number for was, place in same if earlier[was].draw.mu16 == asked[place][1]}

    def _fill(self, conversation: str, asked: Sequence[Asked], places: list[int], kept: Mapping[int, int], notes: Notes) -> None:
        """Give each place of `asked` behind `places` a draw: a kept one, that of a word it may look like, or the next."""
        shared = self._draws.shared(conversation) if notes.shared else {}
        next_number = self._draws.next_number()
        for place in range(len(places), len(asked)):
            share = (notes.shared.get(place, ""), *asked[place])
            number = kept.get(place) or (shared.get(share) if share[0] else None)
            if number is None:
                number, next_number = next_number, next_number + 1
                if share[0]:
                    shared[share] = number
            places.append(number)

    def _charge(self, conversation: str, asked: Sequence[Asked], places: Sequence[int], notes: Notes) -> None:
        """Make the draws at `places` that there are not yet, and note what each carries; all of it must fit the budget."""
        first = self._draws.next_number()
        fresh = {number: asked[place] for place, number in enumerate(places[: len(asked)]) if number >= first}
        carried = {(span, places[place]) for place, spans in notes.spans.items() for span in spans}
        carried -= self._draws.carried(conversation) if carried else set()
        gained: dict[str, set[int]] = {}
        spans_of: dict[int, set[str]] = {number: set() for number in fresh}
        for span, number in carried:
            if number in fresh:
                spans_of[number].add(span)
            else:
                gained.setdefault(span, set()).add(number)
        if not (fresh or gained):
            return
        extra = [(mu16, spans_of[number]) for number, (_, mu16) in fresh.items()]
        terms = self._ledger.reserve(conversation, Kind.REPLY if notes.reply else Kind.PRIVATE, extra, gained)
        shape = Shape(conversation, notes.reply, terms.bits, terms.dimensions)
        self._draws.add(shape, first, self._thrown(terms, list(fresh.values())))
        self._draws.carry(sorted(carried))
        begun = {(key, *asked[place]): places[place] for place, key in notes.shared.items() if key and places[place] in fresh}
        self._draws.share(conversation, begun)

    def _thrown(self, terms: Terms, fresh: Sequence[Asked]) -> list[tuple[int, bytes]]:
        """Throw the coins: (mu16, codes) for each (token, mu16)."""
        if fresh and terms.table != self._table:
            raise ModeRefused("This conversation has begun with other codes, and keeps them for life. Begin a new conversation.")
        codes = [b""] * len(fresh)
        for mu16 in sorted({mu16 for _, mu16 in fresh} - {0}):
            level = terms.level(mu16)
            size = quantiser.bytes_per_row(level)
            rows = [row for row, (_, own) in enumerate(fresh) if own == mu16]
            for start in range(0, len(rows), ROWS_AT_ONCE):
                some = rows[start : start + ROWS_AT_ONCE]
                limits = _checked([self._limits(fresh[row][0], level) for row in some], level)
                sent = quantiser.packed(quantiser.draw(limits, level, self._random_bytes), level.bits)
                for index, row in enumerate(some):
                    codes[row] = sent[index * size : (index + 1) * size]
        return [(mu16, drawn) for (_, mu16), drawn in zip(fresh, codes, strict=True)]


def matches(before: Sequence[int], after: Sequence[int]) -> list[tuple[int, int]]:
    """Places (before, after) of tokens that an edit has left as they were, in order: as many as there can be.

    A longest common subsequence, by the bits of whole numbers (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"), of
    what lies between the ends that are the same: 20,000 tokens take a tenth of a second, where `difflib` takes minutes.
    """
    most = min(len(before), len(after))
    head = next((place for place in range(most) if before[place] != after[place]), most)
    tail = next((place for place in range(most - head) if before[-1 - place] != after[-1 - place]), most - head)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    same = [(place, place) for place in range(head)]
    if len(old) * len(new) <= MOST_BITS:
        same += [(head + was, head + place) for was, place in _longest_common(old, new)]
    return same + [(len(before) - place, len(after) - place) for place in range(tail, 0, -1)]


def _longest_common(old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    where: dict[int, int] = {}  # the places of each token, as bits
    for place, token in enumerate(old):
        where[token] = where.get(token, 0) | 1 << place
    whole = (1 << len(old)) - 1
    row, rows = whole, []  # a bit is 0 where the common subsequence with all of `new` so far grows
    for token in new:
        common = row & where.get(token, 0)
        row = ((row + common) | (row - common)) & whole
        rows.append(row)
    same = []
    was, place = len(old), len(new)
    while was and place:
        if rows[place - 1] >> (was - 1) & 1:
            was -= 1
        else:
            place -= 1
            if not place or rows[place - 1] >> (was - 1) & 1:
                was -= 1
                same.append((was, place))
    return same[::-1]


def _check_same(conversation: str, stored: Sequence[Stored], asked: Sequence[Asked], growing: bool) -> None:
    known = [(row.token, row.draw.mu16) for row in stored]
    both = min(len(known), len(asked))
    grown = len(known) != len(asked) and bool(known)
    if known[:both] != list(asked[:both]) or (grown and not growing) or any(row.conversation != conversation for row in stored):
        raise OccurrencesDiffer


def _checked(limits: Sequence[Thresholds], level: Level) -> Thresholds:
    """Thresholds [tokens, d'] that give away no more than is accounted for. Raises `BadLevel`."""
    stacked = np.stack(limits)
    if stacked.shape[1:] != (level.dimensions,) or stacked.min() < level.lowest or stacked.max() > GRID - level.lowest:
        raise BadLevel("These thresholds are not those of this noise level. Fetch the projection again.")
    return stacked
