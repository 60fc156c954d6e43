"""Dates that tell a day, with the time where it is given: in numbers, in words of several languages, in Korean.

A year or a month alone is no such date; a year of birth is.
"""

import re
from collections.abc import Iterator

from desktop_app.privacy.language.date_shift import dates_in
from desktop_app.privacy.language.word_sets import alternatives
from desktop_app.privacy.recognition.digit_runs import DIGIT
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind

_YEAR = r"(?:1[6-9]|20|21)\d{2}"
_MONTH = r"(?:0?[1-9]|1[0-2])"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_TIME = (
    r"(?:,?(?:[ T]|\n ?| at | um | à )(?:[01]?\d|2[0-4])[:.h][0-5]\d(?:[:.][0-5]\d(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?"
    r"(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?|,?(?: at)? \d{1,2} ?[ap]\.?m\.?)?"
)
_MONTHS = alternatives("""
    january, jan., jan, januar, janvier, janeiro, gennaio, enero, february, feb., feb, februar, février, fév., fevereiro
    febbraio, febrero, march, mar., mar, märz, mrz, mars, marzo, março, april, apr., apr, avril, avr., abril, aprile, may
    mai, mayo, maio, maggio, mei, june, jun., jun, juni, juin, junio, junho, giugno, july, jul., jul, juli, juillet, julio
    julho, luglio, august, aug., aug, augustus, août, agosto, september, sept., sept, sep., sep, septembre, septiembre
    settembre, setembro, october, oct., oct, oktober, okt., okt, octobre, octubre, ottobre, outubro, november, nov., nov
    novembre, noviembre, novembro, december, dec., dec, dezember, dez., dez, décembre, déc., diciembre, dicembre, dezembro
    dic.
""")
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? (?:the )?)?"
_ORDINAL = rf"(?:{_DAY})(?:st|nd|rd|th|er|º|\.)?"
_FREE = r"(?<![\w./-])(?<!\d,)"

_NO_MORE = r"(?![0-9A-Za-z]|[-/.,]\d)"

PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # 2024-03-12, 2024/3/12, 2024. 3. 12., 2024.03.12
        rf"{_FREE}{_YEAR}(?:([-/])\s?{_MONTH}\1\s?{_DAY}|\. ?{_MONTH}\. ?{_DAY}\.?){_TIME}(?![0-9A-Za-z]|[-/]\d)",
        # 12/03/2024, 3/12/24, 12.3.2024, 12-03-2024
        rf"{_FREE}(?:{_DAY}([-/.])\s?{_MONTH}|{_MONTH}([-/.])\s?{_DAY})(?:\1|\2)\s?(?:{_YEAR}|\d{{2}}){_TIME}{_NO_MORE}",
        # 12 March 2024, Tuesday 12th of March, 12-Mar-24
        rf"\b{_WEEKDAY}(?<![\d.,]){_ORDINAL}(?:[- ](?:of |de |di )?|\n){_MONTHS}(?!\w)"
        rf"(?:[-,]? ?(?:de |del )?(?:{_YEAR}|['’]?\d{{2}}(?![\d:])))?{_TIME}",
        # March 12, 2024; Mar. 12th
        rf"\b{_WEEKDAY}{_MONTHS}[ \n](?:the )?{_ORDINAL}(?![\d,]\d|\w)(?:,? ?(?:{_YEAR}\b|['’]\d{{2}}\b))?{_TIME}",
        # 2024년 3월 12일, 3월 12일(화) 오후 3시, '24년 3월 12일
        rf"(?:(?:{_YEAR}|['’]?\d{{2}})\s?년\s?)?{_MONTH}\s?월\s?{_DAY}\s?일(?:\s?\([월화수목금토일]\))?"
        r"(?:\s?(?:오전|오후)?\s?\d{1,2}시(?:\s?\d{1,2}분)?)?",
        # 20240312
        rf"(?<![\w.,/-])(?:19|20)\d{{2}}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]){_NO_MORE}",
        # 80.02.29생, '80-2-29생
        rf"{_FREE}['’]?\d{{2}}([-/.])\s?{_MONTH}\1\s?{_DAY}\s?생",
        # '92년생, 1985년생
        rf"(?:{_YEAR}|['’]?\d{{2}})\s?년\s?생",
    )
]
_BIRTH_WORDS = alternatives("""
    dob, d.o.b., d.o.b, date of birth, birth date, birth day, born, born on, born in, geboren, geboren am, geb., né le, née le
    nacido el, nacida el, died, died on, deceased, date of death, 생년월일, 출생, 출생일, 출생년도, 생일, 사망일, 주민번호 앞자리
""")
# What follows these words is a date even where it is written as dates are nowhere else.
BIRTH = re.compile(
    rf"(?<![A-Za-z]){_BIRTH_WORDS}\)?[ :=은는이가]{{0,4}}(?P<value>"
    rf"(?:{_DAY}[-/. ]{_MONTH}|{_MONTH}[-/. ]{_DAY})[-/. ]\d{{2,4}}"
    rf"|\d{{2}}[-/.]{_MONTH}[-/.]{_DAY}|\d{{6}}|\d{{8}}|{_YEAR})(?!\d)",
    re.IGNORECASE,
)

# The year first and in two digits, as versions are written too: a date where the text has that day in another form.
SHORT = re.compile(rf"{_FREE}['’]?\d{{2}}([-/.])\s?{_MONTH}\1\s?{_DAY}{_NO_MORE}")


def find(text: str) -> Iterator[Found]:
    """Find all of these in a `Reading`'s text; what is found may overlap."""
    if DIGIT.search(text) is None:
        return
    for pattern in PATTERNS:
        for match in pattern.finditer(text):
            yield Found(match.start(), match.end(), Kind.DATE)
    for match in BIRTH.finditer(text):
        yield Found(match.start("value"), match.end("value"), Kind.DATE)
    yield from _known(text)


def _known(text: str) -> Iterator[Found]:
    short = {match.start(): match for match in SHORT.finditer(text)}
    if not short:
        return
    known: set[tuple[int, int, int]] = set()
    for date in dates_in(text):
        if date.year and date.start not in short:
            known.add((date.year % 100, date.month, date.day))
            if date.match.groupdict().get("first"):  # 3/4/2024 is a day in March or in April
                known.add((date.year % 100, date.day, date.month))
    for match in short.values():
        if tuple(map(int, re.findall(r"\d+", match[0]))) in known:
            yield Found(match.start(), match.end(), Kind.DATE)
