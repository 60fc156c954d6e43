"""What leaves is shown as the engine will send it: where it marked something, and nowhere else."""

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.chat.events import DocumentText, Mark, Turn
from desktop_app.chat.stored import Found, Review
from desktop_app.gui.review_context import AROUND, ReviewContext
from desktop_app.gui.review_rows import Row

TEXT = "Willing tenants met Will. Will they? Will Poe."


def row(value: str, stand_in: str = "Jack", replaced: bool = True) -> Row:
    found = Found(value=value, kind="person", source="name", stand_in=stand_in, count=1, places=[""], replaced=replaced)
    return Row.of(found)


def mark(start: int, end: int, stand_in: str = "Jack") -> Mark:
    return Mark(start=start, end=end, kind="person", stand_in=stand_in)


def context(text: str, *marks: Mark, documents: tuple[DocumentText, ...] = ()) -> ReviewContext:
    review = Review(found=[], marks=list(marks), document_marks=[[] for _ in documents])
    return ReviewContext(review, Turn(role="user", text=text, documents=list(documents)))


def test_only_what_the_engine_marked_leaves_otherwise() -> None:
    rows = [row("Will"), row("Will Poe", "Jack Moor")]
    excerpt = context(TEXT, mark(20, 24), mark(37, 45, "Jack Moor")).around(rows[0], rows)
    assert excerpt is not None
    assert "".join(excerpt.written) == TEXT
    assert excerpt.sent == ("Willing tenants met ", "Jack", ". Will they? Jack Moor.")


def test_what_the_person_wrote_is_shown_and_what_is_chosen_anew_is_open() -> None:
    rows = [row("Will")]
    shown = context("Will", mark(0, 4))
    rows[0].stand_in = "Mary"
    assert shown.around(rows[0], rows).sent == ("", "Mary", "")  # type: ignore[union-attr]
    rows[0] = row("Will")
    rows[0].turn("place")
    assert shown.around(rows[0], rows).sent == ("", "", "")  # type: ignore[union-attr]


def test_what_was_left_alone_is_looked_for_as_whole_words() -> None:
    rows = [row("Will"), row("지우", "하은")]
    excerpt = context("Willing Will, 지우가 God's Will").around(rows[0], rows)
    assert excerpt is not None
    assert excerpt.sent == ("Willing ", "Jack", ", 하은가 God's Jack")
    assert context("Willing").around(rows[0], rows) is None


def test_a_long_text_is_cut_and_a_document_is_named() -> None:
    long = DocumentText(name="a.txt", text="x " * 200 + "Ann" + " y" * 200)
    excerpt = context("Who?", documents=(long,)).around(row("Ann"), [row("Ann", "Eve")])
    assert excerpt is not None
    assert excerpt.place == "a.txt"
    assert excerpt.written[0].startswith("… ")
    assert excerpt.sent[2].endswith(" …")
    assert len(excerpt.written[0]) == AROUND + 2


NAMES = ["Maria Okafor", "Calder & Pym LLP", "3 May 1961", "Henrik Solberg", "GB82 WEST 1234", "김민준"]
STAND_INS = dict(
    zip(NAMES, ["Olivia Norton", "Osiris LLP", "11 April 1962", "Hans Vogel", "GB76 XXXX 5258", "이하은"], strict=True)
)
WORDS = st.sampled_from(["summarise:", "born", "(asks", "of", "for", "a", "second", "opinion.", "\n", "에게", *NAMES])


@given(words=st.lists(WORDS, min_size=1, max_size=60), unticked=st.sets(st.sampled_from(NAMES)), in_marks=st.booleans())
def test_what_is_shown_as_leaving_is_cut_between_words_out_of_the_text_that_leaves(
    words: list[str], unticked: set[str], in_marks: bool
) -> None:
    text, sent, marks = "", "", []
    for word in words:
        if word in STAND_INS and (in_marks or word not in NAMES[:2]):
            marks.append(mark(len(text), len(text) + len(word), STAND_INS[word]))
        text += word + " "
        sent += (STAND_INS[word] if word in STAND_INS and word not in unticked else word) + " "
    shown = context(text, *marks)
    rows = [row(name, stand_in, replaced=name not in unticked) for name, stand_in in STAND_INS.items()]
    for one in rows:
        excerpt = shown.around(one, rows)
        assert (excerpt is None) == (one.found.value not in words)
        if excerpt is not None:
            whole, wanted = f" {' '.join(sent.split())} ", " ".join("".join(excerpt.sent).replace("…", "").split())
            assert f" {wanted} " in whole
            assert excerpt.sent[1] == (one.found.value if one.found.value in unticked else STAND_INS[one.found.value])
            assert max(len(excerpt.written[0]), len(excerpt.written[2])) <= AROUND + 2


def test_a_text_without_spaces_is_cut_at_its_own_signs() -> None:
    rows = [row("김민준", "이하은")]
    text = "甲" * 100 + "，" + "乙" * 20 + "김민준" + "丙" * 20 + "。" + "丁" * 100
    excerpt = context(text, mark(121, 124, "이하은")).around(rows[0], rows)
    assert excerpt is not None
    assert excerpt.sent == ("… " + "乙" * 20, "이하은", "丙" * 20 + "。 …")
