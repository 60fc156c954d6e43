"""Replies of a scripted model that uses stand-ins in every way people use names, and what each must be once it is restored.

A conversation is made up: persons, a company, numbers, dates. `Naming` replaces them in a short document; from then on only the
pairs of what stood in the document and what left are used. Every form of a value, plural, particle, grouping, is put together
here for the real value and for its stand-in, by rules of this module's own.
"""

# ruff: noqa: E501 - sentences are easier to read in one line

import random
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from desktop_app.privacy.naming import Naming
from desktop_app.privacy.spans import Kind, Source, Span

GIVEN = [
    "Jane",
    "Laura",
    "Megan",
    "Tara",
    "Aisha",
    "Ingeborg",
    "Noor",
    "Emily",
    "Tom",
    "Peter",
    "Kevin",
    "Brian",
    "Omar",
    "Luis",
    "Derek",
    "Ryan",
    "Chloe",
    "Paula",
    "Marcus",
    "Lewis",
]
FAMILY = [
    "Park",
    "Miller",
    "Jones",
    "Nguyen",
    "García",
    "O'Brien",
    "Nelson",
    "Campbell",
    "Petrov",
    "Hughes",
    "Okafor",
    "Schmidt",
    "Rossi",
    "Novak",
    "Larsen",
    "Brooks",
    "Murphy",
    "Diaz",
]
KOREAN_FAMILY = ["김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오", "서", "신", "권", "황"]
KOREAN_GIVEN = [
    "수진",
    "영희",
    "미경",
    "상철",
    "태희",
    "길동",
    "보람",
    "나리",
    "별",
    "하늘",
    "은별",
    "세훈",
    "동철",
    "경미",
    "재호",
    "가을",
    "해솔",
    "민아",
    "정호",
    "소라",
]
COMPANIES = ["Acme Robotics GmbH", "Brightwater Clinic", "Fenbrook & Daughters Ltd", "Orion Logistics Inc.", "Bank of Larchmont"]
KOREAN_COMPANIES = ["한빛병원", "대한물산", "새롬전자", "푸른은행"]
TOWNS = ["Springfield", "Leeds", "Augsburg", "Porto", "Galway"]
KOREAN_TOWNS = ["수원시", "강릉시", "역삼동", "전주시"]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


class Part(NamedTuple):
    """A stretch of a reply as it was sent, what it must become, and whether it can be read in two ways."""

    sent: str
    real: str
    two_readings: bool = False


class Reply(NamedTuple):
    """A reply; `naming` knows its conversation."""

    naming: Naming
    parts: list[Part]
    language: str

    @property
    def sent(self) -> str:
        """What the model writes."""
        return "".join(part.sent for part in self.parts)

    @property
    def real(self) -> str:
        """What the person must see."""
        return "".join(part.real for part in self.parts)

    def doubts_allowed(self) -> set[int]:
        """The places of the real text at which a doubt may be marked."""
        allowed: set[int] = set()
        length = 0
        for part in self.parts:
            if part.two_readings:
                allowed.update(range(length, length + len(part.real)))
            length += len(part.real)
        return allowed


def pieces(text: str, chance: random.Random) -> Iterator[str]:
    """A text as it comes: in pieces of one to twelve characters."""
    place = 0
    while place < len(text):
        end = place + chance.choice((1, 1, 2, 3, 5, 12))
        yield text[place:end]
        place = end


def is_restored(reply: Reply, chance: random.Random) -> bool:
    """Whether a reply, cut at random, is restored exactly, with no doubt but where two readings are possible."""
    restorer = reply.naming.restorer()
    restored = [piece for text in pieces(reply.sent, chance) for piece in restorer.feed(text)] + restorer.finish()
    if "".join(piece.text for piece in restored) != reply.real:
        return False
    allowed, length = reply.doubts_allowed(), 0
    for piece in restored:
        if piece.doubtful and not allowed.issuperset(range(length, length + len(piece.text))):
            return False
        length += len(piece.text)
    return True


