"""Postal addresses in alphabets with capitals, the house number before or after the street; Korean ones are elsewhere.

A text is read as words of a few sorts: numbers, words with a capital, words for streets, for units. A stretch of such words, over
commas and the ends of lines, is an address where something in it can hardly be anything else: a street's word by a number or a
name, a unit with its number, a number on both sides of a name, a code. From there it reaches as far as addresses do, but never
over the end of a sentence, into a date or to a person with a title.
"""

import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from desktop_app.privacy.language.capitals import CAPITAL_WORD, PARTICLES, UPPER, is_capital
from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.public_names import is_public
from desktop_app.privacy.language.word_sets import words
from desktop_app.privacy.recognition import dates
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind

# Words for streets that are hardly anything else, and those that are with a capital only.
STREETS = words("""
    street str avenue ave road rd boulevard blvd lane strasse straße rua calle rue avenida avda utca ulica ul tér rkp trg
""")
CAPITAL_STREETS = STREETS | words("""
    st av ln drive dr way court ct place pl square sq terrace ter circle cir highway hwy parkway pkwy crescent cres close
    gardens grove row mews hill walk alley plaza loop crossroad crossroads trail crossing path gate wharf quay bridge rise
    park point ridge turnpike expressway courts heights meadow view green weg allee platz gasse ring ufer damm chaussee straat
    laan plein gracht kade quai impasse chemin allée cours paseo carrera camino ronda travessa estrada praça largo via viale
    corso piazza vicolo strada aleja al plac vej gade allé gata gatan väg vägen plan torg veien katu tie kuja polku út tér u
    krt körút fasor köz nám náměstí třída cesta tänav maantee gatvė iela ulitsa prospekt jalan gil ro
""")
# Languages that write the word for the street in one with its name.
STREET_ENDINGS = (
    "straße", "strasse", "gasse", "allee", "platz", "damm", "ufer", "straat", "laan", "plein", "gracht", "vej", "gade", "stræde",
    "vænget", "gata", "gatan", "vägen", "stien", "torget", "veien", "vegen", "katu", "kuja", "tie", "polku", "utca", "gatvė",
)  # fmt: skip
UNITS = words("""
    apt apartment suite ste box psc p.o pobox postfach appt bldg
""")
CAPITAL_UNITS = UNITS | words("""
    unit flat floor fl room rm building block wohnung piso puerta apo fpo dpo
""")
_SHORTENED = words("blvd pkwy cres bldg appt circ")  # and so with a point that ends no sentence, as all of three letters
_PREPOSITIONS = words("in on am an im")
MONTHS = words("""
    january february march april may june july august september october november december jan feb mar apr jun jul aug sep oct
    nov dec
""")
POSTCODE = re.compile(
    r"(?<!\w)(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}"
    r"|[A-CEGHJ-NPR-TVXY]\d[A-CEGHJ-NPR-TV-Z] ?\d[A-CEGHJ-NPR-TV-Z]\d"
    r"|(?:A[AEKLPRZ]|C[AOT]|D[CE]|F[LM]|G[AU]|HI|I[DLNA]|K[SY]|LA|M[ADEHINOPST]|N[CDEHJMVY]|O[HKR]|P[ARW]|RI|S[CD]|T[NX]|UT|V[AIT]"
    r"|W[AIVY]) \d{5}(?:-\d{4})?)(?![\w-])"
)
# Of the titles those after which no street is called.
_TITLES = words("mr mrs ms miss mx prof professor nurse senhora senhor señora señor frau herr reverend officer")
FURTHEST = 24  # words of an address after what tells it
_TOKEN = re.compile(
    r"#?\d+(?:[/-]\d+)*[A-Za-z]?(?![^\W_])|P\.? ?O\.?(?= ?Box)|[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?(?!\d)|\w+"
    r"|\n[ \t]*(?:[>|*?]+[ \t]*)*|[^\s]",
    re.I,
)
_INITIALS = re.compile(r"(?:[A-Z]\.){2,}[A-Z]?")  # U.S.; P.O. alone is of addresses
_NUMBER = re.compile(r"#?\d{1,6}(?:[-/]\d{1,4})?[A-Za-z]?")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    # N number, C capital, K common word with a capital, S street, U unit, P particle, "," comma, L line's end, X anything else;
    # a date is X, and so is a title that can be no street's
    sort: str


