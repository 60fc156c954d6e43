"""What replacing and restoring know of Korean: the last sound of a word, particles that depend on it, and titles.

A particle has one form after a consonant and one after a vowel: 지영은, 민서는. When one word takes the place of another whose
last sound is of the other class, each form is swapped for its partner. A swap undone is the text as it was, mistakes included.
"""

import re
from enum import Enum
from functools import lru_cache

from desktop_app.privacy.language.hangul import TITLES, is_particles

HANGUL = re.compile("[가-힣]+")
# What may stand between a word and its particle, as in **민서**는 or “민서”는: the end of quotes, of bold or slanted letters.
CLOSING = re.compile(r"[*_`\"'”’」』》]{0,4}")
_LONGEST_TITLE = max(map(len, TITLES))


class Sound(Enum):
    """The class of a word's last sound; ㄹ counts as a vowel before 로."""

    VOWEL = "vowel"
    LIQUID = "ㄹ"
    CONSONANT = "consonant"


_DIGIT_SOUNDS = dict.fromkeys("036", Sound.CONSONANT) | dict.fromkeys("178", Sound.LIQUID) | dict.fromkeys("2459", Sound.VOWEL)
_LATIN_CONSONANT = re.compile(r"(?:m|n|ng|[aeiou](?:ck|[kpt]))$", re.IGNORECASE)
_LATIN_LIQUID = re.compile(r"le?$", re.IGNORECASE)


def last_sound(word: str) -> Sound | None:
    """The class of a word's last sound; of a foreign word as Koreans would most likely say it. None: it has no sound."""
    letter = word[-1:]
    if "가" <= letter <= "힣":
        final = (ord(letter) - 0xAC00) % 28
        return Sound.VOWEL if final == 0 else Sound.LIQUID if final == 8 else Sound.CONSONANT
    if letter.isascii() and letter.isalpha():
        if _LATIN_LIQUID.search(word):
            return Sound.LIQUID
        return Sound.CONSONANT if _LATIN_CONSONANT.search(word) else Sound.VOWEL
    return _DIGIT_SOUNDS.get(letter)


# After a consonant, after a vowel; those that must be all of what follows the word, and those that more may follow.
_WHOLE = (("이", "가"), ("아", "야"))
_BEGINNINGS = (
    *(("이에요", "예요"), ("이었", "였"), ("이어서", "여서"), ("이어도", "여도"), ("이어야", "여야"), ("이야말로", "야말로")),
    *(("은", "는"), ("을", "를"), ("과", "와")),
    *((f"이{form}", form) for form in "랑나라란며고든여자니지면다요네죠거므더"),
)


@lru_cache(maxsize=4096)
def swapped_particle(rest: str, source: Sound | None, target: Sound | None) -> str:
    """Return what follows a word, fit for one with another last sound; what is no particle, or fits both, stays as it is."""
    if source is target or source is None or target is None or not is_particles(rest):
        return rest
    if rest.startswith(("으로", "로")):
        if Sound.CONSONANT not in (source, target):
            return rest
        bare = rest.removeprefix("으")
        return f"으{bare}" if target is Sound.CONSONANT else bare
    if Sound.VOWEL not in (source, target):
        return rest
    for pair in (*_WHOLE, *_BEGINNINGS):
        old, new = pair if target is Sound.VOWEL else pair[::-1]
        if rest == old or (pair not in _WHOLE and rest.startswith(old)):
            return new + rest[len(old) :]
    return rest


def is_title(text: str) -> bool:
    """Whether a word is a title, with particles after it or without."""
    return any(text[:length] in TITLES and is_particles(text[length:]) for length in range(1, min(len(text), _LONGEST_TITLE) + 1))


def begins_with_title(text: str) -> bool:
    """Whether what follows a family name without a blank is a title; one of a single syllable could begin another word."""
    return text[:1] in ("씨", "님") or any(text[:length] in TITLES for length in range(2, min(len(text), _LONGEST_TITLE) + 1))
