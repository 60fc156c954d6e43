"""Companies and bodies beside their legal form, whatever words their names are made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.language.hangul import is_particles
from desktop_app.privacy.recognition import korean_companies
from desktop_app.privacy.spans import Kind
from tests.helpers.found_spans import ALL, RULES_ONLY, found_by, left, values


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("정씨는 (주)플로섬 대표이다.", "플로섬"),
        ("㈜가온길은 어제 납품했다.", "가온길"),
        ("가온길(주)의 직원", "가온길"),
        ("가온길 주식회사는", "가온길"),
        ("주식회사 하늘이 납품했다", "하늘"),
        ("사단법인 푸른나래에서는 밝혔다.", "푸른나래"),
        ("재단법인 밝은터 이사장", "밝은터"),
        ("법무법인 가온길의 변호사", "가온길"),
        ("의료법인 참밝은 재단은", "참밝은 재단"),
        ("사단법인 한국 청소년 상담 협회는", "한국 청소년 상담 협회"),
        ("사단법인 4월회", "4월회"),
        ("미래나라 협동조합", "미래나라"),
        ("(주) LG화학에서", "LG화학"),
        ("우리 변호사가 (주)한빛과 만났다.", "한빛"),
    ],
)
def test_the_name_beside_a_legal_form_is_found_and_nothing_else(text: str, name: str) -> None:
    assert values(text, RULES_ONLY.find(text)) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "주식회사 설립 절차를 알려 줘.",
        "주식회사는 주주로 이루어진다.",
        "중소기업은 주식회사 형태로 바꾼다.",
        "상장 주식회사의 이사는 몇 명인가?",
        "유한회사와 주식회사의 차이는?",
        "이 협동조합은 농업협동조합이다.",
        "회사 (주)와",
    ],
)
def test_what_is_said_of_a_legal_form_is_no_name(text: str) -> None:
    assert found_by(korean_companies.find, text) == []


@pytest.mark.parametrize("form", ["법무법인", "유한회사", "사단법인", "협동조합", "주식회사"])
def test_a_legal_form_stays(form: str) -> None:
    text = f"{form} 가온길이 왔다."
    assert form in left(text, ALL.find(text))


@given(
    st.text("가나다라마온길솔빛누리별", min_size=2, max_size=6),
    st.sampled_from(["(주)%s", "㈜%s", "주식회사 %s", "사단법인 %s", "%s(주)", "법무법인 %s", "유한회사 %s"]),
    st.sampled_from(["", "는", "은", "이", "가", "에서", "와", "의"]),
)
def test_of_a_name_beside_a_legal_form_nothing_is_left_but_what_may_be_particles(name: str, form: str, particle: str) -> None:
    text = form % name + particle
    found = next(span for span in RULES_ONLY.find(text) if span.kind is Kind.ORGANISATION)
    at = form.index("%s")
    assert found.start == at
    assert found.end >= at + 2
    assert is_particles(text[found.end : at + len(name)])


@given(st.text("가나 (주)㈜주식회사법인.,\n", max_size=60))
def test_whatever_is_found_lies_in_the_text(text: str) -> None:
    for found in korean_companies.find(text):
        assert 0 <= found.start < found.end <= len(text)
