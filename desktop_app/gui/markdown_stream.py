"""Markdown that is still being written: which blocks are finished, and what the unfinished rest is. No Qt.

A window that parses and lays out the whole answer for each token gets slower with every token. So the text is cut into *blocks*
(paragraph, list, table, fence, ...). A block is finished when the next one has begun with a whole line; it is handed over once
and never looked at again. Only the rest, the *tail*, is parsed anew when text comes.

The tail must stay small too. A fence is only appended to: no parsing until the line that closes it. A list is cut between its
items, a table between its rows (sooner, since cells are dear; the header's lines are repeated in front of the rest, marked
`continued`), a quote between its lines and a paragraph behind a sentence, once they are longer than `LIMIT` characters. The
price: emphasis that spans such a cut shows its asterisks, and a link defined elsewhere (`[name]: address`) is not followed.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from desktop_app.gui.marked_source import CLOSE, OPEN, plain

LIMIT = 2400
"""Characters: a longer tail is cut where its kind allows it."""

_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})[ \t]*([^\n]*)\n?")
_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？][\"'”’)\]]*|\n")
_SPACE = re.compile(r"\s+")
_ITEM = re.compile(r"^(\s*)(\d{1,9})([.)])")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of source that can be drawn by itself. `continued`: a table whose header was drawn with the block before."""

    source: str
    kind: str = "text"
    language: str = ""
    continued: bool = False


class _Parser(MarkdownIt):
    """Marks stay in the text and are taken out of addresses."""

    def normalizeLink(self, url: str) -> str:
        return super().normalizeLink(plain(url))

    def normalizeLinkText(self, link: str) -> str:
        return link if OPEN in link else super().normalizeLinkText(link)


def _literally(state: StateInline, silent: bool) -> bool:
    """What is marked is text, whatever characters it is made of."""
    if state.src[state.pos] != OPEN:
        return False
    end = state.src.find(CLOSE, state.pos, state.posMax) + 1 or state.posMax
    if not silent:
        state.append_pending(state.src[state.pos : end])
    state.pos = end
    return True


