"""PDFs: text by page, pages without it named, locked and broken ones told apart."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.documents.errors import DocumentDamaged, DocumentEmpty, DocumentEncrypted, DocumentError, DocumentTooLarge
from desktop_app.documents.pdf import read_pdf
from tests.helpers.pdf_files import Field, Page, Passwords, Scan, make_pdf


def test_the_text_of_all_pages_comes_in_order() -> None:
    extracted = read_pdf(make_pdf(["First page\nsecond line", "환자는 두통을 호소", "café"]), "a.pdf")
    assert extracted.text == "First page\nsecond line\n\n환자는 두통을 호소\n\ncafé"
    assert (extracted.kind, extracted.pages, extracted.note, extracted.encoding) == ("pdf", 3, "", "")


def test_a_word_that_goes_on_in_the_next_line_is_one_word_and_a_compound_keeps_its_hyphen() -> None:
    assert read_pdf(make_pdf(["exam-\nples of non-\nEnglish well-known 2023-\n2024"]), "a.pdf").text == (
        "examples of non-English well-known 2023-\n2024"
    )


def test_what_was_typed_into_a_form_is_read() -> None:
    assert read_pdf(make_pdf([Field("김철수")]), "form.pdf").text == "Name:\n김철수"


@pytest.mark.parametrize(
    ("pages", "note"),
    [
        (["text", Scan()], "Page 2 has no text. It is probably a scan, and will not be read."),
        (["t", "t", Scan(), "t", "t", "t", Scan()], "Pages 3 and 7 have no text. They are probably scans, and will not be read."),
        ([*[Scan()] * 3, "t", Scan()], "Pages 1-3 and 5 have no text. They are probably scans, and will not be read."),
        (["text", "", "text"], ""),
        (
            ["text", *["t", Scan()] * 14],
            "14 pages (3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, ...)"
            " have no text. They are probably scans, and will not be read.",
        ),
    ],
)  # fmt: skip
def test_scanned_pages_are_named_and_blank_ones_are_not(pages: list[Page], note: str) -> None:
    assert read_pdf(make_pdf(pages), "a.pdf").note == note


def test_a_scan_and_an_empty_document_get_different_sentences() -> None:
    with pytest.raises(DocumentEmpty, match=r"scan\.pdf is scanned \(2 pages\).*OCR"):
        read_pdf(make_pdf([Scan(), Scan()]), "scan.pdf")
    with pytest.raises(DocumentEmpty, match=r"blank\.pdf is empty"):
        read_pdf(make_pdf([""]), "blank.pdf")


def test_a_password_to_open_is_told_and_a_password_to_print_is_no_hindrance() -> None:
    with pytest.raises(DocumentEncrypted, match=r"a\.pdf opens only with a password.*without the password"):
        read_pdf(make_pdf(["secret"], Passwords(user="open sesame")), "a.pdf")
    assert read_pdf(make_pdf(["for all to read"], Passwords()), "a.pdf").text == "for all to read"


def test_more_text_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.documents.pdf.MAX_CHARACTERS", 10)
    with pytest.raises(DocumentTooLarge, match="more text than any model"):
        read_pdf(make_pdf(["twelve letters"]), "a.pdf")


def test_a_file_that_only_begins_like_a_pdf_is_broken() -> None:
    with pytest.raises(DocumentDamaged, match="broken PDF"):
        read_pdf(b"%PDF-1.7\nand nothing else", "a.pdf")


@given(cut=st.integers(0, 2500), flip=st.integers(0, 2500), bit=st.integers(0, 7))
@settings(max_examples=60, deadline=None)
def test_cut_and_altered_files_give_text_or_a_sentence(cut: int, flip: int, bit: int) -> None:
    data = bytearray(make_pdf(["some text", Scan(), "more of it"]))
    data[flip % len(data)] ^= 1 << bit
    for damaged in (bytes(data), bytes(data[:cut])):
        with contextlib.suppress(DocumentError):
            assert read_pdf(damaged, "a.pdf").text
