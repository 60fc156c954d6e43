"""The tables of drawn codes: what was thrown, where it stands, which protected values it carries; and the terms of conversations.

draw        codes as they travel, thrown once at one level; level 0, without codes: a private token that left in clear
occurrence  (message revision, place) and the draw that stands there; an edit and a shared word name an earlier draw again
carried     a protected value and a draw that carries it
shared      a key under which a word may be sent again with the codes of its first mention
noise_terms what a conversation has agreed to for life, see `ledger`

A draw that is in the table is charged, whether or not it has left. Errors: the archive's.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from desktop_app.archive.database import Archive
from desktop_app.archive.schema import Schema

SCHEMA = Schema(
    "noise",
    (
        """
        CREATE TABLE noise_terms (
            conversation TEXT PRIMARY KEY, exact INTEGER NOT NULL,
            way INTEGER, epsilon REAL, delta REAL, unit INTEGER,
            codes_table TEXT, bits INTEGER, dimensions INTEGER, levels BLOB
        ) STRICT;
        CREATE TABLE draw (
            number INTEGER PRIMARY KEY, conversation TEXT NOT NULL, reply INTEGER NOT NULL,
            mu16 INTEGER NOT NULL, bits INTEGER NOT NULL, dimensions INTEGER NOT NULL, codes BLOB NOT NULL
        ) STRICT;
        CREATE INDEX draw_conversation ON draw (conversation, number, reply, mu16);
        CREATE TABLE occurrence (
            message TEXT NOT NULL, place INTEGER NOT NULL, token INTEGER NOT NULL,
            draw INTEGER NOT NULL REFERENCES draw ON DELETE CASCADE,
            PRIMARY KEY (message, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX occurrence_draw ON occurrence (draw);
        CREATE TABLE carried (
            span TEXT NOT NULL, draw INTEGER NOT NULL REFERENCES draw ON DELETE CASCADE,
            PRIMARY KEY (span, draw)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX carried_draw ON carried (draw);
        CREATE TABLE shared (
            conversation TEXT NOT NULL, name TEXT NOT NULL, token INTEGER NOT NULL, mu16 INTEGER NOT NULL,
            draw INTEGER NOT NULL REFERENCES draw ON DELETE CASCADE,
            PRIMARY KEY (conversation, name, token, mu16)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX shared_draw ON shared (draw);
        """,
    ),
)

ROWS_AT_ONCE = 500  # of one statement

Counts = dict[int, int]
"""How many draws there are at each level, by `mu16`."""
Share = tuple[str, int, int]
"""What lets one word look like another: the key that the caller gave, token and level."""


class Draw(NamedTuple):
    """What stands at one place: `codes` as they travel, at `mu16` sixteenths; at level 0 there are none."""

    number: int
    mu16: int
    codes: bytes


class Stored(NamedTuple):
    """A place of a message revision as it is kept."""

    conversation: str
    token: int
    draw: Draw


class Shape(NamedTuple):
    """What all draws of one call have in common."""

    conversation: str
    reply: bool
    bits: int
    dimensions: int


class Unit(Enum):
    """What a count is of."""

    CONVERSATION = 0
    MESSAGE = 1
    SPAN = 2


_OF_UNIT = {
    Unit.CONVERSATION: "SELECT number FROM draw WHERE conversation = ?1",
    Unit.MESSAGE: "SELECT draw FROM occurrence WHERE message = ?2",
    Unit.SPAN: "SELECT carried.draw FROM carried JOIN draw ON draw.number = carried.draw WHERE span = ?2 AND conversation = ?1",
}


class Draws:
    """The tables in an archive. It takes no decision: `occurrences` and `ledger` do."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def of_message(self, message: str) -> list[Stored]:
        """What stands at each place of a message revision, in order; empty where nothing was drawn for it."""
        rows = self._archive.query(
            "SELECT conversation, token, number, mu16, codes FROM occurrence JOIN draw ON draw.number = occurrence.draw"
            " WHERE message = ? ORDER BY place",
            (message,),
        )
        return [Stored(conversation, token, Draw(*draw)) for conversation, token, *draw in rows]

    def next_number(self) -> int:
        """The number that the next draw gets; those behind it rise by one."""
        ((last,),) = self._archive.query("SELECT COALESCE(MAX(number), 0) FROM draw")
        return int(last) + 1

    def add(self, shape: Shape, first: int, codes: Sequence[tuple[int, bytes]]) -> None:
        """Keep new draws, (mu16, codes) each, with numbers from `first` on."""
        conversation, reply, bits, dimensions = shape
        rows = [(first + row, conversation, int(reply), mu16, bits, dimensions, drawn) for row, (mu16, drawn) in enumerate(codes)]
        self._insert("INSERT INTO draw", rows)

    def place(self, message: str, first: int, places: Sequence[tuple[int, int]]) -> None:
        """Keep what stands at the places of a message from `first` on: (token, draw) each."""
        rows = [(message, place, token, draw) for place, (token, draw) in enumerate(places, start=first)]
        self._insert("INSERT INTO occurrence", rows)

    def carried(self, conversation: str) -> set[tuple[str, int]]:
        """The protected values that draws of a conversation carry: (span, draw) each."""
        rows = self._archive.query(
            "SELECT span, draw FROM carried JOIN draw ON draw.number = carried.draw WHERE conversation = ?", (conversation,)
        )
        return {(span, draw) for span, draw in rows}

    def carry(self, carried: Iterable[tuple[str, int]]) -> None:
        """Keep that protected values are carried by draws: (span, draw) each. What is known already stays."""
        self._insert("INSERT OR IGNORE INTO carried", list(carried))

    def share(self, conversation: str, draws: Mapping[Share, int]) -> None:
        """Keep the draws with which words may be sent again."""
        self._insert("INSERT INTO shared", [(conversation, *share, draw) for share, draw in draws.items()])

    def shared(self, conversation: str) -> dict[Share, int]:
        """The draws with which words of a conversation may be sent again."""
        rows = self._archive.query("SELECT name, token, mu16, draw FROM shared WHERE conversation = ?", (conversation,))
        return {(name, token, mu16): draw for name, token, mu16, draw in rows}

    def levels(self, conversation: str) -> dict[int, int]:
        """The level of each draw of a conversation, by the draw's number."""
        return dict(self._archive.query("SELECT number, mu16 FROM draw WHERE conversation = ?", (conversation,)))

    def counts(
        self,
        conversation: str,
        unit: Unit = Unit.CONVERSATION,
        name: str = "",
        follows: bool = False,
        also: Collection[int] = (),
    ) -> Counts:
        """How many draws belong to a unit, a draw that stands in several places once.

        `name` is that of the message or span. `follows`: with the draws of answers that came after the unit's first draw. `also`:
        as if these draws, by number, belonged to the unit too.
        """
        own = _OF_UNIT[unit]
        if also:
            own += f" UNION VALUES {', '.join(f'({int(number)})' for number in also)}"
        later = f"OR (reply AND number > (SELECT MIN(number) FROM draw WHERE number IN ({own})))" if follows else ""
        rows = self._archive.query(
            f"SELECT mu16, COUNT(*) FROM draw WHERE conversation = ?1 AND (number IN ({own}) {later}) GROUP BY mu16",
            (conversation,) if unit is Unit.CONVERSATION else (conversation, name),
        )
        return dict(rows)

    def spans(self, conversation: str) -> list[str]:
        """The protected values that draws of a conversation carry."""
        rows = self._archive.query(
            "SELECT DISTINCT span FROM carried JOIN draw ON draw.number = carried.draw WHERE conversation = ? ORDER BY 1",
            (conversation,),
        )
        return [span for (span,) in rows]

    def conversations(self) -> list[str]:
        """The conversations that have draws or terms."""
        rows = self._archive.query("SELECT conversation FROM draw UNION SELECT conversation FROM noise_terms ORDER BY 1")
        return [conversation for (conversation,) in rows]

    def forget(self, conversation: str) -> None:
        """Delete what belongs to a conversation, for good: also from the backups."""
        with self._archive.erasing():
            self._archive.execute("DELETE FROM draw WHERE conversation = ?", (conversation,))
            self._archive.execute("DELETE FROM noise_terms WHERE conversation = ?", (conversation,))

    def forget_others(self, conversations: Collection[str]) -> None:
        """Delete what belongs to none of these conversations."""
        for conversation in self.conversations():
            if conversation not in conversations:
                self.forget(conversation)

    def _insert(self, into: str, rows: Sequence[tuple[Any, ...]]) -> None:
        for start in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[start : start + ROWS_AT_ONCE]
            one = f"({', '.join('?' * len(some[0]))})"
            self._archive.execute(f"{into} VALUES {', '.join([one] * len(some))}", [value for row in some for value in row])


def copy(source: Archive, target: Archive, conversation: str) -> None:
    """Copy all that is kept of a conversation to an archive that has nothing of it; draws get other numbers, in their order."""
    given = (conversation,)
    of_conversation = "WHERE draw IN (SELECT number FROM draw WHERE conversation = ?)"
    with target.transaction():
        into = Draws(target)
        into._insert("INSERT INTO noise_terms", source.query("SELECT * FROM noise_terms WHERE conversation = ?", given))
        draws = source.query("SELECT * FROM draw WHERE conversation = ? ORDER BY number", given)
        numbers = {draw[0]: number for number, draw in enumerate(draws, start=into.next_number())}
        into._insert("INSERT INTO draw", [(numbers[number], *rest) for number, *rest in draws])
        for table in ("occurrence", "carried", "shared"):
            rows = source.query(f"SELECT * FROM {table} {of_conversation}", given)
            into._insert(f"INSERT INTO {table}", [(*rest, numbers[draw]) for *rest, draw in rows])
