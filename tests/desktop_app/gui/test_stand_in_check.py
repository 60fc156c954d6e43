"""A stand-in that could be taken for something else, or that gives something away, is told from one that can be used."""

import pytest

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import DocumentText, Mark, Turn
from desktop_app.chat.stored import Found
from desktop_app.gui.name_parts import UsedNames
from desktop_app.gui.review_rows import Row
from desktop_app.gui.stand_in_check import Doubt, StandInCheck

TEXT = "Ann Lee and Bea Lind met Jude at Mill Lane. 김지우 씨는 나무를 심었다. 田中さん"


def row(value: str, stand_in: str, kind: str = "person") -> Row:
    return Row.of(Found(value=value, kind=kind, source="name", stand_in=stand_in, count=1, places=[""]))


def doubt(stand_in: str, kind: str = "person", used: UsedNames | None = None) -> Doubt | None:
    rows = [row("Ann Lee", "Eve Moor", kind), row("Bea Lind", "Fay Holt"), row("김지우", "이하은"), row("Lind", "Holt")]
    rows[0].stand_in = stand_in
    turns = [Turn(role="user", text=TEXT, documents=[DocumentText(name="a.txt", text="Rhodes")])]
    return StandInCheck(turns, used or UsedNames()).doubts(rows).get(rows[0])


@pytest.mark.parametrize("name", ["the", "a", ".", "The", "Of The", "Will Poe", "X", "하늘", "이"])
def test_everyday_words_and_what_is_too_short_cannot_be_told_from_others(name: str) -> None:
    assert doubt(name) is Doubt.COMMON


@pytest.mark.parametrize("name", ["Ann Lee", "ann-lee", "Ann", "Ann Lee Poe"])
def test_what_is_hidden_is_not_given_away(name: str) -> None:
    assert doubt(name) is Doubt.HOLDS_ITSELF


@pytest.mark.parametrize("name", ["Bea Lind", "BEA", "Lind", "Fay Holt", "holt", "지우", "김지우", "하은", "Mary Bea Lind"])
def test_values_and_stand_ins_of_others_and_their_parts_are_taken(name: str) -> None:
    assert doubt(name) is Doubt.TAKEN


@pytest.mark.parametrize("name", ["Jude", "Jude Poe", "Mary Rhodes", "mill lane", "나무", "田中"])
def test_words_of_the_text_are_no_stand_ins(name: str) -> None:
    assert doubt(name) is Doubt.IN_TEXT


@pytest.mark.parametrize("name", ["Mary Poe", "Dr. Poe", "Jud Poe", "Theo Stone", "최민재", "Ju Mil"])
def test_others_can_be_used(name: str) -> None:
    assert doubt(name) is None


def test_only_a_person_stands_in_the_text_by_each_word() -> None:
    assert doubt("Green Mill", "organisation") is None
    assert doubt("Green Mill") is Doubt.COMMON


def test_names_that_belong_together_may_share_a_part() -> None:
    rows = [row("Bea Lind", "Fay Holt"), row("Lind", "Holt")]
    rows[0].stand_in, rows[1].stand_in = "Mary Poe", "Poe"
    assert StandInCheck([], UsedNames()).doubts(rows) == {}
    rows[1].stand_in = "Mary Poe"
    assert set(StandInCheck([], UsedNames()).doubts(rows).values()) == {Doubt.TAKEN}


def test_what_left_before_is_taken_too_and_what_is_not_replaced_or_not_written_is_not_looked_at() -> None:
    conversation = Conversation()
    question, _ = conversation.ask("Kim Dorn")
    question.marks = [Mark(start=0, end=8, kind="person", stand_in="Zoe Quill")]
    used = UsedNames(conversation)
    assert doubt("Quill", used=used) is doubt("Kim Dorn", used=used) is Doubt.TAKEN
    one = row("Ann", "the")
    assert StandInCheck([], used).doubts([one]) == {}
    one.stand_in, one.replaced = "a", False
    assert StandInCheck([], used).doubts([one]) == {}
