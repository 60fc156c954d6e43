"""Reads everything that is letters and nothing else: notes, Markdown, CSV, source code, logs, mails."""

from desktop_app.documents.errors import DocumentTooLarge, UnknownKind
from desktop_app.documents.extracted import MAX_CHARACTERS, Extracted
from desktop_app.documents.letters import decode

MOST_BYTES_OF_A_LETTER = 4


def read_plain_text(data: bytes, name: str) -> Extracted:
    """The text of a file, its encoding found and told. Raises `UnknownKind`, `DocumentTooLarge`."""
    if len(data) > MAX_CHARACTERS * MOST_BYTES_OF_A_LETTER:
        raise DocumentTooLarge(f"{name} has more text than any model can read. Split it, or copy out the part that matters.")
    decoded = decode(data)
    if decoded is None:
        raise UnknownKind(
            f"{name} is not a document that Sotto reads: it is neither text (Markdown, CSV, source code ...) nor PDF nor DOCX."
            " Convert it to one of them and drop that."
        )
    note = "" if decoded.certain else f"Its letters were read as {decoded.encoding}; if they look wrong, save it as UTF-8."
    return Extracted(name=name, kind="text", text=decoded.text, encoding=decoded.encoding, note=note)
