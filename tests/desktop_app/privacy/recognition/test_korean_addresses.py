"""Korean addresses by road, by lot and by building, on one line or two, with particles behind them."""

import pytest

from desktop_app.privacy.recognition import korean_addresses
from tests.helpers.found_spans import found_by, left

ADDRESSES = [
    "서울특별시 강남구 테헤란로 123",
    "서울특별시 강남구 테헤란로 123, 4층 (역삼동)",
    "(06236) 서울 강남구 테헤란로 123",
    "서울시 마포구 월드컵북로 12길 34, 101동 1203호",
    "부산광역시 해운대구 센텀중앙로 79",
    "제주특별자치도 제주시 첨단로 242",
    "경기도 수원시 팔달구 인계동 1111-3번지",
    "경기도 성남시 분당구\n판교역로 166",
    "한빛아파트 101동 1203호",
    "도산대로12길 7",
    "강원도 춘천시 서면 신매리 12-3",
    "서울시 강남구 역삼동",
]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(("before", "behind"), [("주소는 ", "입니다"), ("", ""), ("김지훈\n", "\n")])
def test_addresses_are_found_whole(address: str, before: str, behind: str) -> None:
    text = before + address + behind
    assert left(text, korean_addresses.find(text)) == left(before + behind, [])


@pytest.mark.parametrize(
    "text", ["앞으로 12개월 동안", "대로 1,234원", "새로 3명이 왔다", "이번 일로 2년이 걸렸다", "3층에 있다", "no Hangul here 12"]
)
def test_other_words_are_none(text: str) -> None:
    assert found_by(korean_addresses.find, text) == []
