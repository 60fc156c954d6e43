"""A protected span: where something that identifies a person stands in a text, and of what kind it is."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Protocol

from msgspec import Struct


class Kind(StrEnum):
    """What a span is. Each kind has stand-ins of its own and a switch in the settings."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    ADDRESS = "address"  # a postal address or a part of one
    EMAIL = "email"
    PHONE = "phone"
    SITE = "site"  # a web address, a domain, a user name
    HOST = "host"  # an IP address or a host name
    CARD = "card"
    IBAN = "iban"  # and other bank accounts
    NATIONAL_ID = "national_id"  # tax, social security and residence numbers
    PASSPORT = "passport"  # and driving licences
    PLATE = "plate"
    DATE = "date"  # a date that tells a day: of birth, of an event
    RECORD = "record"  # numbers of records, patients, cases, invoices, customers
    SECRET = "secret"  # keys and passwords
    OTHER = "other"  # of the user's list or marking: a project, a customer, a phrase


class Source(StrEnum):
    """Who found a span, the most certain first."""

    MARK = "mark"  # the person marked it in the composer or a document
    LIST = "list"  # it stands on one of the person's lists
    SEEN = "seen"  # it was replaced before in this conversation, or is a stand-in already in use
    RULE = "rule"
    NAME = "name"  # a model for names


class Span(Struct, frozen=True, array_like=True):
    """The characters [start, end) of a text."""

    start: int
    end: int
    kind: Kind
    source: Source


class Placed(Protocol):
    """Whatever stands at [start, end) of a text."""

    @property
    def start(self) -> int:
        """Its first character."""

    @property
    def end(self) -> int:
        """The first that is none of its own."""


def outside(text: str, places: Iterable[Placed]) -> Iterator[str]:
    """What of a text stands in none of these places, which are in order and apart from each other, piece by piece."""
    end = 0
    for place in places:
        yield text[end : place.start]
        end = place.end
    yield text[end:]
