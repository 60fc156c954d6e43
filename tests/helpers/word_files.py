"""Word documents for tests, made by python-docx, and by hand where it cannot make what Word makes."""

import io
import zipfile
from collections.abc import Callable

import docx
from docx.document import Document

PARAGRAPH_END = b"</w:p>"


def make_docx(fill: Callable[[Document], None]) -> bytes:
    """The bytes of a new document after `fill` has put something in it."""
    document = docx.Document()
    fill(document)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def with_body(data: bytes, xml: str) -> bytes:
    """The same document with this XML (namespace `w`) put first into its body."""
    source = zipfile.ZipFile(io.BytesIO(data))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "word/document.xml":
                content = content.replace(b"<w:body>", b"<w:body>" + xml.encode(), 1)
            target.writestr(entry.filename, content)
    return out.getvalue()
