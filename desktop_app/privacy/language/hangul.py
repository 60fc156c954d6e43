"""What recognisers know of Korean: particles after a noun, family and given names, titles, what organisations are called."""

import re
from collections.abc import Collection

from desktop_app.privacy.language.word_sets import words

# Particles and the copula as they stand after a noun, alone or in chains ("에게서는", "이라고까지").
_PARTICLES = words("""
    은 는 이 가 을 를 의 에 에서 에게 에게서 께 께서 께서는 한테 한테서 더러 보고 와 과 하고 랑 이랑 도 만 까지 마저 조차 부터
    로 으로 로서 으로서 로써 으로써 처럼 같이 보다 만큼 밖에 뿐 이나 나 이라도 라도 이든 든 이든지 든지 이며 며 이고 고 이자
    자 이야 야 아 이여 여 이란 란 이라 라 이라는 라는 이라고 라고 이라며 라며 이라서 라서 이었다 였다 이었던 였던 이었고 였고
    이었지만 였지만 이다 다 인 일 임 입니다 이에요 예요 이라면 라면 이니 니 이지만 지만 인데 인지 이죠 죠 이네 네 네요 이네요
    이니까 니까 이야말로 야말로 커녕 마다 치고 이나마 나마 이라기보다 라기보다 이라든지 라든지 이라든가 라든가 이든가 든가
    이거나 거나 이므로 므로 이더라도 더라도 이어서 여서 이어도 여도 이어야 여야 이었으며 였으며 이었으나 였으나 이었는데 였는데
    이었습니다 였습니다
    요 들 이들 측 씨 님 양 군 옹 식 쪽 이가 이는 이를 이의 이도 이와 이에게 이한테 이만
""")
_CHAIN = re.compile(f"(?:{'|'.join(sorted(_PARTICLES, key=len, reverse=True))})*")

