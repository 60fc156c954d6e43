"""Names that stand for others, from `resources/privacy`, and made-up ones for when those run out.

All of them are such that nobody means anything else by them: no common words, nothing that is another name with an s behind it.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from desktop_app.privacy.language.korean import Sound, last_sound

RESOURCES = Path(__file__).resolve().parents[3] / "resources" / "privacy"

Gender = Literal["f", "m", ""]
Draw = Callable[[int], int]


class Country(NamedTuple):
    """A country's name, its adjective, its name in Korean; `stands_in`: it may stand for others."""

    name: str
    adjective: str
    korean: str
    stands_in: bool


def resource(name: str) -> Iterator[list[str]]:
    """The lines of one of this room's resources, cut into words."""
    for line in (RESOURCES / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split()


@cache
def english_given_names(gender: Gender) -> tuple[str, ...]:
    """Given names of a gender; "" is all of them."""
    return tuple(name for name, its, _ in resource("english_given_names.txt") if gender in (its, ""))


@cache
def english_surnames() -> tuple[str, ...]:
    """Family names."""
    return tuple(name for name, _ in resource("english_surnames.txt"))


@cache
def readings() -> Mapping[str, str]:
    """How Koreans write the English names that stand for others, by the name in lower case."""
    names = [(name, reading) for name, *_, reading in (*resource("english_given_names.txt"), *resource("english_surnames.txt"))]
    return MappingProxyType({name.casefold(): reading for name, reading in names if reading != "-"})


def sound(word: str) -> Sound | None:
    """The class of a word's last sound, of an English name as Koreans say it."""
    return last_sound(readings().get(word.casefold(), word))


@cache
def _genders(well_known: bool) -> Mapping[str, Gender]:
    known: dict[str, Gender] = {}
    for key, *names in resource("genders.txt"):
        if not well_known or key in ("f", "m"):
            known |= {name.casefold(): "f" if key[0] == "f" else "m" for name in names}
    for name, its, _ in resource("english_given_names.txt"):
        known[name.casefold()] = "f" if its == "f" else "m"
    return MappingProxyType(known)


def english_gender(name: str) -> Gender:
    """The gender that a given name tells, "" where it tells none."""
    return _genders(well_known=False).get(name.casefold(), "")


def is_english_given_name(name: str) -> bool:
    """Whether this is a well-known given name."""
    return name.casefold() in _genders(well_known=True)


@cache
def korean_given_names(gender: Gender) -> tuple[str, ...]:
    """Given names in Hangul of a gender; "" is all of them."""
    return tuple(name for its, *names in resource("korean_given_names.txt") if gender in (its, "") for name in names)


@cache
def korean_surnames() -> tuple[str, ...]:
    """Family names in Hangul."""
    return tuple(name for names in resource("korean_surnames.txt") for name in names)


_FEMALE_ENDS = frozenset("자숙희미순옥란애연아경혜나은")
_MALE_ENDS = frozenset("철호식수혁훈석욱규환섭택근범웅준")


def korean_gender(given: str) -> Gender:
    """The gender that a Korean given name tells, "" where it tells none."""
    for gender in ("f", "m"):
        if given in korean_given_names(gender):
            return gender
    return "f" if given[-1:] in _FEMALE_ENDS else "m" if given[-1:] in _MALE_ENDS else ""


def towns(of: Literal["city", "en", "ko"]) -> tuple[str, ...]:
    """Names of towns of some size, of English streets and villages, or of places in Korea."""
    return _places(of)


def companies() -> tuple[str, ...]:
    """What companies, projects and code names are called: names of stars and legends, which mean nothing else."""
    return _places("company")


@cache
def _places(of: str) -> tuple[str, ...]:
    return tuple(name for its, *names in resource("places.txt") if its == of for name in names)


@cache
def countries() -> tuple[Country, ...]:
    """Countries, those that may stand for others and the rest of the well-known ones."""
    return tuple(Country(line[0], line[1], line[2], stands_in=len(line) == 3) for line in resource("countries.txt"))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ONSETS = _listed("b br c cr d dr f g gr h k l m n p pr qu r s t tr v w z")
_VOWELS = "aeiou"
_CODAS = ("", "", "l", "n", "r")
_HEADS = _listed(
    "Ash Bar Bel Birk Brad Bram Cal Carl Chart Clay Col Cor Crom Dal Den Dun East Eg El Elm Farn Fen Fox Gar Glen Hal Ham Har"
    " Hazel Hol Kel Ken Kirk Lang Lin Mar Mel Nor Oak Pen Ray Red Ros Rother Sel Shel Stan Thorn Tor Wal Wen Whit Wil Win Wood"
)
_TAILS = _listed("ford ley ton well wick worth combe shaw ridge more field stead thorpe bury ham wood brook croft gate hurst")
_GIVEN_HEADS = _listed(
    "Al Ar Bel Bren Cal Car Cel Dar Del El Er Far Gal Ger Hal Hel Is Jan Jor Kal Kel Lan Lor Mar Mel Nel Or Ral Ros Sal Sel"
    " Tal Ter Ul Val Ver Wil Yel Zel"
)
_GIVEN_TAILS: Mapping[str, tuple[str, ...]] = {
    "f": _listed("ina elle ora ette ianne enda ibel issa ella etta ona arie"),
    "m": _listed("den ric vin mund bert win dor ton lan wald man eth"),
}


def made_up_word(draw: Draw) -> str:
    """A word that is none, with a capital, as a company could be called."""
    syllables = [_ONSETS[draw(len(_ONSETS))] + _VOWELS[draw(len(_VOWELS))] + _CODAS[draw(len(_CODAS))] for _ in range(2)]
    return "".join(syllables).capitalize() + ("o", "a", "in", "el", "or")[draw(5)]


def made_up_surname(draw: Draw) -> str:
    """A family name as there could be one in English."""
    return _HEADS[draw(len(_HEADS))] + _TAILS[draw(len(_TAILS))]


def made_up_given_name(gender: Gender, draw: Draw) -> str:
    """A given name as there could be one in English."""
    tails = _GIVEN_TAILS.get(gender) or [*_GIVEN_TAILS["f"], *_GIVEN_TAILS["m"]]
    return _GIVEN_HEADS[draw(len(_GIVEN_HEADS))] + tails[draw(len(tails))]


# Syllables that make up names without meaning; the last is chosen by its sound, so that particles stay as they are. One in the
# middle that no Korean word has keeps them from being words: of two common syllables, or three, many are, as 바로, 사람, 주차비.
_FIRST = _listed("가 나 다 라 마 바 사 아 자 차 하 도 로 모 보 소 오 호 루 무 주 미 비 시 해 새 대 세 예")
_MIDDLE = _listed("켈 템 켐 넴 핌 펠 멤 쉘 밈 뮌 겜 펨")
_LAST = {
    Sound.VOWEL: _listed("라 모 로 비 루 나 디 보 두 메"),
    Sound.LIQUID: _listed("벨 솔 빌 펠 롤 델 멜 뮬"),
    Sound.CONSONANT: _listed("람 돈 빈 넨 벤 탄 론 텐 몬 딘"),
}


def made_up_korean(sound: Sound | None, draw: Draw, length: int = 3) -> str:
    """A word without meaning in Hangul, of at least three syllables, whose last sound is of this class."""
    ends = _LAST[sound or Sound.VOWEL]
    middle = "".join(_MIDDLE[draw(len(_MIDDLE))] for _ in range(max(1, length - 2)))
    return _FIRST[draw(len(_FIRST))] + middle + ends[draw(len(ends))]


def of_sound(names: tuple[str, ...], sound: Sound | None) -> tuple[str, ...]:
    """Those names whose last sound is of this class; None: all of them."""
    return tuple(name for name in names if sound is None or last_sound(name) is sound)


# Letters of other scripts that words without meaning are made of.
_ALPHABETS = (
    ("\u0400", "\u04ff", "абвгдеиклмнопрстуя"),
    ("\u0370", "\u03ff", "αβγδεικλμνοπρτυω"),
    ("\u0590", "\u05ff", "אבגדהלמנרשת"),
    ("\u0600", "\u06ff", "ابتدرسلمنوي"),
    ("\u0900", "\u097f", "कगतदनपबमरलस"),
    ("\u0e00", "\u0e7f", "กขคตนบพมยรลส"),
    ("\u3040", "\u309f", "あいうえかきくけさしすせたちつなにのはひまみもやゆらりる"),
    ("\u30a0", "\u30ff", "アイウエカキクケサシスセタチツナニノハヒマミモヤユラリル"),
    ("\u3400", "\u9fff", "和泉桜梅桐松柏岩谷江嶋瀬原沢峰嘉文智雅慧静瑶峻岚澄"),
)


def made_up_in_script(letter: str, draw: Draw, length: int) -> str:
    """A word without meaning in the script of a letter; in Latin letters where that script is not known here."""
    for first, last, letters in _ALPHABETS:
        if first <= letter <= last:
            word = "".join(letters[draw(len(letters))] for _ in range(max(3, length)))
            return word.capitalize() if letter.isupper() or "а" <= word[0] <= "я" else word
    return made_up_word(draw)
