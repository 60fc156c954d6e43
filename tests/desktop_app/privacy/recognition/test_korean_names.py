"""Names in Korean text: known and unknown ones, with titles, particles and ages."""

import pytest

from desktop_app.privacy.errors import RecogniserFailed
from desktop_app.privacy.recognition.korean_names import KoreanNames
from desktop_app.privacy.spans import Kind
from tests.helpers.found_spans import KOREAN, left, values


def names(text: str, kind: Kind | None = None) -> list[str]:
    return values(text, KOREAN.find([text])[0], kind)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("김철수 씨는 오늘 왔다", "김철수"),
        ("환자 윤서진이 내원했다", "윤서진"),
        ("담당의 남궁민수 교수", "남궁민수"),
        ("피고 채도윤은 항소했다", "채도윤"),
        ("한지우(31)와 만났다", "한지우"),
        ("김 비서관이 말했다", "김 비서관"),
        ("최씨와 박모(45)씨", "최씨"),
        ("B씨에게 사과했다", "B씨"),
        ("지혜누나가 전화했다", "지혜"),
        ("마르코 비앙키는 이탈리아 사람이다", "비앙키"),
        ("金哲洙를 만났다", "金哲洙"),
    ],
)
def test_persons_are_found(text: str, name: str) -> None:
    assert left(name, []) in left(text, []), "the test names what is in its text"
    assert any(name in found for found in names(text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("한빛테크와 계약했다", "한빛테크"),
        ("서울중앙지방법원에 냈다", "서울중앙지방법원"),
        ("A은행 직원", "A은행"),
        ("K&B 제품", "K&B"),
        ("세림의원에서", "세림의원"),
    ],
)
def test_organisations_are_found(text: str, name: str) -> None:
    assert any(name in found for found in names(text))


@pytest.mark.parametrize(
    "text",
    [
        "오늘은 날씨가 좋아서 공원에 산책을 갔다.",
        "점심으로 김밥과 라면을 먹었다.",
        "메트포르민 500mg 하루 두 번",
        "이번에는 정말로 열심히 공부했다.",
        "하늘이 파랗다.",
        "ㅋㅋㅋ 좋아요",
    ],
)
def test_prose_without_names_is_left_alone(text: str) -> None:
    assert names(text) == []


def test_it_reads_what_has_hangul_in_it() -> None:
    assert KOREAN.reads("LG전자")
    assert not KOREAN.reads("Anna 金")
    assert KOREAN.find([]) == []


def test_a_model_that_cannot_be_loaded_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "kiwipiepy", None)
    with pytest.raises(RecogniserFailed, match=r"Install Sotto again"):
        KoreanNames().find(["김철수"])
