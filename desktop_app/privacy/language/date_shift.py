"""Dates, read and written in the form in which they stand, so that all of a conversation can be moved by the same days.

The shift is whole weeks: days of the week stay right, order and distance too. A year alone moves by the shift in whole years, a
month by the shift in whole months.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

FEWEST_WEEKS, MOST_WEEKS = 40, 150

_ENGLISH = "january february march april may june july august september october november december"
_GERMAN = "januar februar märz april mai juni juli august september oktober november dezember"
_FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
_SPANISH = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
_ENGLISH_SHORT = "jan feb mar apr may jun jul aug sep oct nov dec"
_GERMAN_SHORT = "jan feb mär apr mai jun jul aug sep okt nov dez"
# The first list that has a name is the one in which another month is written.
MONTH_LISTS = tuple(tuple(names.split()) for names in (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _ENGLISH_SHORT, _GERMAN_SHORT))
MONTHS = {name: number for names in MONTH_LISTS for number, name in enumerate(names, start=1)} | {"sept": 9}

_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"(?P<year>(?:1[6-9]|20|21)\d\d|['’]?\d\d(?!\d))"
_SHORT_YEAR = r"(?P<year>['’]?\d\d)"
_LONG_YEAR = r"(?P<year>(?:1[6-9]|20|21)\d\d)"
_MONTH = r"(?P<month>0?[1-9]|1[0-2])"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LONG_YEAR}\s?(?P<sign>[-/.])\s?{_MONTH}(?!\d)\s?(?P=sign)\s?{_DAY}(?!\d)",
        rf"{_LONG_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)",
        rf"{_YEAR}\s?년\s?{_MONTH}\s?월\s?{_DAY}\s?일",
        rf"{_MONTH}\s?월\s?{_DAY}\s?일",
        rf"{_YEAR}\s?년\s?{_MONTH}\s?월",
        rf"{_DAY}(?P<ordinal>st|nd|rd|th|\.)?[- \n](?:of |de )?(?P<name>{_NAME})(?![^\W\d_])\.?"
        rf"(?:[-,]? ?(?:de )?{_YEAR}(?![:\d]))?",
        rf"(?P<name>{_NAME})\.?[ \n](?:the )?{_DAY}(?P<ordinal>st|nd|rd|th)?(?![\d:])"
        rf"(?:,? ?{_LONG_YEAR}(?!\d)|,? (?P<short>['’]\d\d)(?!\d))?",
        rf"(?P<name>{_NAME})\.?[ \n]{_LONG_YEAR}(?!\d)",
        rf"{_SHORT_YEAR}(?P<sign>[-/.])\s?{_MONTH}(?!\d)(?P=sign)\s?{_DAY}\s?생",  # 80.2.29생
        rf"(?P<first>\d\d?)(?P<sign>[-/.])\s?(?P<second>\d\d?)(?P=sign)\s?{_YEAR}",
        rf"{_SHORT_YEAR}(?P<sign>[-/.])\s?{_MONTH}(?!\d)(?P=sign)\s?{_DAY}(?!\d|[-/.]\d)",  # as no other order reads it: 80.2.29
    )
)
# What dates are made of: as long as a text goes on like this, it may still become one.
_VOCABULARY = re.compile(
    r"(?:[\d\s.,/'’년월일-]|st|nd|rd|th|of|de|the|[snrto]$|d$|"
    + "|".join(
        sorted({name[:length] + ("$" if length < len(name) else "") for name in MONTHS for length in range(1, len(name) + 1)})
    )
    + r")+$",
    re.IGNORECASE,
)
LONGEST = 40  # characters


class WrittenDate(NamedTuple):
    """A date where it stands in a text: [start, end); `year`, `month`, `day` 0 where it has none."""

    start: int
    end: int
    year: int
    month: int
    day: int
    match: re.Match[str]
    month_first: bool = False

    @property
    def key(self) -> str:
        """The date whatever its form: 2024-05-03, ----05-03, 2024-05."""
        parts = [f"{self.year:04}" if self.year else "----", f"{self.month:02}"]
        return "-".join([*parts, f"{self.day:02}"] if self.day else parts)


def may_become_date(text: str, start: int) -> bool:
    """Whether what `text` ends with from `start` on could still be the beginning of a date."""
    return len(text) - start < LONGEST and _VOCABULARY.match(text, start) is not None


def date_at(text: str, start: int) -> WrittenDate | None:
    """The date that begins there; the longest where several readings are possible."""
    found = [it for pattern in _PATTERNS if (it := _read(pattern.match(text, start))) is not None]
    return max(found, key=lambda it: it.end, default=None)


def dates_in(text: str) -> Iterator[WrittenDate]:
    """All dates of a text, in order."""
    place = 0
    for match in re.finditer(rf"(?<![\d.])['’]?\d|\b(?:{_NAME})\b", text, re.IGNORECASE):
        if match.start() >= place:
            found = date_at(text, match.start())
            if found is not None:
                place = found.end
                yield found


def _read(match: re.Match[str] | None) -> WrittenDate | None:
    if match is None:
        return None
    groups = match.groupdict()
    written_year = (groups.get("year") or groups.get("short") or "").lstrip("'’")
    year = int(written_year or 0)
    if 0 < len(written_year) <= 2:
        year += 2000 if year <= 40 else 1900
    month_first = False
    if groups.get("first"):
        first, second = int(groups["first"]), int(groups["second"])
        # 03/04/2024 is read as most of the world does, day first; with a slash as Americans do.
        month_first = second > 12 or (groups["sign"] == "/" and first <= 12)
        month, day = (first, second) if month_first else (second, first)
    else:
        month = int(groups["month"]) if groups.get("month") else MONTHS[groups["name"].casefold()]
        day = int(groups.get("day") or 0)
    if not _exists(year, month, day):
        return None
    return WrittenDate(match.start(), match.end(), year, month, day, match, month_first)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year or 2024, month, day or 1)
    except ValueError:
        return False
    return True


def moved(key: str, days: int, year_hint: int) -> str:
    """The key of a date `days` later; one without a year is taken to be of the year `year_hint`."""
    year, month, day = _parts(key)
    if not day:
        months = year * 12 + month - 1 + round(days / 30.4375)
        return f"{months // 12:04}-{months % 12 + 1:02}"
    try:
        then = date(year or year_hint, month, day)
    except ValueError:  # 29 February
        then = date(2024, month, day)
    then += timedelta(days=days)
    return then.isoformat() if year else f"----{then.isoformat()[4:]}"


def _parts(key: str) -> tuple[int, int, int]:
    year, month, day = key[:4], key[5:7], key[8:10]
    return (0 if year == "----" else int(year)), int(month), int(day or 0)


def ordinal(key: str) -> int:
    """The number of the day of a key that has year, month and day."""
    return date.fromisoformat(key).toordinal()


def written(model: WrittenDate, key: str) -> str:
    """Another date in the form in which `model` stands."""
    year, month, day = _parts(key)
    text, groups, origin = model.match[0], model.match.groupdict(), model.start
    changes: list[tuple[int, int, str]] = []

    def put(group: str, value: str) -> None:
        start, end = model.match.span(group)
        changes.append((start - origin, end - origin, value))

    padded = _is_padded(model)
    for group in ("year", "short"):
        if groups.get(group):
            put(group, _year(groups[group], year))
    if groups.get("first"):
        put("first", _two(month if model.month_first else day, padded))
        put("second", _two(day if model.month_first else month, padded))
    else:
        if groups.get("month"):
            put("month", _two(month, padded))
        if groups.get("name"):
            put("name", _month_name(groups["name"], month))
        if groups.get("day"):
            put("day", _two(day, padded))
            if groups.get("ordinal") and groups["ordinal"] != ".":
                put("ordinal", _ordinal_sign(day, groups["ordinal"]))
    for start, end, value in sorted(changes, reverse=True):
        text = text[:start] + value + text[end:]
    return text


def _is_padded(model: WrittenDate) -> bool:
    groups = model.match.groupdict()
    numbers = [groups[name] for name in ("month", "day", "first", "second") if groups.get(name)]
    if any(number.startswith("0") for number in numbers):
        return True
    if any(len(number) == 1 for number in numbers):
        return False
    return not groups.get("name") and "월" not in model.match[0] and " " not in model.match[0]


def _two(number: int, padded: bool) -> str:
    return f"{number:02}" if padded else str(number)


def _year(form: str, year: int) -> str:
    sign = form[0] if form[0] in "'’" else ""
    return f"{year:04}" if len(form) == 4 else f"{sign}{year % 100:02}"


def _month_name(form: str, month: int) -> str:
    lower = form.casefold()
    names = next((names for names in MONTH_LISTS if lower in names), MONTH_LISTS[-2])
    name = names[month - 1]
    return name.upper() if form.isupper() else name.capitalize() if form[0].isupper() else name


def _ordinal_sign(day: int, form: str) -> str:
    sign = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return sign.upper() if form.isupper() else sign
