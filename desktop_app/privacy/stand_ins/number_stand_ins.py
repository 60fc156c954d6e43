"""Numbers that stand for others: of the same shape, with right check digits where the real ones are right, and nobody's where
a range is kept for examples.

Cards: the networks' test ranges, in which no bank issues any. US social security numbers: areas from 900 with groups below 50,
never given out. British national insurance: QQ, the form's own example. NHS numbers: 999, for tests. IBANs: a bank code of nines.
"""

import ipaddress
import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from desktop_app.privacy.language.word_sets import words
from desktop_app.privacy.recognition.hidden_numbers import hidden
from desktop_app.privacy.spans import Kind

Draw = Callable[[int], int]

TRIES = 1000
# Modules of python-stdnum (LGPL-2.1) by how many letters and digits their numbers have.
_VALIDATORS = {
    8: "es.dni es.nie sg.uen luhn dk.cvr tw.ubn",
    9: "nl.bsn pt.nif ca.sin au.tfn fr.siren es.dni es.nie es.cif no.orgnr luhn",
    10: "kr.brn pl.nip dk.cpr se.personnummer se.orgnr tr.vkn in_.pan sg.uen fi.hetu luhn",
    11: "de.idnr pl.pesel no.fodselsnummer be.nn br.cpf it.iva tr.tckimlik au.abn fi.hetu luhn",
    12: "in_.aadhaar se.personnummer mx.rfc luhn",
    13: "kr.rrn ch.ssn th.pin za.idnr ro.cnp mx.rfc jp.cn luhn",
    14: "br.cnpj fr.siret luhn",
    15: "fr.nir imei luhn",
    16: "it.codicefiscale luhn",
    18: "cn.ric mx.curp luhn",
    20: "lei",
}
# Digits that nobody's card begins with: test ranges of the networks.
_CARDS = {"4": "400000", "51": "555555", "52": "555555", "53": "555555", "54": "555555", "55": "555555", "2": "222300"}
_CARDS |= {"34": "378282", "37": "378282", "6": "601111", "62": "620000", "35": "353011", "30": "305693", "36": "361489"}
_CARDS |= {"38": "385200", "9": "979200", "5": "500000"}
_LABELS = words("inv mrn po ref case no id pt acc acct ord tkt rx so bill cust pat file doc req")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PLATE_LETTERS = "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주"
_LATIN = "ABCDEFGHJKLMNPRSTUVWXYZ"


def candidate(value: str, kind: Kind, draw: Draw) -> str:
    """A number that may stand for `value`, of the same length and grouping."""
    letters = [letter for letter in value if letter.isalnum()]
    special = _special("".join(letters).upper(), kind, draw)
    if special is None:
        special = _valid(letters, value, kind, draw)
    source = iter(special)
    return "".join(_as(letter, next(source)) if letter.isalnum() else letter for letter in value)


def _as(old: str, new: str) -> str:
    return new.lower() if old.islower() else new


def _special(letters: str, kind: Kind, draw: Draw) -> str | None:
    """Numbers for which a range is kept."""
    size = len(letters)
    if kind is Kind.CARD and letters.isascii() and letters.isdigit() and 12 <= size <= 19:
        prefix = next((_CARDS[letters[:length]] for length in (2, 1) if letters[:length] in _CARDS), "979200")
        body = prefix + _digits(size - 7, draw)
        return body + (_luhn_digit(body) if _is_valid("luhn", letters) else str(draw(10)))
    if kind is Kind.IBAN and re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", letters):
        bank = "".join("X" if letter.isalpha() else "9" for letter in letters[4:8])
        bban = bank + "".join(_LATIN[draw(len(_LATIN))] if letter.isalpha() else str(draw(10)) for letter in letters[8:])
        checks = 98 - int("".join(str(int(letter, 36)) for letter in f"{bban}{letters[:2]}00")) % 97
        return f"{letters[:2]}{checks:02}{bban}"
    if kind is Kind.NATIONAL_ID and size == 9 and letters.isdigit() and not _is_valid("ca.sin", letters):
        return f"9{_digits(2, draw)}{1 + draw(49):02}{_digits(4, draw)}"
    if kind is Kind.NATIONAL_ID and re.fullmatch(r"[A-Z]{2}\d{6}[A-D]", letters):
        return f"QQ{_digits(6, draw)}{letters[-1]}"
    if kind is Kind.NATIONAL_ID and size == 10 and letters.isdigit() and _is_valid("gb.nhs", letters):
        return next(it for _ in range(TRIES) if _is_valid("gb.nhs", it := f"999{_digits(7, draw)}"))
    return None


