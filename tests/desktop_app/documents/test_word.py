"""Word documents: everything that a reader sees, in its order, and nothing that was deleted."""

import contextlib
import io
import zipfile

import pytest
from docx.document import Document

from desktop_app.documents import word
from desktop_app.documents.errors import DocumentDamaged, DocumentEmpty, DocumentError, DocumentTooLarge
from desktop_app.documents.word import read_word
from tests.helpers.word_files import make_docx, with_body


def contract(document: Document) -> None:
    document.sections[0].header.paragraphs[0].text = "Vertraulich – 대외비"
    document.sections[0].footer.paragraphs[0].text = "Page footer"
    document.add_heading("Contract", level=1)
    document.add_paragraph("Before the table\tand a tab")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip([cell for row in table.rows for cell in row.cells], ("Party", "Share", "김철수", "50 %"), strict=True):
        cell.text = text
    document.add_paragraph("After the table")


def test_header_paragraphs_tables_and_footer_come_in_the_order_of_the_page() -> None:
    extracted = read_word(make_docx(contract), "a.docx")
    assert extracted.text.split("\n") == [
        "Vertraulich – 대외비",
        "Contract",
        "Before the table\tand a tab",
        "Party | Share",
        "김철수 | 50 %",
        "After the table",
        "Page footer",
    ]
    assert (extracted.name, extracted.kind, extracted.pages, extracted.note) == ("a.docx", "word", 0, "")


def test_merged_cells_are_read_once_and_nested_tables_within_their_cell() -> None:
    def fill(document: Document) -> None:
        table = document.add_table(rows=1, cols=3)
        table.cell(0, 0).merge(table.cell(0, 1)).text = "merged"
        inner = table.cell(0, 2).add_table(rows=1, cols=2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "in", "side"

    assert read_word(make_docx(fill), "a.docx").text == "merged | in | side"


def test_content_controls_insertions_and_links_are_read_and_deletions_are_not() -> None:
    xml = (
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>from a form field</w:t></w:r></w:p></w:sdtContent></w:sdt>"
        "<w:p><w:ins><w:r><w:t>inserted</w:t></w:r></w:ins><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
        '<w:hyperlink><w:r><w:t xml:space="preserve"> linked</w:t></w:r></w:hyperlink></w:p>'
        "<w:moveFrom><w:p><w:r><w:t>moved away</w:t></w:r></w:p></w:moveFrom>"
        "<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t></w:r></w:p>"
    )
    assert (
        read_word(with_body(make_docx(lambda document: None), xml), "a.docx").text == "from a form field\ninserted linked\na\nb-c"
    )


def test_a_text_box_is_read_once_though_word_stores_it_twice() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>"
    xml = (
        '<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f'<mc:Choice Requires="wps">{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>'
    )
    assert read_word(with_body(make_docx(lambda document: None), xml), "a.docx").text == "boxed"


def test_a_document_without_text_says_so() -> None:
    with pytest.raises(DocumentEmpty, match=r"a\.docx has no text.*OCR"):
        read_word(make_docx(lambda document: None), "a.docx")


def test_a_small_file_that_unpacks_to_gigabytes_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word, "MAX_XML_BYTES", 1_000_000)
    bomb = with_body(make_docx(contract), f"<w:p><w:r><w:t>{'a' * 1_000_001}</w:t></w:r></w:p>")
    assert len(bomb) < 100_000
    with pytest.raises(DocumentTooLarge, match="unpacks to more"):
        read_word(bomb, "a.docx")


def test_entities_are_not_expanded() -> None:
    data = with_body(make_docx(contract), "")
    source = zipfile.ZipFile(io.BytesIO(data))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "word/document.xml":
                declaration, _, rest = content.partition(b"?>")
                content = (
                    declaration
                    + b'?><!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
                    + rest.replace(b"Contract", b"&e;")
                )
            target.writestr(entry.filename, content)
    assert "Before the table" in read_word(out.getvalue(), "a.docx").text


@pytest.mark.parametrize("size", [0.3, 0.6, 0.9])
def test_a_truncated_file_is_broken(size: float) -> None:
    data = make_docx(contract)
    with pytest.raises(DocumentDamaged, match="save it again as DOCX or PDF"):
        read_word(data[: int(len(data) * size)], "a.docx")


def test_altered_bytes_give_text_or_a_sentence() -> None:
    data = make_docx(contract)
    for place in range(0, len(data), 397):
        altered = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]
        with contextlib.suppress(DocumentError):
            assert read_word(altered, "a.docx").text
