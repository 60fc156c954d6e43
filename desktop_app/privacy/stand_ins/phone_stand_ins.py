"""Telephone numbers that are nobody's: from the ranges that regulators keep for films and examples, in the form of the real one.

North America: 555-0100 to 555-0199 (NANPA). United Kingdom: Ofcom's numbers for drama. Australia: ACMA's. France: ARCEP's.
Germany: Bundesnetzagentur's. Sweden: PTS's. Korea keeps none, but gives out no number whose middle group begins with 0.
Elsewhere the
country's own digits stay and the rest is drawn.
"""

import re
from collections.abc import Callable

from desktop_app.privacy.language.word_sets import words

Draw = Callable[[int], int]

_AREAS = words("""
    202 206 212 215 303 305 312 313 317 402 404 410 412 414 415 502 503 504 505 512 513 515 601 602 603 614 615 617 619 702
    704 713 801 802 803 804 808 816 860 901 904 907 919
""")
# National numbers without the leading 0; x is drawn.
_RANGES: dict[str, tuple[str, ...]] = {
    "1": tuple(f"{area}55501xx" for area in sorted(_AREAS)),
    "44": (
        *("207946 0xxx", "113496 0xxx", "114496 0xxx", "115496 0xxx", "116496 0xxx", "117496 0xxx", "118496 0xxx"),
        *("121496 0xxx", "131496 0xxx", "141496 0xxx", "151496 0xxx", "161496 0xxx", "191498 0xxx", "1632960xxx"),
        *("7700900xxx", "8081570xxx", "3069990xxx"),
    ),
    "61": ("25550xxxx", "35550xxxx", "75550xxxx", "85550xxxx", "491570xxx"),
    "33": ("19900xxxx", "26191xxxx", "35301xxxx", "46571xxxx", "53649xxxx", "63998xxxx"),
    "49": ("3023125xxx", "6990009xxx", "4066969xxx", "8999998xxx", "17139200xx"),
    "46": ("701740 6xx", "31390 6xx", "40628 0xxx", "8465 004xx"),
    "82": ("100xxxxxxx", "20xxxxxxx", "20xxxxxx", "310xxxxxxx", "310xxxxxx", "510xxxxxxx", "510xxxxxx"),
}
_MOBILE = {"44": "7", "61": "4", "33": "67", "49": "1", "46": "7", "82": "1"}
_COUNTRY = re.compile(r"\s*\(?(?:\+|00)\s?\(?(1|20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|7|8[1246]|9[0-58]|\d{3})")
_KOREAN = re.compile(r"\(?0(?:1[016789]|2|3[1-3]|4[1-4]|5[1-5]|6[1-4]|70|505)\)?[ -.]?\d{3,4}[ -.]?\d{4}$")


def candidate(value: str, draw: Draw) -> str:
    """A number that may stand for `value`, in its grouping."""
    digits = "".join(letter for letter in value if letter.isdigit())
    prefix = _prefix_of(value, digits)
    country, national = _country_of(value), digits[len(prefix) :]
    chosen = _from_range(country, national, draw)
    if chosen is None:
        kept = min(2, len(national) // 3) if not country else 0
        chosen = national[:kept] + "".join(str(draw(10)) for _ in national[kept:])
    letters = iter(prefix + chosen)
    return "".join(next(letters) if letter.isdigit() else letter for letter in value)


def _prefix_of(value: str, digits: str) -> str:
    """The digits before the national number: the country's, and the 0 of calls within it."""
    country = _COUNTRY.match(value)
    if country is not None:
        length = sum(letter.isdigit() for letter in country[0])
        return digits[: length + (digits[length : length + 1] == "0")]
    if digits.startswith("1") and len(digits) == 11:
        return "1"
    return "0" if digits.startswith("0") else ""


def _country_of(value: str) -> str:
    country = _COUNTRY.match(value)
    if country is not None:
        return country[1]
    digits = "".join(letter for letter in value if letter.isdigit())
    if _KOREAN.match(value.strip()):
        return "82"
    if (len(digits) == 10 and digits[0] not in "01") or (len(digits) == 11 and digits[0] == "1"):
        return "1"
    if digits.startswith(("07", "020", "011", "012", "013", "014", "015", "016", "019")) and len(digits) == 11:
        return "44"
    if digits.startswith("0") and len(digits) == 10:
        return "33" if re.match(r"0\d[ .]?\d\d[ .]?\d\d[ .]", value) else "61"
    return ""


def _from_range(country: str, national: str, draw: Draw) -> str | None:
    patterns = [pattern.replace(" ", "") for pattern in _RANGES.get(country, ())]
    fitting = [pattern for pattern in patterns if len(pattern) == len(national)]
    mobile = [pattern for pattern in fitting if pattern[0] in _MOBILE.get(country, "")]
    if mobile and len(mobile) < len(fitting):
        is_mobile = national[0] in _MOBILE[country]
        fitting = mobile if is_mobile else [pattern for pattern in fitting if pattern not in mobile]
    fitting = [pattern for pattern in fitting if pattern[0] == national[0]] or fitting
    if not fitting:
        return None
    pattern = fitting[draw(len(fitting))]
    return "".join(str(draw(10)) if letter == "x" else letter for letter in pattern)


def other_forms(value: str, stand_in: str) -> list[tuple[str, str]]:
    """The digits of both as they are written within the country, or from abroad: (real, stand-in)."""
    digits, other = ("".join(letter for letter in it if letter.isdigit()) for it in (value, stand_in))
    prefix, country = _prefix_of(value, digits), _country_of(value)
    national, other_national = digits[len(prefix) :], other[len(prefix) :]
    if not country or other[: len(prefix)] != prefix or len(national) < 7:
        return []
    prefixes = {"", "0", country, f"{country}0"} if country != "1" else {"", "1"}
    return [(f"{it}{national}", f"{it}{other_national}") for it in sorted(prefixes - {prefix})]
