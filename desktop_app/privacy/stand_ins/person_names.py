"""Takes a person's name apart: which word is a given name, which a family name, what stands before and between them.

Titles (Dr, 씨), suffixes (Jr) and the small words of some names (van, de la) are no part of anybody's name: they stay as they
are.
"""

import re
from typing import NamedTuple

from desktop_app.privacy.language.capitals import PARTICLES
from desktop_app.privacy.language.given_names import GIVEN_NAMES
from desktop_app.privacy.language.hangul import LONG_SURNAMES, SURNAMES, TITLES
from desktop_app.privacy.language.korean import is_title
from desktop_app.privacy.language.name_pools import Gender, english_gender, is_english_given_name, korean_gender
from desktop_app.privacy.language.romanising import is_family, syllables_of
from desktop_app.privacy.language.titles import FEMALE_TITLES, MALE_TITLES, NAMES_TOO, SUFFIXES
from desktop_app.privacy.language.titles import is_title as is_latin_title
from desktop_app.privacy.language.tokens import MARKS
from desktop_app.privacy.language.word_sets import words
from desktop_app.privacy.matching.entries import Role

_AND = words("and the")
# These go with the given name: "Sir John", "Aunt Jane"; the others with the family name.
_BEFORE_GIVEN = words("sir dame lady aunt auntie uncle sister brother queen king prince princess father")

_RARELY_LONG = frozenset({"황보", "선우", "서문", "동방"})

_LETTERS = rf"[^\W\d_가-힣](?:[^\W\d_가-힣]|[{MARKS}])*"
_WORD = re.compile(rf"[가-힣]+|{_LETTERS}(?:['’]{_LETTERS})*(?:[-‐][a-z]+)?")
_BEFORE = re.compile(r"([^\W\d_]+)\.?\s?$")


class Part(NamedTuple):
    """A word of a name at [start, end) of it."""

    start: int
    end: int
    text: str
    role: Role


class PersonName(NamedTuple):
    """The words of a name that are somebody's, in order. `korean`: in Hangul, or Korean in Latin letters."""

    parts: list[Part]
    gender: Gender
    korean: bool


def taken_apart(value: str, before: str = "") -> PersonName:
    """Take a name apart; `before` is the text before it, which may end with a title."""
    words_of_it = [match for match in _WORD.finditer(value) if not (match[0].casefold() in PARTICLES and match[0].islower())]
    names = _names(words_of_it, value)
    titles = [match[0].casefold() for match in words_of_it if match not in names]
    outside = _BEFORE.search(before)
    if outside is not None and is_latin_title(outside[1]):
        titles.insert(0, outside[1].casefold())
    if any("가" <= match[0][0] <= "힣" for match in names):
        return _korean(names)
    if not names:
        return PersonName([], "", False)
    korean = _is_romanised(value, names)
    roles = _roles(value, names, titles, korean)
    parts = [Part(match.start(), match.end(), match[0], role) for match, role in zip(names, roles, strict=True)]
    if korean and len(parts) == 3:  # Kim Min Jun
        start, end = parts[1 if roles[0] is Role.FAMILY else 0].start, parts[-1 if roles[0] is Role.FAMILY else 1].end
        given_part = Part(start, end, value[start:end], Role.GIVEN)
        parts = [parts[0], given_part] if roles[0] is Role.FAMILY else [given_part, parts[2]]
    gender: Gender = "f" if FEMALE_TITLES.intersection(titles) else "m" if MALE_TITLES.intersection(titles) else ""
    given = [part.text for part in parts if part.role is Role.GIVEN]
    for name in given:
        gender = gender or (korean_gender(syllables_of(name.replace(" ", "-"))) if korean else english_gender(name))
    return PersonName(parts, gender, korean)


