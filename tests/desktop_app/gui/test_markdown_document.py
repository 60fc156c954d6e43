"""Markdown in a QTextDocument: the right blocks, nothing fetched, and links that show where they lead."""

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextCharFormat, QTextDocument, QTextListFormat, QTextTable
from PySide6.QtWidgets import QApplication

from desktop_app.chat.events import Mark
from desktop_app.gui.markdown_document import QUOTE_PROPERTY, MarkdownWriter
from desktop_app.gui.markdown_stream import Block
from desktop_app.gui.marked_source import marked_source
from desktop_app.gui.marks import MARK_PROPERTY
from desktop_app.gui.theme import LIGHT


def document_of(*sources: str, continued: bool = False) -> QTextDocument:
    document = QTextDocument()
    writer = MarkdownWriter(document, LIGHT)
    for source in sources:
        writer.write(Block(source, continued=continued))
    return document


def formats(document: QTextDocument) -> dict[str, QTextCharFormat]:
    found = {}
    block = document.begin()
    while block.isValid():
        for part in block.textFormats():
            # A copy: what Qt gives goes with the list it came in.
            found[block.text()[part.start : part.start + part.length]] = QTextCharFormat(part.format)
        block = block.next()
    return found


def test_paragraphs_headings_and_emphasis(qapp: QApplication) -> None:
    document = document_of("# Title\n", "Some **bold**, *slanted* and ~~gone~~ `code`.\nSame line.\n")
    assert document.toPlainText() == "Title\nSome bold, slanted and gone code. Same line."
    found = formats(document)
    assert found["bold"].fontWeight() > 600
    assert found["slanted"].fontItalic()
    assert found["gone"].fontStrikeOut()
    assert found["code"].fontFixedPitch()
    assert document.begin().charFormat().fontPointSize() > document.defaultFont().pointSizeF()


def test_lists_nest_and_keep_their_numbers(qapp: QApplication) -> None:
    document = document_of("3. three\n4. four\n   - deeper\n\n     more of it\n")
    block = document.begin()
    assert (block.textList().format().style(), block.textList().format().start()) == (QTextListFormat.Style.ListDecimal, 3)
    assert block.next().textList().format().start() == 4
    deeper = block.next().next()
    assert deeper.textList().format().indent() == 2
    more = deeper.next()
    assert more.textList() is None
    assert more.blockFormat().indent() == 2


def test_quote_depth_is_marked(qapp: QApplication) -> None:
    document = document_of("> one\n>> two\n\nout\n")
    depths = []
    block = document.begin()
    while block.isValid():
        depths.append(block.blockFormat().intProperty(QUOTE_PROPERTY))
        block = block.next()
    assert depths == [1, 2, 0]


def tables(document: QTextDocument) -> list[QTextTable]:
    return [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]


def test_table_and_the_piece_that_goes_on(qapp: QApplication) -> None:
    head = "| a | b |\n|:--|--:|\n"
    document = QTextDocument()
    writer = MarkdownWriter(document, LIGHT)
    writer.write(Block(head + "| 1 | 2 |\n"))
    writer.write(Block(head + "| 3 | 4 |\n| 5 |\n", continued=True))
    writer.write(Block("after\n"))
    first, second = tables(document)
    assert (first.rows(), first.columns(), second.rows()) == (2, 2, 2)
    assert second.cellAt(0, 1).firstCursorPosition().block().text() == "4"
    assert document.lastBlock().text() == "after"
    assert first.format().columnWidthConstraints() == second.format().columnWidthConstraints()


def test_image_is_not_loaded_and_html_stays_text(qapp: QApplication) -> None:
    asked = []

    class Watched(QTextDocument):
        def loadResource(self, kind: int, name: object) -> object:
            asked.append(name)
            return super().loadResource(kind, name)

    document = Watched()
    MarkdownWriter(document, LIGHT).write(
        Block('![a cat](https://pictures.example/cat.png) <img src="https://x.example/y.png">\n')
    )
    document.size()
    assert asked == []
    assert "a cat (pictures.example)" in document.toPlainText()
    assert '<img src="https://x.example/y.png">' in document.toPlainText()


def test_link_shows_its_true_host(qapp: QApplication) -> None:
    document = document_of("[your bank](https://evil.example/login) and <https://plain.example/>\n")
    text = document.toPlainText()
    assert text == "your bank (evil.example) and https://plain.example/"
    assert formats(document)["your bank"].anchorHref() == "https://evil.example/login"


def test_only_what_may_be_opened_is_a_link(qapp: QApplication) -> None:
    assert not formats(document_of("[x](smb://host/share)\n"))["x"].isAnchor()


def test_marked_words_have_their_format_and_the_rest_has_not(qapp: QApplication) -> None:
    text = "- **Ann Lee** and `Ann Lee`, [Ann Lee](https://x.example)\n"
    places = [at for at in range(len(text)) if text.startswith("Ann Lee", at)]
    marks = [Mark(start=at, end=at + 7, kind="person", stand_in="Eve Poe") for at in places]
    document = QTextDocument()
    MarkdownWriter(document, LIGHT, marks).write(Block(marked_source(text, marks)))
    assert document.toPlainText() == "Ann Lee and Ann Lee, Ann Lee (x.example)"
    parts = [
        (document.begin().text()[part.start : part.start + part.length], part.format.stringProperty(MARK_PROPERTY))
        for part in document.begin().textFormats()
    ]
    sentence = "Person: the model wrote “Eve Poe”"
    assert [text for text, said in parts if said == sentence] == ["Ann Lee"] * 3
    assert [text for text, said in parts if not said] == [" and ", ", ", " (x.example)"]


def test_bidirectional_paragraphs_take_their_own_direction(qapp: QApplication) -> None:
    document = document_of("مرحبا بالعالم\n\nhello\n")
    assert document.begin().textDirection().name == "RightToLeft"
    assert document.begin().next().textDirection().name == "LeftToRight"


@settings(max_examples=80, deadline=None)
@given(source=st.text(st.sampled_from("ab *_`#>-|1.\n[](!)~"), max_size=80))
def test_no_markdown_breaks_the_writer(qapp: QApplication, source: str) -> None:
    document = document_of(source, source)
    document.size()
    for letter in "ab":
        assert document.toPlainText().count(letter) <= 4 * source.count(letter)
