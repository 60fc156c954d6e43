"""Text files: the letters, and a word on how they were read where that is a guess."""

import pytest

from desktop_app.documents.errors import DocumentTooLarge, UnknownKind
from desktop_app.documents.plain_text import read_plain_text


def test_utf_8_needs_no_remark() -> None:
    extracted = read_plain_text("naïve 문서\n".encode(), "notes.md")
    assert (extracted.text, extracted.kind, extracted.encoding, extracted.note) == ("naïve 문서\n", "text", "utf-8", "")


def test_a_guessed_encoding_is_told_with_what_to_do() -> None:
    extracted = read_plain_text("안녕하세요 여러분".encode("cp949"), "메모.txt")
    assert extracted.text == "안녕하세요 여러분"
    assert extracted.encoding == "cp949"
    assert extracted.note == "Its letters were read as cp949; if they look wrong, save it as UTF-8."


def test_what_is_no_text_is_refused_with_the_kinds_that_are_read() -> None:
    with pytest.raises(UnknownKind, match=r"tool\.exe is not a document that Sotto reads.*PDF nor DOCX.*Convert"):
        read_plain_text(b"MZ\x90\x00\x03\x00\x00\x00", "tool.exe")


def test_far_too_much_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.documents.plain_text.MAX_CHARACTERS", 10)
    with pytest.raises(DocumentTooLarge, match="more text than any model"):
        read_plain_text(b"a" * 41, "log.txt")
