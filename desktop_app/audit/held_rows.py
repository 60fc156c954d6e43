"""What an agent holds of a session: the rows that were sent to it, those it sent back, and how they hang together.

It is read from the frames alone, as any agent could. Row ids become indices in the order of ids: parents stand before children.
"""

from collections.abc import Iterable, Set
from dataclasses import dataclass, field

import torch
from torch import Tensor

from desktop_app.audit.recording import Frame
from remote_agent.segment.payload import from_payload
from remote_agent.wire.codec import decode
from remote_agent.wire.frames import Assembler
from remote_agent.wire.messages import Answer, Message, Open, RowFormat, Step


@dataclass(frozen=True, slots=True)
class HeldRows:
    """Rows of one session: row i continues row `parents[i]` (-1: none); `sent` and `returned` are [rows, hidden size].

    `answered[i]`: row i was run, so that its entry of `returned` means something. `path` are the rows that the desktop kept, from
    the first to the last, as its commits and the order of its rows tell.
    """

    format: RowFormat
    first_layer: int
    last_layer: int
    parents: list[int]
    sent: Tensor
    returned: Tensor
    answered: list[bool]
    path: list[int]

    @property
    def inputs(self) -> Tensor:
        """The rows of the path as they were sent."""
        return self.sent[self.path]

    @property
    def outputs(self) -> Tensor:
        """The rows of the path as they came back."""
        return self.returned[self.path]

    def ancestry(self, row: int) -> list[int]:
        """The rows from the first one down to this one."""
        line = []
        while row >= 0:
            line.append(row)
            row = self.parents[row]
        return line[::-1]

    def leaves(self) -> list[int]:
        """The rows that no other continues: every branch that was ever sent ends in one."""
        return sorted(set(range(len(self.parents))) - set(self.parents))


@dataclass(slots=True)
class _Session:
    opened: Open
    steps: dict[tuple[int, int], tuple[Step, bytes]] = field(default_factory=dict)
    answers: dict[tuple[int, int], bytes] = field(default_factory=dict)


def messages(frames: Iterable[Frame]) -> list[tuple[bool, float, Message, bytes]]:
    """Whole messages in the order in which they were complete: (sent, time, message, payload)."""
    assemblers = {True: Assembler(), False: Assembler()}
    found = []
    for frame in frames:
        whole = assemblers[frame.sent].add(frame.data)
        if whole is not None:
            message, payload = decode(whole)
            found.append((frame.sent, frame.time, message, bytes(payload)))
    return found


def held_rows(frames: Iterable[Frame], hidden_size: int) -> list[HeldRows]:
    """The rows of each session that was opened in these frames, in the order of opening."""
    sessions: dict[int, _Session] = {}
    for _, _, message, payload in messages(frames):
        if isinstance(message, Open):
            sessions[message.session] = _Session(message)
        elif isinstance(message, Step) and message.session in sessions:
            sessions[message.session].steps[message.epoch, message.sequence] = message, payload
        elif isinstance(message, Answer) and message.session in sessions:
            sessions[message.session].answers[message.epoch, message.sequence] = payload
    return [_rows(session, hidden_size) for session in sessions.values()]


def _rows(session: _Session, hidden_size: int) -> HeldRows:
    steps = [session.steps[key] for key in sorted(session.steps)]
    index: dict[int, int] = {-1: -1}
    parents: list[int] = []
    sent: list[Tensor] = []
    returned: list[Tensor] = []
    answered: list[bool] = []
    epochs: list[int] = []
    for step, payload in steps:
        count = len(step.parents)
        for row, parent in enumerate(step.parents):
            index[step.first_row + row] = len(parents)
            parents.append(index[parent])
        sent.append(from_payload(payload, session.opened.rows, count, hidden_size).float())
        answer = session.answers.get((step.epoch, step.sequence))
        answered += [answer is not None] * count
        epochs += [step.epoch] * count
        returned.append(
            torch.zeros(count, hidden_size)
            if answer is None
            else from_payload(answer, session.opened.rows, count, hidden_size).float()
        )
    rows = HeldRows(
        format=session.opened.rows,
        first_layer=session.opened.first_layer,
        last_layer=session.opened.last_layer,
        parents=parents,
        sent=torch.cat(sent) if sent else torch.zeros(0, hidden_size),
        returned=torch.cat(returned) if returned else torch.zeros(0, hidden_size),
        answered=answered,
        path=[],
    )
    if steps:
        last = steps[-1][0]
        rows.path.extend(_path(rows, index[last.commit], {row for row, epoch in enumerate(epochs) if epoch == last.epoch}))
    return rows


def _path(rows: HeldRows, commit: int, newest: Set[int]) -> list[int]:
    """The ancestors of the last commit, the row that was sent last below it, and then the first one below each.

    Right but for guesses at its end: what was sent last below a commit is what its draw has told, guesses come best first.
    """
    first_child = {rows.parents[row]: row for row in sorted(newest, reverse=True)}
    path = rows.ancestry(commit)
    path += [row for row in sorted(newest) if rows.parents[row] == commit][-1:]
    while (row := first_child.get(path[-1] if path else -1)) is not None:
        path.append(row)
    return path
