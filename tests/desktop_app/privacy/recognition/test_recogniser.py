"""All recognisers together: nothing that any of them found is lost, places are the original's, bad input is no trouble."""

import subprocess
import sys
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.privacy.recognition.pieces import PIECE
from desktop_app.privacy.recognition.recogniser import Recogniser
from desktop_app.privacy.recognition.word_lists import WordLists
from desktop_app.privacy.spans import Kind, Source
from tests.helpers.found_spans import ALL, ENGLISH, KOREAN, RULES_ONLY, left, values
from tests.helpers.source_tree import ROOT


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("", ""),
        ("Jon-\nathan Meyer called 010-1234-\n5678", "called"),
        ("| Anna Kowalska | 010 | 1234 | 5678 |", ""),
        ("환자 김지훈(34)은 서울시 마포구 월드컵북로 12에 산다", "환자34은에산다"),
        ("이번 진료에서 확인된 바에 따르면 환자 김지\n훈은 다시 온다", "이번진료에서확인된바에따르면환자은다시온다"),
        ("mail anna@example.com, \ud800 card ４１１１ １１１１ １１１１ １１１１", "mailcard"),
        ("محمد عبد الله called Jose\u0301 Garci\u0301a", "called"),
    ],
)
def test_what_identifies_is_found_whole(text: str, rest: str) -> None:
    assert left(text, ALL.find(text)).replace("\ud800", "") == rest


def test_a_name_told_once_is_found_everywhere_else() -> None:
    text = "Dr. Imre Halvorsen examined her.\n" + "\n".join(
        ["see halvorsen, then HALVORSEN", "환자 윤서진(34)입니다", "그 서진이"]
    )
    assert "HALVORSEN" in values(text, ALL.find(text))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("미국 법무부가 말했다.", ["미국", "법무부"]),
        ("한국 중국 일본 비교", []),
        ("What is the capital of France?", []),
        ("Put these in order: apple, fig, river and stone.", []),
        ("i was treated at mercy hospital by frank stone", ["frank stone"]),
    ],
)
def test_what_everybody_names_is_left_alone_but_not_as_a_part_of_a_name(text: str, names: list[str]) -> None:
    assert [text[span.start : span.end] for span in Recogniser().find(text)] == names


@pytest.mark.parametrize(
    "text",
    [
        "Dr Minjun Park saw the patient. Ms Park agreed. Park's chart was filed.",
        "Officer Berlin was late.\nThe flat in Berlin",
        "my wife Aoife\nAoife",
        "박민준 씨, 박 씨",
        "이서연이랑 이서연께서\n이서연네 이서연아 이서연이가",
        "노아야 노아네",
    ],
)
def test_a_person_in_one_line_is_one_in_all_of_them(text: str) -> None:
    assert {span.kind for span in ALL.find(text)} == {Kind.PERSON}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("박민준 씨, 박 씨, 김 과장", ["박민준", "박 씨", "김 과장"]),
        ("이서연이랑 이서연께서\n이서연네 이서연아", ["이서연"] * 4),
        ("Anita Desai\nPark Lane Surgery", ["Anita Desai", "Park Lane Surgery"]),
        ("8 Mill Lane, York, on 5 May 2022. Mrs Pritchard", ["8 Mill Lane, York", "5 May 2022", "Pritchard"]),
        ("Dr Frank Ellison on 14 November 2023", ["Frank Ellison", "14 November 2023"]),
    ],
)
def test_no_name_goes_over_a_title_a_comma_or_the_end_of_a_line(text: str, names: list[str]) -> None:
    assert values(text, ALL.find(text)) == names


@pytest.mark.parametrize("label", ["IBAN", "BIC", "VAT", "SSN", "NHS"])
def test_what_a_rule_leaves_of_a_name_is_left_alone_where_it_is_everybodys(label: str) -> None:
    text = f"Anna Meyer ({label} GB82 WEST 1234 5698 7654 32) agreed."
    assert label in left(text, ALL.find(text))


def test_the_persons_lists_come_first_and_never_means_never() -> None:
    lists = WordLists({"blue heron": Kind.OTHER}, never=["Anna Kowalska", "010-1234-5678"])
    text = "Blue Heron by Anna Kowalska, 010-1234-5678, anna@example.com"
    spans = Recogniser(lists, names=(ENGLISH, KOREAN)).find(text)
    assert values(text, spans) == ["Blue Heron", "anna@example.com"]
    assert [span.source for span in spans] == [Source.LIST, Source.RULE]


def test_nested_and_overlapping_values_lose_no_letter() -> None:
    lists = WordLists({"Meyer": Kind.PERSON, "Anna Meyer Clinic": Kind.ORGANISATION, "Meyer Clinic Berlin": Kind.PLACE})
    text = "at Anna Meyer Clinic Berlin"
    assert left(text, Recogniser(lists, names=()).find(text)) == "at"


@settings(max_examples=60)
@given(st.text(st.sampled_from("aZ 12-.@/:(가김은\n\t\u200b\ud800\u0301١"), max_size=60))
def test_no_text_is_trouble_and_spans_are_sorted_and_apart(text: str) -> None:
    spans = RULES_ONLY.find(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(first.end <= second.start for first, second in pairwise(spans))


@pytest.mark.parametrize("text", ["a.b.", "1", "-", "(", "Aaa Bbb ", "12 345 ", "12 Aa\n"])
def test_no_text_takes_long(text: str) -> None:
    started = time.process_time()
    ALL.find(text * (PIECE // len(text)))
    assert time.process_time() - started < 20, "of a second's work"


def test_a_long_text_is_looked_through_to_its_end_and_over_its_cuts() -> None:
    filler = "nothing to see here and so on " * 40
    text = "".join(f"{filler}call 010-1234-{number:04d} " for number in range(PIECE * 3 // len(filler)))
    assert values(text, RULES_ONLY.find(text)) == [f"010-1234-{number:04d}" for number in range(PIECE * 3 // len(filler))]


def test_many_texts_at_once_are_found_as_each_by_itself() -> None:
    texts = ["card 4111 1111 1111 1111", "", "mail a@example.com " * 2000, "010-1234-5678"]
    assert RULES_ONLY.find_all(texts) == [RULES_ONLY.find(text) for text in texts]


def test_the_room_loads_no_model_before_a_text_needs_one() -> None:
    code = (
        "import sys; from desktop_app.privacy.recognition.recogniser import Recogniser; Recogniser().find('12');"
        "assert not {'spacy', 'kiwipiepy', 'torch'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
