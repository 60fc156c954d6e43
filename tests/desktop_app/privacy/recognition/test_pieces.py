"""A long text is cut into pieces that leave nothing out and nothing at a cut to chance."""

from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_app.privacy.recognition.pieces import OVERLAP, PIECE, names_of, pieces
from desktop_app.privacy.spans import Kind, Source, Span


@settings(max_examples=20)
@example(length=PIECE + 100, word=OVERLAP - 1)  # the only blank of the overlap is the one at the cut
@given(st.integers(0, 4 * PIECE), st.integers(1, 300))
def test_pieces_cover_a_text_overlap_a_little_and_end_between_words(length: int, word: int) -> None:
    text = ("x" * word + " ") * (length // (word + 1))
    cuts = list(pieces(text))
    assert [0, *(end for _, end in cuts)] == sorted({0, *(end for _, end in cuts)})
    assert not text or (cuts[0][0] == 0 and cuts[-1][1] == len(text))
    for (_, end), (start, _) in pairwise(cuts):
        assert end - OVERLAP <= start < end
        assert text[end - 1] == " "
        assert text[start - 1] == " " or word >= OVERLAP - 1


def test_a_short_text_is_one_piece_and_an_empty_one_none() -> None:
    assert list(pieces("short")) == [(0, 5)]
    assert list(pieces("")) == []


def test_names_to_look_for_again_are_no_common_words_and_not_too_short() -> None:
    text = f"Voss, Will, Al, 서준, 하늘, {'Long' * 20}, Meyer"
    found = [Span(text.index(name), text.index(name) + len(name), Kind.PERSON, Source.NAME) for name in text.split(", ")]
    found[-1] = Span(found[-1].start, found[-1].end, Kind.PERSON, Source.LIST)
    assert names_of(text, found) == {"Voss": Kind.PERSON, "서준": Kind.PERSON}