CALLS = ("이네", "네", "야", "아", "이")  # behind a name, of which they look like a syllable
# All family names of more than a few hundred bearers, the most common ones first.
SURNAMES = words("""
    김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 전 홍 유 고 계 문 양 손 배 백 허 남 심 노 하 곽 성 차 주 우 구 나 민
    진 지 엄 채 원 천 방 공 현 함 변 염 여 추 도 소 석 선 설 마 길 연 위 표 명 기 반 라 왕 금 옥 육 인 맹 제 모 탁 국 어 은 편
    용 예 경 봉 사 부 가 복 태 목 형 피 두 감 음 빈 동 온 호 범 좌 팽 승 간 상 갈 시 단 견 당 화 창 류
""")
LONG_SURNAMES = words("""
    남궁 황보 선우 제갈 독고 사공 서문 동방 어금 망절
""")
# Syllables that given names are made of, in their first and second place.
FIRST_SYLLABLES = words("""
    가 강 건 경 광 규 근 기 길 나 남 다 대 덕 도 동 두 리 명 무 문 미 민 범 병 보 봉 상 새 서 석 선 성 세 소 솔 수 순 슬 승 시
    신 아 애 영 예 옥 용 우 운 원 유 윤 은 을 의 이 인 일 자 장 재 정 제 종 주 준 중 지 진 찬 창 채 철 초 춘 충 태 하 학 한 해
    현 형 혜 호 홍 화 환 효 훈 휘 희 연 라 로
""")
SECOND_SYLLABLES = words("""
    강 건 경 곤 관 광 교 구 국 권 규 균 근 기 길 나 남 녀 덕 도 동 두 라 란 람 래 련 렬 령 로 록 룡 률 름 리 린 림 만 모 무 문
    미 민 배 범 별 병 보 복 봉 비 빈 빛 상 서 석 선 섭 성 세 소 솔 수 숙 순 슬 식 신 실 아 애 연 열 엽 영 예 옥 온 완 용 우 욱
    운 웅 원 유 윤 율 은 을 의 이 익 인 일 임 자 재 정 제 조 종 주 준 중 지 진 찬 창 채 철 춘 태 택 표 필 하 학 한 해 혁 현 형
    혜 호 홍 화 환 효 후 훈 휘 희
""")
GIVEN_NAMES = words("""
    민준 서준 도윤 예준 시우 하준 주원 지호 지후 준서 준우 현우 도현 지훈 건우 우진 선우 서진 민재 현준 연우 유준 정우 승우
    승현 시윤 준혁 은우 지환 승민 지우 유찬 윤우 민성 준영 시후 진우 지원 수호 재윤 시현 동현 수현 태윤 이안 민우 재원 한결
    민찬 윤호 민규 준호 지한 은찬 지민 성민 정민 성현 지성 재현 태민 태현 민호 민혁 성준 성훈 성호 상현 상우 영호 영수 영진
    영민 정호 정훈 재훈 재호 재석 동욱 동훈 종현 종훈 광수 광호 철수 진호 진수 경수 경호 기현 서연 서윤 지유 하은 민서 하윤
    윤서 채원 지아 수아 서현 다은 예은 소율 예린 수빈 소윤 예원 유진 시은 채은 가은 서영 민지 예진 수민 수연 예나 예서 다인
    나은 시아 은서 하린 유나 아린 지안 연서 다현 서아 서희 윤아 지혜 지연 지은 지영 지현 은영 은주 은정 은지 은혜 미영 미경
    미정 미숙 미선 영희 영숙 영자 영미 영애 정희 정숙 정은 정아 경희 경숙 경미 명숙 명희 순자 순옥 옥순 춘자 현주 현정 현숙
    현아 혜진 혜정 혜경 혜원 혜선 혜린 소영 소연 소희 수진 수정 수경 유미 유정 윤정 윤희 선영 선희 선미 성희 나영 나연 나라
    하나 하늘 보라 슬기 아름 가영 다영 두나 고은 세영 세진 승희 주희 주연 진희 진영 태희 효진 희정 희경 희선 길동 재영 창민
    창호 석진 석현 병철 병호 용준 용호 원석 인호 인철 태호 형준 홍석 희철 상민 상훈 세훈 승호 승환 윤재 은호 찬호 찬우 충현
    필호 한별 한솔 해인 해진 현수 현석 현철 형식 호준 효준 훈
""")
# Given names that are common words: they are names where a title or family name stands by them, and nowhere else.
COMMON_GIVEN_NAMES = words("""
    하늘 보라 하나 나라 아름 슬기 가을 여름 바다 구름 사랑 소망 은혜 지혜 진실 이슬 새벽 미래 기쁨 우리 누리 정의 공유 우주
    영화 주인 인재 신비 유리 수리 자연 지구 도시 기록 보배 선물 소리 미소 가지 나비
""")
TITLES = words("""
    씨 님 양 군 옹 교수 박사 의사 간호사 원장 과장 부장 차장 대리 사장 부사장 회장 부회장 총괄회장 대표 대표이사 이사 상무
    전무 팀장 실장 본부장 국장 총장 총재 총리 부총리 대통령 의원 장관 차관 시장 군수 구청장 지사 검사 판사 대법관 변호사
    변호인 기자 특파원 앵커 아나운서 감독 코치 선수 배우 연기자 가수 작가 시인 화백 신부 목사 스님 수녀 추기경 교황 선생
    선생님 대위 소위 중위 소령 중령 대령 장군 제독 형사 경위 경감 경사 경장 순경 총경 환자 고객 부인 여사 황제 여왕 공주 왕자
    비서관 수석 위원장 위원 후보 당선인 당선자 사무총장 대변인 디자이너 셰프 하사 병장 상병 이병 일병 주임 사원 연구원 강사
    조교 교사 교장 교감 원내대표 최고위원 조합장 지점장 소장 이장 통장 매니저 프로듀서 피디 엄마 아빠 누나 언니 오빠 형 할머니
    할아버지 삼촌 이모 고모 어머니 아버지 어머님 아버님
""")
ORGANISATION_ENDINGS = tuple(
    words("""
    병원 의원 한의원 약국 은행 대학교 대학 대학원 고등학교 중학교 초등학교 유치원 어린이집 학교 여고 외고 과학고 법원 지법
    고법 지검 고검 재판부 합의체 경찰서 경찰청 경찰국 검찰청 검찰 소방서 구청 시청 도청 군청 세무서 국세청 관세청 공사 공단
    재단 협회 연맹 연합 연합회 위원회 심의위 의회 국회 하원 상원 이사회 그룹 전자 물산 건설 제약 증권 보험 생명 화재 화학
    중공업 제철 자동차 항공 해운 통신 텔레콤 신문 방송 일보 뉴스 통신사 출판사 교회 성당 노조 조합 연구소 특위 비대위 전우회
    향우회 동창회 팀 자위대 카지노 어학원 학원 칼리지 정책처 안전보장이사회 발전위 추진위 조사위 연구원
    진흥원 감독원 개발원 평가원 정보원 센터 엔터테인먼트 엔터 스튜디오 컴퍼니 코리아 홀딩스 테크 시스템 소프트 캐피탈 카드
    저축은행 금융 금융지주 투자 자산운용 법무법인 회계법인 로펌 백화점 마트 호텔 리조트 극단 구단 축구단 합창단 악단 예술단
    박물관 미술관 도서관 복지관 회관 체육관 본부 대책본부 수사본부 사령부 기획사 상사 산업 공업 식품 유업 제과 주식회사 정부
    정당 민주당 공화당 대표팀 학회 총회 동맹 거래소 사무소 사무국 보도국 기구 총리실 대사관 영사관 행정부 군부 부대 사단 여단
    구조대 당국 교구
""")
)
# Institutions of which a country has one each: their names are these words.
INSTITUTIONS = words("""
    경찰 검찰 정부 국회 법원 재판부 육군 해군 공군 해병대 의경 의무경찰 국방부 법무부 외교부 교육부 환경부 통일부 행안부
    기재부 국토부 복지부 노동부 고용부 문체부 산업부 해수부 여가부 과기부 중기부 농림부 미래부 보건복지부 행정안전부
    기획재정부 국토교통부 고용노동부 문화체육관광부 산업통상자원부 해양수산부 여성가족부 농림축산식품부 국세청 관세청 통계청
    기상청 특허청 병무청 경찰청 검찰청 대검찰청 대검 소방청 조달청 산림청 질병관리본부 질병관리청 식약처 금감원 금융위 공정위
    방통위 방심위 방통심의위 권익위 인권위 선관위 감사원 국정원 국가정보원 대법원 헌법재판소 헌재 청와대 백악관 국무부 중수부
    비대위 혁신위 총리실 군당국 소방당국 사법당국 교육당국 보건당국 수사당국 금융당국
""")
BUILDINGS = tuple(
    words("""
    공항 역 경기장 구장 스타디움 극장 호텔 광장 거리 시장 공원 아파트 빌딩 타워 터미널 대교 다리 청사 추모관 기념관 신사 사원
    성당 교회 고원 산맥 해변 산간 지구 단지 캠퍼스
""")
)
PLACE_ENDINGS = (
    *BUILDINGS,
    *words("""
    특별시 광역시 자치도 산 강 천 호 섬 도 시 군 구 읍 면 동 리 로 길 가 항 해수욕장 고개 마을 터널
"""),
)


def is_particles(text: str) -> bool:
    """Whether this is nothing but particles, so that what stands before it may be a whole noun."""
    return _CHAIN.fullmatch(text) is not None


def without_call(word: str, known: Collection[str] = ()) -> str:
    """A name without what calls it or tells its house: 이서연아, 이서연네; where 지훈 or 노아 are `known`, 지훈이, 노아네."""
    for ending in CALLS:
        name = word.removesuffix(ending)
        if len(name) < 2 or name == word:
            continue
        if name in known:
            # 이수아 is a name by itself, whether or not there is 이수.
            return name if ending != "아" or len(name) > 2 or name in GIVEN_NAMES else word
        if ending != "이" and len(name) == 3 and name[:2] not in LONG_SURNAMES and name[0] in SURNAMES:
            return name if may_be_given_name(name[1:]) else word
    return word


def may_be_given_name(text: str) -> bool:
    """Whether two syllables are such as given names are made of."""
    return text in GIVEN_NAMES or (len(text) == 2 and text[0] in FIRST_SYLLABLES and text[1] in SECOND_SYLLABLES)
