"""Whether a word is one of the English language: WordNet's index, as the English model brings it along for its lemmas."""

from functools import lru_cache
from typing import Any

from desktop_app.privacy.language.common_words import COMMON_WORDS

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")


class EnglishWords:
    """Looks words up, inflected or not."""

    def __init__(self, lookups: Any) -> None:
        """`lookups` are those of spaCy's English lemmatiser."""
        index, rules, exceptions = (lookups.get_table(f"lemma_{name}") for name in ("index", "rules", "exc"))
        self._index = {part: frozenset(index[part]) for part in PARTS_OF_SPEECH}
        self._rules = {part: [tuple(rule) for rule in rules[part]] if part in rules else [] for part in PARTS_OF_SPEECH}
        self._exceptions = {part: frozenset(exceptions[part]) if part in exceptions else frozenset() for part in PARTS_OF_SPEECH}
        self.know = lru_cache(maxsize=65_536)(self._know)

    def _know(self, word: str) -> bool:
        """Whether this, in lower case, is an English word."""
        if word in COMMON_WORDS or any(word in self._index[part] or word in self._exceptions[part] for part in PARTS_OF_SPEECH):
            return True
        return any(
            word.endswith(ending) and word[: len(word) - len(ending)] + instead in self._index[part]
            for part in PARTS_OF_SPEECH
            for ending, instead in self._rules[part]
        )
