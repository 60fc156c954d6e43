"""Names and their parts as they are compared here: by letters and digits alone, whatever their case and gaps.

Which names of a chat have left as stand-ins is what a decision to leave one of them as it is must know beforehand.
"""

from collections.abc import Iterator

from desktop_app.chat.conversation import Conversation
from desktop_app.privacy.language.tokens import compact, key_of

LONGEST = 12
"""Words of a name that are looked at: what is longer is a sentence."""


def parts_of(name: str) -> set[str]:
    """All that stands in a name, from one word to all, and how a word in Hangul begins and ends: each by its letters alone."""
    words = key_of(name)[:LONGEST]
    parts = {"".join(words[start:end]) for end in range(1, len(words) + 1) for start in range(end)}
    for word in words:
        if "가" <= word[0] <= "힣":
            parts |= {word[:length] for length in range(2, len(word))} | {word[-length:] for length in range(2, len(word))}
    return parts | {compact(name)} - {""}


class UsedNames:
    """The real values of a chat that have left as stand-ins, on any branch. `pairs` holds each with its stand-in."""

    def __init__(self, conversation: Conversation | None = None) -> None:
        self.pairs: set[tuple[str, str]] = set(_pairs(conversation)) if conversation is not None else set()
        self._names = {compact(value) for value, _ in self.pairs}
        self._parts = {part for value, _ in self.pairs for part in parts_of(value)}

    def __contains__(self, words: object) -> bool:
        """Whether these words are such a value, a part of one, or hold one."""
        if not isinstance(words, str) or not compact(words):
            return False
        return compact(words) in self._parts or not self._names.isdisjoint(parts_of(words))


def _pairs(conversation: Conversation) -> Iterator[tuple[str, str]]:
    for message in conversation.tree.values():
        texts = [message.text, *(document.text for document in message.documents)]
        for text, marks in zip(texts, [message.marks, *message.document_marks], strict=False):
            for mark in marks:
                if mark.stand_in:
                    yield text[mark.start : mark.end], mark.stand_in
