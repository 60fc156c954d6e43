"""The texts that the audit sends: short documents with a request, written for this project; no person or case in them is real.

They lie in `resources/audit`: documents with topic, language and mood, which the attack on attributes tries to tell, requests
for the attack on traffic, and beginnings of stories and articles that answers under noise are to go on with.
"""

import random
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

PASSAGE_WORDS = 50
RESOURCES = Path(__file__).resolve().parents[2] / "resources" / "audit"


class Document(Struct, frozen=True):
    """A text with a request, of one topic (`clinical legal corporate everyday`), language (`en ko`) and mood (`good bad`)."""

    id: str
    topic: str
    language: str
    mood: str
    text: str


@cache
def documents() -> tuple[Document, ...]:
    """All documents, in an order that mixes topics, languages and moods, so that the first few are of every kind."""
    found = msgspec.json.decode((RESOURCES / "documents.json").read_bytes(), type=list[Document])
    random.Random(1).shuffle(found)
    return tuple(found)


@cache
def traffic_prompts() -> tuple[str, ...]:
    """Fifty short requests of all kinds; each fits one prefill step, so that its length does not tell them apart there."""
    return tuple(msgspec.json.decode((RESOURCES / "traffic_prompts.json").read_bytes(), type=list[str]))


@cache
def passages() -> tuple[str, ...]:
    """Beginnings of texts, each of its first fifty words, that break off."""
    found = msgspec.json.decode((RESOURCES / "passages.json").read_bytes(), type=list[str])
    return tuple(" ".join(text.split()[:PASSAGE_WORDS]) for text in found)
