"""How this room writes down its sets of words: as a text, which is read more easily than a list in quotes."""

import re


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def alternatives(text: str) -> str:
    """A regular expression for any of the phrases in a text that has a comma or a line's end between them, longer ones first.

    A blank within a phrase stands for at most one blank, hyphen or underscore: "post code" is also "postcode" and "post-code".
    """
    phrases = {phrase.strip() for phrase in re.split(r"[,\n]", text) if phrase.strip()}
    return "(?:" + "|".join(re.escape(p).replace(r"\ ", "[ _-]?") for p in sorted(phrases, key=lambda p: (-len(p), p))) + ")"
