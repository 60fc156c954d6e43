"""Korean postal addresses: by road (도로명), by lot (지번), and the units of buildings."""

import re
from collections.abc import Iterator

from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind

_REGION = (
    r"(?:(?:서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|전북|전남|경북|경남|제주|충청[남북]도|전라[남북]도|경상[남북]도)"
    r"(?:특별시|광역시|특별자치시|특별자치도|도|시)?)"
)
_GAP = r"[ \t]{0,2}(?:\n[ \t]*)?"
_TOWN = rf"(?:(?<![가-힣])(?:{_REGION}|[가-힣]{{1,5}}(?:시|군|구)){_GAP}){{0,4}}"
_VILLAGE = r"(?:[가-힣]{1,5}\d{0,2}(?:읍|면|동|가|리)[ \t]{0,2}){0,3}"
_BUILDING = (
    r"[가-힣A-Za-z\d]{1,14}"
    r"(?:아파트|빌라|빌딩|타워|오피스텔|맨션|주공|자이|래미안|푸르지오|힐스테이트|센터|상가|주택|하우스|프라자)"
)
_NUMBER = r"\d{1,4}(?:-\d{1,4})?"
_NO_COUNT = r"(?!\d|,\d|년|월|일|시|분|개|명|번째|인|살|세|차|%)"
_REST = (
    rf"(?:[\s,]{{0,3}}(?:\([가-힣\dA-Za-z\s,]{{2,30}}\)|{_BUILDING}|지하 ?\d{{1,2}}층"
    r"|제?[\dA-Za-z가-힣]{1,4}동(?=[ ,]?제?\d)|제?\d{1,5} ?(?:호|층)(?!선)))*"
)
PATTERNS = (
    # (06236) 서울특별시 강남구 테헤란로 123, 4층 (역삼동); 도산대로12길 7
    re.compile(
        rf"(?:\(?(?<!\d)\d{{5}}\)?\s{{1,2}})?{_TOWN}{_VILLAGE}(?<![가-힣])[가-힣\d·.]{{1,12}}(?:로|길)[ \t]{{0,2}}(?:지하 ?)?"
        rf"{_NUMBER}{_NO_COUNT}(?:번?[가-힣]?길[ \t]{{0,2}}{_NUMBER})?{_REST}"
    ),
    # 경기도 수원시 팔달구 인계동 1111-3번지
    re.compile(
        rf"{_TOWN}{_VILLAGE}[가-힣]{{1,6}}\d{{0,2}}(?:동|리|가|읍|면)[ \t]{{1,2}}(?:산 ?)?{_NUMBER}(?:번지)?"
        rf"{_NO_COUNT}(?!층|호){_REST}"
    ),
    # 서울시 강남구 역삼동
    re.compile(
        rf"(?<![가-힣]){_REGION}[ \t](?:[가-힣]{{1,5}}(?:시|군|구|읍|면|동|리)[ \t]?){{1,4}}"
        r"(?=[^가-힣]|입니다|[에의은는이가을를로과와도]|$)"
    ),
    # 101동 1203호, 한빛아파트 1203호
    re.compile(rf"(?<!\d)\d{{1,4}}동[ ,]{{0,2}}\d{{1,5}}호|{_BUILDING}[ ,]{{0,2}}(?:\d{{1,4}}동)?[ ,]{{0,2}}\d{{1,5}}호"),
)


def find(text: str) -> Iterator[Found]:
    """Find addresses in a `Reading`'s text; what is found may overlap."""
    if re.search("[가-힣]", text) is None:
        return
    for pattern in PATTERNS:
        for match in pattern.finditer(text):
            yield Found(match.start(), match.start() + len(match[0].rstrip()), Kind.ADDRESS)
