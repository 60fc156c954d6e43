"""Replies of a scripted model that uses stand-ins in every way people use names, and what each must be once it is restored.

A conversation is made up: persons, a company, numbers, dates. `Naming` replaces them in a short document; from then on only the
pairs of what stood in the document and what left are used. Every form of a value, plural, particle, grouping, is put together
by `used_names` for the real value and for its stand-in. Only what has no rule, how Koreans spell a name in Latin letters and what
the other names of a country are, is looked up in the product's resources.
"""

import random
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from desktop_app.privacy.language import name_pools, romanising
from desktop_app.privacy.matching.entries import Piece
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.spans import Kind, Source, Span
from tests.helpers import made_up_people as made_up
from tests.helpers import used_names as use
from tests.helpers.used_names import Both, Part, dates, grouped, inflected

Parts = list[str | Part]


class Sentence(NamedTuple):
    """A sentence of a reply, and in what way it uses stand-ins."""

    use: str
    parts: list[Part]


class Reply(NamedTuple):
    """A reply; `naming` knows its conversation."""

    naming: Naming
    sentences: list[Sentence]
    language: str

    @property
    def sent(self) -> str:
        """What the model writes."""
        return "".join(part.sent for sentence in self.sentences for part in sentence.parts)

    @property
    def real(self) -> str:
        """What the person must see."""
        return "".join(part.real for sentence in self.sentences for part in sentence.parts)


class Fault(NamedTuple):
    """The first sentence of a reply that did not come back as it should, or with a doubt where there is none."""

    use: str
    sent: str
    expected: str
    restored: str
    needless_doubt: str


def pieces(text: str, chance: random.Random) -> Iterator[str]:
    """A text as it comes: in pieces of one to twelve characters."""
    place = 0
    while place < len(text):
        end = place + chance.choice((1, 1, 2, 3, 5, 12))
        yield text[place:end]
        place = end


def fault_of(reply: Reply, chance: random.Random) -> Fault | None:
    """What is wrong with a reply that came cut at random; None: it is restored exactly, doubts only where two readings exist."""
    restorer = reply.naming.restorer()
    restored = [piece for text in pieces(reply.sent, chance) for piece in restorer.feed(text)] + restorer.finish()
    text = "".join(piece.text for piece in restored)
    place = 0
    for sentence in reply.sentences:
        sent, real = "".join(part.sent for part in sentence.parts), "".join(part.real for part in sentence.parts)
        doubt = _needless_doubt(sentence, place, restored)
        if not text.startswith(real, place) or doubt:
            return Fault(sentence.use, sent, real, text[place : place + len(real) + 12], doubt)
        place += len(real)
    return None if place == len(text) else Fault("end", reply.sent[-40:], "", text[place:], "")


def _needless_doubt(sentence: Sentence, start: int, restored: list[Piece]) -> str:
    """The first piece within a sentence, which starts at `start`, that is marked as a doubt without a second reading."""
    allowed, end = set[int](), start
    for part in sentence.parts:
        if part.two_readings:
            allowed.update(range(end, end + len(part.real)))
        end += len(part.real)
    place = 0
    for piece in restored:
        if piece.doubtful and start <= place < end and not allowed.issuperset(range(place, place + len(piece.text))):
            return piece.text
        place += len(piece.text)
    return ""


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


def _in_latin(name: str, between: str = "") -> str:
    """A Korean name in Latin letters, as most of its bearers spell it."""
    spelling = romanising.given_spellings(name[1:])[0]
    return f"{romanising.family_spellings(name[0])[0].capitalize()} {between.join(spelling).capitalize()}"


