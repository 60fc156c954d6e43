"""From codes back to the likeliest text, with the model's own next-token distribution as prior: a beam search.

Theory of operation. Bayes' rule token by token: ln P(text | codes) = sum_i ln P(K_i | v_i) + ln P(v_i | v_1 .. v_i-1), the first
from the table (`code_table`), the second from the whole model, which reads the texts in the beam as they grow (BeamClean, arXiv
2505.13758). It is post-processing: the model and the table are public. Rows that came exact are in every text of the beam as they
are; where one is the embedding of a token, that token's probability after each text weighs the text, so that a clear word also
decides about the noisy ones before it.

The beam is a tree in one session of a segment that has all layers: each round adds one row a text, whose parent is the row of the
text that it continues, and `commit` follows the texts' last common row, so that dropped texts leave the cache. Where they do not
agree for `MAX_TREE` rows, those that the best one parted from long ago give way.

A session keeps what it has read of the conversation (its context) from one step to the next. What a step's rows were decoded to
is final: the layers have run on it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch

from remote_agent.segment.code_decoders import Decoded
from remote_agent.segment.code_rows import MixedRows
from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.ends import Output
from remote_agent.segment.segment import Segment

WIDTH = 16  # fewer lose the text at low mu (at 15, 4 read 13 % and 16 read 42 % of the tokens), more find no more
MAX_TREE = 512  # rows of the beam's tree; a session has room for twice as many beside its text
LOOK_AHEAD = 16  # exact rows behind the last codes that are still heard about them
ROWS_AT_ONCE = 256
ROWS_OF_BEAM = 64  # whose distributions over the vocabulary are in memory together

Stale = Callable[[], bool]
Known = tuple[int, torch.Tensor]
"""A row of the conversation: its id there, and its embedding [d]."""


@dataclass(slots=True)
class _Context:
    """What a session has read: the conversation's row ids, and the ids of the same rows in the segment's session."""

    rows: list[int] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    next_id: int = 0
    epoch: int = 0


class CodeSearch:
    """Decodes rows of conversations over one table; raises what `Segment.run` raises. Not for several threads at once."""

    def __init__(self, table: CodeTable, segment: Segment, output: Output, width: int = WIDTH) -> None:
        """`segment`: all layers of the model, its sessions this search's own. `width`: how many texts are followed."""
        self._table, self._segment, self._output = table, segment, output
        self._width = width
        self._contexts: dict[int, _Context] = {}

    @property
    def bytes_held(self) -> int:
        """Bytes of all sessions' caches."""
        return self._segment.bytes_held

    def open(self, session: int, max_positions: int) -> None:
        """A new session that has read nothing."""
        self._segment.open(session, max_positions)
        self._contexts[session] = _Context()

    def fork(self, session: int, source: int) -> None:
        """A new session that has read what `source` has."""
        origin = self._contexts[source]
        self._segment.fork(session, source, origin.ids[-1] if origin.ids else -1)
        self._contexts[session] = _Context(list(origin.rows), list(origin.ids), origin.next_id, origin.epoch)

    def close(self, session: int) -> None:
        """Forget a session; one that is not open is no error."""
        self._segment.close(session)
        self._contexts.pop(session, None)

    def decode(self, session: int, known: Sequence[Known], rows: MixedRows, stale: Stale | None = None) -> Decoded:
        """The rows up to the last of codes, and their tokens (-1: an exact row that is no token's), for a chain behind `known`.

        `known` is the conversation so far, from its first row.
        """
        beam = _Beam(self, session, self._contexts[session], stale)
        beam.read(known)
        end = int(rows.levels.nonzero().max()) + 1
        heard = rows.part(0, end + LOOK_AHEAD)
        tokens = self._table.tokens_of(heard.hidden)
        row = 0
        while row < len(heard.levels):
            level = int(heard.levels[row])
            if level:
                beam.branch(heard.counts[row], level, last=row + 1 == len(heard.levels))
                row += 1
            else:
                exact = int((heard.levels[row:] == 0).long().cumprod(dim=0).sum())
                several = min(exact, beam.rows_at_once)
                beam.extend(heard.hidden[row : row + several], tokens[row : row + several])
                row += several
        found = torch.tensor(beam.best[:end], device=self._table.device)
        coded = (rows.levels[:end] > 0).to(found.device)
        exact_rows = rows.hidden[:end].to(found.device, torch.float32)
        decoded = torch.where(coded[:, None], self._table.rows_of(found.clamp(min=0)), exact_rows)
        return Decoded(decoded, found)


