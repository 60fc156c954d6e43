"""The rules of a session: which step runs when, which answer is kept, which is handed on.

Both ends are state machines without I/O, so that service, engine and tests use the same ones.

    desktop                                    agent, one StepQueue per session
    AnswerOrder.sent(step)         ------->    StepQueue.offer(step, payload)    -> a kept reply, or None
                                               StepQueue.next()                  -> Work, or None
                                               StepQueue.is_stale(step)          looked at between layers
    AnswerOrder.offer(reply)       <-------    StepQueue.answered(step, reply)

Sequence numbers restart at 0 with each epoch. A step waits only for its own epoch's predecessors. A newer epoch drops what an
older one left unanswered, and every kept reply of it: the desktop discards late answers of older epochs, nobody will ask again.
A repeated step gets its kept reply and never runs twice. `received` frees kept replies.

One window bounds everything: a step may be at most `WINDOW` ahead of the last answer that its sender had received. So at most
that many steps wait and that many replies are kept; `max_bytes` bounds what they weigh together.
"""

from dataclasses import dataclass

from remote_agent.wire.codec import MAX_MESSAGE_BYTES
from remote_agent.wire.errors import BrokenRule, ErrorCode
from remote_agent.wire.messages import MAX_ROWS_PER_STEP, Answer, Refused, Step

WINDOW = 64
MAX_LEVELS = 8
"""How many noise levels one step may have: for each an agent makes a table as large as the vocabulary."""
MAX_HELD_BYTES = 4 * MAX_MESSAGE_BYTES

Payload = bytes | bytearray | memoryview


@dataclass(frozen=True, slots=True)
class Work:
    """A step that may run now, its rows, and when it came, on whatever clock `offer` was told the time of."""

    step: Step
    payload: Payload
    came: float = 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a step: its answer with the rows, or the refusal."""

    message: Answer | Refused
    payload: Payload = b""


class StepQueue:
    """The agent's side of one session; `row_bytes` is the size of one row both ways, `code_bytes` that of a row of codes.

    Without `code_bytes` no row may be codes.
    """

    def __init__(
        self,
        row_bytes: int,
        max_rows: int = MAX_ROWS_PER_STEP,
        max_bytes: int = MAX_HELD_BYTES,
        code_bytes: int | None = None,
    ) -> None:
        self._row_bytes = row_bytes
        self._code_bytes = code_bytes
        self._max_rows = max_rows
        self._max_bytes = max_bytes
        self._epoch = 0
        self._restart()

    def _restart(self) -> None:
        self._waiting: dict[int, Work] = {}
        self._kept: dict[int, Reply] = {}
        self._weights: dict[int, int] = {}  # sequence: bytes of its rows, from the offer until the reply is freed
        self._held_bytes = 0
        self._next_sequence = 0
        self._last_answered = -1
        self._received = -1

    @property
    def epoch(self) -> int:
        """The newest epoch seen."""
        return self._epoch

    @property
    def last_answered(self) -> int:
        """The last sequence of this epoch that was answered, -1 if none."""
        return self._last_answered

    @property
    def held_bytes(self) -> int:
        """Bytes of rows that wait, run or are kept."""
        return self._held_bytes

    def offer(self, step: Step, payload: Payload = b"", came: float = 0.0) -> Reply | None:
        """Takes a step as it came; its kept reply if it was answered before. Raises BrokenRule, and then takes nothing."""
        self._check_rows(step, payload)
        if step.epoch < self._epoch:
            return None
        opens = step.epoch > self._epoch
        self._check_window(step, -1 if opens else self._last_answered)
        if opens:
            self._restart()
            self._epoch = step.epoch
        self._free(step.received)
        if step.sequence < self._next_sequence or step.sequence in self._waiting:
            return self._kept.get(step.sequence)
        weight = self.weight(step)
        if self._held_bytes + weight > self._max_bytes:
            raise BrokenRule(ErrorCode.STEP_TOO_LARGE, f"{weight} more bytes of rows are over this session's limit.")
        self._waiting[step.sequence] = Work(step, payload, came)
        self._weights[step.sequence] = weight
        self._held_bytes += weight
        return None

    def weight(self, step: Step) -> int:
        """Bytes of a step's rows as they come, or as they go: codes are small, and the answer to them is not."""
        return len(step.parents) * max(self._row_bytes, self._code_bytes or 0)

    @property
    def has_next(self) -> bool:
        """Whether `next` would give a step out."""
        return self._next_sequence in self._waiting

    def next(self) -> Work | None:
        """The next step in sequence, given out once; None while it has not come."""
        work = self._waiting.pop(self._next_sequence, None)
        if work is not None:
            self._next_sequence += 1
        return work

    def is_stale(self, step: Step) -> bool:
        """Whether a newer epoch has opened, so that this step need not be finished."""
        return step.epoch < self._epoch

    def answered(self, step: Step, reply: Reply) -> bool:
        """Keeps the reply of a step that `next` gave out; False if the step is stale and its reply is not to be sent."""
        if step.epoch != self._epoch:
            return False
        if step.sequence != self._last_answered + 1 or step.sequence >= self._next_sequence:
            raise ValueError(f"Step {step.sequence} was not given out, or is answered out of order.")
        self._last_answered = step.sequence
        self._kept[step.sequence] = reply
        return True

    def _check_rows(self, step: Step, payload: Payload) -> None:
        if len(step.parents) > self._max_rows:
            raise BrokenRule(ErrorCode.STEP_TOO_LARGE, f"{len(step.parents)} rows in one step, {self._max_rows} are allowed.")
        size = self._check_levels(step)
        if len(payload) != size:
            raise BrokenRule(ErrorCode.BAD_ROWS, f"{len(payload)} bytes came, and {len(step.parents)} such rows have {size}.")
        if step.commit >= step.first_row:
            raise BrokenRule(ErrorCode.BAD_ROWS, "A step commits one of its own rows.")
        if any(parent >= row for row, parent in enumerate(step.parents, step.first_row)):
            raise BrokenRule(ErrorCode.BAD_ROWS, "A row continues itself or a later row.")

    def _check_levels(self, step: Step) -> int:
        """Return the bytes that the step's rows have."""
        count, coded = len(step.parents), sum(level > 0 for level in step.levels)
        if len(step.levels) not in (0, count):
            raise BrokenRule(ErrorCode.BAD_ROWS, "A step says the noise level of some of its rows only.")
        if not coded:
            return count * self._row_bytes
        if self._code_bytes is None:
            raise BrokenRule(ErrorCode.BAD_ROWS, "A row is codes in a session without any.")
        if len({level for level in step.levels if level}) > MAX_LEVELS:
            raise BrokenRule(ErrorCode.BAD_ROWS, f"A step has more than {MAX_LEVELS} noise levels.")
        last = max(row for row, level in enumerate(step.levels) if level)
        if step.parents[1 : last + 1] != list(range(step.first_row, step.first_row + last)):
            raise BrokenRule(ErrorCode.BAD_ROWS, "A row of codes stands in a branch of a tree.")
        return (count - coded) * self._row_bytes + coded * self._code_bytes

    def _check_window(self, step: Step, last_answered: int) -> None:
        if step.received >= step.sequence or step.received > last_answered:
            raise BrokenRule(ErrorCode.MALFORMED, "A step says that an answer has come which was never given.")
        if step.sequence - step.received > WINDOW:
            raise BrokenRule(ErrorCode.MALFORMED, f"More than {WINDOW} steps in flight.")

    def _free(self, received: int) -> None:
        for sequence in range(self._received + 1, received + 1):
            self._kept.pop(sequence, None)
            self._held_bytes -= self._weights.pop(sequence)
        self._received = max(self._received, received)


