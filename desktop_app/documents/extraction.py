"""Reads a document: what kind it is, is decided by its first bytes and not by its name.

Call this in a child process: a parser of somebody else's files may crash, hang or take much memory.
"""

import io
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

from desktop_app.documents.errors import (
    DocumentEmpty,
    DocumentEncrypted,
    DocumentGone,
    DocumentTooLarge,
    DocumentUnreadable,
    NotAFile,
    UnknownKind,
)
from desktop_app.documents.extracted import MAX_CHARACTERS, MAX_FILE_BYTES, Extracted
from desktop_app.documents.pdf import read_pdf
from desktop_app.documents.plain_text import read_plain_text
from desktop_app.documents.word import read_word

PDF_MAY_START_WITHIN = 1024  # bytes; mail programs and printers put lines before it
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16-le")
ZIP = b"PK\x03\x04"

# Control characters would only confuse the model; the ends of lines and pages stay.
CONTROLS: dict[int, str | None] = {code: "\n" if chr(code) in "\r\v" else None for code in range(32) if chr(code) not in "\t\n\f"}

# Kinds that are met often and not read: how they begin, what they are, what to do.
OCR = "Run text recognition (OCR) on it, then drop the result."
CONVERT = "Save it as PDF or DOCX and drop that."
OTHER_KINDS = (
    (b"\x89PNG\r\n\x1a\n", "a picture", OCR),
    (b"\xff\xd8\xff", "a picture", OCR),
    (b"GIF8", "a picture", OCR),
    (b"II*\x00", "a picture", OCR),
    (b"MM\x00*", "a picture", OCR),
    (b"{\\rtf", "an RTF document", CONVERT),
    (b"%!PS", "a PostScript file", "Convert it to PDF and drop that."),
    (b"Rar!", "an archive", "Unpack it and drop the documents in it."),
    (b"7z\xbc\xaf\x27\x1c", "an archive", "Unpack it and drop the documents in it."),
    (b"\x1f\x8b", "a compressed file", "Unpack it and drop what is in it."),
)
# The same for what is packed as a ZIP: a name within it that tells.
OTHER_PACKAGES = (
    ("xl/", "an Excel workbook", "Save the sheet that matters as CSV or PDF and drop that."),
    ("ppt/", "a PowerPoint presentation", "Save it as PDF and drop that."),
    ("META-INF/container.xml", "an e-book", "Convert it to PDF and drop that."),
    ("content.xml", "an OpenDocument file", CONVERT),
    ("Index/Document.iwa", "a Pages document", CONVERT),
)


def extract(path: Path) -> Extracted:
    """Read the document at `path`. Raises `DocumentError`s, whose text is a sentence for the user."""
    name = path.name
    data = _read(path, name)
    if not data:
        raise DocumentEmpty(f"{name} is empty (0 bytes). Choose another document.")
    extracted = _reader_for(data, name)(data, name)
    if len(extracted.text) > MAX_CHARACTERS:
        raise DocumentTooLarge(f"{name} has more text than any model can read. Split it, or copy out the part that matters.")
    text = _tidy(extracted.text)
    if not text.strip():
        raise DocumentEmpty(f"{name} has nothing but blanks in it. Choose another document.")
    return Extracted(name, extracted.kind, text, extracted.pages, extracted.encoding, extracted.note)


def _read(path: Path, name: str) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise NotAFile(f"{name} is a folder. Drop the documents in it instead.")
        if not stat.S_ISREG(status.st_mode):
            raise NotAFile(f"{name} is a device or a pipe, not a document. Choose a file.")
        if status.st_size > MAX_FILE_BYTES:
            size = f"{status.st_size / 1_000_000:,.0f} MB, and {MAX_FILE_BYTES // 1_000_000} MB is the most that is read"
            raise DocumentTooLarge(
                f"{name} is too large ({size}). Split it, or save the part that matters as a document of its own."
            )
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DocumentGone(
            f"{name} was not found: it may be misspelt, or was moved, renamed or deleted. Choose it again where it is."
        ) from error
    except PermissionError as error:
        raise DocumentUnreadable(
            f"{name} may not be read by you. Change its permissions, or copy it to a folder of your own."
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DocumentUnreadable(f"{name} could not be read ({reason}). Copy it to another disk and try that copy.") from error


def _reader_for(data: bytes, name: str) -> Callable[[bytes, str], Extracted]:
    """What reads this content. Raises `UnknownKind`, `DocumentEncrypted`."""
    if b"%PDF-" in data[:PDF_MAY_START_WITHIN]:
        return read_pdf
    if data.startswith(ZIP):
        return _reader_for_package(data, name)
    if data.startswith(OLD_OFFICE):
        if ENCRYPTED_OFFICE in data:
            raise DocumentEncrypted(
                f"{name} opens only with a password. Open it, remove the password, save it and drop it again."
            )
        raise UnknownKind(f"{name} is in Office's old format. Open it, save it as DOCX or PDF and drop that.")
    for start, what, advice in OTHER_KINDS:
        if data.startswith(start):
            raise UnknownKind(f"{name} is {what}, and Sotto reads text. {advice}")
    return read_plain_text


def _reader_for_package(data: bytes, name: str) -> Callable[[bytes, str], Extracted]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = package.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return read_word  # broken; that it is, is better told as a Word document's fault than as an archive's
    if any(entry.startswith("word/") for entry in names):
        return read_word
    for sign, what, advice in OTHER_PACKAGES:
        if any(entry.startswith(sign) for entry in names):
            raise UnknownKind(f"{name} is {what}, which Sotto does not read. {advice}")
    raise UnknownKind(f"{name} is an archive. Unpack it and drop the documents in it.")


def _tidy(text: str) -> str:
    """Line ends as the model knows them, and no control characters that would only confuse it."""
    return text.replace("\r\n", "\n").translate(CONTROLS)
