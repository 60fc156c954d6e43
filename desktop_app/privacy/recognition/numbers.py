"""Numbers that belong to one person: cards, bank accounts, identity and tax numbers, passports, licences, plates.

What has check digits is told by them (python-stdnum, LGPL); what has not, or has them wrong, by its length and grouping: a typing
error makes a card number no less that person's.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from stdnum import luhn

from desktop_app.privacy.recognition.digit_runs import DIGIT, Run, is_amount, runs
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind

CARD_SHAPES = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 3), (4, 4, 5), (4, 4, 4, 4, 3), (6, 13)})
CARD_LENGTHS = range(12, 20)

# Shapes that identity, tax and licence numbers are written in. The check digits, where there are any, settle what else it may be.
SHAPES: dict[tuple[int, ...], tuple[Kind, str]] = {
    (6, 7): (Kind.NATIONAL_ID, ""),  # Korea; written as that, it is one whatever its check digit
    (3, 2, 4): (Kind.NATIONAL_ID, ""),  # United States
    (3, 2, 5): (Kind.NATIONAL_ID, ""),  # Korean businesses
    (6, 6, 1): (Kind.NATIONAL_ID, ""),
    (2, 7): (Kind.NATIONAL_ID, ""),  # United States, employers
    (2, 2, 6, 2): (Kind.PASSPORT, ""),  # Korean driving licences
    (3, 3, 3, 2): (Kind.NATIONAL_ID, ""),  # Brazil, Russia
    (2, 3, 3, 4, 2): (Kind.NATIONAL_ID, ""),  # Brazilian businesses
    (3, 4, 4, 2): (Kind.NATIONAL_ID, ""),  # Switzerland
    (1, 2, 2, 2, 3, 3, 2): (Kind.NATIONAL_ID, ""),  # France
    (2, 2, 2, 3, 2): (Kind.NATIONAL_ID, ""),  # Belgium
    (2, 3, 3, 3): (Kind.NATIONAL_ID, ""),  # Germany, Australian businesses
    (4, 4, 4): (Kind.NATIONAL_ID, "in_.aadhaar"),
    (6, 4): (Kind.NATIONAL_ID, "se.personnummer dk.cpr"),
    (8, 4): (Kind.NATIONAL_ID, "se.personnummer"),
    (6, 5): (Kind.NATIONAL_ID, "no.fodselsnummer"),
    (3, 3, 4): (Kind.NATIONAL_ID, "gb.nhs"),
    (3, 3, 3): (Kind.NATIONAL_ID, "ca.sin au.tfn fr.siren"),
}
# Numbers without grouping, by their length.
UNGROUPED = {
    9: "us.ssn nl.bsn ca.sin pt.nif au.tfn il.idnr",
    10: "gb.nhs gb.utr kr.brn bg.egn dk.cpr se.personnummer cz.rc pl.nip ru.inn",
    11: "de.idnr br.cpf pl.pesel tr.tckimlik no.fodselsnummer be.nn hr.oib au.abn gr.amka ee.ik",
    12: "in_.aadhaar se.personnummer ru.inn",
    13: "kr.rrn ch.ssn ro.cnp za.idnr th.pin si.emso fr.nir",
    14: "br.cnpj fr.siret eg.tn",
    15: "fr.nir",
    18: "cn.ric",
}
VAT_COUNTRIES = "AT BE BG CHE CY CZ DE DK EE EL ES FI FR GB HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
LETTERED = (
    (Kind.NATIONAL_ID, r"[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]"),  # United Kingdom
    (Kind.NATIONAL_ID, r"[XYZKLM]?-?\d{7,8}[- ]?[A-Z]"),  # Spain
    (Kind.NATIONAL_ID, r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]"),  # Italy
    (Kind.NATIONAL_ID, r"[12] ?\d{2} ?\d{2} ?2[AB] ?\d{3} ?\d{3} ?\d{2}"),  # Corsica
    (Kind.NATIONAL_ID, r"\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]|\d{6}[-+]\d{4}"),  # Finland; Sweden, Denmark
    (Kind.NATIONAL_ID, r"\d{7}[A-W][A-IW]?|[A-Z]{5}\d{4}[A-Z]"),  # Ireland; India
    (Kind.NATIONAL_ID, r"[A-Z]{3,4}\d{6}(?:[A-Z]{6}[A-Z0-9]\d|[A-Z0-9]{3})"),  # Mexico
    (Kind.NATIONAL_ID, r"[STFGM]\d{7}[A-Z]|[A-Z]{1,2}\d{6}\([0-9A]\)|[A-Z][1289]\d{8}"),  # Singapore, Hong Kong, Taiwan
    (Kind.NATIONAL_ID, r"\d{6}(?:19|20)\d{2}(?:0\d|1[0-2])[0-3]\d{4}[\dX]"),  # China
    (Kind.NATIONAL_ID, r"\d{6}-?[1-8][*xX●○]{6}|\d{3}-?[*xX]{2}-?\d{4}|[*xX]{3}-?[*xX]{2}-?\d{4}"),  # partly hidden
    (Kind.NATIONAL_ID, rf"(?:{'|'.join(VAT_COUNTRIES.split())})[- ]?U?[0-9A-Z]{{0,3}}\d{{5,12}}[A-Z0-9]{{0,3}}"),
    (Kind.CARD, r"(?:[*xX•]{4}[- ]?){2,3}\d{4}"),  # all but the last digits hidden
    (
        Kind.PASSPORT,
        r"[A-Z]{1,2}\d{7,8}|[A-Z]\d{3}[A-Z]\d{4}|(?=\d*[A-Z])[CFGHJKLMNPRTVWXYZ0-9]{9}(?<=\d)",
    ),  # many; Korea; Germany
    (Kind.PASSPORT, r"[A-Z]{5}\d{6}[A-Z0-9]{2}\d?[A-Z]{2}"),  # British driving licences
    (Kind.PLATE, r"[A-Z]{2}\d{2} ?[A-Z]{3}|[A-Z]{2}-\d{3}-[A-Z]{2}|[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} ?\d{1,4}[EH]?"),
)
_LETTERED = [(kind, re.compile(rf"(?<![A-Za-z0-9_/.-])(?:{pattern})(?![A-Za-z0-9_]|-\d)")) for kind, pattern in LETTERED]
_PLATE_LETTERS = "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주바사아자배하허호"
KOREAN_PLATE = re.compile(
    rf"(?<!\d)(?:\d{{2,3}}[{_PLATE_LETTERS}] ?|[가-힣]{{2}} ?\d{{1,2}} ?[{_PLATE_LETTERS}] ?)\d{{4}}(?!\d| ?(?:년|원|명|개))"
)
MACHINE_READABLE = re.compile(r"(?<![A-Z0-9<])(?=[A-Z0-9<]*<<)[A-Z0-9<]{28,44}")

IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}")
IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI FO GL NL SD",
        19: "MK SI",
        20: "AT BA EE KZ LT LU XK MN",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS",
        23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES FK MD PK RO SA SE SK TN VG",
        25: "LY PT ST",
        26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
    for country in countries.split()
}


def find(text: str) -> Iterator[Found]:
    """Find all of these in a `Reading`'s text; what is found may overlap."""
    for match in MACHINE_READABLE.finditer(text):
        yield Found(match.start(), match.end(), Kind.PASSPORT)
    if DIGIT.search(text) is None:
        return
    yield from _ibans(text)
    for run in runs(text):
        if len(run.digits) >= 5:
            # Cards before anything longer: the digits of a card's date, behind it, may happen to fit.
            for part, kind in run.numbers(text, kind_of_card, kind_of_number):
                if len(part.shape) > 1 or not is_amount(text, part):
                    yield Found(part.start, part.end, kind)
    for kind, pattern in _LETTERED:
        for match in pattern.finditer(text):
            yield Found(match.start(), match.end(), kind)
    for match in KOREAN_PLATE.finditer(text):
        yield Found(match.start(), match.end(), Kind.PLATE)


