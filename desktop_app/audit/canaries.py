"""Canaries: made-up names and numbers that are planted in chats and then hunted in everything that was sent.

The hunter looks in two places: the text that exact search and tail completion give back, and every byte of every frame, in all
the forms that a careless program could leave a value in (UTF-8, UTF-16, token ids of 16, 32 and 64 bits, either byte order).
With protected spans off the search must find them: an attacker that cannot win proves nothing.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Protocol
from unicodedata import normalize

from msgspec import Struct
from stdnum import luhn
from stdnum.iso7064 import mod_97_10

# Names that stand for nobody: one that is found is a canary's.
GIVEN = (
    "Ole", "Petra", "Tomasz", "Amara", "Ivo", "Noor", "Mateo", "Karel", "Ebbe", "Jory", "Sunniva", "Torvald", "Zdenka",
    "Wanjiru", "Bogumila", "Ragnhild", "Ayo", "Tariq", "Nkechi", "Oksana", "Radomir", "Ludmila", "Saskia", "Joren", "Idris",
    "Zeynep", "Emeka", "Tavish", "Yusra", "Ximena", "Dov", "Hamza", "Leofric", "Eirwen", "Caoimhe", "Tove", "Aino", "Jutta",
    "Uwe",
)  # fmt: skip
GIVEN_KO = ("슬옹", "볕찬", "빛샘", "한별", "늘봄", "온유", "새론", "힘찬", "차돌", "귀남", "춘삼", "복례", "막례", "득구")
FAMILY_HEADS = (
    "Brandt", "Vander", "Wilko", "Osei", "Tana", "Castell", "Lind", "Adey", "Novot", "Quillon", "Halvor", "Ferrei", "Kowal",
    "Romer", "Beller", "Stroom",
)  # fmt: skip
FAMILY_TAILS = (
    "vik", "slot", "wicz", "bonsu", "bashi", "anes", "qvarn", "emisi", "nak", "by", "sted", "rinho", "czek", "oza", "thers",
    "gaard",
)  # fmt: skip
FAMILY_KO = ("박", "김", "최", "이", "정", "강", "윤", "한")
FAMILY = tuple(map("".join, product(FAMILY_HEADS, FAMILY_TAILS)))
WORDS = tuple(map("".join, product(("quello", "trinde", "ostra", "vulda", "pemmi", "zarro"), ("mire", "bask", "neck", "fennel"))))
STRANGER = "name on no list"
LATE = "word marked late"
KINDS = ("name", "card", "iban", "email", "phone", "ssn", "record", "secret")
NUMBERS = frozenset({"card", "iban", "phone", "ssn", "record"})
SEPARATORS = re.compile(r"[\s\-().+/:_·]+")  # between the digits of a number, or the letters of a name, as people write it
SHORT_WORD = 5  # letters; a name this short stands in other words too, and counts as a word of its own only
KOREAN = 0.3  # of the names
RUN_ALONE = 6  # digits of a number, where no others are beside them
RUN_OF_DIGITS = 7  # within a longer number: six of one are in another by chance once in twenty hunts
RUN_OF_SECRET = 8
LEAST_BYTES = 6  # fewer stand anywhere in so many


class Canary(Struct, frozen=True):
    """A value that stands for a secret, and what it is.

    A `name` is put on the person's list, a `STRANGER` on none; a `LATE` word is marked by the person when it has left already.
    """

    value: str
    kind: str


class Encoder(Protocol):
    """The part of a tokenizer that the hunt needs."""

    def encode(self, text: str) -> list[int]:
        """The ids of plain text."""


def canaries(count: int, seed: int, kinds: Sequence[str] = KINDS) -> list[Canary]:
    """So many different canaries, of these kinds in turns; numbers that have check digits have them right."""
    chance = Random(seed)
    made: dict[str, Canary] = {}
    while len(made) < count:
        kind = kinds[len(made) % len(kinds)]
        value = _value(kind, chance)
        made.setdefault(value, Canary(value, kind))
    return list(made.values())


def _value(kind: str, chance: Random) -> str:
    def digits(count: int) -> str:
        return "".join(chance.choices("0123456789", k=count))

    match kind:
        case "name" | "name on no list":
            korean = chance.random() < KOREAN
            return (
                chance.choice(FAMILY_KO) + chance.choice(GIVEN_KO)
                if korean
                else f"{chance.choice(GIVEN)} {chance.choice(FAMILY)}"
            )
        case "word marked late":
            return chance.choice(WORDS)
        case "card":
            body = "4" + digits(14)
            number = body + luhn.calc_check_digit(body)
            return " ".join(number[start : start + 4] for start in range(0, 16, 4))
        case "iban":
            account = digits(18)
            return f"DE{mod_97_10.calc_check_digits(account + 'DE')}{account}"
        case "email":
            return f"{chance.choice(FAMILY).lower()}{digits(3)}@example.com"
        case "phone":
            # Without a 5: the range that is nobody's, 555-01, is where stand-ins come from.
            area, exchange = (f"{chance.choice('2346789')}{''.join(chance.choices('012346789', k=2))}" for _ in range(2))
            return f"+1 {area} {exchange} {digits(4)}"
        case "ssn":
            return f"{chance.randint(100, 665)}-{chance.randint(10, 99)}-{chance.randint(1000, 9999)}"
        case "record":
            return f"MRN {digits(8)}"
        case _:
            return "sk_live_" + "".join(chance.choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=28))


def written_again(canary: Canary) -> str:
    """The value as somebody writes it who mentions it for the second time."""
    value = canary.value
    match canary.kind:
        case "name" | "name on no list":
            return _words(value)[0].lower()
        case "word marked late":
            return value.capitalize()
        case "card" | "ssn":
            return SEPARATORS.sub("", value)
        case "iban":
            return " ".join(value[start : start + 4] for start in range(0, len(value), 4)).lower()
        case "phone":
            _, area, *rest = value.split()
            return f"({area}) {'-'.join(rest)}"
        case "email":
            return value.upper()
        case "record":
            return value.lower().replace(" ", ": ")
        case _:
            return value


def found_in_text(canary: Canary, text: str) -> bool:
    """Whether anything that tells the value stands in a text, however it is spaced or cased.

    That is a given name or a family name, some digits or a secret's letters in a row, and what is before the @ of an address.
    """
    folded = _folded(text)
    plain = SEPARATORS.sub("", folded)
    if canary.kind in NUMBERS:
        digits = re.sub(r"\D", "", canary.value)
        runs = _runs(digits, RUN_OF_DIGITS)
        numbers = re.findall(rf"\d{{{RUN_ALONE},}}", plain)
        return any(number in digits or any(run in number for run in runs) for number in numbers)
    return any(
        _as_a_word(part).search(folded) if part.isascii() and part.isalpha() and len(part) <= SHORT_WORD else part in plain
        for part in _telling(canary)
    )


def found_in_bytes(canary: Canary, haystack: bytes, encoder: Encoder) -> bool:
    """Whether the value stands in these bytes in any of the forms that `spellings` lists; what is too short counts nowhere."""
    forms = (form for part in _wholes(canary) for form in spellings(part, encoder))
    return any(form in haystack for form in forms if len(form) >= LEAST_BYTES)


def spellings(value: str, encoder: Encoder) -> Iterable[bytes]:
    """The bytes of a value: as UTF-8, UTF-16 and UTF-32, and as token ids, alone and behind a space."""
    for text in (value, value.lower(), value.upper(), SEPARATORS.sub("", value)):
        yield text.encode()
        for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
            yield text.encode(encoding)
    for ids in (encoder.encode(value), encoder.encode(f" {value}")):
        if len(ids) < 2:
            continue  # two bytes stand anywhere
        for size in (2, 4, 8):
            for order in ("little", "big"):
                if max(ids) < 256**size:
                    yield b"".join(token.to_bytes(size, order) for token in ids)


def _words(name: str) -> list[str]:
    """Given name and family name; a Korean family name is one syllable here, and tells nobody."""
    return name.split() if " " in name else [name[1:]]


def _wholes(canary: Canary) -> list[str]:
    """What is looked for in bytes: the value, each name of a person, a number without what all of its kind begin with."""
    value = canary.value
    match canary.kind:
        case "name" | "name on no list":
            return [value, *_words(value)]
        case "email":
            return [value, value.partition("@")[0]]
        case "record":
            return [value.rpartition(" ")[2]]
        case "phone":
            return [value.partition(" ")[2], value.split(maxsplit=2)[2]]
        case _:
            return [value]


@cache
def _as_a_word(name: str) -> re.Pattern[str]:
    letters = f"{SEPARATORS.pattern[:-1]}*".join(name)
    return re.compile(rf"(?<![^\W_]){letters}(?![^\W_])")


@cache
def _telling(canary: Canary) -> frozenset[str]:
    """What of a value that is no number is looked for in text without separators, in lower case."""
    value = _folded(canary.value)
    match canary.kind:
        case "name" | "name on no list":
            return frozenset(_words(value))
        case "email":
            local = value.partition("@")[0]
            return frozenset({local, local.rstrip("0123456789")})
        case "secret":
            return _runs(value.removeprefix("sk_live_"), RUN_OF_SECRET)
        case _:
            return frozenset({value})


def _runs(letters: str, length: int) -> frozenset[str]:
    return frozenset(letters[start : start + length] for start in range(len(letters) - length + 1))


def _folded(text: str) -> str:
    return normalize("NFKC", text).casefold()
