"""Korean companies and bodies by their legal form: ㈜가온길, 가온길 주식회사, 사단법인 푸른나래.

Their names are often ordinary words, or words of no dictionary that a reader of Korean takes apart; the form beside one tells
that it is a name. Only the name is found: the form stays, and the name is recognised where it stands alone.
"""

import re
from collections.abc import Iterator

from desktop_app.privacy.language.hangul import ORGANISATION_ENDINGS
from desktop_app.privacy.language.word_sets import words
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind

_BODY = (
    r"(?:주식|유한|유한책임|합자|합명)회사|(?:사단|재단|의료|학교|사회복지|농업회사|어업회사|법무|회계|세무|노무|특허)법인"
    r"|영[농어]조합법인|사회적협동조합|협동조합|사회적기업"
)
_MARK = r"\((?:주|유|사|재|의|학|복)\)"  # ㈜ and the like are read as these
_ALONE = re.compile(_BODY)
_FORM = re.compile(f"{_BODY}|{_MARK}")
_NAME = r"[가-힣A-Za-z\d&·.-]*[가-힣A-Za-z&][가-힣A-Za-z\d&·.-]*"
_BEFORE = re.compile(rf"(?:(?<![가-힣])(?:{_BODY})[ \t]|(?<![\w)]){_MARK}[ \t]?)(?P<name>{_NAME})")
_BEHIND = re.compile(rf"(?P<name>{_NAME})(?:{_MARK}|[ \t]{_MARK}(?![\w ])|[ \t](?:{_BODY})(?![가-힣]{{3}}))")
# 푸른나래 | 에서 | 는
_PARTICLE = re.compile(
    r"(?P<name>.{2,}?)(?:에서|에게|에|으로|로|과|와|이|라|이라)?"
    r"(?:은|는|이|가|을|를|의|도|만|측|에|에서|에게|과|와|로|으로|부터|까지|이다|입니다|이라는|라는|이며|이고|인)?"
)
_TOPIC = re.compile(r".+(?:은|는|을|를|의|에|에서|으로|로|과|와|도|인|된|한|할|및|또는)")
_ENDS = rf"(?:{'|'.join(ORGANISATION_ENDINGS)})(?![가-힣]{{3}})"
_MORE = re.compile(rf"(?: [가-힣]{{1,8}}){{0,3}} ?[가-힣]{{0,8}}{_ENDS}")
_NEXT = re.compile(f" {_ENDS}")
# What is said of a legal form in general
_NO_NAMES = words("""
    설립 등기 정관 이사 이사회 대표이사 대표 감사 임원 주주 주주총회 주식 형태 전환 상법 법률 제도 회사 기업 법인 조합 조합원 운영
    지위 명의 자격 요건 절차 규정 합병 분할 해산 청산 변경 인가 허가 신고 지분 자본금 사원 소속 직원 관계자 측 등 또는 및 이후
    해당 어느 모든 다른 같은 그 이 저 한 두 각 동 본 상장 비상장 신설 기존 국내 외국 해외 대형 소형 중소 유명 일반 민간 비영리
    영리 공익 특수 현행 국내의 당사자 변호사 회계사 세무사 노무사 변리사 의사
""")


def find(text: str) -> Iterator[Found]:
    """Find names beside a legal form in a `Reading`'s text; what is found may overlap."""
    if _FORM.search(text) is None:
        return
    for match in _BEFORE.finditer(text):
        start, end = match.span("name")
        name = _without_particles(match["name"])
        if name in _NO_NAMES or len(name) < 2:
            continue
        # 참밝은 재단 is one name; so is 한국 청소년 상담 협회, but not what follows a particle.
        more = _NEXT.match(text, end) or (_MORE.match(text, end) if name == match["name"] else None)
        yield Found(start, more.end() if more else start + len(name), Kind.ORGANISATION)
    for match in _BEHIND.finditer(text):
        name = match["name"]
        if len(name) > 1 and name not in _NO_NAMES and _TOPIC.fullmatch(name) is None:
            yield Found(*match.span("name"), Kind.ORGANISATION)


def is_legal_form(word: str) -> bool:
    """Whether a word is a legal form itself, which names nobody."""
    return _ALONE.fullmatch(word) is not None


def _without_particles(word: str) -> str:
    """A word without the particles at its end, of which none is taken for one that could as well be a syllable of a name."""
    match = _PARTICLE.fullmatch(word)
    return match["name"] if match else word
