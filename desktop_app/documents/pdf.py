"""Reads the text of a PDF, page by page.

PDFium is not thread-safe and may crash on a broken file: call this in a child process.
"""

import io
import re
from collections.abc import Sequence
from contextlib import closing

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_raw

from desktop_app.documents.errors import DocumentDamaged, DocumentEmpty, DocumentEncrypted, DocumentTooLarge
from desktop_app.documents.extracted import MAX_CHARACTERS, Extracted

LINE_END_HYPHEN = re.compile("\ufffe(.?)")  # how PDFium gives the hyphen of a word that goes on in the next line
PAGES_NAMED = 12


def read_pdf(data: bytes, name: str) -> Extracted:
    """The text of all pages, with a blank line between them; pages that have none are named in the note.

    A PDF that only restricts printing or copying (an owner's password) opens like any other.
    Raises `DocumentEncrypted`, `DocumentDamaged`, `DocumentEmpty`, `DocumentTooLarge`.
    """
    texts: list[str] = []
    without_text: list[int] = []
    broken: list[int] = []
    length = 0
    with closing(_open(data, name)) as document:
        # Only with its forms does a page show what was typed into their fields.
        document.init_forms()
        for number in range(1, len(document) + 1):
            try:
                text, has_content = _read_page(document, number - 1)
            except pdfium.PdfiumError:
                broken.append(number)
                continue
            if not text and has_content:
                without_text.append(number)
            texts.append(text)
            length += len(text)
            if length > MAX_CHARACTERS:
                raise DocumentTooLarge(
                    f"{name} has more text than any model can read. Split it, or copy out the part that matters."
                )
        pages = len(document)
    if broken and len(broken) == pages:
        raise _damaged(name)
    if not any(texts):
        raise DocumentEmpty(_no_text(name, pages, scanned=bool(without_text)))
    text = "\n\n".join(text for text in texts if text)
    return Extracted(name=name, kind="pdf", text=text, pages=pages, note=_note(without_text, broken))


def _open(data: bytes, name: str) -> "pdfium.PdfDocument":
    try:
        return pdfium.PdfDocument(io.BytesIO(data))
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium_raw.FPDF_ERR_PASSWORD:
            raise DocumentEncrypted(
                f"{name} opens only with a password. Open it in your PDF reader, save a copy without the password and drop that."
            ) from error
        raise _damaged(name) from error


def _read_page(document: "pdfium.PdfDocument", index: int) -> tuple[str, bool]:
    """A page's text, and whether anything is drawn on it at all."""
    if document.formenv is not None:
        with closing(document[index]) as page:
            page.flatten()
    with closing(document[index]) as page:
        has_content = next(iter(page.get_objects(max_depth=1)), None) is not None
        with closing(page.get_textpage()) as textpage:
            text = str(textpage.get_text_range())
    text = LINE_END_HYPHEN.sub(lambda match: match[1] if match[1].islower() else f"-{match[1]}", text)
    return text.replace("\r\n", "\n").strip(), has_content


def _damaged(name: str) -> DocumentDamaged:
    return DocumentDamaged(f"{name} is a broken PDF: nothing in it can be read. Get it again, or print it to a new PDF.")


def _no_text(name: str, pages: int, scanned: bool) -> str:
    if not scanned:
        return f"{name} is empty: there is nothing on its pages. Choose another document."
    count = "1 page" if pages == 1 else f"{pages} pages"
    return (
        f"{name} is scanned ({count}): pictures of text, no letters. Run text recognition (OCR) on it first, then drop it again."
    )


def _note(without_text: Sequence[int], broken: Sequence[int]) -> str:
    sentences = []
    if without_text:
        verb, what = ("has", "It is probably a scan") if len(without_text) == 1 else ("have", "They are probably scans")
        sentences.append(f"{_name_pages(without_text)} {verb} no text. {what}, and will not be read.")
    if broken:
        sentences.append(f"{_name_pages(broken)} {'is' if len(broken) == 1 else 'are'} broken and will not be read.")
    return " ".join(sentences)


def _name_pages(numbers: Sequence[int]) -> str:
    """ "Page 3", "Pages 3 and 7", "Pages 1-4, 6 and 9": the pages in words, a long list cut short with its count."""
    if len(numbers) == 1:
        return f"Page {numbers[0]}"
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    names = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    if len(names) > PAGES_NAMED:
        return f"{len(numbers)} pages ({', '.join(names[:PAGES_NAMED])}, ...)"
    return f"Pages {', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else f"Pages {names[0]}"