# What can hardly be anything else, as sorts of words.
_TELLING = re.compile(
    "N{1,3}[CK]{0,4}S"  # 12 High Street
    "|NX{1,2}S"  # 39 fifth avenue
    "|C[CK]{0,3}SN?"  # Ashfield Road
    "|SP{0,2}[CKPX]{1,5}?N|SN"  # Rua das Flores 16; Linden Strasse 33
    "|UN"  # Suite 501
    "|N(?:[CK]P?){0,3}[CK]N"  # 402 Linden 46
    "|NNC"  # 98 214 Markou Petrou
)
# What stands before it and belongs to it: house numbers, and before a unit the street.
_BEFORE = re.compile("(?:N{1,2}[CKP]{0,3},?|N)$")
_BEFORE_UNIT = re.compile("(?:(?:N{0,2}[CKPS]{1,4}X?N[CKP]{0,3}|N{1,2}[CKPS]{1,4}|N[CXPSK]{1,3}N|N),?L?)?U*$")
# How a further line of an address begins: with a unit, a street, a number by a name.
_NEXT_LINE = re.compile("L(?:,?N?[CKP]{0,4}[SU]|N[CKPS]{1,4})")
# What follows: a place, perhaps on a line of its own, and its region, country and code.
_NAME = rf"(?:{UPPER}[^\s\d,:;!?]*|\({UPPER}[^\s\d]*\)|(?:de|da|do|del|la|le|van|am|an|der|nad|upon|on|und|y)\b)"
_PLACE = rf"{_NAME}(?:[ ]{_NAME}){{0,4}}"
_EDGE = r"[ \t]*\n[ \t]*(?:[>|*?]+[ \t]*)*"
_TAIL = re.compile(
    rf"[.]?(?:,?[ ]?(?:{_EDGE}){{0,2}},?[ ]?(?:{_PLACE}|[a-z]{{1,3}}\b)){{0,4}}(?:,?[ ]?(?:{_EDGE}){{0,2}},?[ ]?)(?<![^\W_])"
    rf"(?:[A-Z]{{1,2}}\d[A-Z\d]? ?\d[A-Z]{{2}}|\d{{4,6}}(?:-\d{{3,4}})?|\d{{2,3}}[- ]\d{{2,3}}|\d{{3}}(?=\n|$))(?![\w-]|[.,]\d)"
    rf"(?:,?[ ]?(?:{_EDGE})?(?:[A-Z]{{2}}|{UPPER}[a-z]+(?: {UPPER}[a-z]+)?)(?=\n|$))?"
)
# "in May 2022", "since 2019": no town and its code
_YEARS_TAIL = re.compile(
    rf"\b(?:{'|'.join(sorted(MONTHS))}|in|of|since|until|from|by|to|till|before|after)\.? (?:{_YEAR.pattern})$", re.IGNORECASE
)
_LINE = re.compile(rf",?{_EDGE}(?P<last>{_PLACE})(?=[\n.,?!]|$| [a-z])")
_LINES = re.compile(rf",?{_EDGE}{_PLACE},?{_EDGE}(?P<last>{_PLACE})(?=[\n.,?!]|$| [a-z])")
_CORNER = re.compile(
    rf"(?:\bthe )?\b(?:corner|intersection|junction) of [^\n.;?!]{{3,60}}?(?: and | & )(?:[^\W\d_]+\.? ){{0,2}}?"
    rf"{CAPITAL_WORD}(?: {CAPITAL_WORD})?",
    re.I,
)
_PLACE_WITH_CODE = re.compile(
    rf"\b(?:in|at|on|from|near|to) (?P<value>{CAPITAL_WORD}(?: (?:{CAPITAL_WORD}|d[aeio]s?|del|la|el|van|am|an der)){{0,4}}"
    rf" \d{{4,6}}(?:-\d{{3,4}})?)(?![\w-])"
)


def find(text: str) -> Iterator[Found]:
    """Find addresses in a `Reading`'s text; what is found is apart."""
    if re.search(r"\d", text) is None:
        return
    # One address, also where two of the ways below each see a part of it: Bristol BS1, BS1 4QD.
    start = end = -1
    for found in sorted((*_told(text), *_by_pattern(text))):
        if found.start < end:
            end = max(end, found.end)
            continue
        if end >= 0:
            yield Found(start, end, Kind.ADDRESS)
        start, end = found.start, found.end
    if end >= 0:
        yield Found(start, end, Kind.ADDRESS)


def _by_pattern(text: str) -> Iterator[Found]:
    for pattern in (POSTCODE, _CORNER, _PLACE_WITH_CODE):
        for match in pattern.finditer(text):
            group = match.lastgroup or 0
            if pattern is not _PLACE_WITH_CODE or not _YEAR.fullmatch(match[0][-4:]):
                yield Found(match.start(group), match.end(group), Kind.ADDRESS)


def _told(text: str) -> Iterator[Found]:
    """Addresses of which something can hardly be anything else."""
    words = list(_words(text, frozenset()))
    if _TELLING.search("".join(word.sort for word in words)) is None:
        return
    words = list(_words(text, frozenset(place for date in dates.find(text) for place in range(date.start, date.end))))
    sorts = "".join(word.sort for word in words)
    place = 0
    for match in _TELLING.finditer(sorts):
        if match.start() >= place and _tells(words[match.start() : match.end()]):
            first, place = _first(sorts, match.start()), _last(words, sorts, match.end())
            end = words[place - 1].start + len(words[place - 1].text.rstrip(".,"))
            tail = _TAIL.match(text, end)
            if tail is not None and _YEARS_TAIL.search(tail[0]):
                tail = None
            yield Found(words[first].start, _country(text, tail.end() if tail else end), Kind.ADDRESS)


