"""The forms in which people write names, numbers and dates, by rules of this module's own, and text in which they stand."""

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class Part(NamedTuple):
    """A stretch of a reply as it was sent, what it must become, and whether it can be read in two ways."""

    sent: str
    real: str
    two_readings: bool = False


class Both(NamedTuple):
    """A value and its stand-in."""

    real: str
    sent: str

    def part(self, form: Callable[[str], str] = str, two_readings: bool = False) -> Part:
        """Both in the same form."""
        return Part(form(self.sent), form(self.real), two_readings)


# English names


def given(name: str) -> str:
    return name.split()[0]


def family(name: str) -> str:
    return name.split()[-1]


def possessive(name: str) -> str:
    return f"{name}'s"


def plural(name: str) -> str:
    return f"{name}es" if re.search("(?:s|x|z|ch|sh)$", name) else f"{name}s"


def snake(name: str, between: str = "_") -> str:
    return name.lower().replace(" ", between)


def camel(name: str) -> str:
    first, *rest = name.split()
    return first.lower() + "".join(rest)


def pascal(name: str) -> str:
    return name.replace(" ", "")


def initial(name: str) -> str:
    return f"{name[0]}. {family(name)}"


def last_initial(name: str) -> str:
    return f"{given(name)} {family(name)[0]}."


def reverse(name: str) -> str:
    return f"{family(name)}, {given(name)}"


def reverse_initial(name: str) -> str:
    return f"{family(name)}, {name[0]}."


def user(name: str) -> str:
    """As people call themselves at a computer."""
    return name[0].lower() + family(name).lower()


def short(company: str) -> str:
    """A company without what only tells its form."""
    return re.sub(r" (?:GmbH|Ltd|Inc\.)$", "", company)


# numbers and dates


def grouped(number: str, sizes: tuple[int, ...], sign: str) -> str:
    """A number's letters and digits in other groups."""
    letters = iter(re.sub(r"\W", "", number))
    return sign.join("".join(next(letters) for _ in range(size)) for size in sizes)


def day(number: int, form: str) -> str:
    """A day, by its ordinal number, in words or numbers."""
    it = date.fromordinal(number)
    return {
        "long": f"{it.day} {MONTHS[it.month - 1]} {it.year}",
        "american": f"{MONTHS[it.month - 1]} {it.day}, {it.year}",
        "iso": it.isoformat(),
        "short": f"{it.day} {MONTHS[it.month - 1][:3]} {it.year}",
        "korean": f"{it.year}년 {it.month}월 {it.day}일",
        "without year": f"{it.month}월 {it.day}일",
        "dots": f"{it.year}. {it.month}. {it.day}.",
    }[form]


def dates(both: Both, form: str) -> Part:
    """The same day in another form."""
    numbers = []
    for text in (both.sent, both.real):
        found = re.findall(r"\d+", text)
        if len(found) == 3:
            numbers.append(date(*map(int, found)).toordinal())
        else:
            name = next(name for name in MONTHS if name in text)
            numbers.append(date(int(found[1]), MONTHS.index(name) + 1, int(found[0])).toordinal())
    if form == "short" and date.fromordinal(numbers[0]).month == MONTHS.index("May") + 1:
        form = "long"  # which of the two "May" is cannot be told
    return Part(day(numbers[0], form), day(numbers[1], form))


# Korean: which form of a particle a word takes, by its last syllable, told here by Unicode's order of syllables.

AFTER_CONSONANT = (
    "은 이 을 과 으로 으로부터 으로서 아 은커녕 이에요 이었다 이라고 이나 이랑 이라서 이라면 이며 이지만 이야말로 이니까"
)
AFTER_VOWEL = "는 가 를 와 로 로부터 로서 야 는커녕 예요 였다 라고 나 랑 라서 라면 며 지만 야말로 니까"
PARTICLES = dict(zip(AFTER_CONSONANT.split(), AFTER_VOWEL.split(), strict=True))


def with_particle(word: str, particle: str, behind: str = "") -> str:
    """A word in Hangul with the right form of a particle, `behind` between them; one that has no other form just follows."""
    if particle not in PARTICLES:
        return word + behind + particle
    last = word[-1] if not word[-1].isdigit() else "영일이삼사오육칠팔구"[int(word[-1])]
    final = (ord(last) - ord("가")) % 28
    takes_vowel_form = final == 0 or (particle.startswith("으로") and final == ord("갈") - ord("가"))
    return word + behind + (PARTICLES[particle] if takes_vowel_form else particle)


def inflected(both: Both, particle: str, of: Callable[[str], str] = str, around: tuple[str, str] = ("", "")) -> Part:
    """Both with a particle; `around` are marks that the word stands between, as in **민서**는."""
    before, behind = around
    sent, real = (before + with_particle(of(text), particle, behind) for text in (both.sent, both.real))
    return Part(sent, real)
