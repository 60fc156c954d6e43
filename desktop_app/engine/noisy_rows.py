"""What stands for the tokens of a prompt under noise: numbers that say what may leave, and nothing of what was said.

Theory of operation. With noise a prompt is not made of token ids. A token of the template is `PUBLIC` + its id, a private one
`OCCURRENCE` + the number of its draw, a row of a soft prompt `SOFT` + its place; only the tokens of the answer are plain ids.
From the decoder to the wire nothing else of the prompt exists, so whatever draws, drafts, penalises or stops there cannot
depend on it, by construction: what is neither public nor the answer's own is opaque. At the last step before the wire each
number becomes a row or its codes, and one that the ledger does not know becomes a refusal.
"""

from collections.abc import Callable, Iterable, Sequence

from torch import Tensor

from desktop_app.decoding.drafter import Drafter
from desktop_app.decoding.step import Draw as Drawn
from desktop_app.decoding.token_tree import TokenTree, merge
from desktop_app.engine.errors import EngineError
from desktop_app.model.local import HeadSegment
from desktop_app.privacy.noise.draws import Draw

PUBLIC = 1 << 40
OCCURRENCE = 1 << 41
SOFT = 1 << 42
CODES = -1

DrawAnswer = Callable[[Sequence[int]], Draw]


class RowUncharged(EngineError):
    """A row was about to leave whose cost is not known."""


class NoisyRows:
    """What each number of a session's prompts stands for. Grows with the session; belongs to the torch thread."""

    def __init__(self, answers_exact: bool, soft_prompt: Tensor | None = None) -> None:
        """`answers_exact`: the tokens of answers may leave as exact rows; if not, `begin_answer` says how they do.

        `soft_prompt` [s, d]: rows that are no token's, and public; they come before all others.
        """
        self._answers_exact = answers_exact
        self.soft_prompt = soft_prompt
        self._answer: list[int] = []
        self._draw: DrawAnswer | None = None
        self._draws: dict[int, tuple[Draw, int]] = {}

    def begin_answer(self, draw: DrawAnswer) -> None:
        """An answer begins, whose tokens leave as codes: `draw` charges, draws and keeps its last token, given all of them."""
        self._answer, self._draw = [], draw

    def add(self, draws: Iterable[tuple[Draw, int]]) -> list[int]:
        """Take draws that are charged and kept; return the number that stands for each.

        With each comes the token whose exact row leaves for it, or `CODES`: then its codes do.
        """
        numbers = []
        for draw, token in draws:
            self._draws[draw.number] = draw, token
            numbers.append(OCCURRENCE + draw.number)
        return numbers

    def knows_otherwise(self, draws: Iterable[tuple[Draw, int]]) -> bool:
        """Whether one of these numbers stands for something else here: the archive has given them anew."""
        return any(self._draws.get(draw.number, (draw, token)) != (draw, token) for draw, token in draws)

    def token(self, number: int) -> int:
        """The id whose embedding stands in the row: the token's own, or, of codes, any."""
        if number < PUBLIC:
            return number
        if number < OCCURRENCE:
            return number - PUBLIC
        if number >= SOFT:
            return 0
        return max(0, self._draws[number - OCCURRENCE][1])

    def may_pad(self, number: int) -> bool:
        """Whether padding may be drawn from this number: it costs nothing, however often and wherever it leaves.

        Codes that are sent again could only be a chain; an answer's token that leaves as codes is drawn as the answer's next.
        """
        return number < OCCURRENCE and (number >= PUBLIC or self._answers_exact)

    def codes(self, numbers: Sequence[int], padding: int = 0) -> list[Draw | None]:
        """The draw that travels for each number, None for one that travels as an exact row. Raises `RowUncharged`.

        The last `padding` of them are said by nobody, and may cost nothing.
        """
        if not all(map(self.may_pad, numbers[len(numbers) - padding :])):
            raise RowUncharged("Padding was to be words that cost something. Nothing was sent. Choose another traffic shape.")
        found: list[Draw | None] = []
        for number in numbers:
            if SOFT > number >= OCCURRENCE:
                if number - OCCURRENCE not in self._draws:
                    raise RowUncharged("A word was to be sent that is not in the ledger. Nothing was sent. Ask again.")
                draw, token = self._draws[number - OCCURRENCE]
                found.append(draw if token == CODES else None)
            elif number >= PUBLIC or self._answers_exact:
                found.append(None)
            elif self._draw is not None:
                self._answer.append(number)
                found.append(self._draw(self._answer))
            else:
                raise RowUncharged("In this conversation answers go back as codes only. Begin a new one for exact answers.")
        return found


class NoisyHead:
    """The head of a session with noise, without layers: a row is an embedding, and where codes stand, none that is used."""

    def __init__(self, head: HeadSegment, rows: NoisyRows) -> None:
        self._head, self._rows = head, rows

    def run(self, session: int, epoch: int, commit: int, first_row: int, parents: Sequence[int], tokens: Sequence[int]) -> Tensor:
        """See `HeadSegment.run`; `tokens` are numbers."""
        hidden = self._head.run(session, epoch, commit, first_row, parents, [self._rows.token(token) for token in tokens])
        soft = [place for place, token in enumerate(tokens) if token >= SOFT]
        if soft and self._rows.soft_prompt is not None:
            hidden = hidden.clone()
            hidden[soft] = self._rows.soft_prompt[[tokens[place] - SOFT for place in soft]].to(hidden)
        return hidden


class VisibleDrafter:
    """A drafter that proposes tokens only: where what it copies goes on with a prompt's numbers, it ends."""

    def __init__(self, drafter: Drafter) -> None:
        self._drafter = drafter

    def begin(self, context: Sequence[int]) -> None:
        """See `Drafter`."""
        self._drafter.begin(context)

    def observe(self, tokens: Sequence[int]) -> None:
        """See `Drafter`."""
        self._drafter.observe(tokens)

    def learn(self, token: int, draw: Drawn) -> None:
        """See `Drafter`."""
        self._drafter.learn(token, draw)

    def propose(self, path: Sequence[int], limit: int) -> TokenTree:
        """See `Drafter`; the branches of what it proposes, each up to its first number that is no token."""
        tree = self._drafter.propose(path, limit)
        opaque = {token for token in tree.tokens if token >= PUBLIC}
        return merge([tree], depth=len(tree), without=opaque) if opaque else tree
