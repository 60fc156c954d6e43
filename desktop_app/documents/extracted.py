"""What was read from a document, and the limits of reading."""

from dataclasses import dataclass

MAX_FILE_BYTES = 300_000_000
MAX_CHARACTERS = 20_000_000  # a hundred times what the longest context of a model holds


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document's text. `pages` is 0 where a kind has none; `encoding` is "" where the kind itself says how letters are stored.

    `note` says in a sentence what a reader should know: pages without text, a guessed encoding; "" where there is nothing to say.
    """

    name: str
    kind: str
    text: str
    pages: int = 0
    encoding: str = ""
    note: str = ""
