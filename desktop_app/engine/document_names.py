"""What the names of documents leave as: a number, for they often say whom a document is about, and of what.

The number is where a document stands in its branch, and stays for the rest of the conversation, so that rows can be used again.
It is a stand-in like any other: where a text or the model's answer mentions it, the real name comes back.
"""

from collections.abc import Iterable
from itertools import count
from pathlib import PurePath

from desktop_app.privacy.drafts import spelt
from desktop_app.privacy.language.tokens import compact
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.spans import Kind

SUFFIXES = frozenset({".pdf", ".docx", ".txt", ".md", ".csv", ".tsv", ".json", ".xml", ".html", ".eml", ".log", ".py"})
"""Endings that may be told; any other could be a name."""


def neutral_names(naming: Naming, names: Iterable[str]) -> dict[str, str]:
    """Each of a branch's documents' names, in their order, with what leaves instead."""
    names = list(dict.fromkeys(names))
    neutral: dict[str, str] = {}
    for place, name in enumerate(names, start=1):
        taken = {compact(it) for it in (*names, *neutral.values(), *_given(naming).values())}
        suffix = PurePath(name).suffix.lower()
        suffix = suffix if suffix in SUFFIXES else ""
        value = spelt(name).strip()
        new = next(it for number in count(place) if compact(it := f"Document {number}{suffix}") not in taken)
        if suffix and value not in _given(naming):
            naming.decide(name, Kind.OTHER, True, new)
        neutral[name] = _given(naming).get(value, new)
    return neutral


def _given(naming: Naming) -> dict[str, str]:
    """What was chosen for values, here or by the person; as it was chosen, not in the form of the value."""
    return {entry.value: entry.pairs[0].stand_in for entry in naming.entries if entry.kind is Kind.OTHER}
