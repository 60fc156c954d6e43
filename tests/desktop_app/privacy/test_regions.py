"""Spans become whole regions: within the text, apart from each other, sorted."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.regions import overlap, united, within
from desktop_app.privacy.spans import Kind, Source, Span

SPANS = st.lists(
    st.builds(Span, st.integers(-3, 30), st.integers(-3, 30), st.sampled_from(list(Kind)), st.just(Source.RULE)), max_size=8
)


@given(SPANS)
def test_within_leaves_only_places_of_the_text(spans: list[Span]) -> None:
    text = "x" * 20
    assert all(0 <= span.start < span.end <= 20 for span in within(text, spans))


@given(SPANS)
def test_united_spans_are_apart_and_cover_the_same_letters(spans: list[Span]) -> None:
    real = within("x" * 30, spans)
    result = list(united(real))
    assert not any(overlap(a, b) for a, b in pairwise(result))
    letters = {index for span in real for index in range(span.start, span.end)}
    assert {index for span in result for index in range(span.start, span.end)} == letters
