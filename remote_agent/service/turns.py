"""The turn of a session's next step: from its admission, through passes that it shares with others, to its answer."""

import logging
import time
from collections.abc import Callable, Sequence
from typing import cast

import torch

from remote_agent.segment.artefacts import UnknownArtefact
from remote_agent.segment.batch import UnderWay, advance
from remote_agent.segment.errors import ContextFull, OutOfMemory, RowUnknown, SegmentError, StepDropped
from remote_agent.segment.payload import BadRows, to_payload
from remote_agent.segment.segment import enough_memory
from remote_agent.service.middle import Middle
from remote_agent.service.scheduler import Portion
from remote_agent.service.sessions import Session
from remote_agent.wire.errors import BrokenRule, ErrorCode
from remote_agent.wire.messages import Answer, Refused
from remote_agent.wire.session import Reply, Work

_log = logging.getLogger(__name__)


class StepTurn:
    """A task of the scheduler. Which step it is shows when it begins: the next one of the session, if that has come."""

    _work: Work
    _under_way: UnderWay

    def __init__(
        self,
        session: Session,
        middle: Middle,
        make_room: Callable[[Session], None],
        answer: Callable[[Session, Work, Reply], None],
    ) -> None:
        """`make_room` is called once the session's cache has grown; `answer` once, unless nobody waits any more."""
        self._session, self._middle = session, middle
        self._make_room, self._answer = make_room, answer

    @property
    def lane(self) -> Session:
        """See `scheduler.Task`."""
        return self._session

    @property
    def left(self) -> int:
        """See `scheduler.Task`."""
        return self._under_way.left

    @property
    def context(self) -> int:
        """See `scheduler.Task`."""
        return self._under_way.context

    @property
    def unwanted(self) -> bool:
        """See `scheduler.Task`."""
        return self._session.evicted or self._session.steps.is_stale(self._work.step)

    def begin(self) -> bool:
        """See `scheduler.Task`."""
        session = self._session
        with session.lock:
            work = None if session.evicted else session.steps.next()
        if work is None:
            return False
        self._work, self._began, under_way = work, time.perf_counter(), None
        try:
            under_way = self._middle.begin(session, work.step, memoryview(work.payload), lambda: self.unwanted)
            self._make_room(session)
        except Exception as error:
            if under_way is not None:
                under_way.give_up()
            self._refuse(error)
            return False
        self._under_way = under_way
        if not under_way.left:
            self.finish()
        return under_way.left > 0

    def finish(self) -> None:
        """See `scheduler.Task`."""
        step, microseconds = self._work.step, int((time.perf_counter() - self._began) * 1e6)
        with torch.inference_mode():
            payload = to_payload(self._under_way.answer(), self._session.rows)
        self._answer(self._session, self._work, Reply(Answer(step.session, step.epoch, step.sequence, microseconds), payload))

    def fail(self, error: Exception) -> None:
        """See `scheduler.Task`."""
        self._under_way.give_up()
        self._refuse(error)

    def _refuse(self, error: Exception) -> None:
        if isinstance(error, StepDropped):
            return
        if not isinstance(error, SegmentError | BadRows):
            _log.error("A step failed with %s.", type(error).__name__)
        step = self._work.step
        self._answer(self._session, self._work, Reply(Refused(code_of(error), step.session, step.epoch, step.sequence)))


def run_together(portions: Sequence[Portion]) -> None:
    """Take rows of several turns through the layers. Raises `OutOfMemory`, and `StepDropped` once all of them are unwanted."""
    turns = [(cast(StepTurn, turn), count) for turn, count in portions]
    with torch.inference_mode(), enough_memory("for this step"):
        advance([(turn._under_way, count) for turn, count in turns], lambda: all(turn.unwanted for turn, _ in turns))


def code_of(error: Exception) -> ErrorCode:
    """Return the code under which a peer is told of this error."""
    match error:
        case BrokenRule():
            return error.code
        case BadRows():
            return ErrorCode.BAD_ROWS
        case RowUnknown():
            return ErrorCode.ROW_UNKNOWN
        case ContextFull():
            return ErrorCode.CONTEXT_FULL
        case UnknownArtefact():
            return ErrorCode.CODES_UNKNOWN
        case OutOfMemory():
            return ErrorCode.OUT_OF_MEMORY
        case _:
            return ErrorCode.INTERNAL
