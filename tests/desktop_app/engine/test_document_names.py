"""No word of a document's name leaves, and the model's mention of it comes back as the name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.document_names import SUFFIXES, neutral_names
from desktop_app.privacy.naming import Naming


def _revealed(naming: Naming, text: str) -> str:
    return "".join(piece.text for piece in naming.reveal(text))


@pytest.mark.parametrize(
    ("name", "neutral"),
    [
        ("Emma_Harrison_HIV_results.pdf", "Document 1.pdf"),
        ("will.TXT", "Document 1.txt"),
        ("letter", "Document 1"),
        ("notes.EmmaHarrison", "Document 1"),
        ("Document 1.pdf", "Document 2.pdf"),
    ],
)
def test_a_name_becomes_a_number_and_keeps_an_ending_that_tells_nobody(name: str, neutral: str) -> None:
    assert neutral_names(Naming(), [name]) == {name: neutral}


def test_names_keep_their_numbers_also_after_a_restart_and_in_another_branch() -> None:
    naming = Naming()
    first = neutral_names(naming, ["Emma_Harrison.pdf", "계약서_김민수.docx"])
    assert list(first.values()) == ["Document 1.pdf", "Document 2.docx"]
    again = Naming(naming.entries)
    assert neutral_names(again, [*first, "third.pdf"]) == {**first, "third.pdf": "Document 3.pdf"}
    assert neutral_names(again, ["other.docx", *first]) == {"other.docx": "Document 1.docx", **first}


def test_a_mention_leaves_as_the_number_and_comes_back_as_the_name() -> None:
    naming = Naming()
    neutral_names(naming, ["Emma_Harrison_HIV_results.pdf"])
    sent = naming.protect("What does Emma_Harrison_HIV_results.pdf say?", []).text
    assert "Document" in sent
    assert "Emma" not in sent
    assert _revealed(naming, "In “Document 1.pdf” it says") == "In “Emma_Harrison_HIV_results.pdf” it says"


@given(st.lists(st.text(min_size=1, max_size=30), max_size=5, unique=True))
def test_whatever_the_names_are_each_has_a_number_of_its_own(names: list[str]) -> None:
    neutral = neutral_names(Naming(), names)
    assert set(neutral) == set(names)
    assert len(set(neutral.values())) == len(names)


@given(st.from_regex(r"[a-zA-Z가-힣_. -]{1,20}", fullmatch=True), st.sampled_from(sorted(SUFFIXES)))
def test_no_name_tells_more_than_its_ending(stem: str, suffix: str) -> None:
    assert neutral_names(Naming(), [stem + suffix]) == {stem + suffix: f"Document 1{suffix}"}
