"""Reads the text of a Word document (DOCX): headers, paragraphs and tables in their order, notes, footers.

python-docx opens the package and finds its parts, but its `paragraphs` leave out what lies in content controls, text boxes and
tracked insertions, which contracts are full of; so the text is taken from the XML itself: every `w:t` counts that is not in a
deletion or in the second copy that Word keeps of a text box.
"""

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.package import OpcPackage
from docx.opc.part import Part, XmlPart
from docx.oxml.parser import parse_xml

from desktop_app.documents.errors import DocumentDamaged, DocumentEmpty, DocumentError, DocumentTooLarge
from desktop_app.documents.extracted import MAX_CHARACTERS, Extracted

MAX_XML_BYTES = 150_000_000  # unpacked; lxml takes several times that in memory
MAX_UNPACKED_BYTES = 600_000_000

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
LEFT_OUT = {f"{WORD}del", f"{WORD}moveFrom", f"{WORD}instrText", f"{WORD}pPr", f"{COMPATIBILITY}Fallback"}
SIGNS = {f"{WORD}tab": "\t", f"{WORD}br": "\n", f"{WORD}cr": "\n", f"{WORD}noBreakHyphen": "-"}
NOTES = (RELATIONSHIP_TYPE.FOOTNOTES, RELATIONSHIP_TYPE.ENDNOTES)


def read_word(data: bytes, name: str) -> Extracted:
    """All text of a DOCX file. Raises `DocumentDamaged`, `DocumentEmpty`, `DocumentTooLarge`."""
    try:
        _refuse_bombs(data, name)
        main = OpcPackage.open(io.BytesIO(data)).part_related_by(RELATIONSHIP_TYPE.OFFICE_DOCUMENT)
        blocks = [
            *_parts(main, RELATIONSHIP_TYPE.HEADER),
            *_blocks(_root(main)),
            *(block for kind in NOTES for block in _parts(main, kind)),
            *_parts(main, RELATIONSHIP_TYPE.FOOTER),
        ]
    except DocumentError:
        raise
    except Exception as error:  # a broken file makes zipfile, lxml and python-docx raise nearly everything there is
        raise DocumentDamaged(
            f"{name} is a Word document that cannot be read: it is broken or saved in an unusual way. Open it in Word, save it"
            " again as DOCX or PDF and drop that."
        ) from error
    text = "\n".join(blocks).strip()
    if not text:
        raise DocumentEmpty(
            f"{name} has no text: pictures are not read. If it is scanned, run text recognition (OCR) on it first."
        )
    if len(text) > MAX_CHARACTERS:
        raise DocumentTooLarge(f"{name} has more text than any model can read. Split it, or copy out the part that matters.")
    return Extracted(name=name, kind="word", text=text)


def _refuse_bombs(data: bytes, name: str) -> None:
    """A small file can unpack to gigabytes; the sizes it declares are what zipfile will unpack at most."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        entries = package.infolist()
        xml = sum(entry.file_size for entry in entries if entry.filename.endswith((".xml", ".rels")))
        if xml > MAX_XML_BYTES or sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
            raise DocumentTooLarge(
                f"{name} unpacks to more than can be read. Save the part that matters as a document of its own."
            )
        if any(entry.flag_bits & 1 for entry in entries):
            raise ValueError("encrypted entries")


def _parts(main: Part, kind: str) -> Iterator[str]:
    """The text of all parts of this kind that the document refers to, each text once: sections repeat their headers."""
    seen: set[str] = set()
    for relation in main.rels.values():
        if relation.reltype == kind and not relation.is_external:
            text = "\n".join(_blocks(_root(relation.target_part))).strip()
            if text and text not in seen:
                seen.add(text)
                yield text


def _root(part: Part) -> Any:
    """The part's XML; python-docx has parsed the kinds it knows (not those of documents with macros)."""
    return part.element if isinstance(part, XmlPart) else parse_xml(part.blob)


def _blocks(element: Any) -> Iterator[str]:
    """Paragraphs as they are, table rows with their cells between bars; anything else is looked into."""
    for child in element:
        if child.tag == f"{WORD}p":
            yield _paragraph(child)
        elif child.tag == f"{WORD}tbl":
            yield from _rows(child)
        elif child.tag not in LEFT_OUT and isinstance(child.tag, str):
            yield from _blocks(child)


def _rows(table: Any) -> Iterator[str]:
    for row in table.iter(f"{WORD}tr"):
        if next(row.iterancestors(f"{WORD}tbl")) is table:  # a nested table's rows belong to their cell
            cells = [cell for cell in row.iter(f"{WORD}tc") if next(cell.iterancestors(f"{WORD}tr")) is row]
            yield " | ".join(" ".join(" ".join(_blocks(cell)).split()) for cell in cells)


def _paragraph(paragraph: Any) -> str:
    return "".join(_letters(paragraph))


def _letters(element: Any) -> Iterator[str]:
    for child in element:
        if child.tag == f"{WORD}t":
            yield child.text or ""
        elif child.tag in SIGNS:
            yield SIGNS[child.tag]
        elif child.tag == f"{WORD}p":  # a text box within the paragraph
            yield f"\n{_paragraph(child)}"
        elif child.tag == f"{WORD}tbl":
            yield "\n" + "\n".join(_rows(child))
        elif child.tag not in LEFT_OUT and isinstance(child.tag, str):
            yield from _letters(child)
