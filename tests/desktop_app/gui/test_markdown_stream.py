"""Markdown cut into blocks while it is written: the same blocks whatever the pieces, nothing lost, a small tail."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.gui.markdown_stream import LIMIT, Block, MarkdownStream, parser

SENTENCE = "The quick **brown** fox jumps over `the` lazy dog. "
LINES = st.sampled_from(
    "# head|text|more *text*||- item|  - deeper|1. first|> quote|¦ a ¦ b ¦|¦---¦---¦|¦ 1 ¦ 2 ¦|```python|```|~~~|x = 1|"
    "    indented|---|===|한국어 🙂|[a](https://b.example)".replace("|", "\n")
    .replace("¦", "|")
    .split("\n")
)


def blocks_of(text: str, size: int) -> list[Block]:
    stream = MarkdownStream()
    found: list[Block] = []
    for start in range(0, len(text), size):
        found += stream.feed(text[start : start + size])
        _ = stream.tail
    return found + stream.finish()


def stripped(blocks: list[Block]) -> list[tuple[str, str]]:
    return [(block.kind, block.source.strip("\n")) for block in blocks if block.source.strip() or block.kind == "code"]


def longest_tail(text: str) -> int:
    stream, longest = MarkdownStream(), 0
    for start in range(0, len(text), 50):
        stream.feed(text[start : start + 50])
        tail = stream.tail
        longest = max(longest, len(tail.source) if tail is not None and tail.kind == "text" else 0)
    return longest


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(LINES, max_size=14), size=st.integers(1, 30))
def test_pieces_do_not_change_the_blocks(lines: list[str], size: int) -> None:
    text = "\n".join(lines)
    assert stripped(blocks_of(text, size)) == stripped(blocks_of(text, max(1, len(text))))


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(LINES, max_size=14))
def test_blocks_render_as_the_whole_does(lines: list[str]) -> None:
    text = "\n".join(lines)
    html = ""
    for block in blocks_of(text, 7):
        source = block.source if block.kind == "text" else f"~~~~~ {block.language}\n{block.source.rstrip(chr(10))}\n~~~~~"
        html += parser().render(source)
    flat = lambda rendered: re.sub(r"\s+|</?p>| start=\"\d+\"| class=\"[^\"]*\"", "", rendered)  # noqa: E731
    assert flat(html) == flat(parser().render(text))


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=200), size=st.integers(1, 20))
def test_any_text_is_taken_and_no_letter_lost(text: str, size: int) -> None:
    shown = "".join(block.source + block.language for block in blocks_of(text, size))
    letters = lambda value: sorted(character for character in value if character.isalnum())  # noqa: E731
    fenced = "```" in text or "~~~" in text
    assert fenced or letters(shown) == letters(text.replace("\r\n", "\n"))


def test_fence_grows_without_being_finished() -> None:
    stream = MarkdownStream()
    assert stream.feed("Look:\n\n```py\na = 1\n") == [Block("Look:\n\n")]
    assert stream.tail == Block("a = 1\n", kind="code", language="py")
    assert stream.feed("``\nb") == []
    assert stream.feed("\n```") == []
    assert stream.feed("\nafter") == [Block("a = 1\n``\nb\n", kind="code", language="py")]
    assert stream.finish()[0].source.strip() == "after"


def test_unclosed_fence_is_code_at_the_end() -> None:
    assert blocks_of("```\nx = 1", 3) == [Block("x = 1\n", kind="code")]


def test_tails_of_long_blocks_stay_small() -> None:
    assert longest_tail(SENTENCE * 600) <= 2 * LIMIT
    assert longest_tail("字" * 40 + "。" + "한국어 문장입니다. " * 3000) <= 2 * LIMIT
    assert longest_tail("".join(f"1. {SENTENCE}\n" for _ in range(400))) <= 2 * LIMIT
    assert longest_tail("| a | b |\n|---|---|\n" + f"| {SENTENCE} | 2 |\n" * 400) <= 2 * LIMIT
    assert longest_tail(f"> {SENTENCE}\n" * 400) <= 2 * LIMIT


def test_numbers_go_on_where_a_long_list_was_cut() -> None:
    blocks = blocks_of("".join(f"1. {SENTENCE}{number}\n" for number in range(200)), 33)
    assert len(blocks) > 1
    starts = [int(match.group(1)) for block in blocks if (match := re.match(r"(\d+)\.", block.source))]
    items = [block.source.count("\n") for block in blocks]
    assert starts == [1 + sum(items[:position]) for position in range(len(blocks))]


def test_table_goes_on_with_its_header() -> None:
    blocks = blocks_of("| a | b |\n|---|---|\n" + f"| {SENTENCE} | 2 |\n" * 200 + "\nafter", 64)
    tables = [block for block in blocks if block.source.startswith("| a | b |")]
    assert [block.continued for block in tables] == [False] + [True] * (len(tables) - 1)
    assert sum(block.source.count(SENTENCE) for block in tables) == 200
    assert blocks[-1].source.strip() == "after"
    assert not blocks[-1].continued