def _country(both: Both, place: int) -> Part:
    """A country's adjective (1) or its name in Korean (2)."""
    other = next(country for country in name_pools.countries() if country.name == both.sent)
    return Part(str(other[place]), made_up.COUNTRIES[both.real][place - 1])


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

    def joined(self, naming: Naming, uses: list[tuple[str, Parts]], count: int, language: str) -> Reply:
        """A reply of some of these sentences."""
        chosen = self.random.sample(uses, count)
        return Reply(
            naming,
            [
                Sentence(it, [Part(part, part) if isinstance(part, str) else part for part in [*parts, " "]])
                for it, parts in chosen
            ],
            language,
        )

    def english(self) -> Reply:
        """A reply in English."""
        pick = self.random
        naming = Naming(draw=pick.randrange)
        names = zip(pick.sample(made_up.GIVEN, 2), pick.sample(made_up.FAMILY, 2), strict=True)
        first, second = (f"{name} {other}" for name, other in names)
        street = f"{pick.randrange(2, 900)} {pick.choice(made_up.STREETS)} Street"
        mail = f"{re.sub('[^a-z.]', '', first.lower().replace(' ', '.'))}@mailbox.org"
        both = protected(
            naming,
            [
                "Patient: ", (first, Kind.PERSON), ". Referred by ", (second, Kind.PERSON), " of ",
                (pick.choice(made_up.COMPANIES), Kind.ORGANISATION), " in ", (pick.choice(made_up.TOWNS), Kind.PLACE),
                ". Lives at ", (street, Kind.ADDRESS), ", citizen of ", (pick.choice(list(made_up.COUNTRIES)), Kind.PLACE),
                ". Card ", (self.number("4539 #### #### ####"), Kind.CARD), ", account ",
                (self.number("DE## #### #### #### #### ##"), Kind.IBAN), ", phone ", (self.number("(415) 555-2###"), Kind.PHONE),
                ", seen on ", (use.day(self.day(), "long"), Kind.DATE), ", mail ", (mail, Kind.EMAIL), ", record ",
                (self.number("MRN-######"), Kind.RECORD), ", from ", (self.number("10.2#.1#.7"), Kind.HOST), ".",
            ],
        )  # fmt: skip
        plain = all(re.fullmatch("[A-Za-z ]+", name) for name in (first, second))
        uses = [*_english_names(*both[:2]), *_english_things(*both[2:6]), *_in_hangul(both[1])]
        uses += [*(_code(*both[:2]) if plain else []), *self._english_numbers(*both[6:])]
        return self.joined(naming, uses, pick.randrange(4, 9), "en")

    def _english_numbers(
        self, card: Both, account: Both, phone: Both, when: Both, *mail_record_host: Both
    ) -> list[tuple[str, Parts]]:
        mail, record, host = mail_record_host
        form = self.random.choice(["iso", "american", "long", "short", "korean"])
        return [
            ("grouped", [card.part(lambda n: grouped(n, (16,), "")), ", ", card.part(lambda n: grouped(n, (4,) * 4, "-"))]),
            ("last digits", ["The card ending in ", card.part(lambda n: n[-4:]), " was used, and ", card.part(), " too."]),
            ("grouped", ["To ", account.part(lambda n: grouped(n, (22,), "")), ", that is ", account.part(), "."]),
            ("grouped", ["Call ", phone.part(lambda n: grouped(n, (3, 3, 4), "-")), " or ", phone.part(), "."]),
            ("from abroad", ["From abroad: ", phone.part(lambda n: "+1 " + grouped(n, (3, 3, 4), " ")), "."]),
            ("date", ["Seen on ", dates(when, form), ", at 10:30."]),
            ("date", ["The visit of ", dates(when, "american"), " (", dates(when, "iso"), ") is paid: 1,250 dollars."]),
            ("table", ["| Record | Date |\n|---|---|\n| **", record.part(), "** | ", dates(when, "iso"), " |\n"]),
            ("exact", ["Mail <", mail.part(), ">, i.e. ", mail.part(str.upper), ", or [write](mailto:", mail.part(), ")."]),
            ("exact", ["See ", record.part(), " on ", host.part(), ":8080."]),
        ]  # fmt: skip

    def korean(self) -> Reply:
        """A reply in Korean; in half of them the person chose stand-ins, whose last sounds may differ."""
        pick = self.random
        naming = Naming(draw=pick.randrange)
        families = pick.sample(made_up.KOREAN_FAMILY, 2)
        names = [f"{family}{name}" for family, name in zip(families, pick.sample(made_up.KOREAN_GIVEN, 2), strict=True)]
        if pick.random() < 0.5:
            for name, chosen in zip(names, pick.sample(made_up.CHOSEN, 2), strict=True):
                naming.decide(name, Kind.PERSON, True, chosen)
        both = protected(
            naming,
            [
                "환자 ", (names[0], Kind.PERSON), ", 담당 ", (names[1], Kind.PERSON), " 과장, ",
                (pick.choice(made_up.KOREAN_COMPANIES), Kind.ORGANISATION), ", 거주지 ",
                (pick.choice(made_up.KOREAN_TOWNS), Kind.PLACE), ", 전화 ", (self.number("010-2###-####"), Kind.PHONE),
                ", 방문일 ", (use.day(self.day(), "korean"), Kind.DATE), ", 등록번호 ", (self.number("2######1"), Kind.RECORD),
            ],
        )  # fmt: skip
        uses = [*_korean_names(*both[:2]), *_korean_particles(*both[:4]), *self._korean_numbers(*both[4:])]
        for person in both[:2]:
            uses += _korean_given_names(person) if len(person.real) == len(person.sent) == 3 else []
        return self.joined(naming, uses, pick.randrange(4, 8), "ko")

    def _korean_numbers(self, phone: Both, when: Both, record: Both) -> list[tuple[str, Parts]]:
        form = self.random.choice(["korean", "dots", "iso"])
        return [
            ("grouped", [phone.part(), ", 즉 ", inflected(phone, "이라고", lambda n: grouped(n, (11,), "")), " 한다."]),
            ("from abroad", ["해외: ", inflected(phone, "으로", lambda n: "+82 " + grouped(n, (3, 4, 4), "-")[1:])]),
            ("date", [dates(when, form), "에 방문했고 ", dates(when, "without year"), "이 맞다."]),
            ("date", ["> 방문(", when.part(), ")\n- 다음은 미정\n"]),
            ("exact", ["등록번호 ", record.part(), "번, 비용 35,000원."]),
        ]


