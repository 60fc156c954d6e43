"""Which words and numbers stand in the real texts of a conversation, so that none of them becomes a stand-in.

A text is remembered as its words and its letters; nothing of it is kept beyond this process.
"""

import re

from desktop_app.privacy.language.hangul import TITLES
from desktop_app.privacy.language.tokens import SEGMENT, TOKEN, fold

_FIRST_LETTERS = 5  # of a word in Hangul: longer stand-ins are looked for by their beginning
_WHOLE = "."  # behind a word that is not only what a longer one begins with
_OTHER = re.compile(r"[\W_]+")


class SeenWords:
    """The words of all texts given to `add`."""

    def __init__(self) -> None:
        self._texts: set[int] = set()
        self._words: set[str] = set()
        self._letters: list[str] = []

    def add(self, text: str) -> None:
        """Remember a text; one that is remembered already costs nothing."""
        digest = hash(text)
        if digest in self._texts:
            return
        self._texts.add(digest)
        for word in set(TOKEN.findall(text)):
            if "가" <= word[0] <= "힣":
                self._words.update(word[:length] for length in range(1, min(len(word), _FIRST_LETTERS) + 1))
                if len(word) <= 2:
                    self._words.add(f"{word}{_WHOLE}")
            else:
                self._words.add(fold(word))
                if not (word.islower() or word.istitle() or word.isupper()):
                    self._words.update(fold(part) for part in SEGMENT.findall(word))
        self._letters.append(_OTHER.sub("", text).casefold())

    def has_word(self, word: str) -> bool:
        """Whether a word, its plural or, in Hangul, what begins with it stands in a text."""
        key = fold(word)[:_FIRST_LETTERS] if "가" <= word[:1] <= "힣" else fold(word)
        return key in self._words or f"{key}s" in self._words

    def has_family(self, name: str) -> bool:
        """Whether a family name in Hangul stands in a text on its own, or with a title."""
        return f"{name}{_WHOLE}" in self._words or any(f"{name}{title}"[:_FIRST_LETTERS] in self._words for title in TITLES)

    def has_letters(self, letters: str) -> bool:
        """Whether these letters and digits follow each other in a text, however they are grouped."""
        return any(letters in text for text in self._letters)
