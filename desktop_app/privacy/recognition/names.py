"""What a recogniser of names is: the interface behind which another, better local model can be set."""

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from desktop_app.privacy.spans import Kind

# What stands after a drug: what models take for a name there is none.
DOSE = re.compile(r" ?\d+(?:[.,]\d+)? ?(?:mg|mcg|µg|g|ml|iu|units?|tablets?|밀리그램|그램|정|캡슐)(?![A-Za-z])", re.IGNORECASE)


class Found(NamedTuple):
    """The characters [start, end) of what was read, and what they are."""

    start: int
    end: int
    kind: Kind


class NameRecogniser(Protocol):
    """Finds names of persons, organisations and places."""

    def reads(self, text: str) -> bool:
        """Whether this text is of a language or script that it knows."""

    def find(self, texts: Sequence[str]) -> list[list[Found]]:
        """Return what it finds in each text; the texts are lines, no order or overlap is promised. Raises `RecogniserFailed`."""