def _english_names(a: Both, b: Both) -> list[tuple[str, Parts]]:
    family, given = (Both(use.family(a.real), use.family(a.sent)), Both(use.given(b.real), use.given(b.sent)))
    return [
        ("whole", ["The patient is ", a.part(), ", referred by ", b.part(), "."]),
        ("emoji", ["👩🏽‍⚕️", a.part(), "🎉 – “", b.part(), "”… é\u0301 ", a.part(), "!"]),
        ("markdown", ["# ", a.part(), "\n\n* **", family.part(), "**: _", given.part(), "_ and `", b.part(), "`\n"]),
        ("split", ["It is ", a.part(lambda n: n.replace(" ", "\n")), ", and ", b.part(lambda n: n.replace(" ", "\u00a0")), "."]),
        ("one name", ["Dr. ", b.part(use.family), " will see ", a.part(use.given), " in May."]),
        ("one name", ["As Ms ", b.part(use.family), " said: will you mark the day?"]),
        ("possessive", [family.part(use.possessive), " results are in; ", given.part(lambda n: f"{n}’s"), " note follows."]),
        ("possessive", ["It is ", family.part(use.possessive), " turn, and ‘", given.part(use.possessive), "’ is a quote."]),
        ("plural", ["I wrote to the ", family.part(use.plural), " yesterday."]),
        ("compound", ["A ", family.part(), "-led team, the non-", family.part(), " part, and the ", family.part(), " family."]),
        ("capitals", ["ATTENTION ", a.part(str.upper), ": call DR. ", b.part(lambda n: use.family(n).upper()), "."]),
        ("lower case", ["Only ", a.part(lambda n: use.family(n).lower()), " in lower case, but the park and the mill stay."]),
        ("reversed", ["Index: ", a.part(use.reverse), "; ", b.part(use.reverse), "."]),
        ("ordinary", ["Will you mark the bill in May? A grace note; the young and the rich grant it. Rose is a colour."]),
        ("abbreviated", ["Signed, ", a.part(use.initial)]),
        ("abbreviated", ["Cited as ", b.part(use.reverse_initial), " and ", a.part(use.last_initial), " alone."]),
    ]  # fmt: skip


def _english_things(company: Both, town: Both, address: Both, country: Both) -> list[tuple[str, Parts]]:
    return [
        ("abbreviated", [company.part(use.short), " and ", company.part(lambda n: use.possessive(use.short(n))), " staff know."]),
        ("whole", ["The bill goes to ", company.part(), "."]),
        ("capitals", ["TO ", company.part(str.upper), ", ", town.part(str.upper), ":"]),
        ("possessive", ["They live in ", town.part(), ", not in Vienna. ", town.part(use.possessive), " mayor agrees."]),
        ("whole", ["Send it to ", address.part(), ",\n", town.part(), "."]),
        ("translated", ["A ", _country(country, 1), " passport, so ", country.part(), " (", _country(country, 2), ") decides."]),
    ]


def _in_hangul(both: Both) -> list[tuple[str, Parts]]:
    """A name as Koreans write it: several are written alike."""
    readings = [name_pools.readings().get(name.casefold(), "") for name in both.sent.split()]
    part = Part(f"{readings[-1]}에게", f"{use.family(both.real)}에게", two_readings=True)
    whole = Part(" ".join(readings), both.real, two_readings=True)
    return [("translated", ["진료 기록은 ", part, " 보냈습니다. ", whole, "!"])] if all(readings) else []


