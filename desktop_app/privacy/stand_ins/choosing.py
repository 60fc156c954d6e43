"""Chooses among candidates one that is nobody's yet: that stands in no real text, and that no other value has."""

import re
from collections.abc import Callable, Iterable, Sequence

from desktop_app.privacy.errors import NoStandIn
from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.seen_words import SeenWords
from desktop_app.privacy.language.tokens import TOKEN, UNSPACED, compact, fold
from desktop_app.privacy.matching.entries import Entry

Draw = Callable[[int], int]
TRIES = 200
LONGEST = 20  # times what is made, one after the other

_UNSPACED = re.compile(f"[{UNSPACED}]+")


class Choice:
    """What is taken, and how to draw from the rest. `draw(n)` is a whole number from 0 to n - 1."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.seen = SeenWords()
        self._words: set[str] = set()  # of real values and stand-ins
        self._hangul: set[str] = set()  # and all that one in Hangul begins with
        self._letters: set[str] = set()

    def take(self, entry: Entry) -> None:
        """An entry's value and stand-in are taken."""
        for text in (entry.value, entry.stand_in, *(text for pair in entry.pairs for text in (pair.real, pair.stand_in))):
            self._letters.add(compact(text))
            for word in TOKEN.findall(text):
                self._words.add(fold(word))
                if "가" <= word[0] <= "힣":
                    self._hangul.update(word[:length] for length in range(1, len(word) + 1))

    def is_free(self, text: str) -> bool:
        """Whether a word, or several, may become a stand-in."""
        return (
            compact(text) not in self._letters
            and all(map(self._is_free_run, _UNSPACED.findall(text)))
            and all(map(self._is_free_word, TOKEN.findall(_UNSPACED.sub(" ", text))))
        )

    def _is_free_run(self, run: str) -> bool:
        """Whether letters of a script without blanks stand nowhere in this order: each alone stands in many words."""
        return not self.seen.has_letters(fold(run)) and not any(fold(run) in letters for letters in self._letters)

    def _is_free_word(self, word: str) -> bool:
        key = fold(word)
        if key in COMMON_WORDS or self.seen.has_word(word) or key in self._words:
            return False
        if "가" <= word[0] <= "힣":
            return word not in self._hangul and not any(word[:length] in self._words for length in range(2, len(word)))
        return key.removesuffix("s") not in self._words and f"{key}s" not in self._words

    def is_free_family(self, name: str) -> bool:
        """Whether a family name in Hangul may become one: many words begin with the same syllable."""
        return name not in self._hangul and not self.seen.has_family(name)

    def is_free_number(self, number: str) -> bool:
        """Whether a number, or a password, may become a stand-in."""
        letters = compact(number)
        return letters not in self._letters and not self.seen.has_letters(letters)

    def of(self, names: Sequence[str], fits: Callable[[str], bool] | None = None) -> str | None:
        """One of `names` that is free, and `fits` if one does; None where all are taken."""
        for _ in range(12):  # quicker than looking at all of them, while most are free
            if names and self.is_free(name := names[self.draw(len(names))]) and (fits is None or fits(name)):
                return name
        free = [name for name in names if self.is_free(name)]
        fitting = [name for name in free if fits is None or fits(name)] or free
        return fitting[self.draw(len(fitting))] if fitting else None

    def made(self, make: Callable[[], str], is_free: Callable[[str], bool] | None = None) -> str:
        """What `make` makes, drawn anew until it is free; after many tries something longer is made of it.

        Raises `NoStandIn` where nothing is free.
        """
        is_free = is_free or self.is_free
        for _ in range(TRIES):
            made = make()
            if is_free(made):
                return made
        for _ in range(LONGEST):
            made += make().lower()
            if is_free(made):
                return made
        raise NoStandIn("A name has no stand-in that is not in use. Start a new conversation with a part of this text.")

    def first_of(self, pools: Iterable[Sequence[str]], make: Callable[[], str]) -> str:
        """A free name of the first pool that has one, or a made-up one."""
        return next((name for pool in pools if (name := self.of(pool)) is not None), None) or self.made(make)