class Both(NamedTuple):
    """A value and its stand-in."""

    real: str
    sent: str

    def part(self, form: Callable[[str], str], two_readings: bool = False) -> Part:
        """Both in the same form."""
        return Part(form(self.sent), form(self.real), two_readings)


def protected(naming: Naming, document: list[str | tuple[str, Kind]]) -> list[Both]:
    """Replace the values of a document; returns each with its stand-in."""
    text, spans = "", []
    for piece in document:
        if isinstance(piece, str):
            text += piece
        else:
            spans.append(Span(len(text), len(text) + len(piece[0]), piece[1], Source.NAME))
            text += piece[0]
    result = naming.protect(text, spans)
    stand_ins = {(it.start, it.end): it.stand_in for it in result.replaced}
    return [Both(text[span.start : span.end], stand_ins[span.start, span.end]) for span in spans]


# forms of English names


def possessive(name: str) -> str:
    return f"{name}'s"


def plural(name: str) -> str:
    return f"{name}es" if re.search("(?:s|x|z|ch|sh)$", name) else f"{name}s"


def snake(name: str) -> str:
    return name.lower().replace(" ", "_")


def camel(name: str) -> str:
    first, *rest = name.split()
    return first.lower() + "".join(rest)


def initial(name: str) -> str:
    first, last = name.split()
    return f"{first[0]}. {last}"


def reverse(name: str) -> str:
    first, last = name.split()
    return f"{last}, {first}"


def given(name: str) -> str:
    return name.split()[0]


def family(name: str) -> str:
    return name.split()[-1]


def short(company: str) -> str:
    """A company without what only tells its form."""
    return re.sub(r" (?:GmbH|Ltd|Inc\.)$", "", company)


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


def grouped(number: str, sizes: tuple[int, ...], sign: str) -> str:
    """A number's digits in other groups."""
    digits = iter(re.sub(r"\D", "", number))
    return sign.join("".join(next(digits) for _ in range(size)) for size in sizes)


# Korean: which form of a particle a word takes, by its last syllable, told here by Unicode's order of syllables.

PARTICLES = {
    "은": "는",
    "이": "가",
    "을": "를",
    "과": "와",
    "으로": "로",
    "이라고": "라고",
    "이나": "나",
    "이랑": "랑",
    "이라서": "라서",
}


def with_particle(word: str, particle: str) -> str:
    """A word in Hangul with the right form of a particle; one that has no other form just follows."""
    if particle not in PARTICLES:
        return word + particle
    last = word[-1] if not word[-1].isdigit() else "영일이삼사오육칠팔구"[int(word[-1])]
    final = (ord(last) - ord("가")) % 28
    takes_vowel_form = final == 0 or (particle == "으로" and final == ord("갈") - ord("가"))
    return word + (PARTICLES[particle] if takes_vowel_form else particle)


