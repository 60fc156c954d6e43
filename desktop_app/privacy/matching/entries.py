"""What is kept of a replacement: a real value, its stand-in, and of which parts both are made."""

from enum import StrEnum

from msgspec import Struct

from desktop_app.privacy.spans import Kind, Source


class Role(StrEnum):
    """What a part of a value is, and so how it may be written elsewhere."""

    GIVEN = "given"  # a given name
    FAMILY = "family"
    INITIAL = "initial"  # a letter that stands for a given name
    WORD = "word"  # a word or phrase that stands for the value: the name of a place, the core of a company's
    NUMBER = "number"  # letters and digits that may be grouped otherwise
    DATE = "date"
    SEQUENCE = "sequence"  # words and numbers of an address, one for one, of which some may be left out
    EXACT = "exact"  # as it stands: an address of a site, a password


class Pair(Struct, frozen=True, array_like=True):
    """A part of a real value and what stands for it."""

    real: str
    stand_in: str
    role: Role


class Entry(Struct, frozen=True, array_like=True):
    """One real thing and its stand-in. `days` is the conversation's secret shift of dates, for those."""

    value: str
    kind: Kind
    stand_in: str
    pairs: tuple[Pair, ...] = ()
    days: int = 0


class Replaced(Struct, frozen=True, array_like=True):
    """[start, end) of a text is sent as [sent_start, sent_end) of the protected text."""

    start: int
    end: int
    kind: Kind
    source: Source
    stand_in: str
    sent_start: int
    sent_end: int


class Protected(Struct, frozen=True):
    """A text as it may leave, and what was replaced in it, in order."""

    text: str
    replaced: list[Replaced]


class Piece(Struct, frozen=True):
    """A piece of a restored text. `kind` None: ordinary text; otherwise `text` is real and `stand_in` is what the model wrote.

    `doubtful`: what the model wrote can be read in two ways.
    """

    text: str
    kind: Kind | None
    stand_in: str
    doubtful: bool