def kind_of_card(run: Run) -> Kind | None:
    """A card in a usual grouping: with check digits that are right it may be split over lines and cells."""
    if run.shape not in CARD_SHAPES:
        return None
    return Kind.CARD if luhn.is_valid(run.digits) or (_is_uniform(run) and not _is_split(run)) else None


def kind_of_number(run: Run) -> Kind | None:
    """What these digits are by their number, grouping and check digits; None where they are nothing of anybody's."""
    digits, shape = run.digits, run.shape
    if len(shape) == 1:
        if len(digits) in CARD_LENGTHS and luhn.is_valid(digits):
            return Kind.CARD
        return Kind.NATIONAL_ID if len(digits) in UNGROUPED and _is_valid(digits, UNGROUPED[len(digits)]) else None
    if len(digits) > CARD_LENGTHS[-1] or _is_split(run):
        return None
    if len(digits) in CARD_LENGTHS and min(shape) > 1 and luhn.is_valid(digits):
        return Kind.CARD
    kind, validators = SHAPES.get(shape, (None, ""))
    if kind is None or (run.separators.strip() == "" and validators == ""):
        return None
    return kind if not validators or _is_valid(digits, validators) else None


def _is_split(run: Run) -> bool:
    """Whether the end of a line or of a table's cell stands within it."""
    return any(sign in run.separators for sign in "\n\t|")


def _is_uniform(run: Run) -> bool:
    return len({between.strip() or " " for between in run.between}) == 1


def _is_valid(digits: str, names: str) -> bool:
    return any(_validator(name).is_valid(digits) for name in names.split())


@cache
def _validator(name: str) -> Any:
    return import_module(f"stdnum.{name}")


def _ibans(text: str) -> Iterator[Found]:
    for match in IBAN.finditer(text):
        length = IBAN_LENGTHS.get(match[0][:2].upper())
        places = [place for place in range(match.start(), match.end()) if text[place].isalnum()]
        if length is None or len(places) < length:
            continue
        end = places[length - 1] + 1
        written = "".join(text[place] for place in places[:length])
        if is_iban(written) or (not text[end : end + 1].isalnum() and sum(map(str.isdigit, written)) >= length // 2):
            yield Found(match.start(), end, Kind.IBAN)


def is_iban(text: str) -> bool:
    """Whether the check digits are right (ISO 7064, modulo 97-10)."""
    return bool(_validator("iso7064.mod_97_10").is_valid(text[4:] + text[:4]))
