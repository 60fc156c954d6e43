"""Whether a stand-in that the person wrote can do its work: be told from everything else in the chat, and give nothing away.

The engine leaves what it cannot use aside without a word; here the person is told why, before anything leaves. Only what was
written by hand is looked at: what the engine proposes was chosen by the same rules.
"""

import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto

from desktop_app.chat.events import Turn
from desktop_app.gui.name_parts import UsedNames, parts_of
from desktop_app.gui.review_rows import Row
from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.hangul import COMMON_GIVEN_NAMES
from desktop_app.privacy.language.tokens import TOKEN, UNSPACED, compact, fold

_TITLES = frozenset(["mr", "mrs", "ms", "miss", "mx", "dr", "prof", "sir"])
_UNSPACED = re.compile(f"[{UNSPACED}]")


class Doubt(Enum):
    """What speaks against a stand-in."""

    COMMON = auto()  # an everyday word, or hardly a letter: it would be found where nobody is meant
    HOLDS_ITSELF = auto()  # it is what it is to hide, or has a part in common with it
    TAKEN = auto()  # it is, or has a part that is, another real value or stand-in, or the other way round
    IN_TEXT = auto()  # it stands in the text with another meaning


class StandInCheck:
    """Looks at stand-ins for one question: `turns` is the chat up to it, `used` what has left in it already."""

    def __init__(self, turns: Sequence[Turn], used: UsedNames) -> None:
        self._used = used
        self._texts = [text.casefold() for turn in turns for text in (turn.text, *(document.text for document in turn.documents))]

    def doubts(self, rows: Sequence[Row]) -> dict[Row, Doubt]:
        """The rows whose stand-ins cannot be used, and why."""
        written = [row for row in rows if row.replaced and row.is_renamed]
        if not written:
            return {}
        taken = {(row.found.value, row.stand_in if row.replaced else "") for row in rows}
        renamed = {compact(row.found.value) for row in written}
        taken |= {pair for pair in self._used.pairs if compact(pair[0]) not in renamed}
        return {row: doubt for row in written if (doubt := self._doubt(row, taken)) is not None}

    def _doubt(self, row: Row, taken: Iterable[tuple[str, str]]) -> Doubt | None:
        letters, own = compact(row.stand_in), compact(row.found.value)
        words = _telling_words(row)
        if len(letters) < 2 or all(map(_is_common, TOKEN.findall(row.stand_in))) or any(map(_is_common, words)):
            return Doubt.COMMON
        if letters in parts_of(row.found.value) or own in parts_of(row.stand_in):
            return Doubt.HOLDS_ITSELF
        if any(_is_met(row, value, stand_in) for value, stand_in in taken if compact(value) != own):
            return Doubt.TAKEN
        if any(map(self._stands_in_text, (row.stand_in, *words))):
            return Doubt.IN_TEXT
        return None

    def _stands_in_text(self, name: str) -> bool:
        words = [fold(word) for word in TOKEN.findall(name)]
        pattern = re.compile(
            ("" if _UNSPACED.match(words[0]) else r"(?<![^\W_])")
            + r"[\W_]*".join(map(re.escape, words))
            # In Hangul a particle may follow.
            + ("" if _UNSPACED.match(words[-1]) or "가" <= words[-1][0] <= "힣" else r"(?![^\W_])")
        )
        return any(words[0] in text and pattern.search(text) is not None for text in self._texts)


def _is_met(row: Row, value: str, stand_in: str) -> bool:
    """Whether a row's stand-in could be taken for another value or its stand-in ("": that one leaves as it is)."""
    if _share(row.stand_in, value) or compact(row.stand_in) == compact(stand_in):
        return True
    # "Jones" for "Smith" beside "Ann Jones" for "Mary Smith" is as it should be.
    return _share(row.stand_in, stand_in) and not _share(row.found.value, value)


def _share(one: str, other: str) -> bool:
    """Whether one name is a part of the other."""
    short, long = sorted((compact(one), compact(other)), key=len)
    # What the letters alone rule out need not be taken apart.
    return short != "" and short in long and (short in parts_of(one) and short in parts_of(other))


def _telling_words(row: Row) -> list[str]:
    """The words of a person's name that stand for the person on their own, too."""
    if row.kind != "person":
        return []
    return [word for word in TOKEN.findall(row.stand_in) if not word.islower() and fold(word) not in _TITLES and len(word) > 1]


def _is_common(word: str) -> bool:
    return fold(word) in COMMON_WORDS or word in COMMON_GIVEN_NAMES
