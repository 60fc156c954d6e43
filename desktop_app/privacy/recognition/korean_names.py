"""Names in Korean text: Kiwi's proper nouns (Apache-2.0), and rules for what it takes apart or does not know.

A name that Kiwi does not know it takes for a noun that is in no dictionary, or cuts into words of a syllable. So a run of nouns
without a blank is a name where one of them is a proper noun or in no dictionary, where it begins with a family name and goes on
as given names do, or where what stands beside it tells: a title, kin, an age in brackets, another name.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from desktop_app.privacy.errors import RecogniserFailed
from desktop_app.privacy.language.common_words import COMMON_WORDS, NO_NAMES
from desktop_app.privacy.language.hangul import (
    BUILDINGS,
    GIVEN_NAMES,
    INSTITUTIONS,
    LONG_SURNAMES,
    ORGANISATION_ENDINGS,
    PLACE_ENDINGS,
    SURNAMES,
    TITLES,
    is_particles,
    may_be_given_name,
)
from desktop_app.privacy.recognition.korean_companies import is_legal_form
from desktop_app.privacy.recognition.lines import LATIN_PHRASE
from desktop_app.privacy.recognition.names import DOSE, Found
from desktop_app.privacy.spans import Kind

NOUNS = frozenset({"NNG", "NNP", "NNB", "NR", "SL", "SH", "SN", "XPN", "XSN", "XR", "MM", "MAG", "IC", "UN"})
INNER = frozenset({"NNG", "NNP", "XR", "SH", "UN"})
HONORIFICS = frozenset(["씨", "님", "양", "군", "옹", "모"])
_HANGUL = re.compile("[가-힣]")
_SYLLABLES = re.compile("[가-힣]+")
_WRITTEN = re.compile("[가-힣A-Za-z\u3400-\u9fff]")
_TITLES = "|".join(sorted(TITLES, key=len, reverse=True))
_LONG_TITLES = "|".join(sorted((title for title in TITLES if len(title) > 1), key=len, reverse=True))
_SURNAMES = f"(?:{'|'.join(LONG_SURNAMES)}|[{''.join(sorted(SURNAMES))}])"
# 한지우(31), 한지우(55·의사), 김모(여·33)
_AGE = re.compile(r"\s?\((?:\d{1,3}(?:세|살)?|[가-힣]{1,3}[·,]\s?\d{1,3}|女|男|여|남)\s?[)·,세]")
_TITLE = re.compile(rf"\s?(?:전 |현 |신임 )?(?:{_TITLES})(?P<rest>[가-힣]*)")
_HONORIFIC = re.compile(r"\s?(?:씨|옹|양(?=[은이을의과도,. (]|$)|군(?=[은이을의과도,. (]|$))(?P<rest>[가-힣]*)")
# B 씨, A(57)씨, K기자
_ANONYMOUS = re.compile(rf"(?<![A-Za-z])[A-Z](?:\s?(?:{_TITLES}|모|여성|남성|학생|부부)(?P<rest>[가-힣]*)|(?=\s?\(\d))")
# B사, A어학원, H&M, 서울중앙지법 형사12부
_ORGANISATION = re.compile(
    r"(?<![A-Za-z])[A-Z](?:사(?=[는가의를에와도]|\s|$)|그룹|은행|병원|학원|어학원|대학교?|고교|업체|회사|마트|식당)"
    r"|[A-Z][A-Za-z]*&[A-Z][A-Za-z]*"
    r"|(?:형사|민사|행정|가사|특별|강력|공안|조사|특수)(?:합의)? ?(?:\d{1,2} ?)?(?:단독|부)(?=[는은이가의에와을를 (,.]|$)"
)
# 광식이 형, 지혜누나: a given name that kin follow.
_KIN = re.compile(
    r"(?<![가-힣])(?P<name>[가-힣]{2})이?\s?(?:형|누나|언니|오빠|엄마|아빠|삼촌|이모|할머니|할아버지|씨|양|군)"
    r"(?:님|이|은|는|의|도|가|를|을|랑|한테|에게)*(?![가-힣])"
)
# 김 씨, 최모(32), 윤 선수: with titles of two syllables and more
_SURNAME_ALONE = re.compile(
    rf"(?<![가-힣])(?P<name>{_SURNAMES})(?:\s?(?:씨|모(?=\s?(?:씨|양|군|\()))|(?:양|군)\s?\(| (?:{_LONG_TITLES}))"
    r"(?P<rest>[가-힣]*)"
)
# Surnames that are words in front of a title too: 전 대통령 is a former president where a name precedes it.
_FORMER = frozenset(["전", "현", "한", "이", "본"])


class _Token(NamedTuple):
    start: int
    end: int
    form: str
    tag: str
    known: bool  # stands in Kiwi's dictionary


class KoreanNames:
    """Kiwi with its own model, loaded with the first Korean text."""

    def __init__(self) -> None:
        self._model: Any = None

    def reads(self, text: str) -> bool:
        """Whether there is Hangul in it."""
        return _HANGUL.search(text) is not None

    def find(self, texts: Sequence[str]) -> list[list[Found]]:
        """Return the names in each text."""
        if not texts:
            return []
        analysed = self._loaded().tokenize(texts)
        return [
            list(_Line(text, [_Token(t.start, t.end, t.form, t.tag, not t.oov) for t in tokens]).names())
            for text, tokens in zip(texts, analysed, strict=True)
        ]

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                from kiwipiepy import Kiwi

                self._model = Kiwi(num_workers=2)
            except (ImportError, OSError, ValueError) as error:
                raise RecogniserFailed(
                    "The recogniser of Korean names could not be loaded. Install Sotto again, or turn protection off."
                ) from error
        return self._model


class _Line:
    """A line's morphemes, and which of its nouns are names."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self._text = text
        self._tokens = tokens
        # Phrases in Latin letters are for another recogniser.
        self._foreign = [phrase.span() for phrase in LATIN_PHRASE.finditer(text)]

    def names(self) -> Iterator[Found]:
        """The names in this line; they may overlap."""
        named = False  # whether a name stands right before
        before = 0
        for run in self._runs():
            close = self._text[before : run[0].start] in (" ", "")
            found = self._in_run(run, after_name=named and close)
            named, before = found is not None, run[-1].end
            if found is not None:
                yield found
        for match in _ANONYMOUS.finditer(self._text):
            rest = match["rest"] or ""
            if is_particles(rest):
                yield Found(match.start(), match.end() - len(rest), Kind.PERSON)
        for match in _ORGANISATION.finditer(self._text):
            yield Found(match.start(), match.end(), Kind.ORGANISATION)
        for match in _KIN.finditer(self._text):
            if may_be_given_name(match["name"]):
                yield Found(match.start(), match.end("name"), Kind.PERSON)
        for match in _SURNAME_ALONE.finditer(self._text):
            follows_noun = re.search(r"[가-힣] $", self._text[: match.start()]) is not None
            if is_particles(match["rest"]) and not (match["name"] in _FORMER and follows_noun):
                # With its title: one syllable by itself is no value that could be found again.
                yield Found(match.start(), match.start("rest"), Kind.PERSON)
        yield from self._by_family_name()

    def _runs(self) -> Iterator[list[_Token]]:
        """Nouns that stand together without a blank, particles left out."""
        run: list[_Token] = []
        for token in self._tokens:
            joined = run and token.start == run[-1].end
            if token.tag in NOUNS and (joined or not run):
                run.append(token)
                continue
            if run:
                yield run
            run = [token] if token.tag in NOUNS else []
        if run:
            yield run

    def _in_run(self, run: list[_Token], after_name: bool) -> Found | None:
        """The name that a run of nouns is; None where it is none."""
        while len(run) > 1 and (run[-1].form in HONORIFICS or run[-1].tag in ("NNB", "XSN")):
            run = run[:-1]
        while len(run) > 1 and run[0].tag in ("SN", "MAG", "IC", "NR", "MM") and run[0].form not in SURNAMES:
            run = run[1:]
        start, end = run[0].start, run[-1].end
        word = self._text[start:end]
        if DOSE.match(self._text, end) or is_legal_form(word):
            return None
        if any(self._is_name(token) for token in run) or self._is_told(word, end) or _is_institution(run, word, after_name):
            return Found(start, self._end(end), _kind(word, run))
        return None

    def _end(self, end: int) -> int:
        """Where a name ends of which Kiwi has taken the last syllables for something else: 모니카벨루 + 치, 에인트호 + 번."""
        rest = _SYLLABLES.match(self._text, end)
        if rest is None or is_particles(rest[0]) or self._tokens_in(end, rest.end())[0].tag[0] in "JEVXN":
            return end
        return next((end + size for size in (1, 2) if is_particles(rest[0][size:])), end)

    def _tokens_in(self, start: int, end: int) -> list[_Token]:
        return [token for token in self._tokens if token.start < end and token.end > start]

    def _is_name(self, token: _Token) -> bool:
        if token.tag in ("NNP", "SH"):
            return _WRITTEN.search(token.form) is not None
        if token.tag == "SL":
            if any(start <= token.start < end for start, end in self._foreign):
                return False
            word = token.form.lower()
            return len(word) > (1 if any(map(str.isupper, token.form)) else 2) and word not in NO_NAMES | COMMON_WORDS
        return not token.known and token.tag in INNER and len(token.form) > 1 and _SYLLABLES.fullmatch(token.form) is not None

    def _is_told(self, word: str, end: int) -> bool:
        """Whether what stands after a word tells that it is a person's name."""
        if not 2 <= len(word) <= 5 or _SYLLABLES.fullmatch(word) is None:
            return False
        if _AGE.match(self._text, end):
            return True
        honorific = _HONORIFIC.match(self._text, end)
        return honorific is not None and is_particles(honorific["rest"]) and word not in ("아저", "아가", "날", "글")

    def _by_family_name(self) -> Iterator[Found]:
        """Family and given name together, whatever Kiwi has made of them."""
        for match in _SYLLABLES.finditer(self._text):
            eojeol, start = match[0], match.start()
            surname = eojeol[:2] if eojeol[:2] in LONG_SURNAMES else eojeol[:1]
            given = eojeol[len(surname) : len(surname) + 2]
            if len(given) < 2 or surname not in SURNAMES | LONG_SURNAMES or not may_be_given_name(given):
                continue
            end = start + len(surname) + 2
            rest = eojeol[len(surname) + 2 :]
            title = _TITLE.match(self._text, end)
            titled = title is not None and is_particles(title["rest"])
            if not (is_particles(rest) or titled):
                continue
            if self._is_taken_apart(start, end, given, titled):
                yield Found(start, end, Kind.PERSON)

    def _is_taken_apart(self, start: int, end: int, given: str, titled: bool) -> bool:
        """Whether the words that Kiwi has found in a name are such as are none together."""
        tokens = self._tokens_in(start, end)
        if not tokens or (len(tokens) == 1 and tokens[0].known and not titled):
            return False
        if tokens[-1].end != end and not (titled or given in GIVEN_NAMES):
            return False
        verbal = any(token.tag[0] in "JEV" for token in tokens if token.start < end)
        if verbal:
            return given in GIVEN_NAMES or titled
        shape = [token.end - token.start for token in tokens]
        if shape == [1, 2] and tokens[1].known and tokens[0].tag not in ("NNP", "NNG"):
            return given in GIVEN_NAMES or titled
        if shape == [2, 1] and tokens[0].known and tokens[0].tag in ("NNG", "MAG", "NP", "NR"):
            return given in GIVEN_NAMES or titled
        return len(tokens) > 1 or not tokens[0].known


def _is_institution(run: list[_Token], word: str, after_name: bool) -> bool:
    """Whether a word is the name of an institution by how it ends; after a name, shorter ones are too: 파나마 정부."""
    if word in INSTITUTIONS or (after_name and word not in TITLES and word.endswith((*ORGANISATION_ENDINGS, *BUILDINGS))):
        return True
    return len(word) > 3 and (len(run) > 1 or not run[0].known) and word.endswith(ORGANISATION_ENDINGS)


def _kind(word: str, run: list[_Token]) -> Kind:
    if word.endswith(ORGANISATION_ENDINGS) or any(token.tag == "SL" for token in run):
        return Kind.ORGANISATION
    if run[0].form in SURNAMES and 2 <= len(word) <= 4:
        return Kind.PERSON
    return Kind.PLACE if len(word) > 2 and word.endswith(PLACE_ENDINGS) else Kind.PERSON
