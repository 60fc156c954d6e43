"""The session rules, against a naive model and case by case."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remote_agent.wire.errors import BrokenRule, ErrorCode
from remote_agent.wire.messages import Answer, Refused, Step
from remote_agent.wire.session import MAX_LEVELS, WINDOW, AnswerOrder, Reply, StepQueue
from tests.helpers.wire_messages import step

ROW, CODE = 4, 1


def rows(of: Step) -> bytes:
    return bytes([of.sequence % 256]) * ROW * len(of.parents)


def reply_to(of: Step) -> Reply:
    return Reply(Answer(of.session, of.epoch, of.sequence, of.epoch), rows(of))


def run_all(queue: StepQueue) -> list[int]:
    ran = []
    while (work := queue.next()) is not None:
        queue.answered(work.step, reply_to(work.step))
        ran.append(work.step.sequence)
    return ran


def test_steps_that_come_out_of_order_run_in_order() -> None:
    queue = StepQueue(ROW)
    for sequence in (2, 1):
        queue.offer(step(sequence), rows(step(sequence)))
        assert queue.next() is None
    queue.offer(step(0), rows(step(0)))
    assert run_all(queue) == [0, 1, 2]


def test_work_tells_when_its_step_came() -> None:
    queue = StepQueue(ROW)
    queue.offer(step(1), rows(step(1)), came=1.5)
    queue.offer(step(0), rows(step(0)), came=2.5)
    assert [work.came for _ in range(2) if (work := queue.next()) is not None] == [2.5, 1.5]


def test_a_repeated_step_gets_its_kept_answer_and_never_runs_twice() -> None:
    queue = StepQueue(ROW)
    assert queue.offer(step(0), rows(step(0))) is None
    assert queue.offer(step(0), rows(step(0))) is None
    work = queue.next()
    assert work is not None
    assert queue.offer(step(0), rows(step(0))) is None
    assert queue.next() is None
    queue.answered(work.step, reply_to(work.step))
    assert queue.offer(step(0), rows(step(0))) == reply_to(step(0))
    assert queue.next() is None


def test_a_refusal_is_kept_like_an_answer() -> None:
    queue = StepQueue(ROW)
    queue.offer(step(0), rows(step(0)))
    work = queue.next()
    assert work is not None
    refusal = Reply(Refused(ErrorCode.CONTEXT_FULL, 1, 0, 0))
    queue.answered(work.step, refusal)
    assert queue.offer(step(0), rows(step(0))) is refusal


def test_a_new_epoch_drops_what_is_unanswered_and_makes_what_runs_stale() -> None:
    queue = StepQueue(ROW)
    for sequence in (0, 1, 3):
        queue.offer(step(sequence), rows(step(sequence)))
    running = queue.next()
    assert running is not None
    assert not queue.is_stale(running.step)
    queue.offer(step(0, epoch=5, rows=0))
    assert queue.is_stale(running.step)
    assert not queue.answered(running.step, reply_to(running.step))
    assert queue.offer(step(1), rows(step(1))) is None
    work = queue.next()
    assert work is not None
    assert work.step.epoch == 5
    assert queue.next() is None


def test_received_frees_kept_answers() -> None:
    queue = StepQueue(ROW)
    for sequence in range(3):
        queue.offer(step(sequence), rows(step(sequence)))
    run_all(queue)
    assert queue.held_bytes == 3 * ROW
    queue.offer(step(3, received=1), rows(step(3)))
    assert queue.held_bytes == 2 * ROW
    assert queue.offer(step(1), rows(step(1))) is None
    assert queue.offer(step(2), rows(step(2))) == reply_to(step(2))


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (step(0, rows=3), ErrorCode.STEP_TOO_LARGE),
        (msgspec.structs.replace(step(0), commit=0), ErrorCode.BAD_ROWS),
        (msgspec.structs.replace(step(0), parents=[0]), ErrorCode.BAD_ROWS),
        (msgspec.structs.replace(step(0, rows=2), parents=[-1, 1]), ErrorCode.BAD_ROWS),
        (step(0, received=0), ErrorCode.MALFORMED),
        (step(5, received=3), ErrorCode.MALFORMED),
        (step(0, epoch=1, received=0), ErrorCode.MALFORMED),
        (step(WINDOW), ErrorCode.MALFORMED),
    ],
)
def test_a_step_that_breaks_a_rule_is_refused_with_its_code_and_changes_nothing(bad: Step, code: ErrorCode) -> None:
    queue = StepQueue(ROW, max_rows=2)
    with pytest.raises(BrokenRule) as refused:
        queue.offer(bad, rows(bad))
    assert refused.value.code is code
    assert queue.epoch == 0
    assert queue.held_bytes == 0
    queue.offer(step(0), rows(step(0)))
    assert run_all(queue) == [0]


def test_a_payload_that_does_not_fit_its_rows_is_refused() -> None:
    with pytest.raises(BrokenRule) as refused:
        StepQueue(ROW).offer(step(0), b"12345")
    assert refused.value.code is ErrorCode.BAD_ROWS


def coded(levels: list[int], **changes: object) -> Step:
    return msgspec.structs.replace(step(0, rows=len(levels)), levels=levels, **changes)


@pytest.mark.parametrize(("levels", "size"), [([], 2 * ROW), ([0, 0], 2 * ROW), ([320, 0], CODE + ROW), ([1, 65_535], 2 * CODE)])
def test_each_row_has_the_bytes_of_its_kind(levels: list[int], size: int) -> None:
    sent = msgspec.structs.replace(step(0, rows=2), levels=levels)
    for wrong in (size - 1, size + 1):
        with pytest.raises(BrokenRule) as refused:
            StepQueue(ROW, code_bytes=CODE).offer(sent, bytes(wrong))
        assert refused.value.code is ErrorCode.BAD_ROWS
    queue = StepQueue(ROW, code_bytes=CODE)
    queue.offer(sent, bytes(size))
    assert queue.held_bytes == 2 * ROW  # the answer will have that many
    assert run_all(queue) == [0]


@pytest.mark.parametrize(
    ("bad", "size"),
    [
        (msgspec.structs.replace(step(0, rows=2), levels=[320]), CODE + ROW),
        (coded([320, 320, 320], parents=[-1, 0, 0]), 3 * CODE),
        (coded([0, 320], parents=[-1, -1]), ROW + CODE),
        (coded(list(range(1, MAX_LEVELS + 2))), (MAX_LEVELS + 1) * CODE),
    ],
)
def test_codes_that_break_a_rule_are_bad_rows(bad: Step, size: int) -> None:
    with pytest.raises(BrokenRule) as refused:
        StepQueue(ROW, code_bytes=CODE).offer(bad, bytes(size))
    assert refused.value.code is ErrorCode.BAD_ROWS


def test_a_session_without_codes_takes_none() -> None:
    with pytest.raises(BrokenRule) as refused:
        StepQueue(ROW).offer(coded([320]), bytes(ROW))
    assert refused.value.code is ErrorCode.BAD_ROWS
    StepQueue(ROW).offer(coded([0]), bytes(ROW))


def test_behind_the_last_row_of_codes_a_step_may_branch() -> None:
    tree = coded([320, 0, 0, 0], parents=[-1, 0, 0, 1])
    StepQueue(ROW, code_bytes=CODE).offer(tree, bytes(CODE + 3 * ROW))


def test_what_waits_and_is_kept_is_bounded_in_bytes() -> None:
    queue = StepQueue(ROW, max_bytes=2 * ROW)
    queue.offer(step(0), rows(step(0)))
    queue.offer(step(1), rows(step(1)))
    run_all(queue)
    with pytest.raises(BrokenRule) as refused:
        queue.offer(step(2), rows(step(2)))
    assert refused.value.code is ErrorCode.STEP_TOO_LARGE
    queue.offer(step(2, received=0), rows(step(2)))


def test_answering_what_was_not_given_out_is_a_bug_of_the_caller() -> None:
    queue = StepQueue(ROW)
    queue.offer(step(0), rows(step(0)))
    with pytest.raises(ValueError, match="not given out"):
        queue.answered(step(0), reply_to(step(0)))


class NaiveAgent:
    """The rules in the words of the design, with no thought of memory."""

    def __init__(self) -> None:
        self.epoch = 0
        self.came: dict[tuple[int, int], Step] = {}
        self.ran: list[tuple[int, int]] = []

    def offer(self, offered: Step) -> tuple[int, int] | None:
        self.epoch = max(self.epoch, offered.epoch)
        key = (offered.epoch, offered.sequence)
        if offered.epoch < self.epoch:
            return None
        self.came[key] = offered
        return key if key in self.ran else None

    def next(self) -> tuple[int, int] | None:
        done = sum(epoch == self.epoch for epoch, _ in self.ran)
        return (self.epoch, done) if (self.epoch, done) in self.came else None


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(5, 60))
def test_the_queue_does_what_a_naive_model_does(chance: random.Random, turns: int) -> None:
    """A desktop with several steps in flight; the line reorders, repeats and delays both ways."""
    queue, naive, order = StepQueue(ROW), NaiveAgent(), AnswerOrder()
    to_agent: list[Step] = []
    to_desktop: list[Reply] = []
    handed_on: list[tuple[int, int]] = []
    epoch, sequence, newest_sent = 0, 0, 0
    for _ in range(turns):
        match chance.randrange(8):
            case 0 | 1 | 2 if order.in_flight < 4:
                order.sent(epoch, sequence)
                newest_sent = epoch
                to_agent.append(step(sequence, epoch, rows=chance.randint(0, 2), received=order.received))
                sequence += 1
            case 3 if chance.random() < 0.3 and sequence:
                epoch, sequence = epoch + chance.randint(1, 3), 0
            case 4 | 5 if to_agent:
                coming = chance.choice(to_agent)
                if chance.random() < 0.7:
                    to_agent.remove(coming)
                kept = queue.offer(coming, rows(coming))
                naive_kept = naive.offer(coming)
                if kept is not None:
                    assert (kept.message.epoch, kept.message.sequence) == naive_kept
                    to_desktop.append(kept)
                elif naive_kept is not None:
                    wanted = coming.epoch == newest_sent and coming.sequence > order.received
                    assert not wanted, "an answer was freed that may still be asked for"
            case 6:
                work, expected = queue.next(), naive.next()
                assert (work and (work.step.epoch, work.step.sequence)) == expected
                if work is not None and expected is not None:
                    naive.ran.append(expected)
                    assert queue.answered(work.step, reply_to(work.step))
                    to_desktop.append(reply_to(work.step))
            case _ if to_desktop:
                reply = chance.choice(to_desktop)
                if chance.random() < 0.7:
                    to_desktop.remove(reply)
                for ready in order.offer(reply):
                    assert ready.message.epoch == epoch or not sequence
                    handed_on.append((ready.message.epoch, ready.message.sequence))
    assert len(set(naive.ran)) == len(naive.ran)
    assert handed_on == sorted(set(handed_on)), "answers were handed on out of order or twice"
    for one in {one for one, _ in handed_on}:
        assert [sequence for of, sequence in handed_on if of == one] == list(range(sum(of == one for of, _ in handed_on)))


def test_answers_are_handed_on_in_sequence_each_once() -> None:
    order = AnswerOrder()
    for sequence in range(3):
        order.sent(0, sequence)
    zero, one, two = (reply_to(step(sequence)) for sequence in range(3))
    assert order.offer(two) == []
    assert order.received == -1
    assert order.offer(zero) == [zero]
    assert order.offer(zero) == []
    assert order.offer(one) == [one, two]
    assert order.received == 2
    assert order.in_flight == 0


def test_late_answers_of_older_epochs_are_discarded() -> None:
    order = AnswerOrder()
    order.sent(0, 0)
    order.sent(4, 0)
    assert order.offer(reply_to(step(0))) == []
    assert order.received == -1


@pytest.mark.parametrize(("epoch", "sequence"), [(0, 1), (1, 0)])
def test_an_answer_to_what_was_never_sent_breaks_a_rule(epoch: int, sequence: int) -> None:
    order = AnswerOrder()
    order.sent(0, 0)
    with pytest.raises(BrokenRule):
        order.offer(reply_to(step(sequence, epoch)))


@pytest.mark.parametrize(("epoch", "sequence"), [(0, 0), (0, 2), (1, 1)])
def test_steps_sent_out_of_order_are_a_bug_of_the_caller(epoch: int, sequence: int) -> None:
    order = AnswerOrder()
    order.sent(0, 0)
    with pytest.raises(ValueError, match="out of order"):
        order.sent(epoch, sequence)
