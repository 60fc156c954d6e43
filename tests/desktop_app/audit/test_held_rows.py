"""What an agent holds is read back from frames alone: rows, their tree, the path that was kept."""

import random
from collections.abc import Sequence

import torch

from desktop_app.audit.held_rows import HeldRows, held_rows, messages
from desktop_app.audit.recording import Frame
from remote_agent.segment.payload import to_payload
from remote_agent.wire.codec import encode_buffers
from remote_agent.wire.frames import Splitter
from remote_agent.wire.messages import Answer, Message, Open, Ping, RowFormat, Step

HIDDEN = 400  # rows of several frames


class Line:
    """Turns messages into frames as a channel does."""

    def __init__(self, row_format: RowFormat = RowFormat.FLOAT32) -> None:
        self.frames: list[Frame] = []
        self._splitters = {True: Splitter(), False: Splitter()}
        self._format = row_format

    def cross(self, sent: bool, message: Message, rows: torch.Tensor | None = None) -> None:
        payload = b"" if rows is None else to_payload(rows, self._format)
        for data in self._splitters[sent].split(*encode_buffers(message, payload)):
            self.frames.append(Frame(sent, float(len(self.frames)), data))

    def step(self, key: tuple[int, int], commit: int, first: int, parents: Sequence[int], answered: bool = True) -> torch.Tensor:
        rows = torch.randn(len(parents), HIDDEN, generator=torch.Generator().manual_seed(first))
        self.cross(True, Step(1, *key, commit, first, list(parents), -1), rows)
        if answered:
            self.cross(False, Answer(1, *key, 9), rows + 1)
        return rows

    def opened(self) -> "Line":
        self.cross(True, Open(1, 2, 5, self._format))
        return self

    def held(self) -> HeldRows:
        (rows,) = held_rows(self.frames, HIDDEN)
        return rows


def test_rows_of_a_chain_come_back_in_order() -> None:
    line = Line().opened()
    sent = torch.cat([line.step((0, 0), -1, 0, [-1, 0, 1]), line.step((0, 1), 2, 3, [2])])
    rows = line.held()
    assert (rows.first_layer, rows.last_layer, rows.parents, rows.path) == (2, 5, [-1, 0, 1, 2], [0, 1, 2, 3])
    assert torch.equal(rows.inputs, sent)
    assert torch.equal(rows.outputs, sent + 1)


def test_guesses_that_were_dropped_are_held_but_not_on_the_path() -> None:
    line = Line().opened()
    line.step((0, 0), -1, 0, [-1, 0])
    line.step((0, 1), 1, 2, [1, 2, 3])  # rows 3 and 4 are guesses
    line.step((1, 0), 2, 5, [2])  # which were wrong
    assert line.held().path == [0, 1, 2, 5]  # a new epoch drops what the older one had below the commit
    line.step((1, 1), 5, 6, [5])
    rows = line.held()
    assert rows.path == [0, 1, 2, 5, 6]
    assert rows.leaves() == [4, 6]
    assert rows.ancestry(4) == [0, 1, 2, 3, 4]


def test_what_is_sent_below_a_commit_takes_the_place_of_a_guess_there() -> None:
    line = Line().opened()
    line.step((0, 0), -1, 0, [-1])
    line.step((0, 1), 0, 1, [0, 1])  # row 2 is a guess
    line.step((0, 2), 1, 3, [1, 3])  # which was wrong: row 3 stands in its place, row 4 is a guess again
    assert line.held().path == [0, 1, 3, 4]


def test_a_row_without_an_answer_is_known_as_one() -> None:
    line = Line().opened()
    line.step((0, 0), -1, 0, [-1])
    line.step((0, 1), 0, 1, [0], answered=False)
    rows = line.held()
    assert rows.answered == [True, False]
    assert not rows.returned[1].any()


def test_frames_in_any_order_hold_the_same() -> None:
    line = Line().opened()
    line.step((0, 0), -1, 0, range(-1, 40))
    line.step((0, 1), 40, 41, [40, 41])
    expected = line.held()
    opening, rest = line.frames[:1], line.frames[1:]
    random.Random(1).shuffle(rest)
    line.frames[:] = opening + rest
    assert torch.equal(line.held().sent, expected.sent)
    assert line.held().path == expected.path


def test_rows_of_other_formats_are_read() -> None:
    for row_format in (RowFormat.FLOAT16, RowFormat.BFLOAT16):
        line = Line(row_format).opened()
        sent = line.step((0, 0), -1, 0, [-1, 0])
        assert torch.allclose(line.held().sent, sent, atol=0.02)


def test_sessions_that_began_before_the_recording_are_left_out() -> None:
    line = Line()
    line.step((0, 0), -1, 0, [-1])
    assert held_rows(line.frames, HIDDEN) == []


def test_messages_come_whole_with_their_direction() -> None:
    line = Line().opened()
    line.cross(False, Ping(3))
    assert [(sent, type(message).__name__) for sent, _, message, _ in messages(line.frames)] == [(True, "Open"), (False, "Ping")]
