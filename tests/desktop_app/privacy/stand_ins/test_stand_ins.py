"""Every kind gets a stand-in, and none is the value itself."""

import random

import pytest

from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.spans import Kind
from desktop_app.privacy.stand_ins.stand_ins import StandIns

VALUES = {
    Kind.PERSON: "Jane Marlowe",
    Kind.ORGANISATION: "Kestrel Freight Ltd",
    Kind.PLACE: "Leicester",
    Kind.ADDRESS: "12 Mulberry Street",
    Kind.EMAIL: "jane@kestrel.org",
    Kind.PHONE: "+44 7911 123456",
    Kind.SITE: "www.kestrel.org",
    Kind.HOST: "203.0.113.7",
    Kind.CARD: "4111 1111 1111 1111",
    Kind.IBAN: "DE89 3704 0044 0532 0130 00",
    Kind.NATIONAL_ID: "536-90-4399",
    Kind.PASSPORT: "C01X00T47",
    Kind.PLATE: "AB12 CDE",
    Kind.DATE: "3 May 2024",
    Kind.RECORD: "INV-2024-0031",
    Kind.SECRET: "aB3$x9!Q",
    Kind.OTHER: "Project Osprey",
}


@pytest.mark.parametrize("kind", Kind)
def test_each_kind_has_a_stand_in_that_is_not_the_value(kind: Kind) -> None:
    pairs = StandIns(random.Random(1).randrange, Lexicon(backward=False)).pairs(VALUES[kind], kind)
    assert pairs
    assert all(pair.real != pair.stand_in for pair in pairs)
    assert any(pair.real and pair.stand_in for pair in pairs)
