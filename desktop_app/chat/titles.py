"""What a conversation is called as long as nobody has given it a name: the first words of its first question."""

import unicodedata

TITLE_LETTERS = 60


def first_words(text: str) -> str:
    """The first words of a text, at most `TITLE_LETTERS` characters, never ending within a character that is made of several."""
    line = " ".join(text.split())
    if len(line) <= TITLE_LETTERS:
        return line
    words = line[:TITLE_LETTERS].rpartition(" ")[0]
    if len(words) < TITLE_LETTERS // 2:  # one long word, or a script without spaces
        words = line[: TITLE_LETTERS - 1]
        following = line[len(words)]
        while words and (_joins(following) or words[-1] == "\u200d"):
            words, following = words[:-1], words[-1]
    return words.rstrip() + "…"


def _joins(letter: str) -> bool:
    return letter == "\u200d" or unicodedata.category(letter) in ("Mn", "Me", "Mc")