def _names(words_of_it: list[re.Match[str]], value: str) -> list[re.Match[str]]:
    """The words that are somebody's: all but titles before a name, suffixes behind it, and "and"; Martin King is no king."""
    names = [match for match in words_of_it if match[0].casefold() not in _AND] or words_of_it
    while len(names) > 1 and names[-1][0].casefold() in SUFFIXES:
        names = names[:-1]
    while len(names) > 1 and is_latin_title(names[0][0]) and value[names[0].end() : names[1].start()] != ", ":
        names = names[1:]
    last = len(names) - 1
    return [
        match
        for place, match in enumerate(names)
        if place in (0, last) or not is_latin_title(match[0]) or match[0].casefold() in NAMES_TOO
    ]


def _is_romanised(value: str, names: list[re.Match[str]]) -> bool:
    """Whether this is Korean in Latin letters: a family name of Korea, and a given name of two syllables of Korea."""
    texts = [match[0] for match in names]
    if len(texts) == 3 and is_family(texts[0]):
        texts = [texts[0], f"{texts[1]}-{texts[2]}"]
    if len(texts) != 2:
        return False
    return any(
        is_family(family) and syllables_of(given) and not is_english_given_name(given) for family, given in (texts, texts[::-1])
    )


def _roles(value: str, names: list[re.Match[str]], titles: list[str], korean: bool) -> list[Role]:
    roles = [Role.INITIAL if len(match[0]) == 1 else Role.GIVEN for match in names]
    if len(names) == 1:
        name = names[0][0]
        given = is_english_given_name(name) or (name.casefold() in GIVEN_NAMES and not titles)
        if roles[0] is Role.GIVEN and not given and not _BEFORE_GIVEN.intersection(titles):
            roles[0] = Role.FAMILY
        return roles
    family = len(names) - 1
    if "," in value[names[0].end() : names[1].start()] or (korean and _family_comes_first(names)):
        family = 0
    elif roles[family] is Role.INITIAL:  # "Park J.", "Jane P."
        family = -1 if is_english_given_name(names[0][0]) else 0
    if family >= 0:
        roles[family] = Role.FAMILY
        if family and value[names[family - 1].end() : names[family].start()] == "-":  # Smith-Jones
            roles[family - 1] = Role.FAMILY
    return roles


def _family_comes_first(names: list[re.Match[str]]) -> bool:
    first, last = names[0][0], names[-1][0]
    return is_family(first) and not (is_family(last) and syllables_of(first))


def _korean(names: list[re.Match[str]]) -> PersonName:
    parts: list[Part] = []
    for match in names:
        text, start = match[0], match.start()
        if parts and is_title(text):
            continue
        if not "가" <= text[0] <= "힣":
            parts.append(Part(start, match.end(), text, Role.GIVEN))
            continue
        text = _without_title(text)
        family = _family_length(text) if not parts else 0
        if family:
            parts.append(Part(start, start + family, text[:family], Role.FAMILY))
        if len(text) > family:
            parts.append(Part(start + family, start + len(text), text[family:], Role.GIVEN))
    given = next((part.text for part in parts if part.role is Role.GIVEN), "")
    return PersonName(parts, korean_gender(given) if given else "", True)


def _without_title(text: str) -> str:
    """박지영씨, 박과장님 without what is no name; a name stays whole where nothing would be left."""
    for length in range(min(6, len(text) - 1), 0, -1):
        tail = text[-length:]
        whole = tail in TITLES or (tail.endswith("님") and tail[:-1] in TITLES)
        # 김동군 and 이하양 are names: a single syllable is a title only where a whole name is before it.
        if whole and (length > 1 or (len(text) > 3 and tail in ("씨", "님", "군", "양")) or (len(text) == 2 and tail == "씨")):
            return text[:-length]
    return text


def _family_length(text: str) -> int:
    """How many letters of a name in Hangul are its family name."""
    # 황보람 is 보람 of the family 황 far more often than 람 of the family 황보; 남궁민 is 민 of the family 남궁.
    if len(text) >= (4 if text[:2] in _RARELY_LONG else 3) and text[:2] in LONG_SURNAMES:
        return 2
    if len(text) == 2 and text in LONG_SURNAMES:
        return 2
    if len(text) in (1, 3, 4):
        return 1 if text[0] in SURNAMES else 0
    # Two syllables are a given name (지영), or a family name with a given name of one (박진).
    return 0
