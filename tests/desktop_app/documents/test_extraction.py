"""Documents as people drop them: the content decides what they are, and whatever is wrong gets its own sentence."""

import gzip
import io
import os
import sys
import zipfile
from pathlib import Path

import pytest

from desktop_app.documents.errors import (
    DocumentDamaged,
    DocumentEmpty,
    DocumentEncrypted,
    DocumentError,
    DocumentGone,
    DocumentTooLarge,
    DocumentUnreadable,
    NotAFile,
    UnknownKind,
)
from desktop_app.documents.extraction import OLD_OFFICE, extract
from tests.helpers.pdf_files import Passwords, make_pdf
from tests.helpers.word_files import make_docx

DOCX = make_docx(lambda document: document.add_paragraph("words of a contract"))
PDF = make_pdf(["words of a report"])


def packed(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name in names:
            package.writestr(name, "content")
    return out.getvalue()


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("name", "data", "kind", "text"),
    [
        ("report.pdf", PDF, "pdf", "words of a report"),
        ("contract.docx", DOCX, "word", "words of a contract"),
        ("contract.pdf", DOCX, "word", "words of a contract"),
        ("report.docx", PDF, "pdf", "words of a report"),
        ("report", b"\r\n-- printed --\r\n" + PDF, "pdf", "words of a report"),
        ("notes.md", b"# Title\r\n\r\ntext\r", "text", "# Title\n\ntext\n"),
        ("table.csv", "이름,값\n".encode("cp949"), "text", "이름,값\n"),
        ("code.py", b"print('x')\x00"[:-1] + b"\x0c\n", "text", "print('x')\x0c\n"),
        ("notes.pdf", b"only text\x1b[0m", "text", "only text[0m"),
    ],
)
def test_the_content_decides_what_a_document_is(tmp_path: Path, name: str, data: bytes, kind: str, text: str) -> None:
    extracted = extract(write(tmp_path, name, data))
    assert (extracted.name, extracted.kind, extracted.text) == (name, kind, text)


@pytest.mark.parametrize(
    "name",
    ["진료 기록 2026.pdf", "Ärztlicher Brief (final).pdf", "отчёт.pdf", "a'b\"c #1 %20.pdf" if os.name != "nt" else "a'b.pdf"],
)
def test_any_name_and_folder_will_do(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "문서 folder é"
    folder.mkdir()
    assert extract(write(folder, name, PDF)).name == name


@pytest.mark.parametrize(
    ("name", "data", "error", "sentence"),
    [
        ("empty.pdf", b"", DocumentEmpty, "empty.pdf is empty (0 bytes)."),
        ("blank.txt", b" \n\t\r\n", DocumentEmpty, "nothing but blanks"),
        ("a.pdf", make_pdf(["x"], Passwords(user="u")), DocumentEncrypted, "opens only with a password"),
        ("a.docx", OLD_OFFICE + "EncryptedPackage".encode("utf-16-le"), DocumentEncrypted, "remove the password"),
        ("a.doc", OLD_OFFICE + bytes(600), UnknownKind, "Office's old format"),
        ("a.docx", DOCX[: len(DOCX) // 2], DocumentDamaged, "broken or saved in an unusual way"),
        ("a.xlsx", packed("[Content_Types].xml", "xl/workbook.xml"), UnknownKind, "Excel workbook"),
        ("a.pptx", packed("[Content_Types].xml", "ppt/presentation.xml"), UnknownKind, "PowerPoint"),
        ("a.odt", packed("mimetype", "content.xml"), UnknownKind, "OpenDocument"),
        ("a.epub", packed("mimetype", "META-INF/container.xml"), UnknownKind, "e-book"),
        ("a.zip", packed("one.txt", "two.txt"), UnknownKind, "archive. Unpack it"),
        ("a.gz", gzip.compress(b"text"), UnknownKind, "compressed file"),
        ("a.rtf", b"{\\rtf1 text}", UnknownKind, "RTF document"),
        ("scan.jpg", b"\xff\xd8\xff\xe0" + bytes(20), UnknownKind, "a picture"),
        ("tool.exe", b"MZ\x90\x00\x03\x00\x00\x00\x04", UnknownKind, "not a document that Sotto reads"),
    ],
)  # fmt: skip
def test_each_fault_has_its_own_sentence_with_a_next_step(
    tmp_path: Path, name: str, data: bytes, error: type[DocumentError], sentence: str
) -> None:
    with pytest.raises(error) as raised:
        extract(write(tmp_path, name, data))
    assert type(raised.value) is error
    assert str(raised.value).startswith(name)
    assert sentence in str(raised.value)
    assert str(tmp_path) not in str(raised.value)


def test_a_folder_is_no_document(tmp_path: Path) -> None:
    with pytest.raises(NotAFile, match=r"is a folder\. Drop the documents in it"):
        extract(tmp_path)


def test_a_document_that_has_gone_is_told_as_gone(tmp_path: Path) -> None:
    with pytest.raises(DocumentGone, match="moved, renamed or deleted"):
        extract(tmp_path / "not here.txt")
    with pytest.raises(DocumentGone, match="moved, renamed or deleted"):
        extract(write(tmp_path, "a.txt", b"x") / "below a file.txt")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(NotAFile, match="a device or a pipe"):
        extract(tmp_path / "pipe.txt")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_document_that_may_not_be_read_is_told_as_such(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", b"x")
    path.chmod(0)
    with pytest.raises(DocumentUnreadable, match="may not be read by you"):
        extract(path)


def test_a_refusal_and_a_failure_of_the_disk_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "a.txt", b"x")
    for cause, sentence in (
        (PermissionError(13, "no"), "may not be read by you"),
        (OSError(5, "Input/output error"), "Input/output error"),
    ):

        def fail(_: Path, cause: OSError = cause) -> bytes:
            raise cause

        monkeypatch.setattr(Path, "read_bytes", fail)
        with pytest.raises(DocumentUnreadable, match=sentence):
            extract(path)


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(300_000_001)
    with pytest.raises(DocumentTooLarge, match="300 MB is the most"):
        extract(path)


def test_more_text_than_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.documents.extraction.MAX_CHARACTERS", 10)
    with pytest.raises(DocumentTooLarge, match="more text than any model"):
        extract(write(tmp_path, "a.txt", b"twelve letters"))
