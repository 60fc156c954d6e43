"""Spans become whole regions: within the text, apart from each other, sorted."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.language.reading import LINE_ENDS
from desktop_app.privacy.regions import overlap, united, whole_words, within
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


@given(st.sampled_from(["\n", "\r\n", *LINE_ENDS]), st.sampled_from(["\n", *LINE_ENDS]), st.text(" \t", max_size=3))
def test_a_name_goes_over_one_line_end_but_not_over_two_and_takes_no_blanks(one: str, two: str, blanks: str) -> None:
    def parts(text: str) -> list[str]:
        span = Span(0, len(text), Kind.PERSON, Source.NAME)
        return [text[it.start : it.end] for it in whole_words(text, span)]

    assert parts(f"{blanks}Jane{one}Park{blanks}{one}") == [f"Jane{one}Park"]
    if (one, two) != ("\r", "\n"):
        assert parts(f"Jane{one}{two}Park") == ["Jane", "Park"]
    assert parts(blanks) == []