class Chance:
    """Draws the conversations and replies of one run."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def replies(self, english: int, korean: int) -> Iterator[Reply]:
        """So many replies of each language."""
        for _ in range(english):
            yield self.english()
        for _ in range(korean):
            yield self.korean()

    def number(self, pattern: str) -> str:
        """A number like the pattern, in which # is a digit."""
        return re.sub("#", lambda _: str(self.random.randrange(10)), pattern)

    def day(self) -> int:
        """The ordinal number of a day of these years."""
        return (date(2019, 1, 1) + timedelta(days=self.random.randrange(2000))).toordinal()

    def joined(self, naming: Naming, sentences: list[list[str | Part]], count: int, language: str) -> Reply:
        """A reply of some of these sentences."""
        chosen = self.random.sample(sentences, min(count, len(sentences)))
        parts = [Part(it, it) if isinstance(it, str) else it for sentence in chosen for it in [*sentence, " "]]
        return Reply(naming, parts, language)

    def english(self) -> Reply:
        """A reply in English."""
        pick = self.random
        naming = Naming(draw=pick.randrange)
        first, second = (f"{name} {other}" for name, other in zip(pick.sample(GIVEN, 2), pick.sample(FAMILY, 2), strict=True))
        card, phone = self.number("4539 #### #### ####"), self.number("(415) 555-2###")
        street = f"{pick.randrange(2, 900)} {pick.choice(['Oakum', 'Larch', 'Quarry'])} Street"
        when = day(self.day(), "long")
        a, b, company, town, card_, phone_, day_, address, mail, record, host = protected(
            naming,
            [
                "Patient: ", (first, Kind.PERSON), ". Referred by ", (second, Kind.PERSON), " of ",
                (pick.choice(COMPANIES), Kind.ORGANISATION), " in ", (pick.choice(TOWNS), Kind.PLACE), ". Card ", (card, Kind.CARD),
                ", phone ", (phone, Kind.PHONE), ", seen on ", (when, Kind.DATE), ", lives at ", (street, Kind.ADDRESS), ", mail ",
                (f"{re.sub('[^a-z.]', '', first.lower().replace(' ', '.'))}@mailbox.org", Kind.EMAIL), ", record ",
                (self.number("MRN-######"), Kind.RECORD), ", from ", (self.number("10.2#.1#.7"), Kind.HOST), ".",
            ],
        )  # fmt: skip
        plain = re.sub(r"[^A-Za-z ]", "", first) == first
        code: list[list[str | Part]] = [
            ["Set `", a.part(snake), "_id = 4` and call ", a.part(camel), "Report()."],
            ["const ", a.part(lambda n: snake(n).upper()), " = load('", a.part(lambda n: snake(n).replace("_", "-")), "');"],
        ]
        sentences: list[list[str | Part]] = [
            ["The patient is ", a.part(str), ", referred by ", b.part(str), "."],
            ["Dr. ", b.part(family), " will see ", a.part(given), " in May."],
            [a.part(lambda n: possessive(family(n))), " results are in; ", b.part(lambda n: f"{given(n)}’s"), " note follows."],
            ["I wrote to the ", a.part(lambda n: plural(family(n))), " yesterday."],
            ["ATTENTION ", a.part(str.upper), ": call us."],
            ["Index: ", a.part(reverse), "; ", b.part(reverse), "."],
            ["Signed, ", a.part(initial)],
            ["As ", b.part(lambda n: f"Ms {family(n)}"), " said: will you mark the day?"],
            ["Only ", a.part(lambda n: family(n).lower()), " in lower case, but the park and the mill stay."],
            [
                "The card ",
                card_.part(lambda n: grouped(n, (16,), "")),
                " or ",
                card_.part(lambda n: grouped(n, (4,) * 4, "-")),
                ".",
            ],
            ["The card ending in ", card_.part(lambda n: n[-4:]), " was used, and ", card_.part(str), " too."],
            ["Call ", phone_.part(lambda n: grouped(n, (3, 3, 4), "-")), " or ", phone_.part(str), "."],
            ["From abroad: ", phone_.part(lambda n: "+1 " + grouped(n, (3, 3, 4), " ")), "."],
            ["Seen on ", dates(day_, pick.choice(["iso", "american", "long", "short", "korean"])), ", at 10:30."],
            ["The visit of ", dates(day_, "american"), " (", dates(day_, "iso"), ") is paid: 1,250 dollars."],
            [
                company.part(short),
                " and ",
                company.part(lambda n: possessive(short(n))),
                " staff know; ",
                company.part(str),
                " pays.",
            ],
            ["They live in ", town.part(str), ", not in Vienna. ", town.part(possessive), " mayor agrees."],
            ["Send it to ", address.part(str), ",\n", town.part(str), "."],
            ["Mail <", mail.part(str), ">, i.e. ", mail.part(str.upper), "."],
            ["See ", record.part(str), " on ", host.part(str), ":8080."],
            ["| Name | Date |\n|---|---|\n| **", a.part(str), "** | ", dates(day_, "iso"), " |\n"],
            *(code if plain else []),
        ]
        return self.joined(naming, sentences, pick.randrange(4, 9), "en")

    def korean(self) -> Reply:
        """A reply in Korean; in half of them the person chose stand-ins, whose last sounds may differ."""
        pick = self.random
        naming = Naming(draw=pick.randrange)
        families = pick.sample(KOREAN_FAMILY, 2)
        names = [f"{family}{name}" for family, name in zip(families, pick.sample(KOREAN_GIVEN, 2), strict=True)]
        chosen = pick.random() < 0.5
        if chosen:
            naming.decide(names[0], Kind.PERSON, True, pick.choice(["심민서", "곽도윤", "노다솔", "추지호", "엄하율"]))
        phone, when = self.number("010-2###-####"), day(self.day(), "korean")
        a, b, company, town, phone_, day_, number = protected(
            naming,
            [
                "환자 ", (names[0], Kind.PERSON), ", 담당 ", (names[1], Kind.PERSON), " 과장, ", (pick.choice(KOREAN_COMPANIES), Kind.ORGANISATION),
                ", 거주지 ", (pick.choice(KOREAN_TOWNS), Kind.PLACE), ", 전화 ", (phone, Kind.PHONE), ", 방문일 ", (when, Kind.DATE), ", 등록번호 ",
                (self.number("2######1"), Kind.RECORD), ".",
            ],
        )  # fmt: skip

        def name(both: Both, particle: str, of: Callable[[str], str] = str) -> Part:
            return Part(with_particle(of(both.sent), particle), with_particle(of(both.real), particle))

        sentences: list[list[str | Part]] = [
            [name(a, "은"), " 어제 ", name(company, "을"), " 찾았다."],
            [name(a, "이"), " 말했고 ", name(b, "과"), " 의논했다."],
            [name(b, "을"), " 보고 ", name(a, "에게서"), " 들었다."],
            [a.part(lambda n: f"{n} 씨"), "는 오늘 하늘이 맑다고 했다."],
            # 서별 may be a given name: then 서 is nobody's.
            [
                b.part(lambda n: f"{n[0]} 과장", len(b.real) == 2),
                "이 확인했다. ",
                b.part(lambda n: f"{n[0]}과장님", len(b.real) == 2),
                "도 안다.",
            ],
            ["담당자는 ", name(b, "이라고"), " 한다. ", name(a, "이라서"), " 다행이다."],
            [name(a, "으로"), " 바꾸고 ", name(b, "이나"), " 다른 사람을 부른다."],
            [name(a, "이랑"), " 같이 가는 것이 좋다."],
            [name(b, "의"), " 의견: “", name(a, "도"), " 괜찮다.”"],
            [name(town, "에서"), " 왔다. ", name(town, "은"), " 멀다."],
            [name(company, "에"), " 문의하고 ", name(company, "과"), " 계약한다."],
            ["전화는 ", phone_.part(str), ", 즉 ", name(phone_, "이라고", lambda n: grouped(n, (11,), "")), " 한다."],
            ["해외에서는 ", name(phone_, "으로", lambda n: "+82 " + grouped(n, (3, 4, 4), "-")[1:]), " 건다."],
            [dates(day_, pick.choice(["korean", "dots", "iso"])), "에 방문했고 ", dates(day_, "without year"), "이 맞다."],
            ["등록번호 ", number.part(str), "번, 비용 35,000원."],
            ["> ", a.part(str), "(", day_.part(str), ")\n- ", b.part(str), "\n"],
        ]
        if len(a.real) == 3:
            sentences.append(
                [name(a, "은", lambda n: n[-2:]), " 오고 ", name(a, "를" if 0 else "을", lambda n: n[-2:]), " 만났다."]
            )
            sentences.append([a.part(lambda n: f"{n[0]} {n[1:]}"), " 님께 드립니다."])
            sentences.append(["`", a.part(str), "_기록.txt`를 여세요."])
        return self.joined(naming, sentences, pick.randrange(4, 8), "ko")
