"""What the decoder knows about its rows: the path that is right, and the tree of guesses below its last row.

`tokens` are the tokens known to be right: the prompt, then what was drawn. `ids` are the rows of the first of them; the rest have
no row yet: slices of the prompt that still have to travel, later at most one drawn token that no draft foresaw. The row of the
last id is the *tip*. Below it hang guesses, as `Row`s; a row *lives* while it is the tip or hangs below it. Rows are looked up by
id only while their answer is awaited (`awaited`); then the tree alone holds them, and one that does not live is gone.
"""

from bisect import bisect_left
from collections.abc import Iterator

from desktop_app.decoding.errors import BrokenRule
from desktop_app.decoding.token_tree import TokenTree


class Row:
    """One row that was sent and is drawn: the last one of the prompt, an accepted token, or a guess.

    `drawn` is the token drawn at it, None until its answer comes; `believed` says whether that draw may be committed.
    `children` are the rows that continue it, by token. `parent` is None for the last row of the prompt.
    """

    __slots__ = ("believed", "children", "drawn", "id", "parent", "position", "token")

    def __init__(self, row: int, token: int, position: int, parent: "Row | None") -> None:
        self.id = row
        self.token = token
        self.position = position
        self.parent = parent
        self.drawn: int | None = None
        self.believed = False
        self.children: dict[int, Row] = {}

    @property
    def settled(self) -> int | None:
        """The token drawn at it, if that is believed."""
        return self.drawn if self.believed else None

    def descendants(self) -> int:
        """How many rows hang below this one."""
        return sum(1 + child.descendants() for child in self.children.values())


class RowTree:
    """The right path and the guesses below it. `ids` and `tokens` are read by the decoder, changed only here."""

    def __init__(self, prompt: list[int], ids: list[int]) -> None:
        self.tokens = prompt
        self.ids = ids
        self.awaited: dict[int, Row] = {}
        self._prompt_tokens = len(prompt)
        self._tip: Row | None = None

    @property
    def in_prompt(self) -> bool:
        """Whether rows of the prompt still have to be sent."""
        return self._tip is None

    @property
    def tip(self) -> Row:
        """The deepest row known to be right. Asked only when the whole prompt was sent."""
        if self._tip is None:
            raise BrokenRule("There is no row to draw at before the whole prompt was sent; send its slices first.")
        return self._tip

    @property
    def unsent(self) -> bool:
        """Whether a token is known to be right that has no row yet."""
        return len(self.tokens) > len(self.ids)

    def send_prompt(self, first_row: int, most: int) -> tuple[int, ...]:
        """Give the next rows of the prompt, at most `most`, the ids from `first_row` on; their tokens."""
        begin = len(self.ids)
        tokens = tuple(self.tokens[begin : begin + most])
        self.ids.extend(range(first_row, first_row + len(tokens)))
        if len(self.ids) == self._prompt_tokens:
            self._tip = Row(self.ids[-1], tokens[-1], self._prompt_tokens - 1, None)
            self.awaited[self._tip.id] = self._tip
        return tokens

    def hang(self, row: int, token: int, parent: Row) -> Row:
        """A guess below `parent`, which has none yet that carries this token."""
        child = Row(row, token, parent.position + 1, parent)
        parent.children[token] = self.awaited[row] = child
        return child

    def twin_of_tip(self, row: int) -> Row:
        """A second row for the tip's token at the tip's place, to be run alone; it hangs in no tree."""
        twin = Row(row, self.tip.token, self.tip.position, self.tip.parent)
        self.awaited[row] = twin
        return twin

    def match(self, nodes: TokenTree) -> tuple[dict[int, Row], list[int]]:
        """Lay proposed nodes over the guesses below the tip: the rows of those sent already (-1: the tip), and the others."""
        rows = {-1: self.tip}
        fresh: list[int] = []
        for node, (token, parent) in enumerate(zip(nodes.tokens, nodes.parents, strict=True)):
            row = rows[parent].children.get(token) if parent in rows else None
            if row is None:
                fresh.append(node)
            else:
                rows[node] = row
        return rows, fresh

    def accept(self, token: int) -> bool:
        """This token is right after the tip; whether a guess carries it, which is the tip then."""
        self.tokens.append(token)
        child = self.tip.children.get(token)
        if child is None:
            return False
        self.step_onto(child)
        return True

    def step_onto(self, child: Row) -> None:
        """This child of the tip turned out right: it is the tip now, its siblings and what hangs below them are dead."""
        self.tip.children.clear()
        self.ids.append(child.id)
        self._tip = child

    def replace_tip(self, twin: Row) -> None:
        """Go on from the twin; what hangs below the old tip is dead."""
        self.ids[-1] = twin.id
        self._tip = twin

    def lives(self, row: Row) -> bool:
        """Whether it can still become right: it is the tip or hangs below it."""
        at: Row | None = row
        while at is not None and at.position > self.tip.position:
            at = at.parent
        return at is self._tip

    def cut_path(self, row: int, count: int) -> None:
        """Forget what the path holds from the first of these `count` row ids on, from `row` up, if it holds any of them."""
        index = bisect_left(self.ids, row)
        if index < len(self.ids) and self.ids[index] < row + count:
            del self.ids[index:]

    def keep(self, tokens: int) -> None:
        """Forget all but this many tokens, and their rows."""
        del self.tokens[tokens:]
        del self.ids[tokens:]

    def position(self, row: int) -> int:
        """The row's position, counted from 0; the row is on the path or awaited, else BrokenRule is raised."""
        at = self.awaited.get(row)
        if at is not None:
            return at.position
        index = bisect_left(self.ids, row)
        if index < len(self.ids) and self.ids[index] == row:
            return index
        raise BrokenRule(f"Row {row} is neither on the path nor awaited; ask before its answer is handed in.")

    def path(self, row: int, start: int) -> list[int]:
        """The tokens from position `start` to this row; the cost is their number. Raises as `position` does."""
        end = self.position(row) + 1
        guesses = [at.token for at in self._guesses(self.awaited.get(row))]
        guesses.reverse()
        right = end - len(guesses)
        return self.tokens[start:right] + guesses[max(start - right, 0) :]

    def _guesses(self, row: Row | None) -> Iterator[Row]:
        """From this row up, those that are not on the path."""
        while row is not None and not (row.position < len(self.ids) and self.ids[row.position] == row.id):
            yield row
            row = row.parent