class _Beam:
    """The texts that are followed while one step is decoded, each with its score, its tokens, and its rows since `commit`."""

    def __init__(self, search: CodeSearch, session: int, context: _Context, stale: Stale | None) -> None:
        self._search, self._table = search, search._table
        self._session, self._context, self._stale = session, context, stale
        self._commit = -1
        self._trails: list[list[int]] = [[]]
        self._texts: list[list[int]] = [[]]
        self._scores = torch.zeros(1, dtype=torch.float64, device=self._table.device)
        self._next: torch.Tensor | None = None  # ln P(token) [texts, V] behind each text; None where nothing is before it

    @property
    def best(self) -> list[int]:
        """The tokens of the likeliest text."""
        return self._texts[int(self._scores.argmax())]

    @property
    def rows_at_once(self) -> int:
        """How many exact rows `extend` may be given: one text alone is weighed against none, and needs no distributions."""
        return ROWS_AT_ONCE if len(self._texts) == 1 else max(1, ROWS_OF_BEAM // len(self._texts))

    def read(self, known: Sequence[Known]) -> None:
        """Bring the session's context to `known`, running what is new there, and always its last row, whose answer is needed."""
        context = self._context
        numbers = [row for row, _ in known]
        same = next((i for i, (row, other) in enumerate(zip(context.rows, numbers, strict=False)) if row != other), None)
        kept = min(len(context.rows), len(numbers)) if same is None else same
        kept = max(0, min(kept, len(known) - 1))
        del context.rows[kept:], context.ids[kept:]
        context.epoch += 1  # what older searches left is dropped by the first commit
        self._commit = context.ids[-1] if context.ids else -1
        for start in range(kept, len(known), ROWS_AT_ONCE):
            part = known[start : start + ROWS_AT_ONCE]
            ids, answers = self._run([self._commit], torch.stack([hidden for _, hidden in part]), len(part))
            context.rows += [row for row, _ in part]
            context.ids += ids
            self._commit = ids[-1]
            self._next = self._distributions(answers[-1:])

    def branch(self, counts: torch.Tensor, level: int, last: bool) -> None:
        """Follow each text with the tokens that are likeliest there, and keep the best of them all; the `last` are not run."""
        likelihood = self._table.log_likelihood(counts[None], level)[0].double()
        prior = self._table.log_prior[None] if self._next is None else self._next
        scores = self._scores[:, None] + prior + (likelihood - likelihood.max())
        best = scores.flatten().topk(min(self._search._width, scores.numel()))
        texts, tokens = best.indices // scores.shape[1], best.indices % scores.shape[1]
        chosen = texts.tolist()
        self._texts = [[*self._texts[text], token] for text, token in zip(chosen, tokens.tolist(), strict=True)]
        self._scores = best.values - best.values.max()
        if last:
            return
        ids, answers = self._run([self._tip(text) for text in chosen], self._table.rows_of(tokens), 1)
        self._trails = [[*self._trails[text], row] for text, row in zip(chosen, ids, strict=True)]
        self._next = self._distributions(answers)
        self._settle()

    def extend(self, hidden: torch.Tensor, tokens: torch.Tensor) -> None:
        """Continue each text with exact rows [m, d], and weigh it by how likely their `tokens` [m] are there (-1: no token)."""
        texts, rows = len(self._texts), len(hidden)
        ids, answers = self._run([self._tip(text) for text in range(texts)], hidden.repeat(texts, 1), rows)
        if texts > 1:
            assert self._next is not None  # several texts come of a branch
            after = self._distributions(answers).view(texts, rows, -1)
            before = torch.cat((self._next[:, None], after[:, :-1]), dim=1)
            heard = before.gather(2, tokens.clamp(min=0).expand(texts, -1)[..., None])[..., 0]
            self._scores = self._scores + (heard.double() * (tokens >= 0)).sum(dim=1)
            self._next = after[:, -1]
        else:
            self._next = self._distributions(answers[-1:])
        self._texts = [[*text, *tokens.tolist()] for text in self._texts]
        self._trails = [[*trail, *ids[text * rows : (text + 1) * rows]] for text, trail in enumerate(self._trails)]
        self._settle()

    def _tip(self, text: int) -> int:
        return self._trails[text][-1] if self._trails[text] else self._commit

    def _run(self, tips: Sequence[int], hidden: torch.Tensor, length: int) -> tuple[list[int], torch.Tensor]:
        """Run chains of `length` rows, one behind each of the tips; `hidden` [tips * length, d]. Their ids, and the answers."""
        context = self._context
        first = context.next_id
        ids = list(range(first, first + len(hidden)))
        parents = [tips[i // length] if i % length == 0 else first + i - 1 for i in range(len(hidden))]
        segment = self._search._segment
        answers = segment.run(self._session, context.epoch, self._commit, first, parents, hidden, stale=self._stale)
        context.next_id += len(hidden)
        return ids, answers

    def _distributions(self, answers: torch.Tensor) -> torch.Tensor:
        return torch.log_softmax(self._search._output(answers), dim=-1).to(self._table.device)

    def _settle(self) -> None:
        """Commit to what all texts have in common; where that is long ago, to what the best one has."""
        length = len(self._trails[0])
        if length > 1 and self._context.next_id - self._trails[0][0] > MAX_TREE:
            half = length // 2 - 1
            settled = self._trails[int(self._scores.argmax())][half]
            kept = [text for text, trail in enumerate(self._trails) if trail[half] == settled]
            self._trails, self._texts = [self._trails[text] for text in kept], [self._texts[text] for text in kept]
            self._scores = self._scores[kept]
            self._next = None if self._next is None else self._next[kept]
        shared = 0
        while shared < length and len({trail[shared] for trail in self._trails}) == 1:
            shared += 1
        if shared:
            self._commit = self._trails[0][shared - 1]
            self._trails = [trail[shared:] for trail in self._trails]