def _valid(letters: list[str], value: str, kind: Kind, draw: Draw) -> str:
    """Letters and digits as in `letters`, with right check digits where those are right."""
    whole = "".join(letters)
    names = [name for name in _VALIDATORS.get(len(whole), "").split() if _is_valid(name, whole)] if whole.isascii() else []
    kept = _kept(value, kind)
    # One rule that holds may be chance: two at once are tried first, then one, then none.
    for wanted in (names[:2], names[:1]) if names else ():
        # Where a number begins with a date or a region that chance does not meet, more and more of its beginning stays.
        for share in (0, 2, 3):
            keep = kept | set(range(len(letters) * share // 4))
            for _ in range(TRIES if share == 0 else TRIES // 4):
                drawn = _drawn(letters, keep, draw)
                if all(_is_valid(name, drawn) for name in wanted):
                    return drawn
    return _drawn(letters, kept, draw)


def _kept(value: str, kind: Kind) -> set[int]:
    """Which letters of a number stay: what hides others, and of a record's its label and a year in it."""
    places = [place for place, letter in enumerate(value) if letter.isalnum()]
    index = {place: number for number, place in enumerate(places)}
    kept = {index[place] for place in hidden(value) if place in index}
    if kind is not Kind.RECORD:
        return kept
    label = re.match(r"[A-Za-z]+(?=[^A-Za-z])", value)
    if label is not None and label[0].lower() in _LABELS:
        kept |= {index[place] for place in range(*label.span())}
    for year in _YEAR.finditer(value):
        if len(places) - len(kept) >= 7:
            kept |= {index[place] for place in range(*year.span())}
    return kept | {index[match.start()] for match in re.finditer(r"[가-힣]", value)}


def _drawn(letters: list[str], kept: set[int], draw: Draw) -> str:
    written = []
    for index, letter in enumerate(letters):
        if index in kept:
            written.append(letter)
        elif letter.isdigit():
            zero = ord(letter) - int(letter) if letter.isdecimal() else ord("0")
            first = index == 0 and letter != "0" and len(letters) > 1
            written.append(chr(zero + (1 + draw(9) if first else draw(10))))
        elif "가" <= letter <= "힣":
            written.append(_PLATE_LETTERS[draw(len(_PLATE_LETTERS))])
        elif letter.isascii():
            written.append(_LATIN[draw(len(_LATIN))])
        else:
            written.append(letter)
    return "".join(written)


def _digits(count: int, draw: Draw) -> str:
    return "".join(str(draw(10)) for _ in range(count))


def _luhn_digit(body: str) -> str:
    return str(next(digit for digit in range(10) if _is_valid("luhn", f"{body}{digit}")))


def _is_valid(name: str, letters: str) -> bool:
    return bool(_validator(name).is_valid(letters))


@cache
def _validator(name: str) -> Any:
    return import_module(f"stdnum.{name}")


# Addresses that documentation may use: RFC 5737, RFC 2544 (benchmarks) when those run out, RFC 3849, RFC 7042.
_NETWORKS_4 = tuple(map(ipaddress.IPv4Network, ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")))
_NETWORK_6 = ipaddress.IPv6Network("2001:db8::/32")


def ip_candidate(value: str, draw: Draw, wide: bool = False) -> str | None:
    """An address of nobody's for an IP or hardware address; None where `value` is none. `wide`: from a larger range."""
    hardware = re.fullmatch(r"(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}", value, re.I)
    if hardware:
        digits = iter(f"00005e0053{draw(256):02x}" if not wide else f"02005e{draw(1 << 24):06x}")
        written = "".join(next(digits) if letter.isalnum() else letter for letter in value)
        return written.upper() if value.upper() == value else written
    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        host = draw(1 << 16) | draw(1 << 16) << 16 if not wide else draw(1 << 64)
        return str(_NETWORK_6[host])
    if wide:
        return str(ipaddress.IPv4Network("198.18.0.0/15")[draw(1 << 17)])
    return str(_NETWORKS_4[draw(3)][1 + draw(254)])
