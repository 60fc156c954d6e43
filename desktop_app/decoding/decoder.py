"""The decode loop, without any I/O: steps out, draws in.

How it works. A reply is a path of tokens: the prompt, then at each row the token that the model draws there. Running one row
needs a round trip, so a step carries more than the one row that is surely needed: below it hang guesses from drafters, a tree.
The engine draws a token at *every* row, keyed by seed and position, so the draw at a row depends on nothing but the row's path.
Verification is then a walk (`_advance`): stand on the deepest row known to be right, the *tip*; the token drawn there is right;
if a guess below the tip carries it, step onto that guess, whose own draw is the next right token, and so on. Where no guess
carries it, the token becomes the first row of the next step. Output is therefore what one-by-one decoding gives, whoever drafts.

`next_step` offers, in this order:

1. slices of the prompt, each with `commit` on the last row of the slice before; only the prompt's last row is drawn;
2. the drawn token that no guess foresaw, with new guesses below it;
3. the tip once more and alone, if its draw is not `certain`: rounding in a step of many rows could have changed the winner. The
   draw of a step of one row, and that at the prompt's last row, is the reference and always believed. If it confirms the first
   draw, the guesses below the tip go on to count; if not, the path goes on from the row that was run alone;
4. while answers are on their way and fewer than `window` steps are in flight: further guesses below those already sent.

`commit` is the deepest row of which nothing can be taken back: its draw is believed, or it is of the prompt. A tip that waits
for its answer is right too, but might have to be run again alone, beside itself, so the row above it is committed; thus commits
only move down within an epoch, and each row hangs on `commit` or on a living descendant of it.

An *epoch* is a line of steps that the agent runs in order. Where the next row continues nothing that is in flight, what is in
flight is worthless: a new epoch opens, and every cache drops the old one's rows below `commit` (they arrive with that step; there
is no rollback message). Answers of older epochs are discarded when they come. When a reply ends with steps in flight, one empty
step of a new epoch cancels them: call `next_step` once more after `finished`.

A session outlives its replies. `Start` names the path that its caches hold; the decoder sends only what comes after the first
token that differs, in an epoch of its own. After the end `continuation` is the `Start` of the next reply.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal

from desktop_app.decoding.budget import AdaptiveBudget, RowBudget
from desktop_app.decoding.drafter import Drafter
from desktop_app.decoding.errors import BrokenRule
from desktop_app.decoding.limits import Limits
from desktop_app.decoding.row_tree import Row, RowTree
from desktop_app.decoding.start import Start
from desktop_app.decoding.step import Draw, Step
from desktop_app.decoding.token_tree import merge

FinishReason = Literal["end", "length", "stopped"]


@dataclass(frozen=True, slots=True)
class _Flight:
    """A step that waits for its answer, and how many of its rows are guesses."""

    step: Step
    drafted: int


@dataclass(eq=False, repr=False)
class Decoder:
    """Decodes one reply of one session; raises NoRoom at once if prompt and limits leave no room for it.

    `window` is the most steps in flight, at least 1. `drafters` and `plan` may be handed on to the next reply's decoder.
    `finish_reason` is None before the end: "end" at a stop id, "length" at a limit, "stopped" by `stop`, or what `finish` says.
    """

    session: int
    prompt: Sequence[int]
    _: KW_ONLY
    limits: Limits
    drafters: Sequence[Drafter] = ()
    window: int = 1
    plan: RowBudget = field(default_factory=AdaptiveBudget)
    start: Start = field(default_factory=Start)
    finish_reason: FinishReason | None = field(default=None, init=False)
    reused: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        """Find what the session's caches already hold of the prompt (`reused`, in rows)."""
        if self.window < 1:
            raise BrokenRule("At least one step must be allowed in flight; set the window to 1 or more.")
        self._room = self.limits.reply_room(len(self.prompt))
        self.reused = self.start.reusable(self.prompt)
        self._tree = RowTree(list(self.prompt), [row for row, _ in self.start.rows[: self.reused]])
        self._epoch = self.start.epoch
        self._sequence = 0
        self._next_row = self.start.next_row
        self._in_flight: dict[int, _Flight] = {}
        self._twin: Row | None = None
        self._cancel = False
        for drafter in self.drafters:
            drafter.begin(self.prompt)

    # What the engine asks

    @property
    def finished(self) -> bool:
        """Whether the reply has ended; `next_step` may still offer the one empty step that cancels what is in flight."""
        return self.finish_reason is not None

    @property
    def reply(self) -> list[int]:
        """The tokens accepted so far, without the stop id."""
        return self._tree.tokens[len(self.prompt) :]

    @property
    def continuation(self) -> Start:
        """Where the session's next reply starts: the rows of prompt and reply that were answered. Only after the end."""
        if not self.finished:
            raise BrokenRule("The reply has not ended; call stop() or finish() first.")
        rows = tuple(zip(self._tree.ids, self._tree.tokens, strict=False))
        return Start(self._epoch + 1, self._next_row, rows)

    def awaits(self, step: Step) -> bool:
        """Whether the answer to this step is still wanted: not late, not a repeat."""
        return step.epoch == self._epoch and step.sequence in self._in_flight

    def path(self, row: int, start: int = 0) -> list[int]:
        """The tokens from position `start` to this row, which is awaited or on the right path; costs only what is returned."""
        return self._tree.path(row, start)

    def position(self, row: int) -> int:
        """The position, from 0, of a row that is awaited or on the right path."""
        return self._tree.position(row)

    # Steps out

    def next_step(self) -> Step | None:
        """The next step to send; None: wait for an answer, or the reply has ended."""
        if self.finished:
            return self._cancelling_step()
        if self._tree.in_prompt:
            return self._prompt_slice() if len(self._in_flight) < self.window else None
        if self._tree.unsent:
            return self._unforeseen_step()
        if self._tree.tip.drawn is not None:
            return self._lone_step()
        return self._further_guesses() if len(self._in_flight) < self.window else None

    def _prompt_slice(self) -> Step:
        """The next rows of the prompt."""
        tree, first = self._tree, self._next_row
        commit = tree.ids[-1] if tree.ids else -1
        tokens = tree.send_prompt(first, self.limits.prompt_slice)
        self._next_row += len(tokens)
        last = self._next_row - 1
        return self._send(commit, tokens, (commit, *range(first, last)), () if tree.in_prompt else (last,), drafted=0)

    def _unforeseen_step(self) -> Step:
        """The token that no guess carried, below the tip, and guesses below it."""
        if self._in_flight:
            self._open_epoch()
        tree = self._tree
        root = tree.hang(self._take_id(), tree.tokens[-1], tree.tip)
        tree.step_onto(root)
        guesses = self._guess()
        return self._send_rows([root, *guesses], drafted=len(guesses))

    def _lone_step(self) -> Step | None:
        """The tip again, alone, because its draw is not certain; None while that is under way.

        The window has room for it: the answer that made the tip doubtful has just left.
        """
        tree = self._tree
        if self._twin is not None:
            return None
        if self._in_flight and not any(tree.lives(row) for row in tree.awaited.values()):
            self._open_epoch()
            tree.replace_tip(tree.twin_of_tip(self._take_id()))
            return self._send_rows([tree.tip], drafted=0)
        self._twin = tree.twin_of_tip(self._take_id())
        return self._send_rows([self._twin], drafted=0)

    def _further_guesses(self) -> Step | None:
        """More guesses below the tip, whose answer is awaited; None without any."""
        guesses = self._guess()
        return self._send_rows(guesses, drafted=len(guesses)) if guesses else None

    def _cancelling_step(self) -> Step | None:
        """The empty step, once, if steps were in flight when the reply ended."""
        if not self._cancel:
            return None
        self._cancel = False
        commit = self._tree.ids[-1] if self._tree.ids else -1
        return Step(self.session, self._epoch, 0, commit, self._next_row, (), (), ())

    def _guess(self) -> list[Row]:
        """New rows below the tip: of all that the drafters propose the likeliest that were not sent yet."""
        limit = self.plan.limit()
        # The draw at the row of the last token but one gives the last token that there is room for.
        depth = self._room - (len(self._tree.tokens) - len(self.prompt)) - 1
        if limit < 1 or depth < 1:
            return []
        tip = self._tree.tip
        most = limit + tip.descendants()
        proposals = (drafter.propose(self._tree.tokens, most) for drafter in self.drafters)
        nodes = merge(proposals, depth=depth, without=self.limits.stop_ids).best(most)
        rows, fresh = self._tree.match(nodes)
        count = min(limit, self.plan.choose([nodes.probabilities[node] for node in fresh[:limit]]))
        for node in fresh[:count]:
            # Best first means parents first: the parent is there, sent long ago or hung a moment ago.
            rows[node] = self._tree.hang(self._take_id(), nodes.tokens[node], rows[nodes.parents[node]])
        return [rows[node] for node in fresh[:count]]

    def _take_id(self) -> int:
        """The next free row id."""
        self._next_row += 1
        return self._next_row - 1

    def _send_rows(self, rows: list[Row], *, drafted: int) -> Step:
        """A step of these rows, all drawn. The tip's draw is not believed yet, so its parent is committed."""
        tip = self._tree.tip
        tokens = tuple(row.token for row in rows)
        parents = tuple(row.parent.id for row in rows if row.parent is not None)
        return self._send((tip.parent or tip).id, tokens, parents, tuple(row.id for row in rows), drafted=drafted)

    def _send(
        self, commit: int, tokens: tuple[int, ...], parents: tuple[int, ...], drawn: tuple[int, ...], *, drafted: int
    ) -> Step:
        """Put a step in flight; its rows have the ids taken last."""
        first_row = self._next_row - len(tokens)
        step = Step(self.session, self._epoch, self._sequence, commit, first_row, tokens, parents, drawn)
        self._in_flight[self._sequence] = _Flight(step, drafted)
        self._sequence += 1
        return step

    def _open_epoch(self) -> None:
        """Give up what is in flight; every cache drops it with the next step."""
        self._give_up()
        self._epoch += 1
        self._sequence = 0

    def _give_up(self) -> None:
        """Expect nothing more of what is in flight."""
        for flight in self._in_flight.values():
            self.plan.record(flight.drafted, 0)
        self._in_flight.clear()
        self._tree.awaited.clear()
        self._twin = None

    # Draws in

    def receive(self, step: Step, draws: Sequence[Draw]) -> list[int]:
        """Take the draws of a step, one for each row in `drawn` and in that order; the tokens that are newly accepted.

        Late and repeated answers change nothing, whatever they hold. Raise BrokenRule if the draws are not those asked for.
        """
        if not self.awaits(step):
            return []
        if tuple(draw.row for draw in draws) != step.drawn:
            raise BrokenRule("The draws are not those that the step asked for; hand in one for each row in `drawn`, in order.")
        flight = self._in_flight.pop(step.sequence)
        for draw in draws:
            self._note(draw, alone=self._runs_alone(step, draw.row))
        known = len(self._tree.tokens)
        guesses_come_true = self._advance()
        if draws:
            self.plan.record(flight.drafted, guesses_come_true)
        accepted = self._tree.tokens[known:]
        for drafter in self.drafters:
            drafter.observe(accepted)
        return accepted

    def _runs_alone(self, step: Step, row: int) -> bool:
        """Whether the row was run as its reference is, so that whatever is drawn there is believed."""
        return len(step.tokens) == 1

    def _note(self, draw: Draw, *, alone: bool) -> None:
        """Write a draw down at its row; the twin's draw settles the tip's."""
        tree = self._tree
        row = tree.awaited.pop(draw.row)
        for drafter in self.drafters:
            drafter.learn(row.token, draw)
        row.drawn = draw.token
        row.believed = draw.certain or alone or row.parent is None
        if row is self._twin:
            self._twin = None
            if draw.token == tree.tip.drawn:
                tree.tip.believed = True
            else:
                tree.replace_tip(row)

    def _advance(self) -> int:
        """Walk down as far as believed draws lead and accept their tokens; how many guesses came true."""
        tree, came_true = self._tree, 0
        while not (self.finished or tree.unsent) and (token := tree.tip.settled) is not None:
            if token in self.limits.stop_ids:
                self._end("end")
                break
            came_true += tree.accept(token)
            if len(tree.tokens) == len(self.prompt) + self._room:
                self._end("length")
        return came_true

    # Ends

    def stop(self) -> None:
        """End the reply here, keeping what was accepted; nothing if it has ended already."""
        if not self.finished:
            self._end("stopped")

    def finish(self, keep: int, reason: FinishReason = "end") -> None:
        """End the reply after its first `keep` tokens, as a stop string demands; also where it has ended by itself since."""
        if not 0 <= keep <= len(self.reply):
            raise BrokenRule(f"The reply has {len(self.reply)} tokens, so {keep} of them cannot be kept; count again.")
        self.stop()
        self.finish_reason = reason
        self._tree.keep(len(self.prompt) + keep)

    def _end(self, reason: FinishReason) -> None:
        """The reply has ended; rows of the path that are still in flight die with their epoch."""
        self.finish_reason = reason
        if self._in_flight:
            for flight in self._in_flight.values():
                self._tree.cut_path(flight.step.first_row, len(flight.step.tokens))
            self._leave_behind()

    def _leave_behind(self) -> None:
        """What is in flight at the end is cancelled at the agent, too."""
        self._open_epoch()
        self._cancel = True
