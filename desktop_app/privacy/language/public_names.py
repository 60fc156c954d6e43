"""Names that identify nobody: countries, peoples and languages, and what everybody talks about.

Models for names find these too. Replacing them protects no one and spoils a question ("What is the capital of France?"), so a
span that a model found and that consists of such words alone is left as it is; the person's lists and the rules come first. A
word that is also somebody's name (Jordan, Chad, Georgia, Israel, Ireland, May) is not among them: a missed name costs more.
"""

import re
from functools import cache
from pathlib import Path

FILE = Path(__file__).resolve().parents[3] / "resources" / "privacy" / "public_names.txt"

_LINK = re.compile(r"(?:the|of|and|&|의|및)\s+|,\s*")
_AMOUNT = re.compile(r"[\d.,]+\s*")
_POSSESSIVE = re.compile(r"['’]s$")
_TITLE = re.compile(r"\b(?:mr|mrs|ms|miss|dr|prof|professor|judge|sir|lady|lord|[a-z])\.?\s*$", re.IGNORECASE)


@cache
def _public() -> frozenset[str]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return frozenset(
        name.strip().casefold() for line in lines if not line.startswith("#") for name in line.split(",") if name.strip()
    )


def is_public(name: str, before: str = "") -> bool:
    """Whether the name is made of public names and amounts alone; not where `before`, the text in front, ends with a title."""
    rest = re.sub(r"\s+", " ", name).strip().casefold()
    if _AMOUNT.fullmatch(rest) or not rest or _TITLE.search(before):
        return False
    while rest:
        rest = rest[match.end() :] if (match := _LINK.match(rest) or _AMOUNT.match(rest)) else rest
        if not rest:
            return True
        words = rest.split(" ")
        for count in range(len(words), 0, -1):
            if _POSSESSIVE.sub("", " ".join(words[:count]).rstrip(".,;:")) in _public():
                rest = " ".join(words[count:])
                break
        else:
            return False
    return True
