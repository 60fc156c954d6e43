"""What a name in Latin letters is the name of: a person, an organisation, a place; by its words, and by what stands before it.

The model's word for it counts least: it takes persons that it does not know for companies and towns. A title, kin, a given name
or a Korean name in Latin letters tell a person; what companies, schools and inns end in, or what they do, tells an organisation.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from desktop_app.privacy.language.capitals import is_capital
from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.generic_words import ADDRESS_WORDS, ORGANISATION_ENDS, PLACE_WORDS
from desktop_app.privacy.language.given_names import GIVEN_NAMES
from desktop_app.privacy.language.romanising import is_family, syllables_of
from desktop_app.privacy.language.titles import BEFORE_NAMES
from desktop_app.privacy.language.word_sets import words
from desktop_app.privacy.spans import Kind

FIRST_WORDS = words("hotel café cafe restaurant hostel villa")  # of an organisation's name
KIN = words("""
    wife husband spouse son daughter brother sister mother father mum mom mummy mommy dad daddy aunt uncle cousin nephew niece
    grandson granddaughter grandmother grandfather grandma grandpa granny stepson stepdaughter stepmother stepfather fiancé
    fiancée fiance fiancee girlfriend boyfriend
""")
# Of the given names those that are towns and countries at least as often.
TOWNS = words("""
    adelaide alexandria austin carolina charlotte chelsea dallas florence georgia israel jackson jordan kent lincoln lorraine
    madison milan nelson paris santiago sofia sydney victoria virginia
""")
_PLACES = PLACE_WORDS | ADDRESS_WORDS | words("bridge tower castle palace stadium arena falls hills springs heights wharf market")
MOST_OF_A_PERSON = 3  # words: what is longer and begins with a given name is as often called after somebody


class Name(NamedTuple):
    """The words of a name as they are written, what the model has each for, and the word before it, in lower case."""

    words: Sequence[str]
    models: Sequence[Kind | None]
    before: str = ""


def kind_of(name: Name, know: Callable[[str], bool]) -> Kind:
    """What has this name; `know` tells English words, in lower case."""
    lower = [word.lower().rstrip(".") for word in name.words]
    last = lower[-1] in ORGANISATION_ENDS
    if name.before.rstrip(".") in BEFORE_NAMES and (len(lower) == 1 or not last):
        return Kind.PERSON
    if last or (len(lower) > 1 and lower[0] in FIRST_WORDS):
        return Kind.ORGANISATION
    kinds = [kind for kind in name.models if kind is not None]
    kind = max(kinds, key=kinds.count) if kinds else Kind.PERSON
    if kind is Kind.PERSON and len(lower) == 1 and name.before in ("in", "near") and lower[0] not in GIVEN_NAMES:
        return Kind.PLACE  # they live in Kendal
    if kind is Kind.PERSON:
        return Kind.ORGANISATION if _is_trade(lower, know) else kind
    return Kind.PERSON if _is_person(name, lower, kind) else kind


def _is_trade(lower: Sequence[str], know: Callable[[str], bool]) -> bool:
    """Whether this is called after what it does, and no word of it is anybody's name: Harbour Shipping, Swift Parcels."""
    return (
        len(lower) > 1
        and know(lower[-1])
        and lower[-1].endswith(("s", "ing"))
        and not lower[-1].endswith("ss")
        and all(map(str.isalpha, lower))
        and GIVEN_NAMES.isdisjoint(lower)
    )


def _is_person(name: Name, lower: Sequence[str], kind: Kind) -> bool:
    """Whether this is a person's name, whatever the model takes it for: Nadia Farouk, but not Victoria Bridge."""
    if not all(map(is_capital, name.words)) and not _is_romanised(name.words):
        return False
    if not _PLACES.isdisjoint(lower) or len(lower) > MOST_OF_A_PERSON:
        return _is_romanised(name.words)
    if name.before in KIN:
        return all(map(str.isalpha, lower))
    if lower[0] not in GIVEN_NAMES or lower[0] in COMMON_WORDS:
        return _is_romanised(name.words)
    return all(map(str.isalpha, lower)) and not (len(lower) == 1 and kind is Kind.PLACE and lower[0] in TOWNS)


def _is_romanised(written: Sequence[str]) -> bool:
    """Whether this is a Korean name in Latin letters, the given name of two syllables: Park Min-jun, Minjun Park."""
    if not 2 <= len(written) <= 4 or not is_capital(written[0]):
        return False
    return any(
        is_family(family) and syllables_of(_joined(given)) != ""
        for family, given in ((written[0], written[1:]), (written[-1], written[:-1]))
    )


def _joined(given: Sequence[str]) -> str:
    """A given name of several words as one: Min - jun and Min Jun are Min-jun."""
    return "-".join(word for word in given if word.isalpha())