def parser() -> MarkdownIt:
    """CommonMark with tables and strikethrough; raw HTML stays text, and so does what is marked (see `marked_source`)."""
    made = _Parser("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])
    made.inline.add_terminator_char(OPEN)
    made.inline.ruler.before("text", "literally", _literally)
    return made


class MarkdownStream:
    """Takes text as it comes; `feed` gives the blocks that are finished by it, `tail` is what is left."""

    def __init__(self) -> None:
        self._blocks_only = parser()
        self._blocks_only.core.ruler.enableOnly(["normalize", "block"])
        self._pending = ""
        self._fence: re.Pattern[str] | None = None
        self._fence_searched = 0
        self._table_head = ""
        self._looked_at = self._patience = 0

    @property
    def tail(self) -> Block | None:
        """The unfinished block."""
        if not self._pending.strip():
            return None
        if self._fence is not None or (not self._table_head and _FENCE.match(self._pending.lstrip("\n"))):
            return _fence_block(self._pending.lstrip("\n"))
        return Block(self._table_head + self._pending, continued=bool(self._table_head))

    def feed(self, text: str) -> list[Block]:
        """Add text; give the blocks that are finished now."""
        self._pending += text.replace("\r\n", "\n").replace("\r", "\n")
        finished: list[Block] = []
        while (found := self._next_finished()) is not None:
            finished += found
        return finished

    def finish(self) -> list[Block]:
        """No more text comes; give everything that is left."""
        self._patience = 0
        finished = self.feed("\n")
        if (tail := self.tail) is not None:
            finished.append(tail)
        self._pending, self._table_head, self._fence = "", "", None
        return finished

    def _next_finished(self) -> list[Block] | None:
        """Cut what is finished off the pending text; None when nothing more is."""
        if self._fence is not None:
            return self._close_fence()
        whole = self._pending.rfind("\n") + 1
        if whole <= self._looked_at + self._patience:
            return self._cut_paragraph() if whole == 0 and len(self._pending) > 2 * LIMIT else None
        complete = self._table_head + self._pending[:whole]
        starts = [token for token in self._blocks_only.parse(complete) if token.level == 0 and token.nesting >= 0 and token.map]
        if not starts:
            self._looked_at = whole
            return None
        lines = complete.splitlines(keepends=True)
        offsets = [0]
        for line in lines:
            offsets.append(offsets[-1] + len(line))
        finished = [
            self._block("".join(lines[_first(here) : _first(after)]), here, number == 0)
            for number, (here, after) in enumerate(pairwise(starts))
        ]
        if finished:
            self._drop(offsets[_first(starts[-1])] - len(self._table_head))
            self._table_head = ""
            return finished
        return self._grow(starts[0], lines, offsets)

    def _grow(self, start: Token, lines: list[str], offsets: list[int]) -> list[Block] | None:
        """One block alone is pending: open its fence, or cut it when it is long."""
        if start.type == "fence":
            opening = _FENCE.match(self._pending, offsets[_first(start)])
            if opening is not None:
                self._drop(opening.start())
                mark = opening.group(2)
                self._fence = re.compile(rf"^ {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$", re.MULTILINE)
                self._fence_searched = opening.end() - opening.start()
                return []
        if len(self._pending) > (LIMIT // 3 if start.type == "table_open" else LIMIT):
            cut = self._cut_long(start, lines, offsets)
            if cut is not None:
                return cut
        self._looked_at = self._pending.rfind("\n") + 1
        # A long block that cannot be cut is looked at again when it has grown by a quarter, or its cost would grow squared.
        self._patience = len(self._pending) // 4 if len(self._pending) > LIMIT else 0
        return None

    def _cut_long(self, start: Token, lines: list[str], offsets: list[int]) -> list[Block] | None:
        first = _first(start)
        if start.type == "table_open":
            block = Block("".join(lines), continued=bool(self._table_head))
            if not self._table_head:
                self._table_head = "".join(lines[first : first + 2])
            self._drop(self._pending.rfind("\n") + 1)
            return [block]
        if start.type in ("bullet_list_open", "ordered_list_open"):
            return self._cut_list(lines, offsets)
        if start.type == "blockquote_open":
            self._drop(offsets[-1])
            return [Block("".join(lines))]
        return self._cut_paragraph() if start.type == "paragraph_open" else None

    def _cut_list(self, lines: list[str], offsets: list[int]) -> list[Block] | None:
        tokens = self._blocks_only.parse("".join(lines))
        items = [token for token in tokens if token.type == "list_item_open" and token.level == 1]
        if len(items) < 2:
            return None
        at = offsets[_first(items[-1])]
        block = Block("".join(lines[: _first(items[-1])]))
        self._drop(at)
        # "1." written for every item counts up in one list; the part behind the cut must go on from the right number.
        number = _ITEM.match(self._pending)
        if number is not None:
            attribute = next((token.attrGet("start") for token in tokens if token.type == "ordered_list_open"), None)
            count = (1 if attribute is None else int(attribute)) + len(items) - 1
            self._pending = f"{number.group(1)}{count}{number.group(3)}" + self._pending[number.end() :]
        return [block]

    def _cut_paragraph(self) -> list[Block] | None:
        last = _last_before(_SENTENCE, self._pending, LIMIT) or _last_before(_SPACE, self._pending, LIMIT)
        if last is None:
            return None
        block = Block(self._pending[: last.end()].rstrip())
        self._drop(last.end())
        return [block]

    def _close_fence(self) -> list[Block] | None:
        assert self._fence is not None
        whole = self._pending.rfind("\n") + 1
        closing = self._fence.search(self._pending, self._fence_searched, whole) if whole > self._fence_searched else None
        if closing is None:
            self._fence_searched = max(self._fence_searched, whole)
            return None
        block = _fence_block(self._pending[: closing.start()])
        self._fence = None
        self._drop(closing.end())
        return [block]

    def _block(self, source: str, start: Token, is_first: bool) -> Block:
        if start.type == "fence":
            return _fence_block(re.sub(r"\n {0,3}(`{3,}|~{3,})[ \t]*\n*$", "\n", source))
        return Block(source, continued=is_first and bool(self._table_head))

    def _drop(self, characters: int) -> None:
        self._pending = self._pending[characters:]
        self._looked_at = self._patience = 0


def _last_before(pattern: re.Pattern[str], text: str, limit: int) -> re.Match[str] | None:
    """The last match that ends within `limit` characters, or else the first one behind it."""
    last = None
    for match in pattern.finditer(text, limit // 2):
        if match.end() > limit and last is not None:
            break
        last = match
    return last


def _first(token: Token) -> int:
    assert token.map is not None
    return token.map[0]


def _fence_block(source: str) -> Block:
    """The code inside a fence whose opening line comes first; an indent of that line is taken off the others."""
    opening = _FENCE.match(source)
    if opening is None:
        return Block(source)
    code = source[opening.end() :]
    if indent := len(opening.group(1)):
        code = re.sub(rf"^ {{1,{indent}}}", "", code, flags=re.MULTILINE)
    words = plain(opening.group(3)).split()
    return Block(code, kind="code", language=words[0] if words else "")
