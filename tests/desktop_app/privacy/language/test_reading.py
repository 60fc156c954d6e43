"""Recognisers read one form of what is written in several, and places in it lead back to the characters that were there."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.language.reading import Reading

WRITING = st.text(st.sampled_from("aZé한글ㅋ１２３-‐–\u200b\u00a0\u00ad\r\n\t \u0301ﬁ①\ud800가\u1161\u11a8"), max_size=40)


@pytest.mark.parametrize("text", ["", "plain text\nof two lines", "이미 정리된 글", "Zürich"])
def test_most_texts_are_read_as_they_are(text: str) -> None:
    assert Reading(text).text == text


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("４１１１", "4111"),
        ("41\u200b11\u00a011\u202f11", "4111 11 11"),
        ("010‑1234–5678", "010-1234-5678"),
        ("Jose\u0301", "José"),
        (unicodedata.normalize("NFD", "김철수"), "김철수"),
        ("so\u00adft", "soft"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("\ud800", "\ufffd"),
        ("ㅋㅋ", "ㅋㅋ"),
    ],
)
def test_one_form_for_what_is_written_in_several(written: str, read: str) -> None:
    assert Reading(written).text == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Jon-\nathan", "Jonathan"),
        ("Jon\u00ad\r\n  athan", "Jonathan"),
        ("1234-\n5678", "1234-5678"),
        ("Meyer-\nLang", "Meyer-Lang"),
    ],
)
def test_what_a_hyphen_splits_over_lines_is_joined(written: str, read: str) -> None:
    reading = Reading(f"x {written} y")
    assert reading.text == f"x {read} y"
    assert reading.original(2, 2 + len(read)) == (2, 2 + len(written))


@given(WRITING)
def test_places_lead_back_in_order_and_to_the_same_letters(text: str) -> None:
    reading = Reading(text)
    before = 0
    for place, letter in enumerate(reading.text):
        start, end = reading.original(place, place + 1)
        assert 0 <= start < end <= len(text)
        assert start >= before or reading.original(place - 1, place)[0] == start
        before = start
        if letter.isalnum() and letter == text[start : start + 1]:
            assert Reading(text[start:end]).text.startswith(letter)


@given(WRITING)
def test_a_reading_of_a_reading_changes_nothing_more_on_its_lines(text: str) -> None:
    for line in Reading(text).text.split("\n"):
        assert Reading(line).text == line
