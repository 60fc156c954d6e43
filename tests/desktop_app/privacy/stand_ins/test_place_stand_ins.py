"""A place stays a place, a company keeps its kind, an address its shape."""

import random
import re

import pytest

from desktop_app.privacy.language import name_pools
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.spans import Kind, Source, Span


def _stand_in(value: str, kind: Kind) -> str:
    return Naming(draw=random.Random(5).randrange).protect(value, [Span(0, len(value), kind, Source.NAME)]).text


@pytest.mark.parametrize(
    ("value", "end"),
    [
        ("Kestrel Freight GmbH", "GmbH"),
        ("한빛병원", "병원"),
        ("Osprey Bank", "Bank"),
        ("Hillside Choir", "Choir"),
        ("Pip Foods", "Foods"),
    ],
)
def test_a_company_keeps_what_kind_it_is(value: str, end: str) -> None:
    stand_in = _stand_in(value, Kind.ORGANISATION)
    assert stand_in.endswith(end)
    assert stand_in != value


def test_an_address_keeps_its_shape() -> None:
    stand_in = _stand_in("12 Mulberry Street", Kind.ADDRESS)
    assert re.fullmatch(r"\d{2} \w+ Street", stand_in)
    assert "Mulberry" not in stand_in


@pytest.mark.parametrize("value", ["19 Castle Road, Edinburgh", "Flat 3, 19 Castle Road, Edinburgh EH1 2AB"])
def test_a_town_in_an_address_becomes_a_town_and_a_street_none(value: str) -> None:
    *streets, town = _stand_in(value, Kind.ADDRESS).split(", ")
    assert town.split()[0] in name_pools.towns("city")
    assert not set(name_pools.towns("city")).intersection(" ".join(streets).split())


def test_what_a_street_is_called_after_is_not_replaced_in_lower_case() -> None:
    text = "We met at 31 Garden Close, in the garden."
    start, end = text.index("31"), text.index(",")
    sent = Naming(draw=random.Random(5).randrange).protect(text, [Span(start, end, Kind.ADDRESS, Source.NAME)]).text
    assert sent.endswith(", in the garden.")
    assert "Garden" not in sent


def test_a_town_becomes_a_word_with_a_capital() -> None:
    stand_in = _stand_in("Leicester", Kind.PLACE)
    assert stand_in[0].isupper()
    assert stand_in != "Leicester"
