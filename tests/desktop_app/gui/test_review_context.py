"""What leaves is shown as the engine will send it: where it marked something, and nowhere else."""

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