def _code(a: Both, b: Both) -> list[tuple[str, Parts]]:
    return [
        ("code", ["Set `", a.part(use.snake), "_id = 4` and call ", a.part(use.camel), "Report()."]),
        ("code", ["const ", a.part(lambda n: use.snake(n).upper()), " = load('", a.part(lambda n: use.snake(n, "-")), "');"]),
        ("code", ["class ", b.part(use.pascal), "Report: # see /home/", a.part(lambda n: use.snake(n, ".")), "/x"]),
        ("code", ['{"name": "', b.part(), '", "last": "', b.part(use.family), '", "id": 17}']),
        ("user name", ["Log in as ", a.part(use.user), " or @", b.part(lambda n: use.snake(n, "")), "."]),
    ]  # fmt: skip


def _korean_names(a: Both, b: Both) -> list[tuple[str, Parts]]:
    two = len(b.real) == 2  # 서별 may be a given name: then 서 is nobody's
    return [
        ("title", [a.part(lambda n: f"{n} 씨"), "는 오늘 하늘이 맑다고 했다."]),
        ("title", [b.part(lambda n: f"{n[0]} 과장", two), "이 확인했다. ", b.part(lambda n: f"{n[0]}과장님", two), "도 안다."]),
        (
            "ordinary",
            ["모두 하루 만에 바로 그 사람의 나라로 새로 갔다. 도로는 주로 미리 보고, 모델은 대로 옆에서 두루 소비한다."],
        ),
        ("whole", ["> ", a.part(), "(45세)\n- ", b.part(), "\n"]),
        ("code", ["`", a.part(), "_기록.txt`를 열고 user=", b.part(), "&n=1"]),
    ]


def _korean_particles(a: Both, b: Both, company: Both, town: Both) -> list[tuple[str, Parts]]:
    return [
        ("particle", [inflected(a, "은"), " 어제 ", inflected(company, "을"), " 찾았다."]),
        ("particle", [inflected(a, "이"), " 말했고 ", inflected(b, "과"), " 의논했다."]),
        ("particle", [inflected(b, "을"), " 보고 ", inflected(a, "에게서"), " 들었다."]),
        ("particle", ["담당자는 ", inflected(b, "이라고"), " 한다. ", inflected(a, "이라서"), " 다행이다."]),
        ("particle", [inflected(a, "으로"), " 바꾸고 ", inflected(b, "이나"), " 다른 사람을 부른다."]),
        ("particle", [inflected(a, "이랑"), " 같이 가는 것이 좋다."]),
        ("particle", [inflected(b, "의"), " 의견: “", inflected(a, "도"), " 괜찮다.”"]),
        ("particle", [inflected(town, "에서"), " 왔다. ", inflected(town, "은"), " 멀다."]),
        ("particle", [inflected(company, "에"), " 문의하고 ", inflected(company, "과"), " 계약한다."]),
        ("particle", [inflected(a, "께서는"), " 오셨고 ", inflected(b, "이야말로"), " 적임자다."]),
        ("particle", ["보낸 사람은 ", inflected(a, "이에요"), ". 받은 사람은 ", inflected(b, "이었다"), "."]),
        ("particle", [inflected(a, "으로부터"), " 받아 ", inflected(b, "에게까지"), " 준다. ", inflected(a, "이라면"), "!"]),
        ("particle", [inflected(b, "이지만"), " 모른다. ", inflected(a, "은커녕"), " 아무도 없다."]),
        ("marked", [inflected(a, "은", around=("**", "**")), " 어제 “", inflected(b, "을", around=("", "”")), " 찾았다."]),
        ("marked", [inflected(b, "이", around=("`", "`")), " 말했고 ", inflected(a, "과", around=("‘", "’")), " 의논했다."]),
    ]


def _korean_given_names(both: Both) -> list[tuple[str, Parts]]:
    alone = Both(both.real[1:], both.sent[1:])
    return [
        ("one name", [inflected(alone, "은"), " 오고 ", inflected(alone, "을"), " 보자. ", inflected(alone, "아"), "!"]),
        ("split", [both.part(lambda n: f"{n[0]} {n[1:]}"), " 님께 드립니다."]),
        ("translated", ["영문: ", both.part(_in_latin, True), " 또는 ", both.part(lambda n: _in_latin(n, "-"), True), "."]),
    ]
