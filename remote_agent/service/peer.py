"""One desktop at the other end of a channel: what it asks is checked here, run by the scheduler, and answered.

Two threads meet here. Messages come in the link's thread, where sizes, ranges and the rules of the session are checked; layers
run in the scheduler's thread (`turns`), which asks the session for the next step in sequence and looks between passes whether a
newer epoch has made it stale. Nothing that a peer sends is believed and nothing ends the agent: a bad message is
refused with a code.
"""

import contextlib
import time
from collections.abc import Callable
from typing import Protocol

import msgspec

from remote_agent.service.doorkeeper import Doorkeeper
from remote_agent.service.middle import Middle
from remote_agent.service.room import Room
from remote_agent.service.scheduler import Scheduler
from remote_agent.service.sessions import Session, Sessions
from remote_agent.service.turns import StepTurn, code_of
from remote_agent.wire.codec import code_bytes, row_bytes
from remote_agent.wire.errors import BrokenRule, ErrorCode
from remote_agent.wire.messages import (
    PROTOCOL_VERSION,
    Close,
    Fork,
    Hello,
    Message,
    Open,
    Ready,
    Refused,
    Step,
)
from remote_agent.wire.session import Reply, StepQueue, Work


class Sender(Protocol):
    """The part of a channel that a peer uses; may be called from any thread, never blocks."""

    def post(self, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        """Send the message in the order of calls."""

    def post_at(self, when: float, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        """Send the message, but not before this time of `time.perf_counter`."""


class Nobody:
    """Whoever answers are sent to while a desktop is away: those that it misses are kept by their sessions."""

    def post(self, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        """Drop it."""

    def post_at(self, when: float, message: Message, payload: bytes | bytearray | memoryview = b"") -> None:
        """Drop it."""


class Peer:
    """Serves one desktop, over one channel at a time. `received`, `attach`, `detach` and `closed` belong to the link's thread."""

    def __init__(
        self,
        sender: Sender,
        middle: Middle,
        sessions: Sessions,
        scheduler: Scheduler,
        doorkeeper: Doorkeeper | None = None,
    ) -> None:
        """Without a `doorkeeper` the peer may ask as fast as it likes."""
        self._max_held_bytes = middle.max_held_bytes
        self._sender = sender
        self._middle = middle
        self._sessions = sessions
        self._scheduler = scheduler
        self._room = Room(middle, sessions, middle.max_peer_cache_bytes)
        self._visitor = (doorkeeper or Doorkeeper()).visitor()
        self._greeted = False

    def received(self, message: Message, payload: memoryview) -> None:
        """Take one message from the channel."""
        number = getattr(message, "session", 0)
        try:
            self._visitor.message()
            match message:
                case Hello():
                    self._hello(message)
                case _ if not self._greeted:
                    raise BrokenRule(ErrorCode.MALFORMED, "The first message must be a greeting.")
                case Open():
                    self._open(message)
                case Fork():
                    self._fork(message)
                case Close():
                    self._close(self._sessions.remove(self, message.session))
                case Step():
                    self._step(message, payload)
                case _:
                    raise BrokenRule(ErrorCode.MALFORMED, "This message is not for an agent.")
        except BrokenRule as error:
            step = message if isinstance(message, Step) else None
            self._refuse(error.code, number, step)

    def attach(self, sender: Sender) -> None:
        """The desktop has come back on another channel. What it asked and was not answered it asks again."""
        self._sender = sender

    def detach(self) -> None:
        """The channel is gone; the desktop may come back."""
        self._sender = Nobody()

    def closed(self) -> None:
        """The desktop is gone: free what this peer held."""
        self._scheduler.drop(self)
        for session in self._sessions.remove_all(self):
            self._close(session)

    def _hello(self, message: Hello) -> None:
        if message.version != PROTOCOL_VERSION:
            raise BrokenRule(ErrorCode.PROTOCOL_VERSION, "The desktop speaks another version.")
        if message.manifest != self._middle.manifest_digest:
            raise BrokenRule(ErrorCode.OTHER_MODEL, "The desktop holds another model.")
        again, self._greeted = self._greeted, True
        self._sender.post(msgspec.structs.replace(self._middle.welcome(), resumed=int(again)))

    def _open(self, message: Open) -> None:
        if not self._middle.first_layer <= message.first_layer < message.last_layer <= self._middle.last_layer:
            raise BrokenRule(ErrorCode.LAYERS_NOT_AVAILABLE, "These layers are not offered.")
        if message.codes is not None and message.first_layer > 0:
            raise BrokenRule(ErrorCode.LAYERS_NOT_AVAILABLE, "Codes are for the first layer.")
        self._add(message, message, self._middle.open)

    def _fork(self, message: Fork) -> None:
        source = self._known(message.source)

        def fork(session: Session) -> None:
            self._middle.fork(session, source, message.row)

        opened = Open(message.session, source.first_layer, source.last_layer, source.rows, source.codes)
        self._add(message, opened, fork)

    def _add(self, asked: Open | Fork, opened: Open, begin: Callable[[Session], None]) -> None:
        self._visitor.session()
        number, codes = opened.session, opened.codes
        held = self._sessions.use(self, number)
        if held is not None and held.begun == asked:
            # Asked again, since the connection was lost before the answer came; it waits its turn behind the opening itself.
            self._scheduler.submit(self, lambda: self._sender.post(Ready(number)))
            return
        if held is not None:
            raise BrokenRule(ErrorCode.MALFORMED, "This session is open already.")
        steps = StepQueue(
            row_bytes(opened.rows, self._middle.hidden_size),
            self._middle.max_rows_per_step,
            code_bytes=None if codes is None else code_bytes(codes),
        )
        gone = Refused(ErrorCode.SESSION_GONE, number, 0, 0)
        span = (opened.first_layer, opened.last_layer)
        session = Session(self._sessions.new_key(), *span, opened.rows, steps, lambda: self._sender.post(gone), codes, asked)
        evicted = self._sessions.add(self, number, session)
        if evicted is not None:
            evicted.tell_gone()
            self._close(evicted)

        def job() -> None:
            # Given up while the open waited, or while it ran: its end may have come before there was anything to free.
            if session.evicted:
                return
            with self._refusing(number, session):
                begin(session)
                self._sender.post(Ready(number))
            if session.evicted:
                self._middle.close(session)

        self._scheduler.submit(self, job)

    def _known(self, number: int) -> Session:
        session = self._sessions.use(self, number)
        if session is None:
            raise BrokenRule(ErrorCode.SESSION_GONE, "The session is not held here.")
        return session

    def _close(self, session: Session | None) -> None:
        if session is not None:
            self._scheduler.submit(self._middle, lambda: self._middle.close(session))

    def _step(self, step: Step, payload: memoryview) -> None:
        session = self._known(step.session)
        if self._sessions.held_bytes(self) + session.steps.weight(step) > self._max_held_bytes:
            raise BrokenRule(ErrorCode.STEP_TOO_LARGE, "More rows wait for this peer than are allowed.")
        self._visitor.rows(len(step.parents))
        with session.lock:
            kept = session.steps.offer(step, payload, time.perf_counter())
        if kept is not None:
            self._sender.post(kept.message, kept.payload)
        else:
            self._take_turn(session)

    def _answer(self, session: Session, work: Work, reply: Reply) -> None:
        """Send what became of a step; in the scheduler's thread."""
        with session.lock:
            wanted = session.steps.answered(work.step, reply)
        if isinstance(reply.message, Refused):
            self._visitor.refused(reply.message.code)
        if wanted and work.step.hold:
            self._sender.post_at(work.came + work.step.hold / 1e6, reply.message, reply.payload)
        elif wanted:
            self._sender.post(reply.message, reply.payload)
        # A step that came early waits for the one that has just run.
        if session.steps.has_next:
            self._take_turn(session)

    def _take_turn(self, session: Session) -> None:
        turn = StepTurn(session, self._middle, lambda running: self._room.make(self, running), self._answer)
        self._scheduler.submit_step(self, turn)

    def _refusing(self, number: int, session: Session) -> "contextlib.AbstractContextManager[None]":
        @contextlib.contextmanager
        def guard():  # type: ignore[no-untyped-def]
            try:
                yield
            except Exception as error:
                # By now the number may be another session's, opened after this one was closed.
                if self._sessions.use(self, number) is session:
                    self._sessions.remove(self, number)
                self._refuse(code_of(error), number)

        return guard()

    def _refuse(self, code: ErrorCode, session: int, step: Step | None = None) -> None:
        self._visitor.refused(code)
        epoch, sequence = (step.epoch, step.sequence) if step else (0, 0)
        self._sender.post(Refused(code, session, epoch, sequence))
