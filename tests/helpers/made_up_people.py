"""Real names and places of the conversations that `restored_replies` makes up."""

from desktop_app.privacy.language.word_sets import words


def _listed(text: str) -> tuple[str, ...]:
    return tuple(sorted(words(text)))


GIVEN = _listed("""
    Jane Laura Megan Tara Aisha Ingeborg Noor Emily Tom Peter Kevin Brian Omar Luis Derek Ryan Chloe Paula Marcus Lewis
""")
FAMILY = _listed("""
    Park Miller Jones Nguyen García O'Brien Nelson Campbell Petrov Hughes Okafor Schmidt Rossi Novak Larsen Brooks Murphy Diaz
""")
COMPANIES = ("Acme Robotics GmbH", "Brightwater Clinic", "Fenbrook & Daughters Ltd", "Orion Logistics Inc.", "Bank of Larchmont")
TOWNS = _listed("Springfield Leeds Augsburg Porto Galway")
STREETS = _listed("Oakum Larch Quarry")
# Each with its adjective and its name in Korean.
COUNTRIES = {
    "Germany": ("German", "독일"),
    "Brazil": ("Brazilian", "브라질"),
    "Japan": ("Japanese", "일본"),
    "Spain": ("Spanish", "스페인"),
}

KOREAN_FAMILY = _listed("김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황")
KOREAN_GIVEN = _listed("수진 영희 미경 상철 태희 길동 보람 나리 별 하늘 은별 세훈 동철 경미 재호 가을 해솔 민아 정호 소라")
KOREAN_COMPANIES = _listed("한빛병원 대한물산 새롬전자 푸른은행")
KOREAN_TOWNS = _listed("수원시 강릉시 역삼동 전주시")
CHOSEN = _listed("심민서 곽도윤 노다솔 추지호 엄하율")  # stand-ins that a person may choose: their last sounds are of all classes