def _country(text: str, end: int) -> int:
    """Where an address that reaches to `end` ends if a country follows, on a line of its own or below the place."""
    for match in (_LINES.match(text, end), _LINE.match(text, end)):
        if match and is_public(match["last"].strip("(). ")):
            return match.end()
    return end


def _words(text: str, dated: Set[int]) -> Iterator[_Word]:
    before = ""
    for match in _TOKEN.finditer(text):
        sort = "X" if match.start() in dated else _sort(match[0], text[match.end() : match.end() + 1])
        if match[0] == "." and before == "N":  # the houses of Hungary have their numbers with a point
            sort = ","
        yield _Word(match.start(), match.end(), match[0], sort)
        before = sort


def _sort(token: str, after: str) -> str:
    word = token.lower().rstrip(".")
    if token[0] in "\n,":
        return "L" if token[0] == "\n" else ","
    if word in UNITS:
        return "U"
    if _NUMBER.fullmatch(token):
        return "N"
    if token in "()":
        return "P"
    if not token[0].isalpha() or after == ":" or _INITIALS.fullmatch(token):
        return "X"
    capital = is_capital(token)
    if capital and word in _TITLES:
        return "X"
    if word in STREETS or (word in CAPITAL_STREETS and (capital or (token[-1] == "." and len(token) < 5))):
        return "S"
    if word.endswith(STREET_ENDINGS) and len(word) > 7 and (capital or not word.isascii()):
        return "S"
    if capital and word in CAPITAL_UNITS:
        return "U"
    if capital:
        return "K" if word in COMMON_WORDS and not (len(token) == 2 and token.isupper()) else "C"
    return "P" if word in PARTICLES else "X"


def _tells(words: list[_Word]) -> bool:
    """Whether a stretch of the right sorts is an address indeed, and not "5 May 2024" or "the 3 years 2010"."""
    sorts = "".join(word.sort for word in words)
    if words[0].text in ("Dr", "Dr."):
        return False
    if any(word.text.lower().rstrip(".") in MONTHS for word in words):
        return False
    if sorts.startswith("NX"):
        return words[-1].text.lower().rstrip(".") in STREETS and all(word.text.isalpha() for word in words[1:-1])
    if "S" not in sorts and "U" not in sorts:
        return any(word.sort == "C" and len(word.text) > 1 for word in words) and not any(
            _YEAR.fullmatch(word.text) for word in words
        )
    if sorts.startswith("S") and "X" in sorts:
        return words[0].text.lower() in STREETS
    return "N" in sorts or (is_capital(words[-1].text) and words[-1].text.lower().rstrip(".") in STREETS)


def _first(sorts: str, start: int) -> int:
    """Where an address begins, of which `start` is a part: at a house number before it."""
    before = (_BEFORE_UNIT if sorts[start] == "U" else _BEFORE).search(sorts[max(0, start - 12) : start])
    return start - len(before[0]) if before else start


def _last(words: list[_Word], sorts: str, end: int) -> int:
    """The word after the last one of an address, of which what ends at `end` is a part."""
    last = place = end
    while place < min(len(words), end + FURTHEST):
        sort = sorts[place]
        if (
            sort == "X"
            or _ends_sentence(words, place)
            or _begins_time(words, place)
            or (sort == "L" and _NEXT_LINE.match(sorts, place) is None)
        ):
            break
        if sort in "NCSU" or (sort == "K" and sorts[place + 1 : place + 2] in ("C", "N", "S", "L")):
            last = place + 1
        place += 1
    return last


def _ends_sentence(words: list[_Word], place: int) -> bool:
    before, is_doctor = words[place - 1].text, words[place].text.rstrip(".") == "Dr"
    if is_doctor and before in (".", ",") and any(word.sort == "C" for word in words[place + 1 : place + 2]):
        return True
    word = before.lower().rstrip(".")
    if not before.endswith(".") or not (words[place].sort in "CK" or is_doctor):
        return False
    if word in CAPITAL_STREETS | CAPITAL_UNITS:
        return len(word) > 3 and word not in _SHORTENED
    return len(word) > (3 if is_doctor else 4)


def _begins_time(words: list[_Word], place: int) -> bool:
    """Whether a time begins there, no part of a place: "in 2019", "in May", "May 2022"."""
    first = words[place].text.lower()
    following = words[place + 1] if place + 1 < len(words) else None
    if following is None or not (first in _PREPOSITIONS or first in MONTHS):
        return False
    return following.sort == "N" or (first in _PREPOSITIONS and following.text.lower().rstrip(".") in MONTHS)
