"""Spans cross a pipe as four small values, and their kinds are known to the window by the same words."""

import msgspec
import pytest

from desktop_app.privacy.spans import Kind, Source, Span, outside


@pytest.mark.parametrize("kind", Kind)
def test_a_span_of_each_kind_comes_back_equal(kind: Kind) -> None:
    span = Span(3, 9, kind, Source.RULE)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(span), type=Span) == span


def test_a_kind_that_nobody_knows_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert([0, 1, "shoe_size", "rule"], Span)


def test_outside_of_places_is_the_rest() -> None:
    places = [Span(0, 3, Kind.PERSON, Source.RULE), Span(8, 10, Kind.PERSON, Source.RULE)]
    assert list(outside("Ann and Bo", places)) == ["", " and ", ""]
