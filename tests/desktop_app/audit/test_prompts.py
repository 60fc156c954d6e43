"""The audit's texts are of every kind, and the first few of them too."""

from collections import Counter

from desktop_app.audit.prompts import PASSAGE_WORDS, documents, passages, traffic_prompts


def test_there_are_documents_of_every_kind_as_often() -> None:
    assert len(documents()) == len({document.id for document in documents()}) == 48
    assert set(Counter(document.topic for document in documents()).values()) == {12}
    assert Counter(document.mood for document in documents()) == {"good": 24, "bad": 24}
    assert Counter(document.language for document in documents()) == {"en": 32, "ko": 16}


def test_the_first_ten_are_of_every_kind_too() -> None:
    first = documents()[:10]
    assert {document.language for document in first} == {"en", "ko"}
    assert len({document.topic for document in first}) == 4


def test_fifty_requests_differ() -> None:
    assert len(set(traffic_prompts())) == 50


def test_passages_differ_and_break_off_after_fifty_words() -> None:
    assert len({text[:20] for text in passages()}) == 24
    assert all(len(text.split()) == PASSAGE_WORDS and text[-1] not in ".!?" for text in passages())