class AnswerOrder:
    """The desktop's side of one session: hands replies on in sequence, each once, those of the newest epoch only."""

    def __init__(self) -> None:
        self._epoch = -1
        self._last_sent = -1
        self._received = -1
        self._early: dict[int, Reply] = {}

    @property
    def received(self) -> int:
        """What the next step of this epoch says in `received`."""
        return self._received

    @property
    def in_flight(self) -> int:
        """Steps of this epoch whose reply has not been handed on."""
        return self._last_sent - self._received

    def sent(self, epoch: int, sequence: int) -> None:
        """Notes a step that is being sent; steps are sent in order of epoch and sequence."""
        if epoch > self._epoch and sequence == 0:
            self._epoch, self._received, self._early = epoch, -1, {}
        elif (epoch, sequence) != (self._epoch, self._last_sent + 1):
            raise ValueError(f"Step {sequence} of epoch {epoch} is sent out of order.")
        self._last_sent = sequence

    def offer(self, reply: Reply) -> list[Reply]:
        """Takes a reply as it came; the replies that are next in order now. BrokenRule if it answers what was never sent."""
        epoch, sequence = reply.message.epoch, reply.message.sequence
        if epoch > self._epoch or (epoch == self._epoch and sequence > self._last_sent):
            raise BrokenRule(ErrorCode.MALFORMED, "An answer to a step that was never sent.")
        if epoch < self._epoch or sequence <= self._received:
            return []
        self._early.setdefault(sequence, reply)
        ready = []
        while (following := self._early.pop(self._received + 1, None)) is not None:
            self._received += 1
            ready.append(following)
        return ready
