"""What several recognisers found becomes one list: apart, sorted, and no letter that any of them found is lost."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.recognition.overlaps import merge, trimmed
from desktop_app.privacy.spans import Kind, Source, Span

TEXT = "Anna Meyer, of Meyer & Sons (anna@example.com), 010-1234-5678."


@st.composite
def spans(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, len(TEXT) - 1))
    end = draw(st.integers(start + 1, len(TEXT)))
    return Span(start, end, draw(st.sampled_from(list(Kind))), draw(st.sampled_from(list(Source))))


@given(st.lists(spans(), max_size=8))
def test_every_letter_is_kept_and_no_two_spans_touch_the_same_one(found: list[Span]) -> None:
    merged = merge(TEXT, found)
    assert all(first.end <= second.start for first, second in pairwise(merged))
    covered = {place for span in merged for place in range(span.start, span.end)}
    wanted = {place for span in found for place in range(span.start, span.end) if TEXT[place].isalnum()}
    assert wanted <= covered
    assert covered <= {place for span in found for place in range(span.start, span.end)}


@given(st.lists(spans(), max_size=6))
def test_what_is_merged_stays_as_it_is(found: list[Span]) -> None:
    merged = merge(TEXT, found)
    assert merge(TEXT, merged) == merged


def test_the_persons_word_comes_before_a_models() -> None:
    listed = Span(0, 10, Kind.PERSON, Source.LIST)
    named = Span(0, 27, Kind.ORGANISATION, Source.NAME)
    assert merge(TEXT, [named, listed]) == [listed, Span(12, 27, Kind.ORGANISATION, Source.NAME)]


def test_an_address_is_never_cut_by_a_name_in_it() -> None:
    email = Span(29, 45, Kind.EMAIL, Source.RULE)
    assert merge(TEXT, [Span(29, 33, Kind.PERSON, Source.LIST), email]) == [email]


def test_of_two_alike_the_first_is_taken() -> None:
    record, phone = Span(48, 61, Kind.RECORD, Source.RULE), Span(48, 61, Kind.PHONE, Source.RULE)
    assert merge(TEXT, [record, phone]) == [record]
    assert merge(TEXT, [phone, record]) == [phone]


@given(st.sampled_from([Kind.PLACE, Kind.ORGANISATION, Kind.OTHER]), st.booleans())
def test_a_word_that_is_a_person_once_is_one_everywhere(kind: Kind, last: bool) -> None:
    text = "Anna Meyer; MEYER; Anna; Berlin"
    spans = [
        Span(0, 10, Kind.PERSON, Source.NAME),
        Span(12, 17, kind, Source.NAME),
        Span(19, 23, kind, Source.NAME),
        Span(25, 31, kind, Source.LIST if last else Source.NAME),
    ]
    assert [span.kind for span in merge(text, spans)] == [Kind.PERSON, Kind.PERSON, Kind.PERSON, kind]


def test_what_calls_a_known_person_is_no_part_of_the_name() -> None:
    text = "지훈이 지훈 지훈아 노아네 노아"
    found = [Span(match.start(), match.end(), Kind.PERSON, Source.NAME) for match in re.finditer(r"\S+", text)]
    assert [text[span.start : span.end] for span in merge(text, found)] == ["지훈", "지훈", "지훈", "노아", "노아"]


def test_what_has_no_letter_is_nothing() -> None:
    assert trimmed(" -- ", 0, 4) is None
    assert trimmed("(Anna) ", 0, 7) == (1, 5)
