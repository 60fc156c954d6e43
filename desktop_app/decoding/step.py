"""The values that cross the border of this room: steps out, draws in.

`Decoder.next_step()` gives a `Step`; the engine runs it (head, agent, tail), draws one token at each row named in `drawn`, and
hands the `Draw`s to `Decoder.receive()`. Neither side shares anything else.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One request: rows that continue earlier rows, as a tree given by parent ids.

    Row i runs `tokens[i]`, has the id `first_row + i` and continues row `parents[i]` (-1 for the very first row of a session);
    its position is its parent's + 1. `commit` is the deepest row known to be right. `drawn` names the row ids at which a token
    is to be drawn. An empty step of a new epoch means: stop, drop what is in flight. The last `padding` rows are there for the
    step's size alone (see `shape`): nobody keeps them.
    """

    session: int
    epoch: int
    sequence: int
    commit: int
    first_row: int
    tokens: tuple[int, ...]
    parents: tuple[int, ...]
    drawn: tuple[int, ...]
    padding: int = 0


@dataclass(frozen=True, slots=True)
class Draw:
    """The token drawn at one row: the one that follows the row's token.

    `certain` is False where rounding could have changed the winner; the decoder then has the row run alone before it believes it.
    `top_ids` and `top_probs` are the row's likeliest successors, best first, for drafters to learn from; they may be empty.
    """

    row: int
    token: int
    certain: bool = True
    top_ids: tuple[int, ...] = ()
    top_probs: tuple[float, ...] = ()
