"""Marks go through markdown and come out where their words are; the text itself is not changed by them."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.chat.events import Mark
from desktop_app.gui.markdown_stream import parser
from desktop_app.gui.marked_source import CLOSE, OPEN, marked_source, plain, unmarked


def marks_at(spans: list[tuple[int, int]]) -> list[Mark]:
    return [Mark(start=start, end=end, kind="person") for start, end in spans]


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, list[Mark]]:
    text = draw(st.text(st.sampled_from("ab한😀 \n*_`|[]<>&\ufdd0"), max_size=60))
    edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    return text, marks_at(list(zip(edges[::2], edges[1::2], strict=False)))


@given(given_=marked(), cuts=st.sets(st.integers(0, 60), max_size=5))
def test_what_is_written_in_comes_out_again_however_the_text_is_cut(given_: tuple[str, list[Mark]], cuts: set[int]) -> None:
    text, marks = given_
    edges = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    source = "".join(marked_source(text, marks, start, end) for start, end in pairwise(edges))
    shown, pieces = unmarked(source)
    assert shown == plain(source) == text.replace("\ufdd0", "\ufffd")
    covered = {(place, number) for start, end, number in pieces for place in range(start, end) if text[place] != "\n"}
    assert covered == {
        (place, number) for number, mark in enumerate(marks) for place in range(mark.start, mark.end) if text[place] != "\n"
    }


def test_no_piece_of_a_mark_holds_a_line_break() -> None:
    source = marked_source("Ann\nMarie Lee.", marks_at([(0, 13)]))
    assert source.count(OPEN) == source.count(CLOSE) == 3
    assert all("\n" not in part.split(CLOSE)[0] for part in source.split(OPEN)[1:])


def test_numbers_beyond_one_digit_are_read_back() -> None:
    text = "ab" * 300
    source = marked_source(text, marks_at([(2 * at, 2 * at + 1) for at in range(300)]))
    assert [number for _, _, number in unmarked(source)[1]] == list(range(300))


def rendered(source: str) -> str:
    tokens = [child for token in parser().parse(source) for child in token.children or []]
    return "".join("\n" if token.type == "softbreak" else plain(token.content) for token in tokens)


def test_marked_words_are_text_whatever_they_are_made_of() -> None:
    text = "The key is a*b*c_d_[x](y)<z>`q` so, **Ann Lee** said."
    marks = marks_at([(11, 31), (38, 45)])
    assert rendered(marked_source(text, marks)) == "The key is a*b*c_d_[x](y)<z>`q` so, Ann Lee said."


def test_an_address_with_a_mark_in_it_leads_where_it_did() -> None:
    text = "See [Ann](https://ann.example/a b) or [her page](https://ann.example/ann)."
    marks = marks_at([(5, 8), (39, 47), (57, 60)])
    links = [
        child.attrGet("href")
        for token in parser().parse(marked_source(text, marks))
        for child in token.children or []
        if child.type == "link_open"
    ]
    assert links == ["https://ann.example/ann"]


def test_a_marked_name_of_a_language_is_one() -> None:
    source = marked_source("```python\nx\n```\n", marks_at([(3, 9)]))
    assert plain(parser().parse(source)[0].info) == "python"
