"""Canaries: made-up names and numbers that are planted in chats and then hunted in everything that was sent.

The hunter looks in two places: the text that exact search and tail completion give back, and every byte of every frame, in all
the forms that a careless program could leave a value in (UTF-8, UTF-16, token ids of 16, 32 and 64 bits, either byte order).
With protected spans off the search must find them: an attacker that cannot win proves nothing.
"""

import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import Protocol

from msgspec import Struct
from stdnum import luhn
from stdnum.iso7064 import mod_97_10

GIVEN = ("Ole", "Petra", "Tomasz", "Amara", "Yuki", "Ivo", "Noor", "Mateo", "Edith", "Karel", "지훈", "서연", "민호", "하은")
FAMILY = (
    "Brandtvik", "Vanderslot", "Wilkowicz", "Oseibonsu", "Tanabashi", "Castellanes", "Lindqvarn", "Adeyemisi", "Novotnak",
    "Marlowick", "Quillonby", "Halvorsted", "Ferreirinho", "Kowalczek", "Romeroza", "Bellwethers",
)  # fmt: skip
FAMILY_KO = ("박", "김", "최", "이", "정", "강", "윤", "한")
STRANGER = "name on no list"
KINDS = ("name", "card", "iban", "email", "phone", "ssn", "record", "secret")
SEPARATORS = re.compile(r"[\s\-().+/:]+")  # between the digits of a number as people write it
LONGEST_WORD = 3  # letters; a part of a name this short stands in other words too


class Canary(Struct, frozen=True):
    """A value that stands for a secret, and what it is; a `name` is put on the person's list, a `STRANGER` on none."""

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
            given = chance.choice(GIVEN)
            return f"{given} {chance.choice(FAMILY)}" if given.isascii() else chance.choice(FAMILY_KO) + given
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
            return f"+1 {chance.choice('23456789')}{digits(2)} 555 01{digits(2)}"
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
            return value.split()[0].lower() if " " in value else value[1:]  # a Korean family name is one syllable here
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
    """Whether the value stands in a text, however it is spaced or cased; of a name any long part counts."""
    plain = _plain(text)
    return any(_plain(part) in plain for part in _parts(canary))


def found_in_bytes(canary: Canary, haystack: bytes, encoder: Encoder) -> bool:
    """Whether the value stands in these bytes in any of the forms that `spellings` lists."""
    return any(form in haystack for part in _parts(canary) for form in spellings(part, encoder))


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


def _parts(canary: Canary) -> Sequence[str]:
    """What must not be found: the whole value, of a name each long part, of a record its number, of a phone no country code."""
    if canary.kind in ("name", STRANGER):
        return [canary.value, *(part for part in canary.value.split() if len(part) > LONGEST_WORD)]
    if canary.kind == "record":
        return [canary.value.rpartition(" ")[2]]
    if canary.kind == "phone":
        return [canary.value.partition(" ")[2]]
    return [canary.value]


def _plain(text: str) -> str:
    return SEPARATORS.sub("", text).casefold()
