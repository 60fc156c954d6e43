"""Small PDF files, written byte by byte, so that tests need no program that makes PDFs."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

PASSWORD_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
PERMISSIONS = -64  # nothing allowed but reading
FILE_ID = bytes(range(16))

# Every code is the letter's own number in Unicode, so that any text of the first plane can be written without a font file.
TO_UNICODE = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Letters def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
1 beginbfrange <0020> <D7FF> <0020> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end"""


@dataclass(frozen=True)
class Scan:
    """A page that is a picture and has no letters."""


@dataclass(frozen=True)
class Passwords:
    """What a file is locked with: `user` to open it ("": everybody may), `owner` to do more than read."""

    user: str = ""
    owner: str = "owner"


@dataclass(frozen=True)
class Field:
    """A page that is a form with one field, and this text typed into it."""

    text: str


Page = str | Scan | Field


def make_pdf(pages: Sequence[Page], passwords: Passwords | None = None) -> bytes:
    """A PDF with these pages: text (its lines below each other; "": a blank page), a scan or a form; locked by `passwords`."""
    objects: list[tuple[bytes, bytes | None]] = [
        (b"", None),  # the catalogue and the list of pages: written when these are known
        (b"", None),
        (
            b"<< /Type /Font /Subtype /Type0 /BaseFont /Letters /Encoding /Identity-H"
            b" /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
            None,
        ),
        (
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Letters /DW 600 /FontDescriptor 7 0 R"
            b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
            None,
        ),
        (b"", TO_UNICODE),
        (b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", b"\x80"),
        (
            b"<< /Type /FontDescriptor /FontName /Letters /Flags 4 /FontBBox [0 0 600 800] /ItalicAngle 0 /Ascent 800 /Descent 0"
            b" /CapHeight 700 /StemV 80 >>",
            None,
        ),
    ]
    numbers = []
    fields = []
    for page in pages:
        numbers.append(len(objects) + 1)
        content = len(objects) + 2
        annotations = b" /Annots [%d 0 R]" % (content + 1) if isinstance(page, Field) else b""
        objects.append(
            (
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
                b" /Resources << /Font << /F1 3 0 R >> /XObject << /I1 6 0 R >> >>%s >>" % (content, annotations),
                None,
            )
        )
        objects.append((b"", _content(page)))
        if isinstance(page, Field):
            fields.append(content + 1)
            objects.append((_widget(content + 2), None))
            look = b"/Type /XObject /Subtype /Form /BBox [0 0 400 20] /Resources << /Font << /F1 3 0 R >> >>"
            objects.append((look, b"/Tx BMC BT /F1 12 Tf 2 5 Td %s ET EMC" % _shown(page.text)))
    form = b" /AcroForm << /Fields [%s] >>" % _references(fields) if fields else b""
    objects[0] = (b"<< /Type /Catalog /Pages 2 0 R%s >>" % form, None)
    objects[1] = (b"<< /Type /Pages /Kids [%s] /Count %d >>" % (_references(numbers), len(pages)), None)
    return _file(objects, passwords)


def _references(numbers: Sequence[int]) -> bytes:
    return b" ".join(b"%d 0 R" % number for number in numbers)


def _content(page: Page) -> bytes:
    if isinstance(page, Scan):
        return b"q 400 0 0 400 100 200 cm /I1 Do Q"
    text = "Name:" if isinstance(page, Field) else page
    return b"BT /F1 12 Tf 14 TL 72 720 Td %s ET" % b" T* ".join(map(_shown, text.split("\n"))) if text else b""


def _shown(line: str) -> bytes:
    return b"<%s> Tj" % line.encode("utf-16-be").hex().encode()


def _widget(look: int) -> bytes:
    return b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /F 4 /Rect [120 700 520 720] /AP << /N %d 0 R >> >>" % look


def _file(objects: Sequence[tuple[bytes, bytes | None]], passwords: Passwords | None) -> bytes:
    key, lock = _lock(passwords) if passwords is not None else (None, b"")
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, (head, stream) in enumerate(objects, start=1):
        places.append(len(out))
        body = head
        if stream is not None:
            stored = stream if key is None else _rc4(_object_key(key, number), stream)
            body = b"<< %s /Length %d >>\nstream\n%s\nendstream" % (head, len(stored), stored)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    file_id = FILE_ID.hex().encode()
    out += b"trailer << /Size %d /Root 1 0 R /ID [<%s> <%s>] %s >>\n" % (len(objects) + 1, file_id, file_id, lock)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def _lock(passwords: Passwords) -> tuple[bytes, bytes]:
    """The file's key and its /Encrypt entry: the standard's first revision, RC4 with 40 bits."""
    user, owner = _padded(passwords.user), _padded(passwords.owner)
    owner_entry = _rc4(hashlib.md5(owner).digest()[:5], user)
    key = hashlib.md5(user + owner_entry + PERMISSIONS.to_bytes(4, "little", signed=True) + FILE_ID).digest()[:5]
    user_entry = _rc4(key, PASSWORD_PADDING)
    entry = b"/Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P %d >>"
    return key, entry % (owner_entry.hex().encode(), user_entry.hex().encode(), PERMISSIONS)


def _padded(password: str) -> bytes:
    return (password.encode("latin-1") + PASSWORD_PADDING)[:32]


def _object_key(key: bytes, number: int) -> bytes:
    return hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]


def _rc4(key: bytes, data: bytes) -> bytes:
    box = list(range(256))
    j = 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)
